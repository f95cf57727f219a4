"""A position on the terminal's board: tradesmen, trading posts and markers as cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from protocol.words import State
from referee.console_canvas import Cell, spell
from referee.console_seats import man_style, seat_name, seat_style
from referee.telling import marker_name

CODES: Final = {
    "additional-post": "+P",
    "exchange-posts": "Ex",
    "develop-ability": "De",
    "plus-3-actions": "+3",
    "plus-4-actions": "+4",
    "move-3": "M3",
    "remove-3": "R3",
    "swap-marker": "Sw",
    "tribute": "Tr",
    "block": "Bl",
}
MARKER_STYLE: Final = "bold white on red3"
_DARK: Final = "#202020"
_ROUND: Final = "⓪①②③④"
_LETTERS: Final = "ABCDE"


class Men:
    """How tradesmen are drawn: in colours as a sign, else as the number of their seat.

    Without colours a merchant's number is round, or with ASCII alone a capital letter.
    """

    def __init__(self, *, colours: bool, ascii_only: bool) -> None:
        self._colours = colours
        self._ascii_only = ascii_only

    def post(self, man: str) -> Cell:
        """A trading post: dark, so that it stands out from free spaces."""
        cell = self.cell(man)
        return Cell(cell.sign, f"{cell.style} on {_DARK}") if self._colours else cell

    def cell(self, man: str) -> Cell:
        """One tradesman, given like "0t": seat 0, trader."""
        merchant = man.endswith("m")
        if self._colours:
            sign = ("■●" if not self._ascii_only else "#@")[merchant]
            return Cell(sign, man_style(man))
        if man[0] == "n":
            return Cell("N" if merchant else "n")
        letters = _LETTERS if self._ascii_only else _ROUND
        return Cell(letters[int(man[:-1])] if merchant else man[:-1])

    def legend(self, names: Sequence[str], *, neutral: bool) -> tuple[Cell, ...]:
        """Which sign belongs to which seat."""
        cells: tuple[Cell, ...] = ()
        seats = [*map(str, range(len(names))), *(["n"] if neutral else [])]
        for seat in seats:
            owner: int | str = "n" if seat == "n" else int(seat)
            cells += (self.cell(f"{seat}t"), self.cell(f"{seat}m"))
            cells += spell(f" {seat_name(owner, names)}   ")
        return cells + spell("(trader, merchant)", "dim")


def marker_cells(position: State, route: str) -> tuple[Cell, ...]:
    """The bonus marker of a route, then the markers that stay there for good."""
    marker = position["routes"][route]["marker"]
    cells = spell(CODES[marker], MARKER_STYLE) if marker else ()
    for laid in position["laid"]:
        if laid["route"] == route:
            style = f"bold #101010 on {seat_style(laid['seat'])}"
            cells += spell(CODES[laid["marker"]], style)
    return cells


def marker_legend(position: State) -> Iterator[Cell]:
    """The codes of the markers that lie on the board."""
    lying = {route["marker"] for route in position["routes"].values()}
    lying |= {laid["marker"] for laid in position["laid"]}
    for marker, code in CODES.items():
        if marker in lying:
            yield from spell(code, MARKER_STYLE)
            yield from spell(f" {marker_name(marker)}   ")


def special_cells(points: int, owner: int | str | None, style: str, men: Men) -> tuple[Cell, ...]:
    """A space of special prestige, with the merchant that stands on it."""
    if owner is None:
        return spell(str(points), style)
    return (men.post(f"{owner}m"), *spell(str(points), style))
