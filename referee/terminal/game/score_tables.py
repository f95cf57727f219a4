"""Tables of a game in the terminal: the desks, and the final score pad."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from protocol.words import Amount, PlayerState, State
from referee.adjudication.standings import SeatResult
from referee.engine.ending import PARTS
from referee.engine.ruleset import Ruleset
from referee.engine.terms import ABILITIES, BANK, COLOURS, PRIVILEGE
from referee.narration.events import PlaceNames, marker_name
from referee.narration.result import GameSummary, describe_ending
from referee.records.header import is_person
from referee.replay.position import Viewpoint
from referee.terminal.board.pieces import CODES
from referee.terminal.seats import seat_text

_ABSENT: Final = Text("–", style="dim")
_WIDEST: Final = 18


def plain_table(*, dense: bool = False) -> Table:
    """A table with few lines; a dense one fits many columns into 80 characters."""
    padding = (0, 0, 0, 1) if dense else (0, 1)
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=padding, show_edge=False)


# -- the score pad


def final_table(result: GameSummary) -> Table:
    """A score pad: a column for each seat, the winner's first; a row for each part of the total."""
    ranked = sorted(result.standings, key=lambda standing: (standing.rank, standing.seat))
    names = [player.name for player in result.players]
    table = plain_table()
    table.add_column("", no_wrap=True)
    for standing in ranked:
        table.add_column(
            _seat_header(standing, names), justify="right", overflow="fold", max_width=_WIDEST
        )
    table.add_row("rank", *[_rank(result, standing) for standing in ranked])
    for part in PARTS:
        table.add_row(part, *[_points(_part(result, standing, part)) for standing in ranked])
    for country in result.state.board.scoring_countries or ["countries"]:
        given = [standing.countries.get(country) for standing in ranked]
        table.add_row(Text(country), *[_points(points) for points in given])
    table.add_section()
    table.add_row("total", *[Text(str(standing.total), style="bold") for standing in ranked])
    return table


def scores_so_far(result: GameSummary, viewpoint: Viewpoint) -> RenderableType:
    """The score pad, as if the game ended now, as far as it is known from a viewpoint."""
    note = Text("As if the game ended here.", style="dim")
    if result.state.is_over:
        note = Text(describe_ending(result.state))
    elif not viewpoint.sees_ranks(result.state):
        note = Text("As if the game ended here; the missions of others are not known.", style="dim")
    return Group(final_table(result), note)


def _seat_header(standing: SeatResult, names: Sequence[str]) -> Text:
    seat = standing.seat
    return Text.assemble(seat_text(seat, names), (f"\nseat {seat}", "dim"))


def _rank(result: GameSummary, standing: SeatResult) -> Text:
    """The rank, with the fault of a disqualified seat; a person has "left"."""
    out = standing.disqualified
    if out and is_person(result.players[standing.seat].hash):
        out = "left"
    return Text.assemble((str(standing.rank), "bold"), (f" {out}" if out else "", "red"))


def mission_lines(result: GameSummary, places: PlaceNames) -> list[Text]:
    """Every seat's mission card, which all see at the end."""
    names = [player.name for player in result.players]
    return [
        seat_text(seat, names, style="").append(f": {', '.join(map(places.city, cities))}")
        for seat, cities in enumerate(result.missions)
        if cities is not None
    ]


def _part(result: GameSummary, standing: SeatResult, part: str) -> int | None:
    """The points of one part; None if the game has no such part."""
    if part == "missions" and not result.state.rules.missions:
        return None
    return standing.parts[part]


def _points(points: int | None) -> Text:
    if points is None:
        return _ABSENT
    return Text(str(points), style="dim" if points == 0 else "")


# -- the desks


def desks_table(position: State, rules: Ruleset, names: Sequence[str]) -> Table:
    """A column for each seat: prestige, abilities, tradesmen and markers."""
    players = position["players"]
    table = plain_table()
    table.add_column("", no_wrap=True)
    for player in players:
        table.add_column(seat_text(player["seat"], names), overflow="fold", max_width=_WIDEST)
    table.add_row("prestige", *[Text(str(player["prestige"]), style="bold") for player in players])
    for number, ability in enumerate(ABILITIES):
        table.add_row(ability, *[_ability(rules, player, number) for player in players])
    rows: list[tuple[str, Callable[[PlayerState], Text]]] = [
        ("supply", lambda player: _amount(player["supply"])),
        ("stock", lambda player: _amount(player["stock"])),
        ("markers", lambda player: _markers(player["markers"])),
        ("used", lambda player: _markers(player["used_markers"])),
    ]
    if rules.favours:
        rows.append(("favours", lambda player: _listed(list(map(marker_name, player["favours"])))))
    for label, cell in rows:
        table.add_row(label, *[cell(player) for player in players])
    return table


def _ability(rules: Ruleset, player: PlayerState, number: int) -> Text:
    """Return what an ability is worth, with a check mark if it is fully developed."""
    is_complete = _steps(player, number) == len(rules.values[number]) - 1
    worth = ability_worth(rules, player, number)
    return Text.assemble(worth, (" ✓" if is_complete else "", "green"))


def ability_worth(rules: Ruleset, player: PlayerState, number: int) -> str:
    """Return what an ability of a player is worth now: a number, a colour, or `all`."""
    worth = rules.values[number][_steps(player, number)]
    if number == PRIVILEGE:
        return COLOURS[worth]
    return "all" if number == BANK and not worth else str(worth)


def _steps(player: PlayerState, number: int) -> int:
    """Return how often an ability was developed; `number` is its place in ABILITIES."""
    desk = player["desk"]
    return (desk["keys"], desk["actions"], desk["privilege"], desk["book"], desk["bank"])[number]


def _amount(held: Amount) -> Text:
    return Text(f"{held['traders']} + {held['merchants']}")


def _markers(markers: Sequence[str]) -> Text:
    return _listed([CODES[marker] for marker in markers])


def _listed(names: list[str]) -> Text:
    return Text(" ".join(names)) if names else _ABSENT


def mission_text(position: State, places: PlaceNames) -> Text | None:
    """The seat's own mission card, if there are any."""
    mission = position["mission"]
    if mission is None:
        return None
    return Text(f"Your mission: {', '.join(map(places.city, mission))}")


def desks_legend(position: State) -> Text:
    """What the short forms in the table of desks mean."""
    shown = {name for player in position["players"] for name in player["markers"]}
    shown |= {name for player in position["players"] for name in player["used_markers"]}
    codes = [f"{code} {marker_name(marker)}" for marker, code in CODES.items() if marker in shown]
    return Text(" · ".join(["tradesmen: traders + merchants", *codes]), style="dim")
