"""A record as one web page that needs nothing else: no network, no rules in JavaScript.

Everything of the record is data: it stands in a block of JSON that cannot end early, is shown as text
only, and the page's policy lets no script run but its own.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import msgspec

from referee.drawing.style import STYLE
from referee.engine.board import BoardWords
from referee.engine.terms import ABILITIES, DECISIONS, FAVOURS, MARKERS
from referee.errors import OutputRefused
from referee.narration.events import marker_name
from referee.narration.log import TONES
from referee.narration.result import occasion
from referee.text import visible
from referee.web.game.board_drawing import Sheet, sheet_of
from referee.web.game.position_cells import NOW, STANDING
from referee.web.game.steps import BY, Deed, Frames, frames_of
from referee.web.template import asset, filled, policy, styled

LONGEST_NAME: Final = 60
SCRIPTS: Final = ("steps.js", "board.js", "desks.js", "chart.js", "log.js", "page.js")
# What could end a block of JSON in a page, or a line of JavaScript.
_UNSAFE: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}  # fmt: skip


def write_page(record_path: Path, file: Path, seat: int | None = None) -> None:
    """Write the page of a record; with `seat` it shows only what that seat could see."""
    page = page_of(record_path, seat)
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        raise OutputRefused(f"{file} cannot be written: {error.strerror}") from error


def page_of(record_path: Path, seat: int | None = None) -> str:
    """The page of a record; RecordRefused if not even its first line can be read."""
    frames = frames_of(record_path, seat)
    sheet = sheet_of(frames.state.board.words)
    style, script = styled("game/page.css"), _script()
    return filled(
        "game/page.html",
        {
            "policy": policy((style, STYLE), (script,)),
            "style": style,
            "script": script,
            "board": sheet.board(),
            "legend": sheet.legend(),
            "game": embedded(_game(frames, sheet, seat)),
        },
    )


def embedded(data: object) -> str:
    """Data as JSON that no HTML parser takes for anything else."""
    text = msgspec.json.encode(data).decode()
    return re.sub("[<>&\u2028\u2029]", lambda found: _UNSAFE[found[0]], text)


def _script() -> str:
    parts = "\n".join(asset(f"game/{name}") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def _game(frames: Frames, sheet: Sheet, seat: int | None) -> dict[str, object]:
    header, state = frames.header, frames.state
    board = state.board
    return {
        "occasion": visible(occasion(board, state.rules)),
        "board": visible(board.title),
        "id": _short(header.game),
        "seed": None if seat is not None else header.seed,  # it would tell what is hidden
        "digest": board.digest,
        "names": [_short(player.name) for player in header.players],
        "versions": [player.version and _short(player.version) for player in header.players],
        "colours": state.rules.colours,
        "eyes": seat,
        "complete": frames.complete,
        "words": {
            "abilities": ABILITIES,
            "markers": MARKERS,
            "marker_names": [marker_name(marker) for marker in MARKERS],
            "favours": [marker_name(tile) for tile in FAVOURS],
            "decisions": [marker_name(decision) for decision in DECISIONS],
            "by": BY,
            "tones": TONES,
            "now": NOW,
            "standing": [*STANDING, *_countries(board.words)],
        },
        "values": _values(frames),
        "track_end": state.rules.components.track_end,
        "sheet": sheet.places(),
        "map": sheet.names(),
        "places": frames.places,
        "first": frames.first,
        "deltas": frames.steps.deltas,
        "deeds": _columns(frames.steps.deeds),
        "told": frames.steps.told,
        "sentences": frames.sentences,
        "faults": frames.faults,
    }


def _short(text: str) -> str:
    """A name that fits its place, everything in it visible."""
    return visible(text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…")


def _countries(words: BoardWords) -> list[str]:
    """Those that give prestige."""
    return [visible(name) for name, one in words["countries"].items() if one["prestige"]]


def _columns(deeds: list[Deed]) -> dict[str, list[object]]:
    """Field by field, which is half as long."""
    return {field: [deed[at] for deed in deeds] for at, field in enumerate(Deed._fields)}


def _values(frames: Frames) -> list[list[str]]:
    """What each step of each ability is worth, in a word."""
    box = frames.state.rules.components
    bank = ["all" if worth == 0 else str(worth) for worth in box.bank]
    rows = (box.keys, box.actions, box.privilege, box.book)
    return [*([str(worth) for worth in row] for row in rows), bank]
