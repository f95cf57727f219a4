"""The benchmarks in the terminal: each describes its table as data, and `show` prints it.

A layout says which columns a table has and how a row becomes a cell; notes are the sentences below.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from rich.console import Console
from rich.text import Text

from referee.bench.engine import BoardSpeed
from referee.bench.match import Cost, Memory
from referee.bench.own_bot import OwnCost
from referee.bench.replay import SIZES, Frame, ReplaySpeed
from referee.bench.sandbox import Price
from referee.bench.schedule import PlanFigures
from referee.bench.tournament import Throughput, scaling
from referee.bench.verify import VerifySpeed
from referee.replay.controller import ReplayController
from referee.terminal import OUT, explain, say, show_json
from referee.terminal.game.score_tables import plain_table
from referee.terminal.replay.screen import Screen

if TYPE_CHECKING:  # it needs the extra `rl`
    from referee.bench.rl import RlSpeed

Row = TypeVar("Row")
Figures: TypeAlias = Mapping[str, object]


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column: its heading, and the text of a row's cell. Figures stand on the right."""

    head: str
    cell: Callable[[Row], str]
    style: str = ""
    is_text: bool = False


@dataclass(frozen=True)
class BenchTable(Generic[Row]):
    """How the figures of one benchmark are printed."""

    columns: tuple[Column[Row], ...]
    title: str = "Engine: {build}, Python {python}"  # keys of the benchmark's JSON
    has_failed: Callable[[Row], bool] = lambda _: False  # such a row is red
    dense: bool = False  # less space between columns


def show(
    figures: Figures,
    layout: BenchTable[Row],
    rows: Iterable[Row],
    notes: Iterable[str] = (),
    *,
    as_json: bool,
) -> None:
    """Print what a benchmark has measured: a table with notes below it, or one JSON object."""
    if as_json:
        show_json(figures)
        return
    table = plain_table(dense=layout.dense)
    for column in layout.columns:
        table.add_column(column.head, justify="left" if column.is_text else "right", no_wrap=True)
    for row in rows:
        cells = [Text(column.cell(row), style=column.style) for column in layout.columns]
        table.add_row(*cells, style="bold red" if layout.has_failed(row) else "")
    say("")
    OUT.print(Text(layout.title.format(**figures), style="bold"))
    OUT.print(table)
    for note in notes:
        explain(note)
    say("")


# -- engine and verify

ENGINE: Final = BenchTable[BoardSpeed](
    (
        Column("board", lambda one: one.board, is_text=True),
        Column("seats", lambda one: str(one.seats)),
        Column("decisions\nper s", lambda one: f"{one.decisions_per_s:,.0f}", "bold"),
        Column("copy\nµs", lambda one: f"{one.copy_us:.2f}"),
        Column("apply\nµs", lambda one: f"{one.apply_us:.2f}"),
        Column("replayed\nper s", lambda one: f"{one.replay_decisions_per_s:,.0f}"),
        Column("digest of the\nlast game", lambda one: one.digest, "dim", is_text=True),
    )
)

VERIFY: Final = BenchTable[VerifySpeed](
    (
        Column("board", lambda one: one.board, is_text=True),
        Column("seats", lambda one: str(one.seats)),
        Column("engine\nper s", lambda one: f"{one.engine_decisions_per_s:,.0f}"),
        Column("verify\nper s", lambda one: f"{one.verify_decisions_per_s:,.0f}", "bold"),
        Column("ratio", lambda one: f"{one.ratio:.2f}", "bold"),
        Column("decisions", lambda one: f"{one.decisions:,}"),
        Column("MB of\nrecords", lambda one: f"{one.bytes / 1e6:.1f}"),
    )
)
VERIFY_NOTES: Final = ("Decisions per second of CPU time of one process, both on the same games.",)

# -- match


def _or_dash(figure: float) -> str:
    """A dash for what could not be measured."""
    return "–" if isnan(figure) else f"{figure:.1f}"


MATCH: Final = BenchTable[Cost](
    (
        Column("µs per decision", lambda one: one.case, is_text=True),
        Column("total", lambda one: f"{one.total:.1f}", "bold"),
        Column("echo", lambda one: _or_dash(one.echo)),
        Column("times\necho", lambda one: _or_dash(one.ratio)),
        Column("engine", lambda one: f"{one.engine:.1f}"),
        Column("say", lambda one: f"{one.messages:.1f}"),
        Column("record", lambda one: f"{one.record:.1f}"),
        Column("hear", lambda one: f"{one.reply:.1f}"),
        Column("bot's\nown", lambda one: f"{one.bot:.1f}", "dim"),
    ),
    dense=True,
)


def match_notes(memory: Memory) -> tuple[str, ...]:
    """What 'times echo' means, and how the memory of the referee grew."""
    return (
        "'times echo' is the total less the bot's own time, over a plain pipe echo of the same bytes.",
        (
            f"Memory of the referee over {memory.games:,} games: {memory.after_tenth:.1f} MiB after a"
            f" tenth of them, {memory.after_all:.1f} MiB after all."
        ),
    )


OWN_BOT: Final = BenchTable[OwnCost](
    (
        Column("µs per decision", lambda one: one.bot, is_text=True),
        Column("spoken to in", lambda one: f"{one.detail}, {one.encoding}", is_text=True),
        Column("bot's\nown", lambda one: f"{one.own:.1f}", "bold"),
        Column("total", lambda one: f"{one.total:.1f}"),
    )
)

# -- replay


def coloured_screen(controller: ReplayController) -> Frame:
    """The viewer's screen with all colours, whatever this terminal has."""
    out = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor")
    return Screen(controller, out).frame


def _jump(place: int) -> Column[ReplaySpeed]:
    columns, rows = SIZES[place]
    return Column(f"jump\n{columns}x{rows}", lambda one: f"{one.jump_ms[place]:.1f}")


def _worst_jump(place: int) -> Column[ReplaySpeed]:
    columns, rows = SIZES[place]
    return Column(f"worst\n{columns}x{rows}", lambda one: f"{one.slowest_jump_ms[place]:.1f}")


REPLAY: Final = BenchTable[ReplaySpeed](
    (
        Column("board", lambda one: one.board, is_text=True),
        Column("steps", lambda one: f"{one.decisions:,}"),
        Column("start\ns", lambda one: f"{one.command_s:.2f}", "bold"),
        Column("open\ns", lambda one: f"{one.open_s:.2f}"),
        *map(_jump, range(len(SIZES))),
        *map(_worst_jump, range(len(SIZES))),
    )
)
REPLAY_NOTES: Final = (
    (
        "CPU time. 'start' is the whole command up to the first position, 'open' the part of it that"
        " reads, checks and draws; a jump to a random step with its screen is in ms."
    ),
)

# -- tournament

TOURNAMENT: Final = BenchTable[Throughput](
    (
        Column("bots", lambda one: one.bots, is_text=True),
        Column("workers", lambda one: str(one.workers)),
        Column("games", lambda one: f"{one.games:,}"),
        Column("games\n/s", lambda one: f"{one.games_per_s:.1f}", "bold"),
        Column("decisions\n/s", lambda one: f"{one.decisions_per_s:,.0f}"),
        Column("referee", lambda one: f"{one.referee_share:.0%}"),
        Column("store", lambda one: f"{one.store_share:.1%}"),
        Column("plan", lambda one: f"{one.schedule_share:.1%}"),
        Column("MiB", lambda one: f"{one.memory_early_mib:.1f}→{one.memory_late_mib:.1f}"),
    ),
    dense=True,
)


def tournament_notes(
    measured: Sequence[Throughput], plan: PlanFigures, machine: float | None
) -> list[str]:
    """What the columns mean, what more workers bring, and what planning costs."""
    notes = [
        (
            "'referee' is its share of all CPU time, 'store' and 'plan' are shares of the elapsed time,"
            " and MiB the largest of our processes after a tenth of the games and after all."
        )
    ]
    notes += [
        f"{kind}: {factor:.2f} times the games with all workers."
        for kind, factor in scaling(measured).items()
    ]
    if machine is not None:
        notes.append(f"Processes that share nothing do {machine:.2f} times as much on these cores.")
    spread = plan.spread
    notes.append(
        f"Planning {plan.games:,} games of {plan.bots} bots: {plan.seconds:.1f} s;"
        f" {spread.least_meetings:,} to {spread.most_meetings:,} games a pair;"
        f" {plan.short_bytes / 1024:.0f} KiB for {plan.short_blocks:,} blocks,"
        f" {plan.long_bytes / 1024:.0f} KiB for ten times as many."
    )
    return notes


# -- sandbox and rl

SANDBOX: Final = BenchTable[Price](
    (
        Column("sandbox", lambda one: one.level, is_text=True),
        Column("start\nms", lambda one: f"{one.start_ms:.1f}"),
        Column("more\nms", lambda one: f"{one.more_start_ms:+.1f}", "bold"),
        Column("least\nms", lambda one: f"{one.least_start_ms:.1f}"),
        Column("decision\nµs", lambda one: f"{one.decision_us:.1f}"),
        Column("more\nµs", lambda one: f"{one.more_decision_us:+.2f}", "bold"),
    )
)
SANDBOX_NOTES: Final = (
    "'more' is the median difference to no sandbox; 'least' is the fastest start.",
)


def rl_layout(batch_games: int) -> BenchTable[RlSpeed]:
    """The table of `bench rl`, in which so many games of a batch are played at once."""
    return BenchTable(
        (
            Column("board", lambda one: one.board, is_text=True),
            Column("seats", lambda one: str(one.seats)),
            Column("engine\nper s", lambda one: f"{one.engine:,.0f}"),
            Column("environment\nper s", lambda one: f"{one.environment:,.0f}"),
            Column("of the\nengine", lambda one: f"{one.share:.0%}", "bold"),
            Column(f"{batch_games} at once\nper s", lambda one: f"{one.batch:,.0f}"),
            Column("of the\nengine", lambda one: f"{one.batch_share:.0%}"),
        )
    )


RL_NOTES: Final = (
    "Decisions per second of uniform random play; shares are medians of rounds in turns.",
)
