"""What is played, in words: tables, clocks, conduct, the programme, the versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protocol.messages import PROTOCOL_VERSION
from referee import __version__
from referee.narration.result import occasion
from referee.tournament.definition import Programme
from referee.tournament.workers.messages import Conditions, TableJob
from referee.web.site.snapshot import Source


def title(source: Source) -> str:
    """The whole tournament in a line."""
    return " + ".join(occasion(*table.load()) for table in source.charter.tables)


def played(source: Source) -> list[tuple[str, str]]:
    """Everything that an organiser settled, as pairs of a name and what it is."""
    charter = source.charter
    return [
        *(("table", table_words(table)) for table in charter.tables),
        ("format", "none yet" if source.programme is None else programme_words(source.programme)),
        ("clocks", clock_words(charter.conditions)),
        ("conduct", conduct_words(charter.conditions, source.programme)),
        ("seed", str(charter.seed)),
        (
            "versions",
            f"referee {__version__}, rules {charter.rules_version}, protocol {PROTOCOL_VERSION}",
        ),
        *(("last block finished", game.finished) for game in source.games[-1:]),
    ]


def table_words(table: TableJob) -> str:
    """A kind of table."""
    board, rules = table.load()
    most = table.options.get("max_turns")
    turns = f", scored after {most} turns at the latest" if most else ""
    return f"{table.name}: {occasion(board, rules)}{turns}; board {board.digest}"


def programme_words(programme: Programme) -> str:
    """What the last run played."""
    return "; ".join(_programme(programme))


def _programme(programme: Programme) -> Iterator[str]:
    hero = f" of {programme.hero}" if programme.hero is not None else ""
    yield f"{programme.format}{hero}"
    if programme.rounds is not None:
        yield f"{programme.rounds} rounds"
    if programme.sprt is not None:
        test = programme.sprt
        yield f"a sequential test of {test.low:g} against {test.high:g} Elo"
    elif programme.blocks is not None:
        yield f"{programme.blocks} blocks for each set of bots"
    yield "every order of seats" if programme.all_orders else "all rotations of the seats"


def clock_words(conditions: Conditions) -> str:
    """The clocks."""
    by = "CPU time" if conditions.by_cpu else "time on the wall"
    return (
        f"{_seconds(conditions.start_ms)} to start, {_seconds(conditions.bank_ms)} for all answers"
        f" of a game and {_seconds(conditions.increment_ms)} more for each,"
        f" {_seconds(conditions.move_ms)} for one answer; {by}"
    )


def conduct_words(conditions: Conditions, programme: Programme | None) -> str:
    """What faults cost."""
    strikes = conditions.strikes
    game = f"{strikes} faults disqualify in a game" if strikes else "faults never disqualify"
    fresh = "a new process for each game" if conditions.fresh else "processes are used again"
    said = [game, f"pondering: {conditions.ponder}", fresh]
    if programme is not None:
        said.append(
            f"out of the tournament with faults in {programme.out_at * 100:g} % of its games, after"
            f" {programme.out_after} of them"
        )
    return "; ".join(said)


def _seconds(milliseconds: int | None) -> str:
    return "no limit" if milliseconds is None else f"{milliseconds / 1000:g} s"


def words_of(source: Source) -> dict[str, Any]:
    """The same for programs."""
    charter = source.charter
    return {
        "referee": __version__,
        "rules_version": charter.rules_version,
        "protocol": PROTOCOL_VERSION,
        "seed": charter.seed,
        "tables": [{"name": table.name, "seats": table.seats} for table in charter.tables],
        "conditions": charter.conditions,
        "programme": source.programme,
        "bots": [{"name": bot.name, "hash": bot.content, "out": bot.out} for bot in source.bots],
        "blocks": len(source.results),
        "games": len(source.games),
    }
