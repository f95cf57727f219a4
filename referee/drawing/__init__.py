"""A board as a standalone SVG drawing, for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.drawing.city import city_group, special_plaque, track_plaque
from referee.drawing.layout import POINT, SEAL, Layout, Spot, emptiest, lay_out, seal_words
from referee.drawing.legend import heading, legend, legend_height
from referee.drawing.style import HOME_ROAD, ROADS_ABROAD, definitions, picture, quoted
from referee.engine.board import BoardWords, RouteWords

MARGIN: Final = 28
HEADING: Final = 92


def board_svg(words: BoardWords, over: str = "") -> str:
    """The board as SVG; `over` is SVG drawn on top of it, such as tradesmen, in layout coordinates."""
    layout = lay_out(words)
    width = layout.frame.width + 2 * MARGIN
    foot = legend_height(words, width)
    height = layout.frame.height + HEADING + foot + MARGIN
    return "\n".join(
        [
            _opening(words, width, height),
            definitions(),
            f'<rect class="sheet" width="{width:g}" height="{height:g}"/>',
            heading(words, width, HEADING),
            f'<g class="board" transform="translate({MARGIN} {HEADING})">',
            *filter(None, board_parts(words, layout)),
            f"{over}</g>",
            f'<g transform="translate({MARGIN} {HEADING + layout.frame.height + 18:g})">',
            f"{legend(words, width - 2 * MARGIN)}</g></svg>\n",
        ]
    )


def _opening(words: BoardWords, width: float, height: float) -> str:
    title = quoted(words["title"])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
    )


def board_parts(words: BoardWords, layout: Layout) -> Iterator[str]:
    """The parts of the board from the bottom up, in the coordinates of the layout's frame."""
    yield paper(layout)
    yield from seas(words, layout)
    yield edges(layout)
    yield compass(layout)
    colours = road_colours(words)
    for route in words["routes"]:
        yield road(route, layout, colours)
    yield special_plaque(words, layout)
    yield track_plaque(layout)
    for route in words["routes"]:
        yield points(route, layout)
        yield seal(route, layout)
    for city in words["cities"]:
        yield city_group(city, layout.cities[city["id"]], words)


def paper(layout: Layout) -> str:
    """The parchment that the board is drawn on."""
    width, height = layout.frame
    return (
        f'<rect class="paper" width="{width:g}" height="{height:g}" rx="10"/>'
        f'<rect class="dim" width="{width:g}" height="{height:g}" rx="10" filter="url(#ht-grain)"'
        ' opacity=".3"/>'
    )


def edges(layout: Layout) -> str:
    """The frame around the board."""
    width, height = layout.frame
    return (
        f'<rect class="edge" width="{width:g}" height="{height:g}" rx="10" stroke-width="5"/>'
        f'<rect class="edge" x="9" y="9" width="{width - 18:g}" height="{height - 18:g}" rx="5"'
        ' stroke-width="1.5"/>'
    )


def compass(layout: Layout) -> str:
    """A compass rose in the emptiest place; empty text if there is no space for one."""
    spot, distance = emptiest(layout)
    size = min(distance * 0.8, 95)
    if size < 40:
        return ""
    long, short = size, size * 0.2
    star = (
        f"M0 {-long:.0f}L{short:.0f} {-short:.0f} 0 0zM0 {-long:.0f}L{-short:.0f} {-short:.0f} 0 0z"
    )
    arms = "".join(f'<path d="{star}" transform="rotate({turn})"/>' for turn in (0, 90, 180, 270))
    small = "".join(
        f'<path d="{star}" transform="rotate({turn}) scale(.55)"/>' for turn in (45, 135, 225, 315)
    )
    ring = f'<circle r="{size * 0.62:.0f}" fill="none" stroke="#7a5b34" stroke-width="1.5"/>'
    return f'<g class="rose" transform="translate({spot.x:g} {spot.y:g})">{ring}{small}{arms}</g>'


# --- routes -----------------------------------------------------------------------------------


def road_colours(words: BoardWords) -> dict[str | None, str]:
    """The colour of a road by its country: plain at home, and a different one for each other country."""
    abroad = [name for name, country in words["countries"].items() if not country["home"]]
    colours: dict[str | None, str] = dict.fromkeys([None, *words["countries"]], HOME_ROAD)
    colours.update({name: ROADS_ABROAD[at % len(ROADS_ABROAD)] for at, name in enumerate(abroad)})
    return colours


def smooth(line: Sequence[Spot]) -> str:
    """A curve through every spot, as the data of an SVG path."""
    padded = [line[0], *line, line[-1]]
    data = f"M{line[0].x:.1f} {line[0].y:.1f}"
    for before, here, there, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        one = Spot(here.x + (there.x - before.x) / 7, here.y + (there.y - before.y) / 7)
        two = Spot(there.x - (after.x - here.x) / 7, there.y - (after.y - here.y) / 7)
        data += f"C{one.x:.1f} {one.y:.1f} {two.x:.1f} {two.y:.1f} {there.x:.1f} {there.y:.1f}"
    return data


def is_sea(route: RouteWords) -> bool:
    """Whether the route has a ship among its points."""
    return any(point["type"] == "ship" for point in route["points"])


def seas(words: BoardWords, layout: Layout) -> Iterator[str]:
    """Water under the routes that have ships."""
    lines = [smooth(layout.lines[route["id"]]) for route in words["routes"] if is_sea(route)]
    if lines:
        width, height = layout.frame
        yield f'<clipPath id="ht-shore"><rect width="{width:g}" height="{height:g}" rx="10"/></clipPath>'
        yield '<g clip-path="url(#ht-shore)"><g filter="url(#ht-soft)" opacity=".55">'
        yield from (f'<path class="sea" d="{line}"/>' for line in lines)
        yield "</g></g>"


def road(route: RouteWords, layout: Layout, colours: dict[str | None, str]) -> str:
    """The line of a route, in its country's colour."""
    line = smooth(layout.lines[route["id"]])
    colour = colours[route["country"]]
    lane = f'<path class="lane" d="{line}"/>' if is_sea(route) else ""
    return (
        f'<g class="route" data-route="{quoted(route["id"])}"><path class="road-edge" d="{line}"/>'
        f'<path class="road" d="{line}" stroke="{colour}"/>{lane}</g>'
    )


def points(route: RouteWords, layout: Layout) -> str:
    """The houses and ships of a route."""
    drawn = (
        picture(point["type"], spot.x, spot.y, POINT)
        for point, spot in zip(route["points"], layout.points[route["id"]], strict=True)
    )
    return f'<g class="points" filter="url(#ht-lift)">{"".join(drawn)}</g>'


def seal(route: RouteWords, layout: Layout) -> str:
    """A tavern or a permanent marker, near the place of the route's bonus marker."""
    if route["id"] not in layout.seals:
        return ""
    box = layout.seals[route["id"]]
    x, y = box.middle
    if route["tavern"]:
        ring = f'<circle class="seal" cx="{x:.1f}" cy="{y:.1f}" r="{SEAL / 2 - 3:g}"/>'
        return f"<g><title>Tavern</title>{ring}{picture('tavern', x, y, SEAL - 18)}</g>"
    lines = "".join(
        f'<text class="seal-word" x="{x:.1f}" y="{y - 3 + 14 * at:.1f}">{word}</text>'
        for at, word in enumerate(seal_words(route))
    )
    return (
        f'<g><title>{route["permanent"]}</title><rect class="seal lasting" x="{box.x:.1f}"'
        f' y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="9"/>{lines}</g>'
    )
