"""The figures of `bench ratings` and `bench sprt`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from referee.bench.ratings import Coverage, Scenario, Speed
from referee.bench.sprt import Errors
from referee.terminal.game.score_tables import plain_table


def show_coverages(
    words: Mapping[str, object], coverages: Sequence[Coverage], speeds: Sequence[Speed]
) -> None:
    """A row for each scenario, then a line for each size."""
    bootstrap = any(one.bootstrap is not None for one in coverages)
    table = plain_table()
    table.add_column("bots, seats", no_wrap=True)
    table.add_column("favoured", no_wrap=True)
    held = ("ratings", "pairs", "seats", *(["boot-\nstrap"] if bootstrap else []))
    for head in ("blocks", *held, "bias", "±"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in coverages:
        shares = (one.ratings, one.differences, one.seats, one.bootstrap)
        table.add_row(
            _scenario(one.scenario),
            one.scenario.favour,
            str(one.scenario.blocks),
            *[f"{100 * share:.1f}" for share in shares if share is not None],
            f"{one.bias:+.1f}",
            f"{one.half_width:.0f}",
        )
    out = Console(highlight=False)
    out.print()
    out.print(Text(f"Python {words['python']}, numpy {words['numpy']}", style="bold"))
    out.print(table)
    for speed in speeds:
        out.print(f"{speed.games:,} games of {speed.bots} bots: {speed.seconds:.2f} s")
    out.print(
        Text(
            "How often 95 % intervals held the truth, in %: of ratings, of differences between two"
            " bots, of seats. The seed of a block favours bots, seats or nobody in all its games."
            " Bias is in Elo, above 0 if bots are rated too far from the mean; ± is half the"
            " interval of a rating. Times are CPU time.\n"
        )
    )


def _scenario(scenario: Scenario) -> str:
    ties = ", ties" if scenario.ties else ""
    rare = ", rare" if scenario.rare else ""
    return f"{scenario.bots}, {scenario.seats}{ties}{rare}"


def show_errors(words: Mapping[str, object], errors: Sequence[Errors]) -> None:
    """A row for each gauntlet."""
    table = plain_table()
    for head in ("low", "high", "seats"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("the seed\nfavours", no_wrap=True)
    for head in ("false\npass %", "false\nfail %", "open\n%", "blocks\nat low", "blocks\nat high"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in errors:
        wrong = (one.false_pass, one.false_fail, one.undecided)
        table.add_row(
            f"{one.gauntlet.low:g}",
            f"{one.gauntlet.high:g}",
            str(one.gauntlet.seats),
            one.gauntlet.favour,
            *[f"{100 * share:.1f}" for share in wrong],
            f"{one.blocks_at_low:.0f}",
            f"{one.blocks_at_high:.0f}",
        )
    out = Console(highlight=False)
    out.print()
    out.print(Text(f"Python {words['python']}, numpy {words['numpy']}", style="bold"))
    out.print(table)
    out.print(Text(f"Promised: {words['alpha']:.0%} of either error at most.\n"))
