"""Counts over many games: their length, actions and routes, and the scores of seats and bots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean, median
from typing import Any, Final

from referee.engine.ending import PARTS
from referee.engine.terms import ABILITIES
from referee.records.game_stats import GameTally, SeatTally

Words = dict[str, Any]

SCORE_PARTS: Final = (*PARTS, "countries")
ACTIONS: Final = ("income", "place", "displace", "move", "create")
_DIGITS: Final = 3


def stats(games: Sequence[GameTally], left_out: Counter[str]) -> Words:
    """Return all figures as one object; `left_out` counts the records left out, by verdict."""
    return {
        "games": len(games),
        "left_out": dict(sorted(left_out.items())),
        "length": {
            "turns": spread([game.turns for game in games]),
            "decisions": spread([game.decisions for game in games]),
        },
        "reasons": dict(Counter(game.reason for game in games).most_common()),
        "actions": _actions(games),
        "routes": _routes(games),
        "abilities": _abilities(games),
        "markers": _markers(games),
        "favours": dict(_added(seat.favours for seat in _seats(games)).most_common()),
        "seats": _by_seat(games),
        "bots": _by_bot(games),
    }


def bot_name(name: str) -> str:
    """Return the name of a bot without `#2` or `~2`, which mark a second copy of it in a game."""
    return name.partition("~")[0].partition("#")[0]


def spread(values: Sequence[int]) -> Words | None:
    """Return the least, median, mean and most of the values; None if there are none."""
    if not values:
        return None
    return {
        "least": min(values),
        "median": median(values),
        "mean": round(fmean(values), _DIGITS),
        "most": max(values),
    }


def _seats(games: Iterable[GameTally]) -> Iterator[SeatTally]:
    for game in games:
        yield from game.seats


def _added(counters: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def _actions(games: Sequence[GameTally]) -> list[Words]:
    """How often each action was chosen, and its share of all."""
    total = _added(seat.actions for seat in _seats(games))
    count_of_all = total.total() or 1
    return [
        {
            "action": action,
            "count": total[action],
            "per_game": round(total[action] / len(games), _DIGITS) if games else 0,
            "share": round(total[action] / count_of_all, _DIGITS),
        }
        for action in ACTIONS
    ]


def _routes(games: Sequence[GameTally]) -> list[Words]:
    """Created routes, the most frequent first; `per_game` is per game on that board."""
    created: Counter[tuple[str, str]] = Counter()
    played = Counter(game.board for game in games)
    for game in games:
        for route, count in _added(seat.routes for seat in game.seats).items():
            created[game.board, route] += count
    return [
        {
            "board": board,
            "route": route,
            "created": count,
            "per_game": round(count / played[board], _DIGITS),
        }
        for (board, route), count in sorted(created.items(), key=lambda item: (-item[1], item[0]))
    ]


def _abilities(games: Sequence[GameTally]) -> list[Words]:
    """Each step of each ability: how many seats took it, and in which of their turns."""
    turns: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    seats = 0
    for seat in _seats(games):
        seats += 1
        for step in seat.developed:
            turns[step.ability, step.steps].append(step.turn)
    return [
        {
            "ability": ability,
            "step": step,
            "seats": len(taken),
            "share": round(len(taken) / seats, _DIGITS),
            "median_turn": median(taken),
        }
        for (ability, step), taken in sorted(
            turns.items(), key=lambda item: (ABILITIES.index(item[0][0]), item[0][1])
        )
    ]


def _markers(games: Sequence[GameTally]) -> list[Words]:
    taken = _added(seat.taken for seat in _seats(games))
    used = _added(seat.used for seat in _seats(games))
    return [
        {"marker": marker, "taken": taken[marker], "used": used[marker]}
        for marker in sorted({*taken, *used}, key=lambda marker: (-taken[marker], marker))
    ]


def _by_seat(games: Sequence[GameTally]) -> list[Words]:
    """Results by number of players and seat."""
    groups: defaultdict[tuple[int, int], list[SeatTally]] = defaultdict(list)
    for game in games:
        for seat in game.seats:
            groups[game.players, seat.seat].append(seat)
    return [
        {"players": players, "seat": seat, **_scores(groups[players, seat])}
        for players, seat in sorted(groups)
    ]


def _by_bot(games: Sequence[GameTally]) -> list[Words]:
    """Results by bot, the one with the highest share of wins first."""
    groups: defaultdict[str, list[SeatTally]] = defaultdict(list)
    for seat in _seats(games):
        groups[bot_name(seat.name)].append(seat)
    found = [
        {"name": name, **_scores(seats), **_faults_and_times(seats)}
        for name, seats in groups.items()
    ]
    return sorted(found, key=lambda bot: (-bot["wins"] / bot["games"], bot["name"]))


def _scores(seats: Sequence[SeatTally]) -> Words:
    """Means over games; a victory shared by two bots counts one half for each."""
    return {
        "games": len(seats),
        "wins": round(sum(seat.share for seat in seats), _DIGITS),
        "rank": round(fmean(seat.rank for seat in seats), _DIGITS),
        "total": round(fmean(seat.total for seat in seats), _DIGITS),
        "parts": {
            part: round(fmean(seat.parts[part] for seat in seats), _DIGITS) for part in SCORE_PARTS
        },
    }


def _faults_and_times(seats: Sequence[SeatTally]) -> Words:
    answers = sum(seat.answers.count for seat in seats)
    total_ms = sum(seat.answers.total_ms for seat in seats)
    return {
        "faults": sum(seat.faults for seat in seats),
        "disqualified": sum(seat.disqualified is not None for seat in seats),
        "hints": sum(seat.hints for seat in seats),
        "answers": answers,
        "mean_ms": round(total_ms / answers, _DIGITS) if answers else None,
        "slowest_ms": round(max(seat.answers.slowest_ms for seat in seats), _DIGITS),
    }


# -- one row for each seat of each game

COLUMNS: Final = (
    "record", "game", "board", "ruleset", "players", "seed", "turns", "decisions", "reason",
    "seat", "name", "rank", "share", "total", *SCORE_PARTS, "disqualified", "faults",
    *(f"action_{action}" for action in ACTIONS), "routes", "posts", "displaced",
    *(f"steps_{ability}" for ability in ABILITIES), "markers_taken", "markers_used", "favours",
    "answers", "total_ms", "slowest_ms", "hints",
)  # fmt: skip


def rows(game: GameTally) -> Iterator[Words]:
    """Yield a row for each seat of a game, with a value for each of COLUMNS."""
    for seat in game.seats:
        steps = Counter(step.ability for step in seat.developed)
        values = (
            game.record, game.game, game.board, game.ruleset, game.players, game.seed,
            game.turns, game.decisions, game.reason, seat.seat, seat.name, seat.rank,
            round(seat.share, _DIGITS), seat.total, *(seat.parts[part] for part in SCORE_PARTS),
            seat.disqualified or "", seat.faults, *(seat.actions[action] for action in ACTIONS),
            seat.routes.total(), seat.posts, seat.displaced,
            *(steps[ability] for ability in ABILITIES), seat.taken.total(), seat.used.total(),
            seat.favours.total(), seat.answers.count, round(seat.answers.total_ms, _DIGITS),
            round(seat.answers.slowest_ms, _DIGITS), seat.hints,
        )  # fmt: skip
        yield dict(zip(COLUMNS, values, strict=True))
