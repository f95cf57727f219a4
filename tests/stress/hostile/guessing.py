"""A bot that guesses the seed of its game from everything that is public, in a real tournament."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from referee.bots.sandbox.limits import Level
from referee.tournament.opening import open_tournament, plan_run
from referee.tournament.request import TournamentRequest, make_definition
from referee.tournament.results import Block
from referee.tournament.run import run_tournament
from referee.tournament.secret import draw_secret, game_seed
from stress.hostile import guesser
from stress.program import StressRefused
from support.seed_facts import facts_of

NAMES: Final = ("guesser", "other")


@dataclass(frozen=True)
class Guessing:
    """The result of an attack on the seed of a game."""

    guesses: int
    found: int | None  # the seed; None if the bot did not find it
    control: int | None  # the same for a seed that is derived as the first version derived it

    @property
    def is_held(self) -> bool:
        """Whether the bot found nothing, although it finds a seed that can be found."""
        return self.found is None and self.control is not None

    def to_dict(self) -> dict[str, Any]:
        """Every figure, for JSON."""
        return {**asdict(self), "held": self.is_held}


def guess_seed(level: Level, guesses: int, public: int) -> Guessing:
    """Let a bot guess the seed of a game in a tournament with this public seed."""
    secret, block = draw_secret(), _first_block(public)
    facts = facts_of(block._replace(seed=game_seed(secret, block.id)), public, 0)
    return Guessing(
        guesses,
        _found(level, facts, guesses, public, secret),
        _found(level, facts_of(block, public, 0), 0, public, secret),
    )


def _request(public: int, **options: Any) -> TournamentRequest:
    return TournamentRequest(
        seats=2, max_turns=1, blocks=1, seed=public, start_ms="off", workers=1, **options
    )


def _first_block(public: int) -> Block:
    request = _request(public)
    definition = make_definition(request, len(NAMES), public)
    stage = plan_run(request, definition, list(NAMES)).plan.stage(0, (), frozenset())
    assert stage is not None
    return next(iter(stage))


def _found(
    level: Level, facts: dict[str, object], guesses: int, public: int, secret: str
) -> int | None:
    """Play the block, and return what the bot found."""
    with tempfile.TemporaryDirectory(prefix="referee-guessing-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # bots may run as a user without rights
        words = tuple(
            f"{bot}={_make_bot(folder / bot, facts, guesses if bot == NAMES[0] else 0)}"
            for bot in NAMES
        )
        opened = open_tournament(
            folder / "tournament", _request(public, bots=words, sandbox=level), secret=secret
        )
        with opened.store:
            run_tournament(opened)
        logs = (folder / "tournament" / "stderr").glob(f"{NAMES[0]}.*")
        lines = [line for log in logs for line in log.read_text("utf-8").splitlines()]
    if len(lines) != 1 or not lines[0].startswith("found "):
        raise StressRefused(f"the bot that guesses did not play as it should: {lines}")
    found = lines[0].removeprefix("found ")
    return None if found == "None" else int(found)


def _make_bot(folder: Path, facts: dict[str, object], guesses: int) -> Path:
    folder.mkdir()
    shutil.copy(Path(guesser.__file__), folder / "bot.py")
    (folder / "facts.json").write_text(json.dumps(facts), "utf-8")
    command = ["python", "-I", "-S", "bot.py", "facts.json", str(guesses)]
    (folder / "bot.toml").write_text(f'name = "guesser"\ncommand = {json.dumps(command)}\n')
    return folder
