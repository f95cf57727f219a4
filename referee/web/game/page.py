"""A record as one self-contained web page: it loads nothing, and its JavaScript knows no rules.

The page contains the game as a block of JSON, in which no text can end the block early. All names
and messages are shown as text, and the content security policy allows only the page's own script.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import msgspec

from referee.drawing.style import STYLE
from referee.engine.board import BoardWords
from referee.engine.ruleset import Ruleset
from referee.engine.terms import ABILITIES, DECISIONS, FAVOURS, MARKERS
from referee.errors import OutputRefused
from referee.narration.events import marker_name
from referee.narration.log import TONES
from referee.narration.result import game_title
from referee.text import visible
from referee.web.game.board_drawing import BoardDrawing, drawing_of
from referee.web.game.position_cells import NOW, STANDING
from referee.web.game.steps import BY, DecisionRow, GameSteps, read_steps
from referee.web.template import asset, filled, policy, styled

LONGEST_NAME: Final = 60
SCRIPTS: Final = ("steps.js", "board.js", "desks.js", "chart.js", "log.js", "page.js")
# Characters that could end a block of JSON in a page, or a line of JavaScript.
_UNSAFE: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}  # fmt: skip


def write_page(record_path: Path, file: Path, viewer_seat: int | None = None) -> None:
    """Write the page of a record to a file; with `viewer_seat`, it has only what that seat could see.

    RecordRefused if the record cannot be shown, OutputRefused if the file cannot be written.
    """
    page = page_of(record_path, viewer_seat)
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        raise OutputRefused(f"{file} cannot be written: {error.strerror}") from error


def page_of(record_path: Path, viewer_seat: int | None = None) -> str:
    """The page of a record as HTML; RecordRefused if not even its first line can be read."""
    steps = read_steps(record_path, viewer_seat)
    drawing = drawing_of(steps.timeline.board.words)
    style, script = styled("game/page.css"), _script()
    return filled(
        "game/page.html",
        {
            "policy": policy((style, STYLE), (script,)),
            "style": style,
            "script": script,
            "board": drawing.board(),
            "legend": drawing.legend(),
            "game": embedded(_game(steps, drawing)),
        },
    )


def embedded(data: object) -> str:
    """Data as JSON without any character that an HTML parser could act on."""
    text = msgspec.json.encode(data).decode()
    return re.sub("[<>&\u2028\u2029]", lambda found: _UNSAFE[found[0]], text)


def _script() -> str:
    parts = "\n".join(asset(f"game/{name}") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def _game(steps: GameSteps, drawing: BoardDrawing) -> dict[str, object]:
    timeline, viewpoint = steps.timeline, steps.viewpoint
    header, board, rules = timeline.header, timeline.board, timeline.rules
    return {
        "subtitle": visible(game_title(board, rules)),
        "board": visible(board.title),
        "id": _short(header.game),
        "seed": header.seed if viewpoint.sees_everything else None,
        "digest": board.digest,
        "names": [_short(player.name) for player in header.players],
        "versions": [player.version and _short(player.version) for player in header.players],
        "colours": rules.colours,
        "viewer_seat": viewpoint.seat,
        "complete": timeline.is_complete,
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
        "values": _values(rules),
        "track_end": rules.components.track_end,
        "drawing": drawing.places(),
        "map": drawing.names(),
        "places": steps.places,
        "first": steps.first,
        "deltas": steps.deltas,
        "decisions": _columns(steps.decisions),
        "step_sentences": steps.step_sentences,
        "sentences": steps.sentences,
        "faults": steps.faults,
    }


def _short(text: str) -> str:
    """A name, cut to LONGEST_NAME characters, with control characters made visible."""
    return visible(text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…")


def _countries(words: BoardWords) -> list[str]:
    """The names of the countries that give prestige."""
    return [visible(name) for name, country in words["countries"].items() if country["prestige"]]


def _columns(rows: list[DecisionRow]) -> dict[str, list[object]]:
    """The rows as one list for each field; this takes half the space of an object for each row."""
    return {field: [row[at] for row in rows] for at, field in enumerate(DecisionRow._fields)}


def _values(rules: Ruleset) -> list[list[str]]:
    """The value of each step of each ability, in the order of ABILITIES."""
    box = rules.components
    bank = ["all" if worth == 0 else str(worth) for worth in box.bank]
    rows = (box.keys, box.actions, box.privilege, box.book)
    return [*([str(worth) for worth in row] for row in rows), bank]
