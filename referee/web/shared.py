"""The files that pages share: style sheets, scripts, and those of the boards.

A page refers to them by relative addresses, so it works from the disk as well as from a server. The
address of a style sheet or script ends with a digest of the file: no browser combines a new page
with an old file from its cache.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Final

from referee.web.template import asset, script, style_sheet

FOLDER: Final = "assets"
_GAME: Final = ("steps", "symbols", "board", "desks", "chart", "log", "page")
_SITE: Final = ("tables", "lists")
# What the pages of a server add to those of a game; each is a script of its own.
_ON_SERVER: Final = {"live.js": ("live",), "play.js": ("live", "targets", "choose")}


@cache
def files() -> dict[str, str]:
    """The names and contents of the files that do not depend on a board."""
    return {
        "site.css": style_sheet("site/site.css"),
        "site.js": script(*(f"site/{name}.js" for name in _SITE)),
        "game.css": style_sheet("game/page.css"),
        "game.js": script(*(f"game/{name}.js" for name in _GAME)),
    }


@cache
def server_files() -> dict[str, str]:
    """The names and contents of the files that only the pages of a server use."""
    return {
        **{
            name: script(
                *(f"game/{part}.js" for part in _GAME), *(f"live/{part}.js" for part in added)
            )
            for name, added in _ON_SERVER.items()
        },
        "enter.js": script("live/enter.js"),
        "play.css": asset("live/play.css"),
    }


@cache
def digest() -> str:
    """A digest of all these files."""
    return _digest("".join(files().values()))


def address(root: str, name: str) -> str:
    """The address of a shared file; `root` is the relative path from the page to the site."""
    text = files().get(name) or server_files().get(name)
    version = f"?{_digest(text)}" if text else ""
    return f"{root}{FOLDER}/{name}{version}"


def style_link(root: str, name: str) -> str:
    """The markup that applies a style sheet."""
    return f'<link rel="stylesheet" href="{address(root, name)}">'


def script_link(root: str, name: str) -> str:
    """The markup that runs a script."""
    return f'<script src="{address(root, name)}"></script>'


@cache
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
