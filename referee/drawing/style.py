"""The colours, styles and recurring pictures of a drawn board."""

from __future__ import annotations

from html import escape
from typing import Final
from xml.etree import ElementTree as ET

PRIVILEGES: Final = {
    "white": "#fdfaf0",
    "orange": "#ea8a24",
    "pink": "#c73a93",
    "black": "#2a2320",
}
BANNERS: Final = {
    "plain": "#f6ecd0",
    "red": "#b2322b",
    "yellow": "#ecbd3f",
    "green": "#5d8f4d",
    "brown": "#8d5a31",
    "blue": "#3d6ea3",
}
LIGHT_BANNERS: Final = ("plain", "yellow")
HOME_ROAD: Final = "#a98a5b"
ROADS_ABROAD: Final = ("#8d5a31", "#3d6ea3", "#6f4a86", "#3f7d6b", "#a3463f", "#7a7a2c", "#55606b")

STYLE: Final = """
svg { font-family: Georgia, 'Palatino Linotype', Palatino, 'DejaVu Serif', serif; }
.sheet { fill: #f4ecd8; }
.heading, .said { fill: #3b2a1a; }
.quiet { fill: #75603f; }
.paper { fill: url(#ht-paper); }
.edge { fill: none; stroke: #6b4a2a; }
.road-edge { fill: none; stroke: #5a4326; stroke-width: 12; stroke-linecap: round; opacity: .55; }
.road { fill: none; stroke-width: 8; stroke-linecap: round; }
.lane { fill: none; stroke: #e9f3f7; stroke-width: 2.5; stroke-dasharray: 7 8; opacity: .9; }
.sea { fill: none; stroke: #7fb2c9; stroke-width: 110; stroke-linecap: round; stroke-linejoin: round; }
.plate { fill: #e9d9b4; stroke: #5a4326; stroke-width: 2; }
.green .plate { fill: #a9c795; stroke: #3f6633; }
.place { fill: none; stroke: #3f6633; stroke-width: 2; stroke-dasharray: 4 4; }
.space { stroke: #4a3620; stroke-width: 2; }
.space.black { stroke: #b79a64; }
.coin { fill: #f2c53d; stroke: #8a6412; stroke-width: 1.5; }
.worth { fill: #4d3506; font-weight: bold; text-anchor: middle; }
.worth.light { fill: #fffaf0; }
.ribbon { stroke: #4a3620; stroke-width: 1.5; stroke-linejoin: round; }
.name { font-weight: bold; text-anchor: middle; paint-order: stroke; stroke-width: 3.5;
  stroke-linejoin: round; }
.name.dark { fill: #2e2013; stroke: #fbf3dc; }
.name.light { fill: #fff8e8; stroke: #2e2013; stroke-opacity: .55; }
.plaque { fill: #e6d3a8; stroke: #6b4a2a; stroke-width: 2; }
.caption { font-size: 15px; font-style: italic; fill: #4a3620; text-anchor: middle; }
.seal { fill: #f6ecd0; stroke: #7d2a22; stroke-width: 3; }
.seal.lasting { stroke: #2f5d7c; fill: #e3eef2; }
.seal-word { font-size: 12px; font-weight: bold; text-anchor: middle; fill: #234a64; }
.country { font-style: italic; letter-spacing: .18em; text-anchor: middle; opacity: .8; }
.rose { fill: #7a5b34; opacity: .5; }
@media (prefers-color-scheme: dark) {
  .sheet { fill: #211a14; }
  .heading, .said { fill: #eadfc6; }
  .quiet { fill: #b7a27c; }
  .dim { opacity: .16; }
}
"""

# Each is drawn in a square of 24, to be used at any size.
_PICTURES: Final = {
    "house": '<path d="M3.5 11.5 12 3.5l8.5 8v10h-17z" fill="#f7efd9" stroke="#4a3620"'
    ' stroke-width="1.6" stroke-linejoin="round"/><path d="M2 12.2 12 2.6l10 9.6" fill="none"'
    ' stroke="#a8452f" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>',
    "ship": '<circle cx="12" cy="12" r="11" fill="#d8ebf3" stroke="#2f5d7c" stroke-width="1.4"/>'
    '<path d="M4.5 14.6h15l-2.6 4.4H7.2z" fill="#7a4b26" stroke="#3d2612" stroke-width="1"'
    ' stroke-linejoin="round"/><path d="M11.4 4v10M11.4 4.6c5.2 1.2 6.6 5 5.2 8.4h-5.2z'
    'M10.4 6.2c-3.6 1.6-4.6 4.4-4.2 6.8h4.2z" fill="#fffaf0" stroke="#3d2612" stroke-width="1"/>',
    "tavern": '<path d="M15 9.5h2.6a2.4 2.4 0 0 1 2.4 2.4v3.2a2.4 2.4 0 0 1-2.4 2.4H15"'
    ' fill="none" stroke="#5b3417" stroke-width="2"/><path d="M5 8h10.4v12.4H5z" fill="#d99a3a"'
    ' stroke="#5b3417" stroke-width="1.6" stroke-linejoin="round"/><path d="M4 8.6c-1.6-2.4'
    ' 1.2-4.6 3-3.2 1.2-2.6 5-2.2 5.4 0 2.6-.9 4.6 1.6 3.2 3.4z" fill="#fffaf0" stroke="#5b3417"'
    ' stroke-width="1.3"/><path d="M8.2 11.4v6M12 11.4v6" stroke="#8a5a1c" stroke-width="1.6"/>',
    "keys": '<path d="M11 12h10.4M17.4 12v4.4M20.6 12v3.2" fill="none" stroke="#2e2013"'
    ' stroke-width="2.4" stroke-linecap="round"/><circle cx="7" cy="12" r="4" fill="none"'
    ' stroke="#2e2013" stroke-width="2.4"/>',
    "actions": '<path d="M7 3.6h10c0 4.6-3.6 5.8-3.6 8.4s3.6 3.8 3.6 8.4H7c0-4.6 3.6-5.8'
    ' 3.6-8.4S7 8.2 7 3.6z" fill="#fffaf0" stroke="#2e2013" stroke-width="1.8"/><path d="M5.2'
    ' 3.4h13.6M5.2 20.6h13.6" stroke="#2e2013" stroke-width="2.4" stroke-linecap="round"/>'
    '<path d="M8.6 19.4c.4-2.6 2-3.6 3.4-4.4 1.4.8 3 1.8 3.4 4.4z" fill="#b2322b"/>',
    "privilege": '<path d="M3 18.6V8l5 4 4-7.4L16 12l5-4v10.6z" fill="#fffaf0" stroke="#2e2013"'
    ' stroke-width="1.8" stroke-linejoin="round"/><path d="M3 21h18" stroke="#2e2013"'
    ' stroke-width="2" stroke-linecap="round"/>',
    "book": '<path d="M12 6.4C9.2 4.4 6 4.4 2.8 5.2v13.4c3.2-.8 6.4-.8 9.2 1.2 2.8-2 6-2'
    ' 9.2-1.2V5.2C18 4.4 14.8 4.4 12 6.4z" fill="#fffaf0" stroke="#2e2013" stroke-width="1.8"'
    ' stroke-linejoin="round"/><path d="M12 6.4v13.4M5.4 9h4M5.4 12h4M14.6 9h4M14.6 12h4"'
    ' stroke="#2e2013" stroke-width="1.3"/>',
    "bank": '<path d="M9 3.4h6l-1.8 3.8c4.4 1.8 6.8 6 6.8 9.4 0 3-3 4.2-8 4.2s-8-1.2-8-4.2c0-3.4'
    ' 2.4-7.6 6.8-9.4z" fill="#fffaf0" stroke="#2e2013" stroke-width="1.8"'
    ' stroke-linejoin="round"/><path d="M9.4 7.4h5.2" stroke="#2e2013" stroke-width="2"/>'
    '<circle cx="12" cy="14.4" r="3.2" fill="#f2c53d" stroke="#2e2013" stroke-width="1.3"/>',
    "star": '<path d="m12 2.6 2.7 6.3 6.8.6-5.2 4.5 1.6 6.7L12 17.1l-5.9 3.6'
    ' 1.6-6.7-5.2-4.5 6.8-.6z" fill="#fffaf0" stroke="#2e2013" stroke-width="1.6"'
    ' stroke-linejoin="round"/>',
}


def picture_shapes(name: str) -> list[tuple[str, dict[str, str]]]:
    """The shapes of a recurring picture: the name and the attributes of each element."""
    shapes = ET.fromstring(f"<g>{_PICTURES[name]}</g>")  # noqa: S314  written above
    return [(shape.tag, shape.attrib) for shape in shapes]


def definitions() -> str:
    """Styles, papers and pictures, once for the whole drawing."""
    pictures = "".join(
        f'<symbol id="ht-{name}" viewBox="0 0 24 24">{picture}</symbol>'
        for name, picture in _PICTURES.items()
    )
    return (
        f"<style>{STYLE}</style><defs>{pictures}"
        '<radialGradient id="ht-paper" cx=".5" cy=".45" r=".8">'
        '<stop offset="0" stop-color="#f0e2bf"/><stop offset=".7" stop-color="#e3cf9f"/>'
        '<stop offset="1" stop-color="#c9ab72"/></radialGradient>'
        '<filter id="ht-grain" x="0" y="0" width="1" height="1">'
        '<feTurbulence type="fractalNoise" baseFrequency=".012 .017" numOctaves="5" seed="7"/>'
        '<feColorMatrix values="0 0 0 0 .36  0 0 0 0 .25  0 0 0 0 .12  0 0 0 1.6 -.62"/></filter>'
        '<filter id="ht-soft" filterUnits="userSpaceOnUse" x="-200" y="-200" width="4000" height="4000">'
        '<feGaussianBlur stdDeviation="26"/></filter>'
        '<filter id="ht-lift" x="-.2" y="-.2" width="1.4" height="1.5">'
        '<feDropShadow dx="0" dy="2" stdDeviation="1.8" flood-color="#3b2a1a"'
        ' flood-opacity=".45"/></filter></defs>'
    )


def picture(name: str, x: float, y: float, size: float) -> str:
    """One of the pictures, with its centre at a spot."""
    return (
        f'<use href="#ht-{name}" x="{x - size / 2:.1f}" y="{y - size / 2:.1f}"'
        f' width="{size:g}" height="{size:g}"/>'
    )


def quoted(text: str) -> str:
    """The text with XML's special characters escaped."""
    return escape(text, quote=True)
