"""Benchmarks in the terminal: each describes its table as a `BenchTable`, and `show` prints it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from rich.console import Console
from rich.text import Text

from referee.bench.api import ApiSpeed
from referee.bench.dataset import DatasetSpeed
from referee.bench.engine import BoardSpeed
from referee.bench.match import Cost, Memory
from referee.bench.own_bot import OwnCost
from referee.bench.replay import SIZES, Frame, ReplaySpeed
from referee.bench.sandbox import Price
from referee.bench.schedule import PlanFigures
from referee.bench.tournament import Throughput, scaling
from referee.bench.verify import VerifySpeed
from referee.bench.web import WebCost
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
    """One column: its heading, and how to make a cell from a row. Numbers are aligned to the right."""

    head: str
    cell: Callable[[Row], str]
    style: str = ""
    is_text: bool = False


@dataclass(frozen=True)
class BenchTable(Generic[Row]):
    """The columns and the title of one benchmark's table."""

    columns: tuple[Column[Row], ...]
    title: str = "Engine: {build}, Python {python}"  # {names} are keys of the benchmark's JSON
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
    """Print what a benchmark measured: a table with notes below it, or the figures as one JSON object."""
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
        Column("board", lambda row: row.board, is_text=True),
        Column("seats", lambda row: str(row.seats)),
        Column("decisions\nper s", lambda row: f"{row.decisions_per_s:,.0f}", "bold"),
        Column("copy\nµs", lambda row: f"{row.copy_us:.2f}"),
        Column("apply\nµs", lambda row: f"{row.apply_us:.2f}"),
        Column("replayed\nper s", lambda row: f"{row.replay_decisions_per_s:,.0f}"),
        Column("digest of the\nlast game", lambda row: row.digest, "dim", is_text=True),
    )
)

VERIFY: Final = BenchTable[VerifySpeed](
    (
        Column("board", lambda row: row.board, is_text=True),
        Column("seats", lambda row: str(row.seats)),
        Column("engine\nper s", lambda row: f"{row.engine_decisions_per_s:,.0f}"),
        Column("verify\nper s", lambda row: f"{row.verify_decisions_per_s:,.0f}", "bold"),
        Column("ratio", lambda row: f"{row.ratio:.2f}", "bold"),
        Column("decisions", lambda row: f"{row.decisions:,}"),
        Column("MB of\nrecords", lambda row: f"{row.bytes / 1e6:.1f}"),
    )
)
VERIFY_NOTES: Final = (
    "Decisions per second of CPU time, in one process; engine and verify play the same games.",
)

# -- match


def _or_dash(figure: float) -> str:
    """Return the figure, or a dash if it could not be measured."""
    return "–" if isnan(figure) else f"{figure:.1f}"


MATCH: Final = BenchTable[Cost](
    (
        Column("µs per decision", lambda row: row.case, is_text=True),
        Column("total", lambda row: f"{row.total:.1f}", "bold"),
        Column("echo", lambda row: _or_dash(row.echo)),
        Column("times\necho", lambda row: _or_dash(row.ratio)),
        Column("engine", lambda row: f"{row.engine:.1f}"),
        Column("encode", lambda row: f"{row.messages:.1f}"),
        Column("record", lambda row: f"{row.record:.1f}"),
        Column("decode", lambda row: f"{row.reply:.1f}"),
        Column("bot's\nown", lambda row: f"{row.bot:.1f}", "dim"),
    ),
    dense=True,
)


def match_notes(memory: Memory) -> tuple[str, ...]:
    """Explain 'times echo', and say how the memory of the referee grew."""
    return (
        (
            "'times echo' is the total without the bot's own time, divided by the time of a plain pipe"
            " echo of the same bytes."
        ),
        (
            f"Memory of the referee over {memory.games:,} games: {memory.after_tenth:.1f} MiB after a"
            f" tenth of them, {memory.after_all:.1f} MiB after all."
        ),
    )


OWN_BOT: Final = BenchTable[OwnCost](
    (
        Column("µs per decision", lambda row: row.bot, is_text=True),
        Column("format", lambda row: f"{row.detail}, {row.encoding}", is_text=True),
        Column("bot's\nown", lambda row: f"{row.own:.1f}", "bold"),
        Column("total", lambda row: f"{row.total:.1f}"),
    )
)

# -- replay


def coloured_screen(controller: ReplayController) -> Frame:
    """Return the function that draws the viewer's screen, with all colours on any terminal."""
    out = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor")
    return Screen(controller, out).frame


def _jump(place: int) -> Column[ReplaySpeed]:
    columns, rows = SIZES[place]
    return Column(f"jump\n{columns}x{rows}", lambda row: f"{row.jump_ms[place]:.1f}")


def _worst_jump(place: int) -> Column[ReplaySpeed]:
    columns, rows = SIZES[place]
    return Column(f"worst\n{columns}x{rows}", lambda row: f"{row.slowest_jump_ms[place]:.1f}")


REPLAY: Final = BenchTable[ReplaySpeed](
    (
        Column("board", lambda row: row.board, is_text=True),
        Column("steps", lambda row: f"{row.decisions:,}"),
        Column("start\ns", lambda row: f"{row.command_s:.2f}", "bold"),
        Column("open\ns", lambda row: f"{row.open_s:.2f}"),
        *map(_jump, range(len(SIZES))),
        *map(_worst_jump, range(len(SIZES))),
    )
)
REPLAY_NOTES: Final = (
    (
        "All times are CPU time. 'start' is the whole command until it shows the first position; 'open'"
        " is the part of it that reads, checks and draws the record. 'jump' and 'worst' are the median"
        " and the longest time in ms to jump to a random step and draw its screen."
    ),
)

# -- tournament

TOURNAMENT: Final = BenchTable[Throughput](
    (
        Column("bots", lambda row: row.bots, is_text=True),
        Column("workers", lambda row: str(row.workers)),
        Column("games", lambda row: f"{row.games:,}"),
        Column("games\n/s", lambda row: f"{row.games_per_s:.1f}", "bold"),
        Column("decisions\n/s", lambda row: f"{row.decisions_per_s:,.0f}"),
        Column("referee", lambda row: f"{row.referee_share:.0%}"),
        Column("store", lambda row: f"{row.store_share:.1%}"),
        Column("plan", lambda row: f"{row.schedule_share:.1%}"),
        Column("MiB", lambda row: f"{row.memory_early_mib:.1f}→{row.memory_late_mib:.1f}"),
    ),
    dense=True,
)


def tournament_notes(
    measured: Sequence[Throughput], plan: PlanFigures, machine: float | None
) -> list[str]:
    """Explain the columns, and say how much faster more workers are and how long planning takes."""
    notes = [
        (
            "'referee' is the referee's share of all CPU time; 'store' and 'plan' are shares of the"
            " elapsed time; 'MiB' is the memory of its largest process after a tenth of the games and"
            " after all of them."
        )
    ]
    notes += [
        f"{kind}: all workers together play {factor:.2f} times as many games per second as one."
        for kind, factor in scaling(measured).items()
    ]
    if machine is not None:
        notes.append(
            f"Independent processes do {machine:.2f} times as much work on these cores as on one."
        )
    spread = plan.spread
    notes.append(
        f"Planning {plan.games:,} games of {plan.bots} bots: {plan.seconds:.1f} s;"
        f" each pair of bots meets in {spread.least_meetings:,} to {spread.most_meetings:,} games;"
        f" the plan takes {plan.short_bytes / 1024:.0f} KiB for {plan.short_blocks:,} blocks and"
        f" {plan.long_bytes / 1024:.0f} KiB for ten times as many."
    )
    return notes


# -- web


def _web_memory(cost: WebCost) -> str:
    measured = (cost.memory_tenth_mib, cost.memory_half_mib, cost.memory_end_mib)
    return "→".join(f"{mib:.1f}" for mib in measured)


WEB: Final = BenchTable[WebCost](
    (
        Column("spectators", lambda row: str(row.spectators)),
        Column("games", lambda row: str(row.games)),
        Column("server\nCPU s", lambda row: f"{row.server_cpu_s:.2f}"),
        Column("tournament\nCPU s", lambda row: f"{row.tournament_cpu_s:.1f}"),
        Column("share", lambda row: f"{row.share:.2%}", "bold"),
        Column("latency\nms", lambda row: f"{row.latency_ms:.0f}"),
        Column("95 %\nms", lambda row: f"{row.latency_95_ms:.0f}"),
        Column("most\nms", lambda row: f"{row.latency_most_ms:.0f}"),
        Column("MiB", _web_memory),
    ),
    dense=True,
)


def web_notes(cost: WebCost) -> list[str]:
    """Explain the columns, and say what went wrong."""
    columns = (
        "'share' is the CPU time of the server, as a share of that of the tournament; the latency is"
        " from a written decision to a spectator who follows the game; 'MiB' is the memory of the server"
        " after a tenth of the time, after half of it, and at the end."
    )
    rest = (
        f"The tournament took {cost.seconds:.0f} s."
        f" The server needs {cost.start_cpu_s:.1f} s of CPU time to start, which is not in the share."
        f" The spectators loaded {cost.pages:,} pages and {cost.files:,} files; a page with its files"
        f" took {cost.load_ms:.0f} ms (median), {cost.load_most_ms:.0f} ms at most."
        f" They received {cost.events:,} events, and used {cost.clients_cpu_s:.1f} s of CPU time"
        " themselves."
        f" Connections lost: {cost.lost}. Faults of bots: {cost.faults}, time-outs: {cost.timeouts}."
    )
    return [columns, rest]


# -- sandbox, api, rl and dataset

SANDBOX: Final = BenchTable[Price](
    (
        Column("sandbox", lambda row: row.level, is_text=True),
        Column("start\nms", lambda row: f"{row.start_ms:.1f}"),
        Column("more\nms", lambda row: f"{row.more_start_ms:+z.1f}", "bold"),
        Column("least\nms", lambda row: f"{row.least_start_ms:.1f}"),
        Column("decision\nµs", lambda row: f"{row.decision_us:.1f}"),
        Column("more\nµs", lambda row: f"{row.more_decision_us:+z.2f}", "bold"),
    )
)
SANDBOX_NOTES: Final = (
    "'more' is the median difference from no sandbox; 'least' is the fastest start.",
)


API: Final = BenchTable[ApiSpeed](
    (
        Column("board", lambda row: row.board, is_text=True),
        Column("seats", lambda row: str(row.seats)),
        Column("engine\nper s", lambda row: f"{row.engine:,.0f}"),
        Column("Game\nper s", lambda row: f"{row.api:,.0f}"),
        Column("share of\nengine", lambda row: f"{row.share:.0%}", "bold"),
    )
)
API_NOTES: Final = (
    "Decisions per second of a flat Monte-Carlo player; shares are medians of alternating rounds.",
)


def rl_layout(batch_games: int) -> BenchTable[RlSpeed]:
    """Return the table of `bench rl`; `batch_games` is how many games a batch plays at once."""
    return BenchTable(
        (
            Column("board", lambda row: row.board, is_text=True),
            Column("seats", lambda row: str(row.seats)),
            Column("engine\nper s", lambda row: f"{row.engine:,.0f}"),
            Column("raw_env\nper s", lambda row: f"{row.environment:,.0f}"),
            Column("share", lambda row: f"{row.share:.0%}", "bold"),
            Column(f"{batch_games} at\nonce", lambda row: f"{row.batch:,.0f}"),
            Column("share", lambda row: f"{row.batch_share:.0%}", "bold"),
        )
    )


RL_NOTES: Final = (
    "Decisions per second of uniform random play; 'share' is the share of the engine's speed.",
)


DATASET: Final = BenchTable[DatasetSpeed](
    (
        Column("board", lambda row: row.board, is_text=True),
        Column("seats", lambda row: str(row.seats)),
        Column("records", lambda row: f"{row.records:,}"),
        Column("decisions", lambda row: f"{row.decisions:,}"),
        Column("per s", lambda row: f"{row.per_s:,.0f}", "bold"),
        Column("per s\nof CPU", lambda row: f"{row.per_cpu_s:,.0f}"),
        Column("bytes per\ndecision", lambda row: f"{row.bytes_per_decision:,.0f}"),
        Column("peak\nMiB", lambda row: f"{row.peak_mib:,.0f}", "bold"),
    )
)
DATASET_NOTES: Final = (
    "Decisions per second from records to files, with all checks, by the wall clock and in CPU time.",
)
