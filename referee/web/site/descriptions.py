"""The settings of a tournament in English: tables, format, clocks, faults, versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protocol.messages import PROTOCOL_VERSION
from referee.engine.board import Board
from referee.engine.ruleset import Ruleset
from referee.narration.result import game_title
from referee.text import plural
from referee.tournament.definition import RunOptions
from referee.tournament.secret import Closing
from referee.tournament.workers.messages import Conditions, TableJob
from referee.version import __version__
from referee.web.site.snapshot import Snapshot


def tournament_title(snapshot: Snapshot) -> str:
    """The title that the organiser gave, or a general one."""
    return snapshot.about.title or "Hansa Teutonica tournament"


def tournament_subtitle(snapshot: Snapshot) -> str:
    """What is played at all tables, in one line."""
    return " + ".join(snapshot.table_labels.values())


def progress(snapshot: Snapshot) -> str:
    """How far the tournament is, such as "In progress: 12 of 40 blocks"."""
    blocks, forecast = plural(len(snapshot.results), "block"), snapshot.forecast
    if not snapshot.may_continue:
        return f"Finished: {blocks}"
    if forecast is None or forecast.remaining_blocks is None or forecast.size == "at least":
        return f"In progress: {blocks}" if snapshot.results else "Not started yet"
    most = "at most " if forecast.size == "at most" else ""
    total = forecast.finished_blocks + forecast.remaining_blocks
    return f"In progress: {forecast.finished_blocks:,} of {most}{plural(total, 'block')}"


def dates(snapshot: Snapshot) -> str | None:
    """The first and the last day on which blocks were finished; None before the first block."""
    days = [game.finished.partition("T")[0] for game in snapshot.games]
    if not days:
        return None
    return days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


def settings(snapshot: Snapshot) -> list[tuple[str, str]]:
    """All settings of the tournament, as pairs of a name and a value."""
    definition = snapshot.definition
    conditions = definition.conditions
    return [
        *(("table", text) for text in map(describe_table, definition.tables, snapshot.setups)),
        ("format", "none yet" if snapshot.options is None else describe_options(snapshot.options)),
        ("clocks", describe_clock(conditions)),
        ("faults", describe_faults(conditions, snapshot.options)),
        ("processes", describe_processes(conditions)),
        *([] if snapshot.is_public else _seeds(snapshot)),
        (
            "versions",
            f"referee {__version__}, rules {definition.rules_version}, protocol {PROTOCOL_VERSION}",
        ),
        *(("first block finished", describe_time(game.finished)) for game in snapshot.games[:1]),
        *(("last block finished", describe_time(game.finished)) for game in snapshot.games[-1:]),
    ]


def _seeds(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    yield "seed", str(snapshot.definition.seed)
    if snapshot.closing is not None:
        yield "secret", describe_secret(snapshot.closing)


def describe_table(table: TableJob, setup: tuple[Board, Ruleset]) -> str:
    """The name that a table was given, what is played there, and the digest of its board."""
    board, rules = setup
    most = table.options.get("max_turns")
    turns = f", at most {most} turns" if most else ""
    name = "" if table.name == rules.name else f"{table.name}: "
    return f"{name}{game_title(board, rules)}{turns}; board {board.digest}"


def describe_options(options: RunOptions) -> str:
    """The format, the number of blocks, and the order of the seats."""
    return "; ".join(_options(options))


def _options(options: RunOptions) -> Iterator[str]:
    hero = f" of {options.hero}" if options.hero is not None else ""
    yield f"{options.format}{hero}"
    if options.rounds is not None:
        yield plural(options.rounds, "round")
    if options.sprt is not None:
        test = options.sprt
        yield f"a sequential test (SPRT) of {test.low:g} against {test.high:g} Elo"
    elif options.blocks is not None:
        yield f"{plural(options.blocks, 'block')} for each set of bots"
    elif options.blocks_per_bot is not None:
        yield f"{plural(options.blocks_per_bot, 'block')} for each bot"
    yield (
        "a block has every order of seats"
        if options.all_orders
        else "a block has every rotation of the seats"
    )


def describe_clock(conditions: Conditions) -> str:
    """The time limits of a game, and how time is measured."""
    by = "CPU time" if conditions.by_cpu else "wall-clock time"
    return (
        f"{_seconds(conditions.start_ms)} to start; {_seconds(conditions.bank_ms)} for all answers"
        f" of a game, plus {_seconds(conditions.increment_ms)} for each answer;"
        f" {_seconds(conditions.move_ms)} for a single answer; measured as {by}"
    )


def describe_faults(conditions: Conditions, options: RunOptions | None) -> str:
    """How many faults disqualify a bot in a game, and in the tournament."""
    strikes = conditions.strikes
    faults = plural(strikes, "fault") if strikes else "a fatal fault only"
    text = f"a bot is disqualified in a game after {faults}"
    if options is None:
        return text
    return (
        f"{text}, and in the tournament after {plural(options.out_after, 'game')} if"
        f" {options.out_at * 100:g} % of its games have faults"
    )


def describe_processes(conditions: Conditions) -> str:
    """How long a bot's process lives, and what happens if it computes while it is not asked."""
    life = "a new process for each game" if conditions.fresh else "one process for many games"
    return f"{life}; pondering: {conditions.ponder}"


def describe_secret(closing: Closing) -> str:
    """The secret of a closed tournament, from which the seeds of its blocks follow."""
    secret = closing.secret or "none, because it began with an earlier version of the referee"
    return f"{secret} (closed at {describe_time(closing.at)})"


def describe_time(time: str) -> str:
    """A stored time, such as "2026-05-17T20:15:00+00:00", as people write it."""
    return time.replace("T", " ").replace("+00:00", " UTC")


def _seconds(milliseconds: int | None) -> str:
    return "no limit" if milliseconds is None else f"{milliseconds / 1000:g} s"


def settings_to_dict(snapshot: Snapshot) -> dict[str, Any]:
    """The settings as plain data; programs read these keys, so they do not change."""
    definition = snapshot.definition
    return {
        "referee": __version__,
        "rules_version": definition.rules_version,
        "protocol": PROTOCOL_VERSION,
        "title": snapshot.about.title,
        "introduction": snapshot.about.introduction,
        "seed": definition.seed,
        "closed": snapshot.closing,
        "tables": [{"name": table.name, "seats": table.seats} for table in definition.tables],
        "conditions": definition.conditions,
        "programme": snapshot.options,
        "bots": [
            {
                "name": bot.name,
                "hash": bot.content,
                "out": bot.out,
                "author": bot.profile.author,
                "description": bot.profile.description,
                "link": bot.profile.link,
            }
            for bot in snapshot.bots
        ],
        "blocks": len(snapshot.results),
        "games": len(snapshot.games),
    }
