"""The options that say how long turns are judged: `--time` and `--rounds`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from referee.analysis.lines import Settings

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def time_option(what: str, default_ms: float) -> Decorator:
    """The option `--time`; `what` is what the time is for."""
    return click.option(
        "--time",
        "time_ms",
        type=click.FloatRange(1),
        metavar="MS",
        help=f"CPU time for {what}, in milliseconds.  [default: {default_ms:.0f}]",
    )


def rounds_option(what: str) -> Decorator:
    """The option `--rounds`; `what` is what the rounds are for."""
    return click.option(
        "--rounds",
        type=click.IntRange(1),
        metavar="N",
        help=f"Continue the game for N rounds for {what}, however long it takes; the result is then"
        " always the same.",
    )


def judging(
    time_ms: float | None, rounds: int | None, default_ms: float, *, omniscient: bool = False
) -> Settings:
    """How turns are judged; UsageError if both options are given."""
    if rounds is not None and time_ms is not None:
        raise click.UsageError("--time and --rounds are mutually exclusive")
    return Settings((time_ms or default_ms) if rounds is None else None, rounds, omniscient)
