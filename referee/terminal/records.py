"""Records in the terminal: verdicts and progress; untrusted text is escaped."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from rich.progress import TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from referee.match.reask import Difference, ReaskResult
from referee.records.game_stats import Answers
from referee.records.verify import Verdict
from referee.terminal import OUT, bar
from referee.terminal.game.score_tables import plain_table
from referee.text import visible

Item = TypeVar("Item")

FEW: Final = 20  # up to so many records each has its own line
_STYLES: Final = {"fine": "green", "incomplete": "yellow", "void": "yellow", "wrong": "bold red"}
_WIDEST: Final = max(map(len, _STYLES))
_REFRESH_S: Final = 0.1


def counted(results: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """The results as they come, with a progress bar on a terminal.

    It is drawn between results and not by a thread, since worker processes are forked meanwhile.
    """
    with bar(TimeRemainingColumn(), moves=False, hidden=total == 1) as shown:
        task = shown.add_task(what, total=total)
        drawn = 0.0
        for result in results:
            shown.advance(task)
            if time.monotonic() - drawn > _REFRESH_S:
                shown.refresh()
                drawn = time.monotonic()
            yield result


def show_verdict(verdict: Verdict) -> None:
    """One line about one record: its verdict, and why or its counts."""
    status = Text(verdict.verdict.ljust(_WIDEST), style=_STYLES[verdict.verdict])
    where = visible(verdict.record)
    if verdict.line is not None:
        where += f", line {verdict.line}"
    OUT.print(Text.assemble(status, "  ", where, ": ", _said(verdict)), soft_wrap=True)


def _said(verdict: Verdict) -> str:
    if verdict.why is not None:
        return visible(verdict.why)
    faults = f", {_many(verdict.faults, 'fault')}" if verdict.faults else ""
    return f"{_many(verdict.turns, 'turn')}, {_many(verdict.decisions, 'decision')}{faults}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def show_summary(verdicts: Sequence[Verdict], seconds: float) -> None:
    """One line: how many records of each verdict."""
    counts = Counter[str](verdict.verdict for verdict in verdicts)
    parts = [
        Text(f"{counts[kind]:,} {kind}", style=_STYLES[kind]) for kind in _STYLES if counts[kind]
    ]
    decisions = sum(verdict.decisions for verdict in verdicts)
    total = f" ({_many(decisions, 'decision')} in {seconds:.1f} s)"
    OUT.print(Text.assemble(Text(", ").join(parts), (total, "dim")), soft_wrap=True)


# -- asking again


def show_reasked(result: ReaskResult, show_all: bool, stderr: str | None) -> None:
    """How many answers were the same, and a table of those that were not."""
    shown = result.differences if show_all else result.differences[:FEW]
    seat = f"seat {result.seat} ({visible(result.name)}) of {visible(result.record)}"
    OUT.print(Text(f"{visible(result.bot)} was asked what {seat} was asked.", style="bold"))
    if shown:
        OUT.print(_differences(shown))
    if len(shown) < len(result.differences):
        OUT.print(Text(f"... and {len(result.differences) - len(shown):,} more; --all lists them"))
    OUT.print(_sum(result))
    OUT.print(Text(_times(result), style="dim"))
    if result.stopped is not None:
        OUT.print(
            Text(f"It could not be asked any more: {visible(result.stopped)}", style="bold red")
        )
    if stderr is not None:
        OUT.print(Text(f"Its stderr: {visible(stderr)}"), soft_wrap=True)


def _sum(result: ReaskResult) -> Text:
    counts = f"{_many(result.asked, 'answer')}, {result.same:,} the same"
    if not result.differences:
        return Text(counts, style="green")
    return Text(f"{counts}, {len(result.differences):,} different", style="yellow")


def _times(result: ReaskResult) -> str:
    now, then = result.times, result.recorded_times
    times = f"{_mean(now):.3f} ms on average, at most {now.slowest_ms:.3f}"
    return f"{times} (recorded: {_mean(then):.3f}, at most {then.slowest_ms:.3f})"


def _mean(times: Answers) -> float:
    return times.total_ms / times.count if times.count else 0.0


def _differences(shown: Sequence[Difference]) -> Table:
    table = plain_table()
    table.add_column("decision", justify="right", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    table.add_column("recorded", overflow="fold")
    table.add_column("now", overflow="fold")
    for one in shown:
        table.add_row(
            str(one.id),
            one.decision,
            _answer(one.recorded, one.recorded_fault, None),
            _answer(one.answered, one.fault, one.message),
        )
    return table


def _answer(words: Mapping[str, object] | None, fault: str | None, message: str | None) -> Text:
    if words is None:
        return Text(visible(f"{fault}: {message}" if message else f"{fault}"), style="red")
    return Text(visible(choice_phrase(words)))


def choice_phrase(words: Mapping[str, object]) -> str:
    """A choice in its own words: `place route bremen--hamburg point 1 tradesman trader`."""
    said = [str(words["do"])]
    for key, value in words.items():
        if isinstance(value, Mapping):
            inner = " ".join(f"{name} {one}" for name, one in value.items())
            said.append(f"{key} ({inner})")
        elif isinstance(value, list):
            said.append(f"{key} {' '.join(map(str, value))}")
        elif key != "do":
            said.append(f"{key} {value}")
    return " ".join(said)
