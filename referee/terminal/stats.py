"""What `referee stats` prints: tables of many games, or rows of a CSV file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TextIO, TypeAlias

from rich.table import Table
from rich.text import Text

from referee import text
from referee.engine.terms import ABILITIES
from referee.narration.events import marker_name
from referee.records.stats import COLUMNS, SCORE_PARTS
from referee.terminal import OUT
from referee.terminal.game.score_tables import plain_table
from referee.text import plural, visible

Figures: TypeAlias = dict[str, Any]

_SHORT: Final = {
    "track": "track",
    "abilities": "abil.",
    "markers": "mark.",
    "special": "spec.",
    "cities": "city",
    "network": "netw.",
    "missions": "miss.",
    "countries": "ctry",
}
_WIDEST: Final = 16


def show_stats(figures: Figures, top: int) -> None:
    """Print a table for each kind of figure; `top` is how many routes are listed."""
    OUT.print()
    OUT.print(Text(_headline(figures), style="bold"))
    if not figures["games"]:
        OUT.print()
        return
    for line in _lengths(figures):
        OUT.print(Text(line))
    _section("Actions", _actions(figures["actions"]))
    _section(
        "Abilities: the seat's own turn of each step (median), and the share of seats",
        _abilities(figures),
    )
    _section("Markers", _markers(figures["markers"]))
    if figures["favours"]:
        _section("Favours", _favours(figures["favours"]))
    _section(f"The {top} routes that were created most often", _routes(figures["routes"][:top]))
    for first, groups, label in (
        ("seat", figures["seats"], _seat_label),
        ("bot", figures["bots"], _bot_label),
    ):
        _section(f"By {first}", _results(first, groups, label))
        _section(f"Average parts of the total by {first}", _parts(first, groups, label))
    _section("Faults and answer times", _faults(figures["bots"]))
    OUT.print()


def _section(title: str, table: Table) -> None:
    OUT.print()
    OUT.print(Text(title, style="bold"))
    OUT.print(table)


def _headline(figures: Figures) -> str:
    left_out = ", ".join(f"{count:,} {kind}" for kind, count in figures["left_out"].items())
    games = plural(figures["games"], "game")
    return games + (f"; left out: {left_out}" if left_out else "")


def _lengths(figures: Figures) -> Iterable[str]:
    for what, length in figures["length"].items():
        yield (
            f"{what}: median {length['median']:,g}, mean {length['mean']:,.1f},"
            f" from {length['least']:,} to {length['most']:,}"
        )
    ends = [
        f"{reason} {_percent(n / figures['games'])}" for reason, n in figures["reasons"].items()
    ]
    yield f"ended by: {', '.join(ends)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _table(first: str, *others: str) -> Table:
    table = plain_table()
    table.add_column(first, overflow="fold", max_width=40)
    for header in others:
        table.add_column(header, justify="right", no_wrap=True)
    return table


def _actions(actions: Sequence[Figures]) -> Table:
    table = _table("action", "count", "per game", "share")
    for row in actions:
        count, share = f"{row['count']:,}", _percent(row["share"])
        table.add_row(row["action"], count, f"{row['per_game']:.1f}", share)
    return table


def _abilities(figures: Figures) -> Table:
    steps = {(row["ability"], row["step"]): row for row in figures["abilities"]}
    most = max((step for _, step in steps), default=1)
    table = _table("ability", *[f"step {step + 1}" for step in range(most)])
    for ability in ABILITIES:
        cells = [_step(steps.get((ability, step + 1))) for step in range(most)]
        table.add_row(ability, *cells)
    return table


def _step(row: Figures | None) -> Text:
    if row is None:
        return Text("–", style="dim")
    return Text.assemble(f"{row['median_turn']:g}", (f" {_percent(row['share'])}", "dim"))


def _markers(markers: Sequence[Figures]) -> Table:
    table = _table("marker", "taken", "used")
    for row in markers:
        table.add_row(marker_name(row["marker"]), f"{row['taken']:,}", f"{row['used']:,}")
    return table


def _favours(favours: dict[str, int]) -> Table:
    table = _table("tile", "taken")
    for tile, count in favours.items():
        table.add_row(marker_name(tile), f"{count:,}")
    return table


def _routes(routes: Sequence[Figures]) -> Table:
    table = _table("route", "board", "created", "per game")
    for row in routes:
        board, created = visible(row["board"]), f"{row['created']:,}"
        table.add_row(Text(visible(row["route"])), board, created, f"{row['per_game']:.2f}")
    return table


def _results(first: str, groups: Sequence[Figures], label: Callable[[Figures], str]) -> Table:
    table = _named_table(first, "games", "wins", "rank", "total")
    for row in groups:
        wins = _percent(row["wins"] / row["games"])
        cells = (f"{row['games']:,}", wins, f"{row['rank']:.2f}", f"{row['total']:.1f}")
        table.add_row(Text(label(row)), *cells)
    return table


def _parts(first: str, groups: Sequence[Figures], label: Callable[[Figures], str]) -> Table:
    table = _named_table(first, *[_SHORT[part] for part in SCORE_PARTS])
    for row in groups:
        table.add_row(Text(label(row)), *[f"{row['parts'][part]:.1f}" for part in SCORE_PARTS])
    return table


def _named_table(first: str, *others: str) -> Table:
    table = plain_table()
    table.add_column(first, overflow="fold", max_width=_WIDEST)
    for header in others:
        table.add_column(header, justify="right", no_wrap=True)
    return table


def _seat_label(row: Figures) -> str:
    return f"{row['seat']} of {row['players']}"


def _bot_label(row: Figures) -> str:
    return visible(row["name"])


def _faults(bots: Sequence[Figures]) -> Table:
    table = _named_table("bot", "faults", "disqualified", "answers", "mean ms", "slowest ms")
    for row in bots:
        mean = "–" if row["mean_ms"] is None else f"{row['mean_ms']:.2f}"
        table.add_row(
            Text(visible(row["name"])),
            f"{row['faults']:,}",
            f"{row['disqualified']:,}",
            f"{row['answers']:,}",
            mean,
            f"{row['slowest_ms']:,.1f}",
        )
    return table


# -- CSV


def write_csv(file: TextIO, found: Iterable[Figures]) -> None:
    """Write a heading, then a row for each seat of each game."""
    text.write_csv(file, COLUMNS, ([row[column] for column in COLUMNS] for row in found))
