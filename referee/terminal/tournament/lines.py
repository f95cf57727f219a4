"""A run in sentences: what is played, how far it is, its result and the next commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from referee.terminal.seats import DOT
from referee.terminal.tournament.standings import (
    caption,
    half_interval,
    seat_lines,
    standings_table,
)
from referee.text import plural, shell_word, visible
from referee.tournament.coordinator import Progress
from referee.tournament.ratings import Entry, Ratings
from referee.tournament.results import Block
from referee.tournament.sprt import SprtState
from referee.tournament.summary import RunOverview, Summary

_ENDINGS: Final = {
    "done": "Every block is done",
    "settled": "The first place is settled",
    "tested": "The test is decided",
    "stopped": "Stopped before every block was done",
}


def opening_lines(overview: RunOverview) -> Iterator[Text]:
    """What is played, and where it is kept."""
    planned = overview.planned
    if overview.is_demonstration:
        yield Text(
            "A demonstration with the bundled bots; enter your own:"
            " referee tournament my-bot/ greedy merchant random",
            style="dim",
        )
    yield Text(heading(overview), style="bold")
    yield Text(f"{overview.size()}; {overview.workers}; seed {planned.definition.seed}")
    if overview.sandbox:
        yield Text(visible(overview.sandbox), style="dim")
    before = overview.blocks_before
    if before:
        games = plural(overview.games_before, "game")
        yield Text(f"It goes on: {plural(before, 'block')}, {games} are finished.")


def heading(overview: RunOverview) -> str:
    """The tournament in one line."""
    planned = overview.planned
    tables = ", ".join(table.name for table in planned.definition.tables)
    bots = plural(len(planned.names), "bot")
    return visible(f"{overview.folder}: {planned.options.format} of {bots} at {tables}")


def plan_lines(overview: RunOverview, blocks: Sequence[Block]) -> Iterator[Text]:
    """What would be played, with the first blocks."""
    planned = overview.planned
    yield Text(heading(overview), style="bold")
    yield Text(visible(f"bots: {', '.join(planned.names)}"))
    yield Text(f"{overview.size()}; seed {planned.definition.seed}")
    if overview.blocks_before:
        yield Text(f"finished before: {plural(overview.blocks_before, 'block')}")
    spread = planned.outline.spread
    if spread is not None:
        yield Text(
            f"each bot plays {between(spread.least_games, spread.most_games)} games, and each two"
            f" meet in {between(spread.least_meetings, spread.most_meetings)}"
        )
    yield Text("first blocks:")
    for block in blocks:
        games = plural(len(block.seatings()), "game")
        yield Text(visible(f"  {block.id}  {block.table}  {', '.join(block.bots)}  ({games})"))
    yield Text("Nothing was written.", style="dim")


def between(least: int, most: int) -> str:
    """Format a number, or a range."""
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def progress_line(progress: Progress, ratings: Ratings, now: float) -> Text:
    """How far it is, and who is ahead."""
    first = ratings.entries[0]
    return Text(f"{describe_progress(progress, now)}; first: {visible(describe_bot(first))}")


def describe_progress(progress: Progress, now: float) -> str:
    """Blocks, games, games a second, and the time that is left."""
    of = f" of {progress.outline.blocks:,}" if progress.outline.blocks is not None else ""
    said = [f"{progress.done:,}{of} blocks", f"{progress.games:,} games"]
    elapsed = now - progress.began
    if progress.new_games and elapsed > 0:
        said.append(f"{progress.new_games / elapsed:.1f} games/s")
    left = progress.seconds_left(now)
    if left is not None:
        said.append(f"{duration(left)} left")
    return " · ".join(said)


def share_done(progress: Progress) -> float:
    """How much of the plan is finished."""
    blocks = progress.outline.blocks
    return min(progress.done / blocks, 1.0) if blocks else 0.0


def sprt_text(test: SprtState, columns: int) -> Text:
    """A sequential test: its likelihood ratio between the bounds that decide it."""
    cells = max(min(columns - 60, 40), 11)
    at = (test.llr - test.lower) / (test.upper - test.lower)
    place = round(min(max(at, 0.0), 1.0) * (cells - 1))
    verdict = {None: f"LLR {test.llr:+.2f}", "pass": "passed", "fail": "failed"}[test.verdict]
    style = {None: "bold", "pass": "bold green", "fail": "bold red"}[test.verdict]
    return Text.assemble(
        ("test  ", "dim"),
        (f"{test.lower:.2f} ", "dim"),
        ("─" * place, "cyan"),
        (DOT, "bold cyan"),
        ("─" * (cells - 1 - place), "cyan"),
        (f" {test.upper:.2f}  ", "dim"),
        (verdict, style),
        f" · {plural(test.blocks, 'block')}, {test.elo:+.0f} Elo",
    )


def describe_bot(entry: Entry) -> str:
    """Describe a bot with its rating."""
    half = half_interval(entry.low, entry.high)
    return f"{entry.bot} {entry.rating:.0f}" + ("" if half is None else f" ± {half:.0f}")


def one_line(overview: RunOverview, summary: Summary) -> str:
    """Describe the result in one line."""
    return visible(
        f"{summary.ending}: {plural(summary.blocks, 'block')}, {plural(summary.games, 'game')},"
        f" {plural(summary.faults, 'fault')}; first: {describe_bot(summary.ratings.entries[0])};"
        f" {overview.folder}"
    )


def final_lines(overview: RunOverview, summary: Summary, columns: int) -> Iterator[RenderableType]:
    """The table, the seats, how it ended, and the commands for what comes next."""
    ratings = summary.ratings
    yield Text("")
    yield standings_table(ratings, columns, out=summary.out)
    yield Text("")
    yield from seat_lines(ratings.seats)
    yield Text("")
    yield Text(caption(ratings), style="dim")
    yield Text("")
    for bot, why in summary.out.items():
        yield Text(visible(f"{bot} is out: {why}"), style="red")
    if summary.test is not None:
        yield sprt_text(summary.test, columns)
    yield Text(_ending(summary), style="bold")
    folder = shell_word(overview.folder)
    if summary.faults:
        faults = plural(summary.faults, "fault")
        yield _unbroken(Text(f"{faults}: referee faults {folder}", style="red"))
    yield _unbroken(Text(f"Kept in {visible(str(overview.folder))}"))
    yield Text("Next:")
    for command, what in _next_steps(folder, summary):
        yield _unbroken(Text.assemble(f"  {command}", (f"  # {what}", "dim")))
    yield Text("")


def _unbroken(text: Text) -> Text:
    """Keep a line in one piece, so that it can be copied."""
    text.no_wrap = True
    return text


def _ending(summary: Summary) -> str:
    said = f"{_ENDINGS[summary.ending]}: {plural(summary.games, 'game')} in all"
    if not summary.new_games:
        return f"{said}."
    speed = summary.new_games / max(summary.seconds, 0.001)
    new = f"{summary.new_games:,} of them" if summary.new_games < summary.games else "all"
    return f"{said}, {new} in {duration(summary.seconds)} ({speed:.1f} games/s)."


def _next_steps(folder: str, summary: Summary) -> Iterator[tuple[str, str]]:
    if summary.ending == "stopped":
        yield f"referee tournament --resume {folder}", "go on with it"
    yield f"referee standings {folder} --matrix", "who is above whom"
    yield f"referee report {folder} --out site", "a web site of it"
    if summary.ending != "stopped":
        yield f"referee tournament --resume {folder} --blocks N", "more blocks, more bots"


def duration(seconds: float) -> str:
    """Format a time as 1:05 or 2:01:05."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
