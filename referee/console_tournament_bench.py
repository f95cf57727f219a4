"""The figures of `bench tournament` and `bench kills`, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from referee.bench.kills import Kills
from referee.bench.schedule import PlanFigures
from referee.bench.tournament import Throughput, scaling
from referee.terminal import OUT, explain, say
from referee.terminal.game.score_tables import plain_table


def show_throughput(
    words: Mapping[str, object],
    measured: Sequence[Throughput],
    plan: PlanFigures,
    machine: float | None,
) -> None:
    """A row for each tournament; then what more workers bring, and what planning costs."""
    table = plain_table(dense=True)
    table.add_column("bots", no_wrap=True)
    headers = ("workers", "games", "games\n/s", "decisions\n/s", "referee", "store", "plan", "MiB")
    for header in headers:
        table.add_column(header, justify="right", no_wrap=True)
    for one in measured:
        table.add_row(
            one.bots,
            str(one.workers),
            f"{one.games:,}",
            Text(f"{one.games_per_s:.1f}", style="bold"),
            f"{one.decisions_per_s:,.0f}",
            f"{one.referee_share:.0%}",
            f"{one.store_share:.1%}",
            f"{one.schedule_share:.1%}",
            f"{one.memory_early_mib:.1f}→{one.memory_late_mib:.1f}",
        )
    say("")
    OUT.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    OUT.print(table)
    explain(
        "'referee' is its share of all CPU time, 'store' and 'plan' are shares of the time on the"
        " wall, and MiB the largest of our processes after a tenth of the games and after all."
    )
    for kind, factor in scaling(measured).items():
        say(f"{kind}: {factor:.2f} times the games with all workers.")
    if machine is not None:
        say(f"Processes that share nothing do {machine:.2f} times as much on these cores.")
    spread = plan.spread
    explain(
        f"Planning {plan.games:,} games of {plan.bots} bots: {plan.seconds:.1f} s;"
        f" {spread.least_meetings:,} to {spread.most_meetings:,} games a pair;"
        f" {plan.short_bytes / 1024:.0f} KiB for {plan.short_blocks:,} blocks,"
        f" {plan.long_bytes / 1024:.0f} KiB for ten times as many."
    )
    say("")


def show_kills(found: Kills) -> None:
    """What is left of a tournament that was killed again and again."""
    explain(
        f"Killed {found.kills} times and resumed: {found.blocks} blocks, {found.lost} lost,"
        f" {found.doubled} doubled, {found.different} that ended otherwise;"
        f" {found.left_running} processes left running."
    )
    same = "the same as" if found.same_standings else "other than"
    say(f"The standings are {same} those of the run that nobody disturbed.")
