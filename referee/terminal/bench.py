"""The figures of `bench engine` and `bench match`, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from rich.text import Text

from referee.bench.bots import OwnCost
from referee.bench.engine import BoardSpeed
from referee.bench.match import Cost, Memory
from referee.terminal import OUT, explain, say
from referee.terminal.game.score_tables import plain_table


def show_engine_speeds(words: Mapping[str, object], speeds: Sequence[BoardSpeed]) -> None:
    """The figures of `bench engine`, a row for each board."""
    table = plain_table()
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
    OUT.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    OUT.print(table)
    say("")


def show_match_costs(words: Mapping[str, object], costs: Sequence[Cost], memory: Memory) -> None:
    """The figures of `bench match`: a row for each way to speak to a bot, and where the time goes."""
    table = plain_table(dense=True)
    table.add_column("µs a decision", no_wrap=True)
    for header in ("total", "echo", "times\necho", "engine", "say", "record", "hear"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("bot's\nown", justify="right", no_wrap=True, style="dim")
    for cost in costs:
        parts = (cost.engine, cost.messages, cost.record, cost.reply, cost.bot)
        table.add_row(
            cost.case,
            Text(f"{cost.total:.1f}", style="bold"),
            _measured(cost.echo),
            _measured(cost.ratio),
            *[f"{part:.1f}" for part in parts],
        )
    say("")
    OUT.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    OUT.print(table)
    explain(
        "'times echo' is the total less the bot's own time, over a plain pipe echo of the same bytes."
    )
    explain(
        f"Memory of the referee over {memory.games:,} games: {memory.after_tenth:.1f} MiB after a"
        f" tenth of them, {memory.after_all:.1f} MiB after all."
    )
    say("")


def _measured(figure: float) -> str:
    return "–" if isnan(figure) else f"{figure:.1f}"


def show_own_costs(words: Mapping[str, object], costs: Sequence[OwnCost]) -> None:
    """The figures of `bench match --bot`: a row for each bot."""
    table = plain_table()
    table.add_column("µs a decision", no_wrap=True)
    table.add_column("spoken to in", no_wrap=True)
    for header in ("bot's\nown", "total"):
        table.add_column(header, justify="right", no_wrap=True)
    for cost in costs:
        own = Text(f"{cost.own:.1f}", style="bold")
        table.add_row(cost.bot, f"{cost.detail}, {cost.encoding}", own, f"{cost.total:.1f}")
    say("")
    OUT.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    OUT.print(table)
    say("")
