"""The Swiss system: in each round, bots of similar standing meet in pods, and rarely meet again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from referee.errors import ScheduleRefused
from referee.tournament.results import Block, BlockResult, GameResult, TableKind
from referee.tournament.schedule.base import (
    Stage,
    check_count,
    check_field,
    fixed_stage,
    lacks_bots,
)
from referee.tournament.schedule.draws import Draws
from referee.tournament.schedule.swiss_pods import Meetings, pods_of

EVEN: Final = Fraction(1, 2)  # the standing of bots that have not played


class SwissRound(NamedTuple):
    """A round as far as it is played: its pods, and the bots without a seat."""

    number: int
    pods: tuple[tuple[str, ...], ...]  # each in alphabetical order
    byes: tuple[str, ...]  # empty while the round is being played


class Swiss:
    """Rounds of pods: the first round is random, each later one follows the standings before it.

    A pod plays `blocks` blocks at every table. A bot without a seat has a bye, and nobody has a
    second bye before all have had one. See `default_rounds` for the default of `rounds`. With
    `rounds_per_bot`, there are rounds until every bot has played in that many; the last of them may
    have fewer pods.
    """

    def __init__(
        self,
        seed: int,
        tables: Sequence[TableKind],
        bots: Sequence[str],
        rounds: int | None = None,
        blocks: int = 1,
        *,
        rounds_per_bot: int | None = None,
        all_orders: bool = False,
    ) -> None:
        check_field(tables, bots)
        self.bots = tuple(sorted(bots))
        self.tables = tuple(tables)
        self.seats = _seats_of(tables, len(bots))
        self.rounds_per_bot = rounds_per_bot
        if rounds_per_bot is not None:
            rounds = rounds_with_byes(len(bots), self.seats, rounds_per_bot)
        elif rounds is None:
            rounds = default_rounds(len(bots), self.seats)
        self.stages = check_count("the number of rounds", rounds)
        self.blocks = check_count("the number of blocks", blocks)
        self._draws = Draws(seed, all_orders)

    def stage(
        self, number: int, finished: Sequence[BlockResult], out: frozenset[str]
    ) -> Stage | None:
        """Return one round; pods that have played in it stay, even after a disqualification."""
        left = [bot for bot in self.bots if bot not in out]
        mine = [result for result in finished if _is_in_swiss_round(result.block)]
        earlier = [result for result in mine if result.block.stage < number]
        if self._is_over(number, left, earlier) or len(left) < self.seats:
            return None
        played = {
            tuple(sorted(result.block.bots)) for result in mine if result.block.stage == number
        }
        pods = self._pods(left, number, earlier)
        if not played.issubset(pods):
            waiting = [bot for bot in left if not any(bot in pod for pod in played)]
            kept = [pod for pod in sorted(played) if out.isdisjoint(pod)]
            pods = kept + self._pods(waiting, number, earlier)
        return self._round(number, pods)

    def spread(self) -> None:
        """Return None: nobody knows in advance who will meet whom."""

    def lacks_bots(self, out: frozenset[str]) -> str | None:
        """Return why no game is possible: the bots that are left do not fill a table."""
        return lacks_bots(self.bots, out, fewest=self.seats)

    def _is_over(self, number: int, left: Sequence[str], earlier: Sequence[BlockResult]) -> bool:
        if self.rounds_per_bot is None:
            return number >= self.stages
        # The last part ends it if games are void again and again.
        most = self.rounds_per_bot * len(self.bots)
        return number >= most or not self._lacking(left, _rounds_played(earlier))

    def _lacking(self, bots: Sequence[str], played: Counter[str]) -> list[str]:
        """Return the bots that still have rounds to play."""
        if self.rounds_per_bot is None:
            return list(bots)
        return [bot for bot in bots if played[bot] < self.rounds_per_bot]

    def _pods(
        self, bots: Sequence[str], number: int, earlier: Sequence[BlockResult]
    ) -> list[tuple[str, ...]]:
        """Return the pods; the bots with the fewest byes have a bye, the lowest ranked of them first."""
        ranked = self._best_first(bots, number, earlier)
        played = _rounds_played(earlier)
        needed = -(-len(self._lacking(bots, played)) // self.seats)
        seated_bots = self.seats * min(needed, len(ranked) // self.seats)
        busiest = sorted(((played[bot], place) for place, bot in enumerate(ranked)), reverse=True)
        idle = {place for _, place in busiest[: len(ranked) - seated_bots]}
        seated = [bot for place, bot in enumerate(ranked) if place not in idle]
        return pods_of(seated, self.seats, Meetings(result.block.bots for result in earlier))

    def _best_first(
        self, bots: Iterable[str], number: int, earlier: Iterable[BlockResult]
    ) -> list[str]:
        """Sort by standing, the best first; equal ones are in random order."""
        standing = standings(game for result in earlier for game in result.games)
        drawn = self._draws.order(bots, "standing", number)
        return sorted(drawn, key=lambda bot: standing.get(bot, EVEN), reverse=True)

    def _round(self, number: int, pods: Sequence[Sequence[str]]) -> Stage:
        draws = replace(self._draws, series=_series(number))
        blocks = [
            draws.block(table, pod, repeat, number)
            for repeat in range(max(self._repeats(table, number) for table in self.tables))
            for table in self.tables
            for pod in pods
            if repeat < self._repeats(table, number)
        ]
        return fixed_stage(draws, blocks)

    def _repeats(self, table: TableKind, number: int) -> int:
        """Return how many blocks a pod plays at a table in a round."""
        before, after = number * self.blocks, (number + 1) * self.blocks
        return table.weighted(after) - table.weighted(before)


def rounds_of(
    results: Sequence[BlockResult], bots: Collection[str], *, is_over: bool
) -> list[SwissRound]:
    """Return the rounds that have begun; `bots` are all that take part, `is_over` if no more follow.

    A bot that has left the tournament has no bye after its last round.
    """
    mine = [result.block for result in results if _is_in_swiss_round(result.block)]
    last_rounds = {bot: block.stage for block in sorted(mine, key=_stage) for bot in block.bots}
    last = max((block.stage for block in mine), default=-1)
    rounds = []
    for number in sorted({block.stage for block in mine}):
        pods = {tuple(sorted(block.bots)) for block in mine if block.stage == number}
        seated = {bot for pod in pods for bot in pod}
        present = {bot for bot, stage in last_rounds.items() if stage > number}.union(bots)
        byes = sorted(present - seated) if is_over or number < last else []
        rounds.append(SwissRound(number, tuple(sorted(pods)), tuple(byes)))
    return rounds


def _stage(block: Block) -> int:
    return block.stage


def default_rounds(bots: int, seats: int) -> int:
    """Return the rounds until only one bot can have won all its pods, and two more."""
    rounds = 2
    while bots > 1:
        bots = -(-bots // seats)
        rounds += 1
    return rounds


def rounds_with_byes(bots: int, seats: int, per_bot: int) -> int:
    """Return after how many rounds every bot has played in `per_bot` of them."""
    rounds = -(-per_bot * bots // (bots - bots % seats))
    while rounds - -(-rounds * (bots % seats) // bots) < per_bot:
        rounds += 1
    return rounds


def _rounds_played(earlier: Iterable[BlockResult]) -> Counter[str]:
    rounds = {(bot, result.block.stage) for result in earlier for bot in result.block.bots}
    return Counter(bot for bot, _ in rounds)


def standings(games: Iterable[GameResult]) -> dict[str, Fraction]:
    """Return the mean share of opponents that each bot beat; a tie counts one half."""
    halves: Counter[str] = Counter()
    opponents: Counter[str] = Counter()
    for game in games:
        for bot, rank in zip(game.bots, game.ranks, strict=True):
            halves[bot] += sum((rank < other) + (rank <= other) for other in game.ranks) - 1
            opponents[bot] += len(game.bots) - 1
    return {bot: Fraction(halves[bot], 2 * opponents[bot]) for bot in opponents}


def _series(number: int) -> str:
    return f"s{number}"


def _is_in_swiss_round(block: Block) -> bool:
    """Return whether it was played in a Swiss round, and not in another format."""
    return block.id.startswith(f"{_series(block.stage)}-")


def _seats_of(tables: Sequence[TableKind], bots: int) -> int:
    seats = tables[0].seats
    if any(table.seats != seats for table in tables):
        raise ScheduleRefused("all tables of a Swiss tournament need the same number of seats")
    if all(table.weight < 1 for table in tables):
        raise ScheduleRefused("a Swiss tournament needs a table with a weight of 1 or more")
    if bots < seats:
        raise ScheduleRefused(f"a Swiss tournament at {seats} seats needs {seats} bots or more")
    return seats
