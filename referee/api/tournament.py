"""A tournament from Python, between bots in their own processes and bots in this process."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, Unpack

from referee.adjudication.clock_rules import ClockKeywords
from referee.api.bots import NAMING_HINT, BotLike, Bots, find, named, split_import_path
from referee.bots.find import Bot, split_name
from referee.bots.parameters import Value
from referee.errors import BotRefused, TournamentRefused
from referee.match.in_process import MARK
from referee.options import GameKeywords
from referee.text import plural
from referee.tournament.coordinator import Ending, Progress, RunListener
from referee.tournament.definition import Format
from referee.tournament.field import IN_PROCESS, BotChanges, find_bot_on_disk, is_in_process
from referee.tournament.opening import OpenTournament, changed_bots, open_tournament
from referee.tournament.ratings import Entry, Ratings, rate
from referee.tournament.request import TournamentRequest, request_from_dict
from referee.tournament.results import GameResult
from referee.tournament.run import RunResult, run_tournament
from referee.tournament.secret import close_tournament, closing_of, parse_secret
from referee.tournament.sprt import Verdict
from referee.tournament.store.store import Store, StoredFault

ProgressCallback: TypeAlias = Callable[[Progress], None]


class TournamentOptions(GameKeywords, ClockKeywords, total=False):
    """The options of a tournament; the names are those of the command line."""

    title: str
    introduction: str
    sweep: Sequence[str | Path]
    variants: int
    sweep_seed: int
    seats: int
    blocks: int | Literal["settled"]
    blocks_per_bot: int
    games: int
    hours: float
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
    allow_build: Sequence[str]


@dataclass(frozen=True)
class TournamentResult:
    """The results of a tournament after a run, including those of earlier runs."""

    ending: Ending  # "done", or why it ended early
    ratings: Ratings
    games: list[GameResult]  # including those of earlier runs
    faults: list[StoredFault]
    folder: Path | None  # where it is kept, so that it can be continued
    changed: list[str] = field(default_factory=list)  # bots whose files changed while they played
    secret: str | None = None  # once the tournament is closed, as a decided sequential test is
    verdict: Verdict | None = None  # of a sequential test
    values: dict[str, dict[str, Value]] = field(default_factory=dict)  # of bots with other values

    @property
    def standings(self) -> Sequence[Entry]:
        """The bots with their ratings and intervals, the best bot first."""
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
    interval = "" if half is None else f" ±{half:.0f}"
    return f"{place}. {entry.bot} {entry.rating:.0f}{interval} ({plural(entry.games, 'game')})"


class Tournament:
    """Many games between bots; `run` plays them.

    With `out`, the tournament is kept in that folder, and creating and running it again continues
    it; without `out`, nothing is left on the disk. `look` is a function that is called several
    times per second with a Progress. With `replay_changed`, the blocks of bots that have changed
    are played again. With the same `seed` and the same `secret`, which is a string of at least 32
    hexadecimal digits, a new tournament plays the same games. The other options are those of
    `referee tournament`.
    """

    def __init__(
        self,
        bots: Bots,
        *,
        out: str | Path | None = None,
        workers: int | None = None,
        records: bool = True,
        replay_changed: bool = False,
        secret: str | None = None,
        cluster: str | None = None,
        look: ProgressCallback | None = None,
        **options: Unpack[TournamentOptions],
    ) -> None:
        self._in_process_bots: dict[str, Bot] = {}
        words = tuple(self._word(name, bot) for name, bot in named(bots))
        if cluster is not None and workers is not None:
            raise TournamentRefused("a cluster has its own workers: leave out `workers`")
        request = _request(words, workers, options)
        if cluster is not None:
            self._refuse_in_process(request)
        self._request = request
        self._out = None if out is None else Path(out)
        self._records = records and out is not None
        self._replay_changed = replay_changed
        self._secret = None if secret is None else parse_secret(secret, "`secret`")
        self._cluster = cluster
        self._on_progress = look

    def _word(self, name: str | None, bot: BotLike) -> str:
        """Return the word for this bot in the request and in the store."""
        if isinstance(bot, str | Path):
            text = str(bot) if name is None else f"{name}={bot}"
            if split_import_path(text)[1] is None:
                return text
            word = _in_process_word(text)
            self._in_process_bots[word] = find(text)
            return word
        found = find(bot, name)
        word = IN_PROCESS + found.name.removesuffix(MARK)
        # Compared by identity, not by source: two closures of one function may behave differently.
        if self._in_process_bots.setdefault(word, found).in_process is not found.in_process:
            raise BotRefused(f"two different bots have the name {found.name!r}; {NAMING_HINT}")
        return word

    def _refuse_in_process(self, request: TournamentRequest) -> None:
        """Raise TournamentRefused if a bot of the request has no process of its own."""
        for word in (*(request.bots or ()), *(request.sweep or ())):
            if is_in_process(word):
                raise TournamentRefused(
                    f"{self._find(word).name} runs inside this Python process, so it cannot play on a"
                    " cluster: make it a separate program"
                )

    def _find(self, word: str) -> Bot:
        """Return the bot for a word of the request; variants of a sweep are found here first."""
        if word not in self._in_process_bots:
            name, rest = split_name(word)
            text = rest.removeprefix(IN_PROCESS)
            if text == rest or split_import_path(text)[1] is None:
                return find_bot_on_disk(word)
            self._in_process_bots[word] = find(text, name)
        return self._in_process_bots[word]

    def run(self) -> TournamentResult:
        """Play all blocks that have not been played yet, and return the results.

        After the first Ctrl-C, the running blocks are finished; the second raises KeyboardInterrupt
        at once. Raises RefereeError if the tournament cannot be played.
        """
        with self._folder() as folder:
            opened = open_tournament(
                Path(folder),
                self._request,
                find=self._find,
                secret=self._secret,
                changes=BotChanges(replay=self._replay_changed),
            )
            with opened.store:
                on_progress = self._on_progress
                listener = RunListener() if on_progress is None else RunListener(on_progress)
                finished = run_tournament(
                    opened, listener, cluster=self._cluster, records=self._records
                )
                if finished.is_interrupted:
                    raise KeyboardInterrupt
                return _result(opened, finished, self._out)

    def close(self) -> str | None:
        """End the tournament in the folder `out`, and return its secret, which is public from now on.

        It takes no more blocks or bots. Returns None if it began with a version without secrets.
        Raises RefereeError if there is no tournament in the folder, or if it is running.
        """
        if self._out is None:
            raise TournamentRefused(
                "only a tournament that is kept in a folder can be closed: `out`"
            )
        with Store.resume(self._out) as store:
            return close_tournament(store).secret

    def _folder(self) -> AbstractContextManager[str]:
        if self._out is not None:
            return nullcontext(str(self._out))
        return tempfile.TemporaryDirectory(prefix="referee-tournament-")


def _in_process_word(text: str) -> str:
    """Return the word in the request and in the store for `NAME=module:attr --set P=V`."""
    name, rest = split_name(text)
    return f"{'' if name is None else f'{name}='}{IN_PROCESS}{rest}"


def _sweep_word(bot: str | Path) -> str:
    return _in_process_word(str(bot)) if split_import_path(str(bot))[1] else str(bot)


def _request(
    words: tuple[str, ...], workers: int | None, options: TournamentOptions
) -> TournamentRequest:
    given: dict[str, Any] = {**options, "bots": words, "workers": workers}
    if isinstance(given.get("sweep"), Sequence) and not isinstance(given["sweep"], str):
        given["sweep"] = [_sweep_word(bot) for bot in given["sweep"]]
    if given.get("board") is not None:
        given["board"] = str(given["board"])
    return request_from_dict(given, "this tournament")


def _result(opened: OpenTournament, finished: RunResult, folder: Path | None) -> TournamentResult:
    results = list(opened.store.results())
    closing = closing_of(opened.store)
    return TournamentResult(
        finished.ending,
        rate(results, bots=opened.names),
        [game for result in results for game in result.games],
        list(opened.store.faults()),
        folder,
        changed_bots(opened),
        None if closing is None else closing.secret,
        finished.verdict,
        opened.store.values(),
    )
