"""A tournament run in sentences: what is played, its progress, its result and the next commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from referee.terminal.seats import DOT
from referee.terminal.tournament.standings import (
    caption,
    half_interval,
    seat_lines,
    secret_line,
    standings_table,
)
from referee.text import plural, shell_word, visible
from referee.tournament.coordinator import Progress
from referee.tournament.ratings import Entry, Ratings
from referee.tournament.results import Block
from referee.tournament.secret import Closing
from referee.tournament.sprt import SprtState
from referee.tournament.summary import RunOverview, Summary

_ENDINGS: Final = {
    "done": "All blocks are finished",
    "settled": "The first place is settled",
    "tested": "The test has decided",
    "stopped": "Stopped before all blocks were finished",
}


def opening_lines(overview: RunOverview) -> Iterator[Text]:
    """Yield what is played, where the results go, and what is finished already."""
    planned = overview.planned
    if overview.is_demonstration:
        yield Text(
            "This is a demonstration with the bundled bots. To enter your own bot:"
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
        yield Text(
            f"Continues the tournament; {plural(before, 'block')} ({games}) finished before."
        )


def heading(overview: RunOverview) -> str:
    """Describe the tournament in one line."""
    planned = overview.planned
    tables = ", ".join(table.name for table in planned.definition.tables)
    bots = plural(len(planned.names), "bot")
    return visible(f"{overview.folder}: {planned.options.format} of {bots} at {tables}")


def plan_lines(overview: RunOverview, blocks: Sequence[Block]) -> Iterator[Text]:
    """Yield what would be played, with the first blocks."""
    planned = overview.planned
    yield Text(heading(overview), style="bold")
    yield Text(visible(f"bots: {', '.join(planned.names)}"))
    yield Text(f"{overview.size()}; seed {planned.definition.seed}")
    if overview.blocks_before:
        yield Text(f"already finished: {plural(overview.blocks_before, 'block')}")
    spread = planned.outline.spread
    if spread is not None:
        yield Text(
            f"each bot plays {between(spread.least_games, spread.most_games)} games, and each pair"
            f" of bots meets in {between(spread.least_meetings, spread.most_meetings)} of them"
        )
    yield Text("first blocks:")
    for block in blocks:
        games = plural(len(block.seatings()), "game")
        yield Text(visible(f"  {block.id}  {block.table}  {', '.join(block.bots)}  ({games})"))
    yield Text("Nothing was written.", style="dim")


def between(least: int, most: int) -> str:
    """Format a range of numbers as `9`, or as `9 to 12`."""
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def progress_line(progress: Progress, ratings: Ratings, now: float) -> Text:
    """Return the progress, and which bot is first."""
    first = ratings.entries[0]
    return Text(f"{describe_progress(progress, now)}; first: {visible(describe_bot(first))}")


def describe_progress(progress: Progress, now: float) -> str:
    """Describe the progress: blocks, games, games per second, and the time left."""
    total = f" of {progress.outline.blocks:,}" if progress.outline.blocks is not None else ""
    parts = [f"{progress.done:,}{total} blocks", f"{progress.games:,} games"]
    elapsed = now - progress.began
    if progress.new_games and elapsed > 0:
        parts.append(f"{progress.new_games / elapsed:.1f} games/s")
    left = progress.seconds_left(now)
    if left is not None:
        parts.append(f"{duration(left)} left")
    return " · ".join(parts)


def share_done(progress: Progress) -> float:
    """Return the finished share of the plan, from 0 to 1; 0 if the plan has no fixed end."""
    blocks = progress.outline.blocks
    return min(progress.done / blocks, 1.0) if blocks else 0.0


def sprt_text(test: SprtState, columns: int) -> Text:
    """Draw a sequential test: its log-likelihood ratio between the two bounds that decide it."""
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
    """Return the name of a bot and its rating, such as `ada 1540 ± 32`."""
    half = half_interval(entry.low, entry.high)
    return f"{entry.bot} {entry.rating:.0f}" + ("" if half is None else f" ± {half:.0f}")


def one_line(overview: RunOverview, summary: Summary) -> str:
    """Return the result in one line, for `--quiet`."""
    return visible(
        f"{summary.ending}: {plural(summary.blocks, 'block')}, {plural(summary.games, 'game')},"
        f" {plural(summary.faults, 'fault')}; first: {describe_bot(summary.ratings.entries[0])};"
        f" {overview.folder}"
    )


def final_lines(overview: RunOverview, summary: Summary, columns: int) -> Iterator[RenderableType]:
    """Yield the table, the seats, how the run ended, and the next commands."""
    ratings = summary.ratings
    yield Text("")
    yield standings_table(ratings, columns, out=summary.out)
    yield Text("")
    yield from seat_lines(ratings.seats)
    yield Text("")
    yield Text(caption(ratings), style="dim")
    yield Text("")
    for bot, why in summary.out.items():
        yield Text(visible(f"{bot} is disqualified: {why}"), style="red")
    if summary.test is not None:
        yield sprt_text(summary.test, columns)
    yield Text(_ending(summary), style="bold")
    folder = shell_word(overview.folder)
    if summary.faults:
        faults = plural(summary.faults, "fault")
        yield _unbroken(Text(f"{faults}: referee faults {folder}", style="red"))
    yield _unbroken(Text(f"Results are in {visible(str(overview.folder))}"))
    if summary.closing is not None:
        yield _unbroken(Text(f"It is closed now. {secret_line(summary.closing)}"))
    yield Text("Next:")
    for command, what in _next_steps(folder, summary):
        yield _unbroken(Text.assemble(f"  {command}", (f"  # {what}", "dim")))
    yield Text("")


def _unbroken(text: Text) -> Text:
    """Prevent wrapping, so that the line can be copied."""
    text.no_wrap = True
    return text


def _ending(summary: Summary) -> str:
    ending = f"{_ENDINGS[summary.ending]}: {plural(summary.games, 'game')}"
    if not summary.new_games:
        return f"{ending}, none of them new."
    speed = f"{duration(summary.seconds)} ({summary.new_games / max(summary.seconds, 0.001):.1f} games/s)"
    if summary.new_games < summary.games:
        return f"{ending}, {summary.new_games:,} of them new, in {speed}."
    return f"{ending} in {speed}."


def _next_steps(folder: str, summary: Summary) -> Iterator[tuple[str, str]]:
    if summary.ending == "stopped":
        yield f"referee tournament --resume {folder}", "continue it"
    yield f"referee standings {folder} --matrix", "how sure the order of the bots is"
    yield f"referee report {folder} --out site", "write a web site"
    if summary.ending != "stopped" and summary.closing is None:
        yield f"referee tournament --resume {folder} --blocks N", "play more blocks, or add bots"
        yield f"referee tournament --close {folder}", "end it, and publish its secret"


def closing_lines(folder: Path, closing: Closing, blocks: int) -> Iterator[Text]:
    """Yield that a tournament is closed, its secret, and the command that writes the seeds."""
    name = visible(str(folder))
    yield Text(f"{name} was closed at {closing.at} after {plural(blocks, 'block')}.", style="bold")
    yield Text(secret_line(closing))
    yield Text(
        "The seed of each block is in blocks.csv of:"
        f" referee standings {shell_word(folder)} --export files"
    )


def duration(seconds: float) -> str:
    """Format seconds as 1:05 or 2:01:05."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
