"""A tournament from Python, with bots in processes and bots in this one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, Unpack

from referee.adjudication.clock_rules import ClockKeywords
from referee.api.bots import BotLike, Bots, find, named, sandboxed
from referee.bots.find import Bot
from referee.errors import BotRefused
from referee.match.in_process import MARK
from referee.options import GameKeywords
from referee.system import core_count
from referee.tournament.coordinator import Ending, Progress, Watch
from referee.tournament.definition import Format, TournamentRefused
from referee.tournament.opening import IN_PROCESS, Entered, enter, find_elsewhere
from referee.tournament.prospect import Prospect, prospect
from referee.tournament.ratings import Entry, Ratings, rate
from referee.tournament.request import Wishes, wishes_of_words
from referee.tournament.results import GameResult
from referee.tournament.run import run
from referee.tournament.store.store import StoredFault
from referee.tournament.workers.mixed import Home
from referee.tournament.workers.pool import Crew, Pool

Look: TypeAlias = Callable[[Progress], None]


class TournamentOptions(GameKeywords, ClockKeywords, total=False):
    """What can be said of a tournament; the names are those of the command line."""

    seats: int
    blocks: int | Literal["settled"]
    format: Format
    rounds: int
    hero: str
    permutations: Literal["rotations", "all"]
    sprt: tuple[float, float]
    alpha: float
    beta: float
    disqualify_at: float
    disqualify_after: int
    seed: int
    strikes: int
    ponder: Literal["report", "forbid", "allow"]
    fresh: bool
    sandbox: Literal["off", "limits", "strict"]


@dataclass(frozen=True)
class TournamentResult:
    """How a tournament stands after a run."""

    ending: Ending  # "done", or why it ended before
    ratings: Ratings
    games: list[GameResult]  # those of earlier runs included
    faults: list[StoredFault]
    folder: Path | None  # where it is kept, to go on with it

    @property
    def standings(self) -> Sequence[Entry]:
        """The bots, the best first, with ratings and intervals."""
        return self.ratings.entries

    def __getitem__(self, bot: str) -> Entry:
        for entry in self.standings:
            if bot in (entry.bot, entry.bot.removesuffix(MARK)):
                return entry
        raise KeyError(bot)

    def __str__(self) -> str:
        return "\n".join(_line(place, entry) for place, entry in enumerate(self.standings, 1))


def _line(place: int, entry: Entry) -> str:
    half = None if entry.low is None or entry.high is None else (entry.high - entry.low) / 2
    sure = "" if half is None else f" ±{half:.0f}"
    return f"{place}. {entry.bot} {entry.rating:.0f}{sure} ({entry.games} games)"


class Tournament:
    """Many games among bots; `run` plays what is left of them.

    With `out` it is kept in that folder, and the same again goes on with it; without, nothing is
    left on the disk. `look` is called several times a second with where it stands.
    """

    def __init__(
        self,
        bots: Bots,
        *,
        out: str | Path | None = None,
        workers: int | None = None,
        records: bool = True,
        replay_changed: bool = False,
        cluster: str | None = None,
        look: Look | None = None,
        **options: Unpack[TournamentOptions],
    ) -> None:
        if workers is not None and workers < 1:
            raise TournamentRefused(f"the number of workers must be 1 or more, not {workers}")
        self._known: dict[str, Bot] = {}
        words = tuple(self._word(name, bot) for name, bot in named(bots))
        if cluster is not None and self._known:
            name = next(iter(self._known.values())).name
            raise TournamentRefused(
                f"{name} is in this process, and cannot play on a cluster: make it a program"
            )
        self._wishes = _wishes(words, options)
        self._out = None if out is None else Path(out)
        self._workers = workers
        self._records = records and out is not None
        self._replay_changed = replay_changed
        self._cluster = cluster
        self._look = look

    def _word(self, name: str | None, bot: BotLike) -> str:
        """The word that means this bot from now on."""
        if isinstance(bot, str | Path):
            return str(bot) if name is None else f"{name}={bot}"
        found = find(bot, name)
        word = IN_PROCESS + found.name.removesuffix(MARK)
        # By what it is, not by its source: a function made twice may remember different things.
        if self._known.setdefault(word, found).in_process is not found.in_process:
            raise BotRefused(
                f"two different bots have the name {found.name!r}; give names to them: {{name: bot}}"
            )
        return word

    def _find(self, word: str) -> Bot:
        return self._known.get(word) or find_elsewhere(word)

    def run(self) -> TournamentResult:
        """Play what is left. The first Ctrl-C finishes what is being played, the second stops at once."""
        with self._folder() as folder:
            path = Path(folder)
            planned = prospect(path, self._wishes, self._find)
            entered = enter(
                path, planned.wishes, replay_changed=self._replay_changed, find=self._find
            )
            with entered.store:
                return self._play(entered, planned)

    def _folder(self) -> AbstractContextManager[str]:
        if self._out is not None:
            return nullcontext(str(self._out))
        return tempfile.TemporaryDirectory(prefix="referee-tournament-")

    def _play(self, entered: Entered, planned: Prospect) -> TournamentResult:
        wishes = planned.wishes
        entered.bots = sandboxed(
            entered.bots, wishes.sandbox, "strict", wishes.limits, [entered.store.folder]
        )
        entered.must_be_strict = wishes.sandbox == "strict"
        watch = Watch() if self._look is None else Watch(looked=self._look)
        finished = run(entered, planned.programme, lambda: self._crew(entered), watch)
        return _result(entered, finished.ending, self._out)

    def _crew(self, entered: Entered) -> Crew:
        job = entered.job(records=self._records)
        if self._cluster is not None:
            from referee.tournament.workers.dask_cluster import Cluster  # noqa: PLC0415  it is an extra

            return Cluster(job, self._cluster, folder=entered.store.folder)
        workers = self._workers or core_count()
        in_process = [bot for bot in entered.bots if bot.in_process is not None]
        return Home(job, in_process, workers) if in_process else Pool(job, workers)


def _wishes(words: tuple[str, ...], options: TournamentOptions) -> Wishes:
    said: dict[str, Any] = {**options, "bots": words}
    if said.get("board") is not None:
        said["board"] = str(said["board"])
    return wishes_of_words(said, "this tournament")


def _result(entered: Entered, ending: Ending, folder: Path | None) -> TournamentResult:
    results = list(entered.store.results())
    return TournamentResult(
        ending,
        rate(results, bots=entered.names),
        [game for result in results for game in result.games],
        list(entered.store.faults()),
        folder,
    )
