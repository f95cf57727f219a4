"""What is shown beside the board of a recorded game: desks (short or full), scores, and help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from protocol.words import Amount, PlayerState
from referee.engine import game
from referee.engine.board import BoardWords
from referee.engine.terms import ABILITIES, DECISIONS, TURN
from referee.narration.events import PlaceNames, marker_name
from referee.replay.position import Position, Viewpoint
from referee.terminal.board.canvas import Cell
from referee.terminal.board.picture import BoardWriter
from referee.terminal.board.pieces import CODES, TradesmanWriter, marker_legend
from referee.terminal.board.tables import legend
from referee.terminal.game.score_tables import ability_worth, desks_legend, desks_table
from referee.terminal.seats import seat_name, seat_text

_SHORT: Final = 12
KEYS: Final = (
    ("← →", "previous, next decision"),
    (
        "↑ ↓",
        "previous, next beginning of a turn (also p n, Page Up, Page Down)",
    ),
    ("[ ]", "previous, next turn of one player; m chooses the player"),
    ("Home End", "the set-up, the last position"),
    ("0-9", "go to a decision: type its number, then Enter"),
    ("t", "go to a turn: type its number, then Enter"),
    ("x X", "next, previous displacement"),
    ("c C", "next, previous created route"),
    ("f F", "next, previous fault"),
    ("w W", "next, previous mistake, if the game is analysed"),
    ("a", "the better turn in place of a mistake, and back; ← and → step through it"),
    ("/", "search the log; . and , go to the next and previous match"),
    ("space", "play and pause; + and - change the speed"),
    ("tab", "next pane: board, desks, scores, log, graph of the chances (also b d s l g)"),
    ("z", "the board at its full height; j and k scroll"),
    ("e", "show what the next seat can see; at first nothing is hidden"),
    ("?", "this page"),
    ("q", "quit"),
)
_HEADS: Final = ("", "prestige", "total", *ABILITIES, "supply", "stock", "markers")


def cells_text(cells: Sequence[Cell]) -> Text:
    """Return the cells as one text in their colours."""
    return Text.assemble(*((cell.sign, cell.style) for cell in cells))


# -- the desks, a line for each seat


def desks_strip(
    position: Position, names: Sequence[str], tradesmen: TradesmanWriter, chosen_seat: int | None
) -> Table:
    """Each seat in one line: prestige, total if the game ended here, abilities, tradesmen, markers."""
    table = Table.grid(padding=(0, 1, 0, 0), expand=True)
    for head in _HEADS[:-1]:
        table.add_column(no_wrap=True, justify="right" if head else "left")
    table.add_column(no_wrap=True, ratio=1)  # only this column is cut if the line is too long
    table.add_row(*[Text(_head(head), style="dim") for head in _HEADS])
    rules, totals = position.state.rules, position.result.standings
    for player, standing in zip(position.seen["players"], totals, strict=True):
        table.add_row(
            _seat(player["seat"], names, tradesmen, chosen=player["seat"] == chosen_seat),
            Text(str(player["prestige"]), style="bold"),
            str(standing.total),
            *[ability_worth(rules, player, number) for number in range(len(ABILITIES))],
            _amount(player["supply"]),
            _amount(player["stock"]),
            _markers(player),
        )
    return table


def _head(head: str) -> str:
    return {"privilege": "priv.", "prestige": "prest."}.get(head, head)


def _seat(
    seat: int,
    names: Sequence[str],
    tradesmen: TradesmanWriter,
    *,
    chosen: bool = False,
    most: int = _SHORT,
) -> Text:
    signs = cells_text([tradesmen.cell(f"{seat}t"), tradesmen.cell(f"{seat}m")])
    name = seat_name(seat, names)
    short = name if len(name) <= most else f"{name[: most - 1]}…"
    return signs.append(f" {short}", "bold underline" if chosen else "bold")


def _amount(held: Amount) -> str:
    return f"{held['traders']}+{held['merchants']}"


def _markers(player: PlayerState) -> Text:
    text = Text(" ".join(CODES[marker] for marker in player["markers"]))
    if player["used_markers"]:
        used = " ".join(CODES[marker] for marker in player["used_markers"])
        text.append(f"{' ' if text else ''}({used})", "dim")
    return text


def score_line(
    position: Position,
    names: Sequence[str],
    tradesmen: TradesmanWriter,
    chosen_seat: int | None,
    columns: int,
) -> Text:
    """All seats in one line: prestige and supply; names are cut until the line fits."""
    for most in range(_SHORT, 1, -1):
        text = _score_line(position, names, tradesmen, chosen_seat, most)
        if text.cell_len <= columns:
            break
    return text


def _score_line(
    position: Position,
    names: Sequence[str],
    tradesmen: TradesmanWriter,
    chosen_seat: int | None,
    most: int,
) -> Text:
    parts: list[Text] = []
    for player in position.seen["players"]:
        text = _seat(
            player["seat"], names, tradesmen, chosen=player["seat"] == chosen_seat, most=most
        )
        text.append(f" {player['prestige']}", "bold").append(f" {_amount(player['supply'])}", "dim")
        parts.append(text)
    return Text("  ").join(parts)


# -- the desks in full


def desks_pane(position: Position, names: Sequence[str], viewpoint: Viewpoint) -> RenderableType:
    """Return a column for each seat, and below them everything that is on no desk."""
    facts = list(table_facts(position, names, viewpoint))
    desks = desks_table(position.seen, position.state.rules, names)
    return Group(desks, desks_legend(position.seen), *facts)


def table_facts(position: Position, names: Sequence[str], viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield a line for each fact that is on no desk: markers, missions, permits and so on."""
    seen, words = position.seen, position.state.board.words
    places = PlaceNames(words)
    cities = f"completed cities {seen['completed_cities']} of {words['completed_cities_limit']}"
    yield Text(f"{cities} · bonus markers left to draw {seen['marker_supply']}")
    lying = cells_text(list(marker_legend(seen)))
    if lying:
        yield Text.assemble("on the board: ", lying)
    for seat, mission in enumerate(position.missions):
        if mission is not None:
            text = Text("mission of ").append_text(seat_text(seat, names, style=""))
            yield text.append(f": {', '.join(map(places.city, mission))}")
    for seat, plate in enumerate(position.plates):
        if plate:
            text = Text("face down, known to ").append_text(seat_text(seat, names, style=""))
            yield text.append(f": {', '.join(map(marker_name, plate))}")
    yield from _rest(position, names, places)
    if viewpoint.seat is not None:
        name = seat_text(viewpoint.seat, names, style="dim")
        yield Text("as seen by ", style="dim").append_text(name)


def _rest(position: Position, names: Sequence[str], places: PlaceNames) -> Iterator[Text]:
    seen = position.seen
    if seen["favours"]:
        yield Text(f"favours on display: {', '.join(map(marker_name, seen['favours']))}")
    if seen["east_west"]:
        done = [seat_text(seat, names, style="") for seat in seen["east_west"]]
        yield Text("the chain is completed by ").append_text(Text(", ").join(done))
    if seen["neutral"] is not None:
        yield Text(f"prestige of the neutral colour: {seen['neutral']['prestige']}")
    if seen["markers_out"]:
        yield Text(f"markers out of the game: {', '.join(map(marker_name, seen['markers_out']))}")
    if seen["permits"] is not None:
        left = [places.city(city) for city, count in seen["permits"]["cities"].items() if count]
        yield Text(f"unused permits: {', '.join(left) or 'none'}")


# -- what comes next


def next_text(position: Position, names: Sequence[str], tradesmen: TradesmanWriter) -> Text:
    """Return whose turn it is, the actions left, and the next decision if it is not an action."""
    state, seen = position.state, position.seen
    if state.is_over:
        return Text("the game is over", style="bold")
    text = seat_text(state.active, names, most=_SHORT)
    count = state.actions_left
    text.append(f" {count} action{'' if count == 1 else 's'} left", "dim")
    pending = game.pending(state)
    if pending is not None and pending.kind != TURN:
        text.append(" · next: ", "dim").append_text(seat_text(pending.seat, names, most=_SHORT))
        text.append(f" {DECISIONS[pending.kind].replace('-', ' ')}", "")
    if seen["in_hand"]:
        text.append(" · off the board ", "dim")
        text.append_text(cells_text([tradesmen.cell(tradesman) for tradesman in seen["in_hand"]]))
    return text


# -- help


def help_pane(words: BoardWords, colours: bool, ascii_only: bool) -> RenderableType:
    """The keys, and what the signs on the board mean."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    for keys, meaning in KEYS:
        table.add_row(keys, meaning)
    markers = [f"{code} {marker_name(marker)}" for marker, code in CODES.items()]
    return Group(
        Text("Keys", style="bold underline"),
        table,
        Text("The board", style="bold underline"),
        Text("What changed last is shown in reverse; posts have a dark background."),
        legend(words, BoardWriter(words, colours=colours, ascii_only=ascii_only)),
        Text(f"markers {', '.join(markers)}"),
    )
