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
_GAME: Final = ("steps", "analysis", "symbols", "board", "desks", "chart", "log", "page")
_SITE: Final = ("tables", "lists")
_GAME_FILES: Final = tuple(f"game/{name}.js" for name in _GAME)
# The scripts of a server's pages. Those of a game do all that the page of a recorded game does, and more.
_ON_SERVER: Final = {
    "live.js": (*_GAME_FILES, "live/live.js"),
    "play.js": (*_GAME_FILES, "live/live.js", "play/targets.js", "play/choose.js"),
    "enter.js": ("play/enter.js",),
    "tournament.js": ("live/tournament.js",),
}


@cache
def files() -> dict[str, str]:
    """The names and contents of the files that do not depend on a board."""
    return {
        "site.css": style_sheet("site/site.css"),
        "site.js": script(*(f"site/{name}.js" for name in _SITE)),
        "game.css": style_sheet("game/page.css"),
        "game.js": script(*_GAME_FILES),
    }


@cache
def server_files() -> dict[str, str]:
    """The names and contents of the files that only the pages of a server use."""
    scripts = {name: script(*parts) for name, parts in _ON_SERVER.items()}
    return scripts | {"play.css": asset("play/play.css")}


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
