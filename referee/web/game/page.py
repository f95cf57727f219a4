"""A record as a web page whose JavaScript knows no rules: in one file, or as a page of a site.

The page contains the game as a block of JSON, in which no text can end the block early. All names
and messages are shown as text, and the content security policy allows only the referee's own script.
The page in one file loads nothing. A page of a site shares its script, its style and the drawing of
the board with the other pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.drawing.style import STYLE, picture_shapes
from referee.engine.board import BoardWords
from referee.engine.ruleset import Ruleset
from referee.engine.terms import ABILITIES, DECISIONS, FAVOURS, MARKERS
from referee.errors import OutputRefused, RecordRefused
from referee.narration.events import marker_name
from referee.narration.log import TONES
from referee.narration.result import game_title
from referee.text import visible
from referee.web import shared
from referee.web.game.analysis import analysis_data
from referee.web.game.board_drawing import BoardDrawing, drawing_of
from referee.web.game.position_cells import NOW, STANDING
from referee.web.game.steps import BY, GameSteps, read_steps
from referee.web.template import LIVE_POLICY, SHARED_POLICY, embedded, escaped, filled, policy

LONGEST_NAME: Final = 60


# -- a page in one file


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
    words = steps.timeline.board.words
    drawing = drawing_of(words)
    style, script = (shared.files()[name] for name in ("game.css", "game.js"))
    return filled(
        "game/page.html",
        {
            "policy": policy((style, STYLE), (script,)),
            "title": escaped(_title(steps)),
            "style": f"<style>{style}</style>",
            "nav": "",
            "board": drawing.board(),
            "legend": drawing.legend(),
            "game": embedded(_board(words, drawing) | _recorded(steps)),
            "scripts": f"<script>{script}</script>",
        },
    )


# -- a page of a site


class SiteFrame(NamedTuple):
    """What surrounds the page of a game on a site."""

    title: str  # of the site
    nav: str  # links, as markup
    boards: frozenset[str]  # the digests of the drawings whose files the site has
    root: str = "../"  # the relative path from the page to the site


def site_page_of(record_path: Path, frame: SiteFrame) -> str:
    """The page of a record as HTML for a site that has the shared files and the files of the board.

    RecordRefused if not even its first line can be read, or if the site does not have its board.
    """
    steps = read_steps(record_path)
    if drawing_of(steps.timeline.board.words).digest not in frame.boards:
        raise RecordRefused(f"{record_path} was not played on the board of its table")
    return _shared_page(steps, frame, SHARED_POLICY, "game.js", _recorded(steps))


def live_page_of(
    steps: GameSteps,
    frame: SiteFrame,
    live: Mapping[str, object] | None,
    script: str = "live.js",
    styles: Sequence[str] = (),
) -> str:
    """The page of a game on a server; with `live`, its script asks there for more steps.

    `script` is the name of one of the server's scripts (`shared.server_files`), `styles` are further
    style sheets.
    """
    data = (_recorded(steps) if live is None else _game(steps)) | {"live": live}
    return _shared_page(steps, frame, LIVE_POLICY, script, data, styles)


def _shared_page(
    steps: GameSteps,
    frame: SiteFrame,
    policy: str,
    script: str,
    data: dict[str, Any],
    styles: Sequence[str] = (),
) -> str:
    drawing = drawing_of(steps.timeline.board.words)
    board, legend, places = (
        shared.address(frame.root, name) for name in _board_names(drawing.digest)
    )
    return filled(
        "game/page.html",
        {
            "policy": policy,
            "title": escaped(f"{_title(steps)} · {frame.title}"),
            "style": "".join(shared.style_link(frame.root, name) for name in ("game.css", *styles)),
            "nav": frame.nav,
            "board": f'<img src="{board}" alt="">',
            "legend": f'<img src="{legend}" alt="Legend">',
            "game": embedded(data),
            "scripts": f'<script src="{places}"></script>{shared.script_link(frame.root, script)}',
        },
    )


def board_files(words: BoardWords) -> dict[str, str]:
    """The names and contents of the files that all games on a board share: two drawings and a script."""
    drawing = drawing_of(words)
    # A page in one file contains the drawing of the board, and with it these pictures.
    pictures = {"pictures": {name: picture_shapes(name) for name in ABILITIES}}
    data = f"globalThis.refereeBoard = {embedded(_board(words, drawing) | pictures)};\n"
    contents = (drawing.board(), drawing.legend_file(), data)
    return dict(zip(_board_names(drawing.digest), contents, strict=True))


def _board_names(digest: str) -> tuple[str, str, str]:
    return f"board-{digest}.svg", f"legend-{digest}.svg", f"board-{digest}.js"


# -- the data


def _title(steps: GameSteps) -> str:
    timeline = steps.timeline
    names = ", ".join(_short(player.name) for player in timeline.header.players)
    return f"{names} · {timeline.board.title}"


def _board(words: BoardWords, drawing: BoardDrawing) -> dict[str, Any]:
    """What is the same in all games on a board."""
    return {
        "words": {
            "abilities": ABILITIES,
            "markers": MARKERS,
            "marker_names": [marker_name(marker) for marker in MARKERS],
            "favours": [marker_name(tile) for tile in FAVOURS],
            "decisions": [marker_name(decision) for decision in DECISIONS],
            "by": BY,
            "tones": TONES,
            "now": NOW,
            "standing": [*STANDING, *_countries(words)],
        },
        "drawing": drawing.places(),
        "map": drawing.names(),
    }


def _game(steps: GameSteps) -> dict[str, Any]:
    """What belongs to one game."""
    timeline, viewpoint = steps.timeline, steps.viewpoint
    header, board, rules = timeline.header, timeline.board, timeline.rules
    return {
        "subtitle": visible(game_title(board, rules)),
        "id": _short(header.game),
        "seed": header.seed if viewpoint.sees_everything else None,
        "digest": board.digest,
        "names": [_short(player.name) for player in header.players],
        "versions": [player.version and _short(player.version) for player in header.players],
        "colours": rules.colours,
        "viewer_seat": viewpoint.seat,
        "public": viewpoint.is_public,
        "complete": timeline.is_complete,
        "values": _values(rules),
        "track_end": rules.components.track_end,
        "places": steps.places,
        "first": steps.first,
        **steps.since(),
    }


def _recorded(steps: GameSteps) -> dict[str, Any]:
    """What belongs to one game that is over, with its analysis if there is one."""
    analysis = analysis_data(steps)
    return _game(steps) | ({} if analysis is None else {"analysis": analysis})


def _short(text: str) -> str:
    """A name, cut to LONGEST_NAME characters, with control characters made visible."""
    return visible(text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…")


def _countries(words: BoardWords) -> list[str]:
    """The names of the countries that give prestige."""
    return [visible(name) for name, country in words["countries"].items() if country["prestige"]]


def _values(rules: Ruleset) -> list[list[str]]:
    """The value of each step of each ability, in the order of ABILITIES."""
    box = rules.components
    bank = ["all" if worth == 0 else str(worth) for worth in box.bank]
    rows = (box.keys, box.actions, box.privilege, box.book)
    return [*([str(worth) for worth in row] for row in rows), bank]
