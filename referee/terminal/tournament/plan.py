"""What `referee tournament --dry-run` shows: what a run would play, by bot and table, and how long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from referee.terminal.tournament.lines import duration, heading
from referee.terminal.tournament.standings import values_line
from referee.text import plural, visible
from referee.tournament.forecast import Forecast
from referee.tournament.opening import PlannedRun
from referee.tournament.schedule import Spread
from referee.tournament.summary import RunOverview

FIRST_BLOCKS: Final = 8
MOST_FOR_SPREAD: Final = 20_000  # blocks


def plan_lines(overview: RunOverview, forecast: Forecast) -> Iterator[Text]:
    """Yield what would be played: sizes, bots that are out, games by bot, time, and the next blocks."""
    planned = overview.planned
    yield Text(heading(overview), style="bold")
    yield Text(f"seed: {planned.definition.seed}")
    yield Text(f"finished: {_size(forecast.finished_blocks, forecast.finished_games)}")
    yield Text(f"remaining: {_remaining(forecast)}")
    yield from _out_lines(planned, forecast)
    varied = [bot for bot in planned.playing if bot.values]
    if varied:
        yield Text("values of parameters that are not the defaults:")
    yield from (values_line(bot.name, bot.values) for bot in varied)
    yield from _count_lines(forecast)
    spread = _spread(planned, forecast)
    if spread is not None:
        meetings = between(spread.least_meetings, spread.most_meetings)
        noun = "game" if spread.least_meetings == spread.most_meetings == 1 else "games"
        yield Text(f"each pair of bots meets in {meetings} {noun}")
    yield Text(_time(forecast))
    if forecast.blocks:
        yield Text("next blocks:")
    for block in forecast.blocks[:FIRST_BLOCKS]:
        games = plural(len(block.seatings()), "game")
        yield Text(visible(f"  {block.id}  {block.table}  {', '.join(block.bots)}  ({games})"))
    for why in planned.refusals:
        yield Text(visible(f"The run would be refused: {why}"), style="red")
    yield Text("Nothing was written.", style="dim")


def between(least: int, most: int) -> str:
    """Format a range of numbers as `9`, or as `9 to 12`."""
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _size(blocks: int, games: int) -> str:
    return f"{plural(blocks, 'block')}, {plural(games, 'game')}"


def _remaining(forecast: Forecast) -> str:
    if forecast.lack is not None:
        return f"nothing can be played: {forecast.lack}"
    test = forecast.test
    if test is not None and test.verdict is not None:
        return "nothing: the sequential test is decided"
    if forecast.remaining_blocks is None or forecast.remaining_games is None:
        return "no fixed number of blocks; --games and --hours limit it"
    if not forecast.remaining_blocks:
        return "nothing"
    size = _size(forecast.remaining_blocks, forecast.remaining_games)
    return size if forecast.size == "exact" else f"{forecast.size} {size}"


def _out_lines(planned: PlannedRun, forecast: Forecast) -> Iterator[Text]:
    for bot, why in forecast.out.items():
        yield Text(visible(f"{bot} is disqualified: {why}"), style="red")
    for bot in planned.retired:
        yield Text(visible(f"{bot} is retired"))


def _spread(planned: PlannedRun, forecast: Forecast) -> Spread | None:
    """Return how even a round-robin is; None if it has changed or is very long."""
    is_whole = not (forecast.out or forecast.finished_blocks or planned.request.games)
    blocks = planned.outline.blocks
    is_round_robin = planned.options.format == "round-robin" and forecast.size == "exact"
    if not is_round_robin or not is_whole or blocks is None or blocks > MOST_FOR_SPREAD:
        return None
    return planned.plan.spread()


def _count_lines(forecast: Forecast) -> Iterator[Text]:
    """Yield a table: the finished and the remaining games of each bot, at each table."""
    counts = forecast.counts
    if not counts:
        return
    several = len({count.table for count in counts}) > 1
    names = [f"{count.bot}, {count.table}" if several else count.bot for count in counts]
    title = "games by bot"
    width = max(len(title) - 2, *map(len, names))
    remaining = "in the next stage" if forecast.size == "at most" else "remaining"
    yield Text(f"{title:<{width + 2}}  finished  {remaining}")
    for name, count in zip(names, counts, strict=True):
        left = "open" if count.remaining is None else f"{count.remaining:,}"
        columns = f"{count.finished:>8,}  {left:>{len(remaining)}}"
        yield Text(visible(f"  {name:<{width}}  {columns}"))


def _time(forecast: Forecast) -> str:
    if forecast.seconds is None:
        return "time: unknown; --trial plays a few games to estimate it"
    least = "at least " if forecast.size == "at least" else ""
    games = plural(forecast.measured_games, "game")
    return f"time: {least}about {duration(forecast.seconds)} (estimated from {games})"
