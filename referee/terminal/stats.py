"""The figures of many games in the terminal, and as rows of a CSV file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TextIO

from rich.table import Table
from rich.text import Text

from referee import text
from referee.engine.terms import ABILITIES
from referee.narration.events import marker_name
from referee.records.stats import COLUMNS, SCORE_PARTS
from referee.terminal import OUT
from referee.terminal.game.score_tables import plain_table
from referee.text import visible

Words = dict[str, Any]

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


def show_stats(words: Words, top: int) -> None:
    """Everything, a table for each kind of figure."""
    OUT.print()
    OUT.print(Text(_headline(words), style="bold"))
    if not words["games"]:
        OUT.print()
        return
    for line in _lengths(words):
        OUT.print(Text(line))
    _section("Actions", _actions(words["actions"]))
    _section("Abilities: the seat's own turn at the median, and how many seats", _abilities(words))
    _section("Markers", _markers(words["markers"]))
    if words["favours"]:
        _section("Favours", _favours(words["favours"]))
    _section(f"Created routes, the {top} most frequent", _routes(words["routes"][:top]))
    for first, ones, label in (
        ("seat", words["seats"], _seat_label),
        ("bot", words["bots"], _bot_label),
    ):
        _section(f"By {first}", _results(first, ones, label))
        _section(f"Parts of the total by {first}, on average", _parts(first, ones, label))
    _section("Conduct", _conduct(words["bots"]))
    OUT.print()


def _section(title: str, table: Table) -> None:
    OUT.print()
    OUT.print(Text(title, style="bold"))
    OUT.print(table)


def _headline(words: Words) -> str:
    left_out = ", ".join(f"{count:,} {kind}" for kind, count in words["left_out"].items())
    games = f"{words['games']:,} game{'' if words['games'] == 1 else 's'}"
    return games + (f"; left out: {left_out}" if left_out else "")


def _lengths(words: Words) -> Iterable[str]:
    for what, figures in words["length"].items():
        yield (
            f"{what}: {figures['median']:,g} at the median, {figures['mean']:,.1f} on average,"
            f" {figures['least']:,} to {figures['most']:,}"
        )
    ends = [f"{reason} {_percent(n / words['games'])}" for reason, n in words["reasons"].items()]
    yield f"ended by: {', '.join(ends)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _figures(first: str, *others: str) -> Table:
    table = plain_table()
    table.add_column(first, overflow="fold", max_width=40)
    for header in others:
        table.add_column(header, justify="right", no_wrap=True)
    return table


def _actions(actions: Sequence[Words]) -> Table:
    table = _figures("action", "count", "a game", "share")
    for one in actions:
        count, share = f"{one['count']:,}", _percent(one["share"])
        table.add_row(one["action"], count, f"{one['per_game']:.1f}", share)
    return table


def _abilities(words: Words) -> Table:
    steps = {(one["ability"], one["step"]): one for one in words["abilities"]}
    most = max((step for _, step in steps), default=1)
    table = _figures("ability", *[f"step {step + 1}" for step in range(most)])
    for ability in ABILITIES:
        cells = [_step(steps.get((ability, step + 1))) for step in range(most)]
        table.add_row(ability, *cells)
    return table


def _step(one: Words | None) -> Text:
    if one is None:
        return Text("–", style="dim")
    return Text.assemble(f"{one['median_turn']:g}", (f" {_percent(one['share'])}", "dim"))


def _markers(markers: Sequence[Words]) -> Table:
    table = _figures("marker", "taken", "used")
    for one in markers:
        table.add_row(marker_name(one["marker"]), f"{one['taken']:,}", f"{one['used']:,}")
    return table


def _favours(favours: dict[str, int]) -> Table:
    table = _figures("tile", "taken")
    for tile, count in favours.items():
        table.add_row(marker_name(tile), f"{count:,}")
    return table


def _routes(routes: Sequence[Words]) -> Table:
    table = _figures("route", "board", "created", "a game")
    for one in routes:
        board, created = visible(one["board"]), f"{one['created']:,}"
        table.add_row(Text(visible(one["route"])), board, created, f"{one['per_game']:.2f}")
    return table


def _results(first: str, ones: Sequence[Words], label: Callable[[Words], str]) -> Table:
    table = _named(first, "games", "wins", "rank", "total")
    for one in ones:
        wins = _percent(one["wins"] / one["games"])
        figures = (f"{one['games']:,}", wins, f"{one['rank']:.2f}", f"{one['total']:.1f}")
        table.add_row(Text(label(one)), *figures)
    return table


def _parts(first: str, ones: Sequence[Words], label: Callable[[Words], str]) -> Table:
    table = _named(first, *[_SHORT[part] for part in SCORE_PARTS])
    for one in ones:
        table.add_row(Text(label(one)), *[f"{one['parts'][part]:.1f}" for part in SCORE_PARTS])
    return table


def _named(first: str, *others: str) -> Table:
    table = plain_table()
    table.add_column(first, overflow="fold", max_width=_WIDEST)
    for header in others:
        table.add_column(header, justify="right", no_wrap=True)
    return table


def _seat_label(one: Words) -> str:
    return f"{one['seat']} of {one['players']}"


def _bot_label(one: Words) -> str:
    return visible(one["name"])


def _conduct(bots: Sequence[Words]) -> Table:
    table = _named("bot", "faults", "disqualified", "answers", "mean ms", "slowest ms")
    for one in bots:
        mean = "–" if one["mean_ms"] is None else f"{one['mean_ms']:.2f}"
        table.add_row(
            Text(visible(one["name"])),
            f"{one['faults']:,}",
            f"{one['disqualified']:,}",
            f"{one['answers']:,}",
            mean,
            f"{one['slowest_ms']:,.1f}",
        )
    return table


# -- CSV


def write_csv(file: TextIO, found: Iterable[Words]) -> None:
    """Write a heading, then a row for each seat of each game."""
    text.write_csv(file, COLUMNS, ([row[column] for column in COLUMNS] for row in found))
