"""The pieces on a drawn board: tradesmen, trading posts and markers as cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from protocol.words import State
from referee.narration.events import marker_name
from referee.terminal.board.canvas import Cell, text_cells
from referee.terminal.seats import seat_name, seat_style, tradesman_style

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


class TradesmanWriter:
    """Writes tradesmen as cells: with colours a sign, without colours the number of the seat.

    Without colours a merchant is a circled number, or in ASCII a capital letter.
    """

    def __init__(self, *, colours: bool, ascii_only: bool) -> None:
        self._colours = colours
        self._ascii_only = ascii_only

    def post(self, tradesman: str) -> Cell:
        """A trading post: dark, so that it stands out from the free spaces."""
        cell = self.cell(tradesman)
        return Cell(cell.sign, f"{cell.style} on {_DARK}") if self._colours else cell

    def cell(self, tradesman: str) -> Cell:
        """A tradesman such as "0t", the trader of seat 0."""
        merchant = tradesman.endswith("m")
        if self._colours:
            sign = ("■●" if not self._ascii_only else "#@")[merchant]
            return Cell(sign, tradesman_style(tradesman))
        if tradesman[0] == "n":
            return Cell("N" if merchant else "n")
        letters = _LETTERS if self._ascii_only else _ROUND
        return Cell(letters[int(tradesman[:-1])] if merchant else tradesman[:-1])

    def legend(self, names: Sequence[str], *, neutral: bool) -> tuple[Cell, ...]:
        """The trader and merchant of each seat with the seat's name."""
        cells: tuple[Cell, ...] = ()
        seats = [*map(str, range(len(names))), *(["n"] if neutral else [])]
        for seat in seats:
            owner: int | str = "n" if seat == "n" else int(seat)
            cells += (self.cell(f"{seat}t"), self.cell(f"{seat}m"))
            cells += text_cells(f" {seat_name(owner, names)}   ")
        return cells + text_cells("(trader, merchant)", "dim")


def marker_cells(position: State, route: str) -> tuple[Cell, ...]:
    """The bonus marker of a route, then the markers placed there permanently."""
    marker = position["routes"][route]["marker"]
    cells = text_cells(CODES[marker], MARKER_STYLE) if marker else ()
    for placed in position["laid"]:
        if placed["route"] == route:
            style = f"bold #101010 on {seat_style(placed['seat'])}"
            cells += text_cells(CODES[placed["marker"]], style)
    return cells


def marker_legend(position: State) -> Iterator[Cell]:
    """The codes and names of the markers that are on the board."""
    on_board = {route["marker"] for route in position["routes"].values()}
    on_board |= {placed["marker"] for placed in position["laid"]}
    for marker, code in CODES.items():
        if marker in on_board:
            yield from text_cells(code, MARKER_STYLE)
            yield from text_cells(f" {marker_name(marker)}   ")


def special_cells(
    points: int, owner: int | str | None, style: str, tradesmen: TradesmanWriter
) -> tuple[Cell, ...]:
    """A special prestige space: the merchant on it, if there is one, and its points."""
    if owner is None:
        return text_cells(str(points), style)
    return (tradesmen.post(f"{owner}m"), *text_cells(str(points), style))
