"""A tournament run in sentences: what is played, its progress, its result and the next commands."""

from __future__ import annotations

from collections.abc import Iterator
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
    values_lines,
    verdict_text,
)
from referee.text import plural, shell_word, visible
from referee.tournament.coordinator import Progress
from referee.tournament.ratings import Entry, Ratings
from referee.tournament.secret import Closing
from referee.tournament.sprt import SprtState
from referee.tournament.summary import RunOverview, Summary

_ENDINGS: Final = {
    "done": "All blocks are finished",
    "settled": "The first place is settled",
    "tested": "The test has decided",
    "budget": "The budget of this run is used up",
    "too-few-bots": "The plan was cut short",
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
    if overview.is_comparison:
        return visible(f"{overview.folder}: {' against '.join(planned.names)} at {tables}")
    bots = plural(len(planned.names) - len(planned.retired), "bot")
    return visible(f"{overview.folder}: {planned.options.format} of {bots} at {tables}")


def progress_line(progress: Progress, ratings: Ratings, now: float) -> Text:
    """Return the progress, and which bot is first."""
    first = ratings.entries[0]
    return Text(f"{describe_progress(progress, now)}; first: {visible(describe_bot(first))}")


def describe_progress(progress: Progress, now: float) -> str:
    """Describe the progress: blocks, games, games per second, and the time left."""
    blocks = plural(progress.done, "block")
    if progress.outline.blocks is not None:
        blocks = f"{progress.done:,} of {plural(progress.outline.blocks, 'block')}"
    parts = [blocks, plural(progress.games, "game")]
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
    verdict = {None: f"LLR {test.llr:+z.2f}", "pass": "passed", "fail": "failed"}[test.verdict]
    style = {None: "bold", "pass": "bold green", "fail": "bold red"}[test.verdict]
    return Text.assemble(
        ("test  ", "dim"),
        (f"{test.lower:.2f} ", "dim"),
        ("─" * place, "cyan"),
        (DOT, "bold cyan"),
        ("─" * (cells - 1 - place), "cyan"),
        (f" {test.upper:.2f}  ", "dim"),
        (verdict, style),
        f" · {plural(test.blocks, 'block')}, {test.elo:+z.0f} Elo",
    )


def describe_bot(entry: Entry) -> str:
    """Return the name of a bot and its rating, such as `ada 1540 ± 32`."""
    half = half_interval(entry.low, entry.high)
    return f"{entry.bot} {entry.rating:.0f}" + ("" if half is None else f" ± {half:.0f}")


def one_line(overview: RunOverview, summary: Summary) -> str:
    """Return the result in one line, for `--quiet`."""
    result = f"first: {describe_bot(summary.ratings.entries[0])}"
    if summary.verdict is not None:
        result = summary.verdict.sentence
    return visible(
        f"{summary.ending}: {plural(summary.blocks, 'block')}, {plural(summary.games, 'game')},"
        f" {plural(summary.faults, 'fault')}; {result};"
        f"{'' if summary.lack is None else f' {summary.lack};'} {overview.folder}"
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
    yield from values_lines(ratings, summary.values)
    yield Text("")
    for bot, why in summary.out.items():
        yield Text(visible(f"{bot} is disqualified: {why}"), style="red")
    for bot in overview.planned.retired:
        yield Text(visible(f"{bot} is retired"), style="dim")
    if summary.verdict is not None:
        yield sprt_text(summary.verdict.state, columns)
        yield verdict_text(summary.verdict)
    yield Text(_ending(summary), style="bold")
    if summary.lack is not None:
        yield Text(visible(f"Nothing more can be played: {summary.lack}."), style="red")
    folder = shell_word(overview.folder)
    if summary.faults:
        faults = plural(summary.faults, "fault")
        yield _unbroken(Text(f"{faults}: referee faults {folder}", style="red"))
    yield _unbroken(Text(f"Results are in {visible(str(overview.folder))}"))
    if summary.closing is not None:
        yield _unbroken(Text(f"It is closed now. {secret_line(summary.closing)}"))
    yield Text("Next:")
    for command, what in _next_steps(overview, summary):
        yield _unbroken(Text.assemble(f"  {command}", (f"  # {what}", "dim")))
    yield Text("")


def _unbroken(text: Text) -> Text:
    """Prevent wrapping, so that the line can be copied."""
    text.no_wrap = True
    return text


def _ending(summary: Summary) -> str:
    ending = f"{_ENDINGS[summary.ending]}: {plural(summary.games, 'game')}"
    if summary.ending == "stopped" and summary.verdict is not None:
        ending = f"Stopped before the test was decided: {plural(summary.games, 'game')}"
    if not summary.new_games:
        return f"{ending}, none of them new."
    speed = f"{duration(summary.seconds)} ({summary.new_games / max(summary.seconds, 0.001):.1f} games/s)"
    if summary.new_games < summary.games:
        return f"{ending}, {summary.new_games:,} of them new, in {speed}."
    return f"{ending} in {speed}."


def _next_steps(overview: RunOverview, summary: Summary) -> Iterator[tuple[str, str]]:
    folder, request = shell_word(overview.folder), overview.planned.request
    resume = f"referee tournament --resume {folder}"
    if summary.ending == "stopped" and not overview.is_comparison:
        games = "" if request.games is None else f" --games {request.games}"
        hours = "" if request.hours is None else f" --hours {request.hours:g}"
        yield f"{resume}{games}{hours}", "continue it"
    yield f"referee standings {folder} --matrix", "how sure the order of the bots is"
    yield f"referee report {folder} --out site", "write a web site"
    if overview.is_comparison:
        return
    if summary.ending == "budget":
        yield resume, "play the rest of the schedule"
    elif summary.ending == "done":
        unit = "--blocks" if overview.planned.options.blocks is not None else "--blocks-per-bot"
        yield f"{resume} {unit} N", "play more blocks, or add bots"
    if summary.ending != "stopped" and summary.closing is None:
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
