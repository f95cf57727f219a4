"""The terminal: results, tables and progress. With console_board the only importer of rich."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from referee.bench.engine import BoardSpeed
from referee.bench.match import Cost, Memory
from referee.report import PARTS, Result, StandingWords, ending, occasion

Item = TypeVar("Item")

SEAT_STYLES: Final = ("bright_blue", "green", "magenta", "red", "yellow")
_ABSENT: Final = Text("–", style="dim")

_out = Console(highlight=False)
_err = Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """One plain line."""
    _out.print(Text(text), soft_wrap=True)


def complain(sentence: str) -> None:
    """One sentence on stderr."""
    _err.print(Text.assemble(("referee: ", "bold red"), sentence), soft_wrap=True)


def show_json(words: Mapping[str, object]) -> None:
    """One object on one line, as plain as a program wants it."""
    _out.file.write(json.dumps(words, ensure_ascii=False) + "\n")


def show_result(result: Result) -> None:
    """What was played, the final table and how it ended."""
    say("")
    _out.print(Text(occasion(result), style="bold"))
    say("")
    _out.print(_final_table(result))
    say("")
    _out.print(Text(ending(result)))
    _out.print(Text(f"The same game again: --seed {result['seed']}", style="dim"))
    say("")


def _final_table(result: Result) -> Table:
    """A score pad: a column for each seat, the winner's first; a row for each part of the total."""
    ranked = sorted(result["standings"], key=lambda standing: (standing["rank"], standing["seat"]))
    table = _table()
    table.add_column("", no_wrap=True)
    for standing in ranked:
        table.add_column(_seat_header(standing), justify="right", overflow="fold", max_width=16)
    table.add_row("rank", *[Text(str(standing["rank"]), style="bold") for standing in ranked])
    for part in PARTS:
        table.add_row(part, *[_points(_part(result, standing, part)) for standing in ranked])
    for country in result["countries"] or ["countries"]:
        given = [standing["countries"].get(country) for standing in ranked]
        table.add_row(country, *[_points(points) for points in given])
    table.add_section()
    table.add_row("total", *[Text(str(standing["total"]), style="bold") for standing in ranked])
    return table


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)


def _seat_header(standing: StandingWords) -> Text:
    style = SEAT_STYLES[standing["seat"] % len(SEAT_STYLES)]
    return Text.assemble(("● ", style), (standing["name"], "bold"), f"\nseat {standing['seat']}")


def _part(result: Result, standing: StandingWords, part: str) -> int | None:
    """The points of one part, or nothing where the game has no such part."""
    if part == "missions" and not result["rules"]["missions"]:
        return None
    points = standing[part]  # type: ignore[literal-required]  # PARTS are its keys
    return int(points)


def _points(points: int | None) -> Text:
    if points is None:
        return _ABSENT
    return Text(str(points), style="dim" if points == 0 else "")


def show_engine_speeds(words: Mapping[str, object], speeds: Sequence[BoardSpeed]) -> None:
    """The figures of `bench engine`, a row for each board."""
    table = _table()
    table.add_column("board", no_wrap=True)
    for header in ("seats", "decisions\nper s", "copy\nµs", "apply\nµs", "replayed\nper s"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("digest of the\nlast game", no_wrap=True, style="dim")
    for speed in speeds:
        table.add_row(
            speed.board,
            str(speed.seats),
            Text(f"{speed.decisions_per_s:,.0f}", style="bold"),
            f"{speed.copy_us:.2f}",
            f"{speed.apply_us:.2f}",
            f"{speed.replay_decisions_per_s:,.0f}",
            speed.digest,
        )
    say("")
    _out.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    _out.print(table)
    say("")


def show_match_costs(words: Mapping[str, object], costs: Sequence[Cost], memory: Memory) -> None:
    """The figures of `bench match`: a row for each way to speak to a bot, and where the time goes."""
    table = _table()
    table.add_column("µs a decision", no_wrap=True)
    for header in ("total", "echo", "times\necho", "engine", "messages", "record", "reply"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("bot's\nown", justify="right", style="dim")
    table.add_column("bytes\nasked", justify="right", style="dim")
    for cost in costs:
        parts = (cost.engine, cost.messages, cost.record, cost.reply, cost.bot)
        table.add_row(
            cost.case,
            Text(f"{cost.total:.1f}", style="bold"),
            f"{cost.echo:.1f}",
            f"{cost.ratio:.1f}",
            *[f"{part:.1f}" for part in parts],
            f"{cost.bytes:,.0f}",
        )
    say("")
    _out.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    _out.print(table)
    say(
        "'times echo' is the total less the bot's own time, over a plain pipe echo of the same bytes."
    )
    say(
        f"Memory of the referee over {memory.games:,} games: {memory.after_tenth:.1f} MiB after a"
        f" tenth of them, {memory.after_all:.1f} MiB after all."
    )
    say("")


def progress(items: Sequence[Item], name: Callable[[Item], str]) -> Iterator[Item]:
    """The items one after the other, with a bar on a terminal that says which is at work."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=_err, transient=True, disable=not _err.is_terminal) as bar:
        task = bar.add_task("", total=len(items))
        for item in items:
            bar.update(task, description=name(item))
            yield item
            bar.advance(task)
