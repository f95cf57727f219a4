"""The text around a drawn board: its heading, and the legend below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.drawing.layout import text_width
from referee.drawing.style import HOME_ROAD, PRIVILEGES, ROADS_ABROAD, picture, quoted
from referee.engine.board import BoardWords
from referee.engine.terms import ABILITIES, COLOURS

ROW: Final = 38
SIZE: Final = 17
ABILITY_NAMES: Final = {
    "keys": "City Keys",
    "actions": "Actions",
    "privilege": "Privilege",
    "book": "Book",
    "bank": "Bank",
}


def heading(words: BoardWords, width: float, height: float) -> str:
    """The title, and below it the side, the chain and the end of the game."""
    names = {city["id"]: city["name"] for city in words["cities"]}
    chain = words["east_west"]
    first, last = (names[end] for end in chain["ends"])
    worth = " / ".join(str(points) for points in chain["prestige"])
    facts = [
        words["side"],
        f"chain {first} – {last}: {worth}",
        f"the game ends with {words['completed_cities_limit']} completed cities",
    ]
    line = "  ·  ".join(part for part in facts if part)
    return (
        f'<text class="heading" x="{width / 2:g}" y="{height * 0.49:g}" font-size="38"'
        f' font-weight="bold" text-anchor="middle" letter-spacing="1">{quoted(words["title"])}</text>'
        f'<text class="quiet" x="{width / 2:g}" y="{height * 0.82:g}" font-size="19"'
        f' font-style="italic" text-anchor="middle">{quoted(line)}</text>'
    )


def legend_height(words: BoardWords, width: float) -> float:
    """The height of the legend below a board of this width."""
    rows = max(row for row, _, _ in _places(words, width)) + 1
    return rows * ROW + 22


def legend(words: BoardWords, width: float) -> str:
    """The legend: what the pictures mean, in rows."""
    drawn = (
        f'<g transform="translate({x:.0f} {row * ROW + 14})">{item}</g>'
        for row, x, item in _places(words, width)
    )
    return f"<g>{''.join(drawn)}</g>"


def _places(words: BoardWords, width: float) -> Iterator[tuple[int, float, str]]:
    """Each item with its row and its left edge: as many in a row as fit."""
    row, x = 0, 0.0
    for mark, wide, text in _items(words):
        needed = wide + text_width(text, SIZE) * 0.93 + 30
        if x and x + needed > width - 56:
            row, x = row + 1, 0.0
        label = (
            f'<text class="said" x="{wide + 8:g}" y="6" font-size="{SIZE}">{quoted(text)}</text>'
        )
        yield row, x, mark + label
        x += needed


def _items(words: BoardWords) -> Iterator[tuple[str, float, str]]:
    """A mark, its width and what it means."""
    for colour in COLOURS:
        yield _swatch(PRIVILEGES[colour]), 22, f"{colour} privilege"
    yield _swatch("none"), 22, "square: trader"
    yield _disc("none"), 22, "round: merchant"
    yield _disc("#f2c53d"), 22, "coin"
    yield picture("house", 13, 0, 28), 26, "house: any tradesman"
    if any(point["type"] == "ship" for route in words["routes"] for point in route["points"]):
        yield picture("ship", 13, 0, 28), 26, "ship: merchants only"
    yield _on_paper("tavern"), 28, "tavern: start marker"
    shown = {ability for city in words["cities"] for ability in city["abilities"]}
    for ability in ABILITIES:
        if ability in shown:
            yield _on_paper(ability), 28, ABILITY_NAMES[ability]
    yield _on_paper("star"), 28, "special prestige"
    yield from _country_items(words)
    if any(city["green"] for city in words["cities"]):
        mark = '<rect y="-11" width="26" height="22" rx="4" fill="#a9c795" stroke="#3f6633"/>'
        yield mark, 26, "green city: no ordinary posts"


def _country_items(words: BoardWords) -> Iterator[tuple[str, float, str]]:
    abroad = 0
    for name, country in words["countries"].items():
        colour = HOME_ROAD if country["home"] else ROADS_ABROAD[abroad % len(ROADS_ABROAD)]
        abroad += not country["home"]
        worth = " / ".join(str(points) for points in country["prestige"])
        mark = f'<path d="M0 0h34" stroke="{colour}" stroke-width="8" stroke-linecap="round"/>'
        yield mark, 36, f"{name} {worth}".strip() + _permitted_by(words, name)


def _permitted_by(words: BoardWords, country: str) -> str:
    """The cities whose rightmost post permits the country."""
    names = {city["id"]: city["name"] for city in words["cities"]}
    given = [names[city] for city, countries in words["permits"].items() if country in countries]
    return f", by permit of {' or '.join(given)}" if given else ""


def _on_paper(name: str) -> str:
    """A picture on a round of paper, for dark pages."""
    paper = '<circle cx="14" r="14" fill="#f6ecd0" stroke="#8a744c"/>'
    return paper + picture(name, 14, 0, 20)


def _swatch(colour: str) -> str:
    return (
        f'<rect y="-10" width="20" height="20" rx="2" fill="{colour}" stroke="#8a744c"'
        ' stroke-width="2"/>'
    )


def _disc(colour: str) -> str:
    return f'<circle cx="10" r="10" fill="{colour}" stroke="#8a744c" stroke-width="2"/>'
