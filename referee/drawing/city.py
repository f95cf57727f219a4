"""Cities and plaques of a drawn board: spaces, banners, special prestige, completed cities."""

from __future__ import annotations

from collections.abc import Sequence

from referee.drawing.layout import (
    GREEN_PLACES,
    ICON,
    NAME_SIZE,
    SPACE,
    Box,
    CityLayout,
    Layout,
    Spot,
    city_icons,
    text_width,
)
from referee.drawing.style import BANNERS, LIGHT_BANNERS, PRIVILEGES, picture, quoted
from referee.engine.board import BoardWords, CityWords, SpaceWords

# --- plaques ----------------------------------------------------------------------------------


def _around_all(spots: Sequence[Spot], reach: float) -> Box:
    left, right = min(s.x for s in spots) - reach, max(s.x for s in spots) + reach
    top, bottom = min(s.y for s in spots) - reach, max(s.y for s in spots) + reach
    return Box(left, top, right - left, bottom - top)


def _plaque(spots: Sequence[Spot], reach: float, caption: str) -> str:
    box = _around_all(spots, reach)
    wide = max(box.width, text_width(caption, 15) + 16)
    box = Box(box.middle.x - wide / 2, box.y, wide, box.height)
    return (
        f'<rect class="plaque" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}"'
        f' height="{box.height + 18:.1f}" rx="10"/><text class="caption" x="{box.middle.x:.1f}"'
        f' y="{box.y + box.height + 9:.1f}">{caption}</text>'
    )


def special_plaque(words: BoardWords, layout: Layout) -> str:
    """The spaces of special prestige: round, as a merchant takes them."""
    parts = [_plaque(layout.special, 25, "special prestige")]
    for space, spot in zip(words["special_prestige"]["spaces"], layout.special, strict=True):
        parts.append(_circle(spot, 18, space["privilege"]))
        parts.append(_number(spot, space["points"], 18, light=space["privilege"] != "white"))
    return f'<g filter="url(#ht-lift)">{"".join(parts)}</g>'


def track_plaque(layout: Layout) -> str:
    """The plaque of the completed-cities track."""
    parts = [_plaque(layout.track, 20, "completed cities")]
    for count, spot in enumerate(layout.track, start=1):
        parts.append(
            f'<circle cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="13" fill="#f6ecd0" stroke="#6b4a2a"/>'
        )
        parts.append(_number(spot, count, 15))
    return f"<g>{''.join(parts)}</g>"


def _circle(spot: Spot, radius: float, privilege: str) -> str:
    return (
        f'<circle class="space {privilege}" cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="{radius:g}"'
        f' fill="{PRIVILEGES[privilege]}"/>'
    )


def _number(spot: Spot, number: int, size: float, *, light: bool = False) -> str:
    worth = "worth light" if light else "worth"
    return (
        f'<text class="{worth}" x="{spot.x:.1f}" y="{spot.y + size * 0.35:.1f}"'
        f' font-size="{size:g}">{number}</text>'
    )


# --- cities -----------------------------------------------------------------------------------


def city_group(city: CityWords, place: CityLayout, words: BoardWords) -> str:
    """A city: its spaces left to right on a plate, its name on a banner."""
    box = place.plate
    kind = "city green" if city["green"] else "city"
    plate = (
        f'<rect class="plate" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}"'
        f' height="{box.height:.1f}" rx="6"/>'
    )
    return (
        f'<g class="{kind}" data-city="{quoted(city["id"])}" filter="url(#ht-lift)">'
        f"<title>{quoted(city_title(city))}</title>{plate}{spaces(city, place)}"
        f"{ribbon(city, place.banner, city_icons(city, words))}</g>"
    )


def city_title(city: CityWords) -> str:
    """The tooltip of a city: its names, abilities and countries."""
    names = [city["name"], *(f"({alias})" for alias in city["aliases"])]
    more = [*city["abilities"], *city["countries"], *(["green"] if city["green"] else [])]
    return " ".join(names) + (f": {', '.join(more)}" if more else "")


def spaces(city: CityWords, place: CityLayout) -> str:
    """The spaces, or in a green city the open places of its posts."""
    if city["green"]:
        spots = [place.space(index, GREEN_PLACES) for index in range(GREEN_PLACES)]
        return "".join(
            f'<circle class="place" cx="{s.x:.1f}" cy="{s.y:.1f}" r="11"/>' for s in spots
        )
    count = len(city["spaces"])
    return "".join(
        space_mark(space, place.space(index, count)) for index, space in enumerate(city["spaces"])
    )


def space_mark(space: SpaceWords, spot: Spot) -> str:
    """One space in its shape and colour, with its coin if it has one."""
    privilege, side = space["privilege"], SPACE - 4
    if space["shape"] == "round":
        mark = _circle(spot, side / 2, privilege)
    else:
        mark = (
            f'<rect class="space {privilege}" x="{spot.x - side / 2:.1f}"'
            f' y="{spot.y - side / 2:.1f}" width="{side}" height="{side}" rx="2"'
            f' fill="{PRIVILEGES[privilege]}"/>'
        )
    if not space["coin"]:
        return mark
    coin = f'<circle class="coin" cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="9"/>'
    return mark + coin + _number(spot, space["coin"], 14)


def ribbon(city: CityWords, box: Box, icons: Sequence[str]) -> str:
    """The banner: its colours side by side, the abilities' pictures, the name."""
    colours = city["banner"].split("-")
    text_x = box.middle.x + ICON * len(icons) / 2
    tone = "dark" if set(colours) & set(LIGHT_BANNERS) else "light"
    pictures = "".join(
        picture(icon, box.x + 12 + ICON / 2 + at * ICON, box.middle.y, ICON - 4)
        for at, icon in enumerate(icons)
    )
    return (
        f'{_stripes(colours, box)}{pictures}<text class="name {tone}" font-size="{NAME_SIZE}"'
        f' x="{text_x:.1f}" y="{box.middle.y + NAME_SIZE * 0.34:.1f}">{quoted(city["name"])}</text>'
    )


def _stripes(colours: Sequence[str], box: Box) -> str:
    """A ribbon with notched ends; a second colour begins under the first one's end."""
    x, y, width, height = box
    notch, wide = 7, box.width / len(colours)
    outline = (
        f"M{x:.1f} {y:.1f}H{x + width:.1f}l{-notch} {height / 2:g} {notch} {height / 2:g}"
        f"H{x:.1f}l{notch} {-height / 2:g}z"
    )
    fields = [f'<path class="ribbon" d="{outline}" fill="{BANNERS[colours[0]]}"/>']
    for at, colour in enumerate(colours[1:], start=1):
        left, right = x + at * wide, x + width
        fields.append(
            f'<path d="M{left:.1f} {y + 0.7:.1f}H{right - 1.5:.1f}l{-notch} {height / 2 - 0.7:g}'
            f' {notch} {height / 2 - 0.7:g}H{left:.1f}z" fill="{BANNERS[colour]}"/>'
        )
    return "".join(fields)
