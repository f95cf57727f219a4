"""What `referee verify` and `reask` print; control characters in untrusted text are made visible."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from rich.progress import TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from referee.match.reask import AnswerDifference, ReaskResult
from referee.records.game_stats import Answers
from referee.records.verify import RecordVerdict
from referee.terminal import OUT, bar, complain
from referee.terminal.game.score_tables import plain_table
from referee.text import indented, plural, printable, visible

Item = TypeVar("Item")

FEW: Final = 20  # with at most this many records each one has its own line
_STYLES: Final = {"fine": "green", "incomplete": "yellow", "void": "yellow", "wrong": "bold red"}
_WIDEST: Final = max(map(len, _STYLES))
_REFRESH_S: Final = 0.1


def with_progress(results: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yield the results as they come, with a progress bar on a terminal.

    The bar is drawn between results and not by a thread, since worker processes are forked meanwhile.
    """
    with bar(TimeRemainingColumn(), auto_refresh=False, hidden=total == 1) as shown:
        task = shown.add_task(what, total=total)
        drawn = 0.0
        for result in results:
            shown.advance(task)
            if time.monotonic() - drawn > _REFRESH_S:
                shown.refresh()
                drawn = time.monotonic()
            yield result


def show_verdict(verdict: RecordVerdict) -> None:
    """Print one line about a record: its verdict, and why it is wrong or how long the game is."""
    status = Text(verdict.verdict.ljust(_WIDEST), style=_STYLES[verdict.verdict])
    where = visible(verdict.record)
    if verdict.line is not None:
        where += f", line {verdict.line}"
    OUT.print(Text.assemble(status, "  ", where, ": ", _details(verdict)), soft_wrap=True)


def _details(verdict: RecordVerdict) -> str:
    if verdict.why is not None:
        return visible(verdict.why)
    faults = f", {plural(verdict.faults, 'fault')}" if verdict.faults else ""
    return f"{plural(verdict.turns, 'turn')}, {plural(verdict.decisions, 'decision')}{faults}"


def complain_if_wrong(verdict: RecordVerdict) -> None:
    """Print what is wrong with a record on stderr, if something is."""
    if verdict.verdict != "wrong":
        return
    where = "" if verdict.line is None else f", line {verdict.line}"
    complain(f"{printable(verdict.record)}{where}: {verdict.why}")


def show_summary(verdicts: Sequence[RecordVerdict], seconds: float) -> None:
    """Print how many records have each verdict, in one line."""
    counts = Counter[str](verdict.verdict for verdict in verdicts)
    parts = [
        Text(f"{counts[kind]:,} {kind}", style=_STYLES[kind]) for kind in _STYLES if counts[kind]
    ]
    decisions = sum(verdict.decisions for verdict in verdicts)
    total = f" ({plural(decisions, 'decision')} in {seconds:.1f} s)"
    OUT.print(Text.assemble(Text(", ").join(parts), (total, "dim")), soft_wrap=True)


# -- `referee reask`


def show_reasked(result: ReaskResult, show_all: bool) -> None:
    """Print a table of the answers that differ, how many are the same, and the times.

    For a bot that could not be asked further, also why, and what it wrote to stderr.
    """
    shown = result.differences if show_all else result.differences[:FEW]
    if result.answer is not None:
        shown = [result.answer]
    seat = f"seat {result.seat} ({visible(result.name)}) in {visible(result.record)}"
    OUT.print(Text(f"{visible(result.bot)} got the messages of {seat}.", style="bold"))
    if shown:
        OUT.print(_differences(shown))
    if len(shown) < len(result.differences):
        OUT.print(Text(f"... and {len(result.differences) - len(shown):,} more; --all lists them"))
    OUT.print(_sum(result))
    OUT.print(Text(_times(result), style="dim"))
    if result.stopped is not None:
        OUT.print(
            Text(f"The bot could not be asked further: {visible(result.stopped)}", style="bold red")
        )
    if result.stderr.strip():
        OUT.print(Text(f"Its stderr:{indented(result.stderr).expandtabs()}"), soft_wrap=True)


def _sum(result: ReaskResult) -> Text:
    counts = f"{plural(result.asked, 'answer')}, {result.same:,} the same"
    if not result.differences:
        return Text(counts, style="green")
    return Text(f"{counts}, {len(result.differences):,} different", style="yellow")


def _times(result: ReaskResult) -> str:
    now, then = result.times, result.recorded_times
    times = f"answer time: mean {_mean(now):.3f} ms, longest {now.slowest_ms:.3f} ms"
    return f"{times} (recorded: {_mean(then):.3f} ms, {then.slowest_ms:.3f} ms)"


def _mean(times: Answers) -> float:
    return times.total_ms / times.count if times.count else 0.0


def _differences(shown: Sequence[AnswerDifference]) -> Table:
    table = plain_table()
    table.add_column("decision", justify="right", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    table.add_column("recorded", overflow="fold")
    table.add_column("now", overflow="fold")
    for difference in shown:
        table.add_row(
            str(difference.id),
            difference.decision,
            _answer(difference.recorded, difference.recorded_fault, None),
            _answer(difference.answered, difference.fault, difference.message),
        )
    return table


def _answer(words: Mapping[str, object] | None, fault: str | None, message: str | None) -> Text:
    if words is None:
        return Text(visible(f"{fault}: {message}" if message else f"{fault}"), style="red")
    return Text(visible(choice_phrase(words)))


def choice_phrase(words: Mapping[str, object]) -> str:
    """Return a choice on one line: `place route bremen--hamburg point 1 tradesman trader`."""
    parts = [str(words["do"])]
    for key, value in words.items():
        if isinstance(value, Mapping):
            inner = " ".join(f"{name} {inner_value}" for name, inner_value in value.items())
            parts.append(f"{key} ({inner})")
        elif isinstance(value, list):
            parts.append(f"{key} {' '.join(map(str, value))}")
        elif value is None:
            parts.append(f"no {key}")
        elif key != "do":
            parts.append(f"{key} {value}")
    return " ".join(parts)
