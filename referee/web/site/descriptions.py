"""What is played, in words: tables, clocks, conduct, the format, the versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protocol.messages import PROTOCOL_VERSION
from referee.narration.result import game_title
from referee.tournament.definition import RunOptions
from referee.tournament.workers.messages import Conditions, TableJob
from referee.version import __version__
from referee.web.site.snapshot import Source


def title(source: Source) -> str:
    """Describe the whole tournament in one line."""
    return " + ".join(game_title(*table.load()) for table in source.definition.tables)


def played(source: Source) -> list[tuple[str, str]]:
    """Return all settings of the tournament, as pairs of a name and its value."""
    definition = source.definition
    return [
        *(("table", describe_table(table)) for table in definition.tables),
        ("format", "none yet" if source.options is None else describe_options(source.options)),
        ("clocks", describe_clock(definition.conditions)),
        ("conduct", describe_conduct(definition.conditions, source.options)),
        ("seed", str(definition.seed)),
        (
            "versions",
            f"referee {__version__}, rules {definition.rules_version}, protocol {PROTOCOL_VERSION}",
        ),
        *(("last block finished", game.finished) for game in source.games[-1:]),
    ]


def describe_table(table: TableJob) -> str:
    """Describe a kind of table."""
    board, rules = table.load()
    most = table.options.get("max_turns")
    turns = f", scored after {most} turns at the latest" if most else ""
    return f"{table.name}: {game_title(board, rules)}{turns}; board {board.digest}"


def describe_options(options: RunOptions) -> str:
    """Describe what the last run played."""
    return "; ".join(_options(options))


def _options(options: RunOptions) -> Iterator[str]:
    hero = f" of {options.hero}" if options.hero is not None else ""
    yield f"{options.format}{hero}"
    if options.rounds is not None:
        yield f"{options.rounds} rounds"
    if options.sprt is not None:
        test = options.sprt
        yield f"a sequential test of {test.low:g} against {test.high:g} Elo"
    elif options.blocks is not None:
        yield f"{options.blocks} blocks for each set of bots"
    yield "every order of seats" if options.all_orders else "all rotations of the seats"


def describe_clock(conditions: Conditions) -> str:
    """Describe the clocks of a game."""
    by = "CPU time" if conditions.by_cpu else "wall-clock time"
    return (
        f"{_seconds(conditions.start_ms)} to start, {_seconds(conditions.bank_ms)} for all answers"
        f" of a game and {_seconds(conditions.increment_ms)} more for each,"
        f" {_seconds(conditions.move_ms)} for one answer; {by}"
    )


def describe_conduct(conditions: Conditions, options: RunOptions | None) -> str:
    """Describe what faults cost a bot."""
    strikes = conditions.strikes
    game = f"{strikes} faults disqualify in a game" if strikes else "faults never disqualify"
    fresh = "a new process for each game" if conditions.fresh else "processes are used again"
    said = [game, f"pondering: {conditions.ponder}", fresh]
    if options is not None:
        said.append(
            f"out of the tournament with faults in {options.out_at * 100:g} % of its games, after"
            f" {options.out_after} of them"
        )
    return "; ".join(said)


def _seconds(milliseconds: int | None) -> str:
    return "no limit" if milliseconds is None else f"{milliseconds / 1000:g} s"


def settings_to_dict(source: Source) -> dict[str, Any]:
    """Return what is played as plain data, for programs."""
    definition = source.definition
    return {
        "referee": __version__,
        "rules_version": definition.rules_version,
        "protocol": PROTOCOL_VERSION,
        "seed": definition.seed,
        "tables": [{"name": table.name, "seats": table.seats} for table in definition.tables],
        "conditions": definition.conditions,
        "programme": source.options,
        "bots": [{"name": bot.name, "hash": bot.content, "out": bot.out} for bot in source.bots],
        "blocks": len(source.results),
        "games": len(source.games),
    }
