"""What the site shows, as files for programs and spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from typing import Any, Final

import msgspec

from referee.text import visible
from referee.tournament.ratings import Entry
from referee.web.site.descriptions import words_of
from referee.web.site.folder import DATA, SiteFolder
from referee.web.site.lists import output_text
from referee.web.site.snapshot import Source
from referee.web.site.statistics import Figures

FILES: Final = {
    "standings.csv": "a row for each bot",
    "games.csv": "a row for each seat of each game; seats count from 0 in all files",
    "faults.csv": "a row for each fault",
    "tournament.json": "what is played, ratings, cross table, growth and seats in one object",
}
_FORMULA: Final = ("=", "+", "-", "@")
_OF_GAMES: Final = (
    "block", "number", "game", "table", "stage", "finished", "reason", "turns", "decisions",
    "seconds", "void", "seat", "bot", "rank", "total", "faults", "disqualified",
)  # fmt: skip
_OF_FAULTS: Final = (
    "block", "number", "game", "seat", "bot", "decision", "fault", "message", "strikes",
    "disqualified", "data", "stderr",
)  # fmt: skip


def write_data(folder: SiteFolder, source: Source, figures: Figures) -> None:
    """All of them."""
    entries = [list(asdict(entry).values()) for entry in figures.ratings.entries]
    heads = [field.name for field in fields(Entry)]
    folder.write(f"{DATA}/standings.csv", table_text(heads, entries))
    folder.write(f"{DATA}/games.csv", table_text(_OF_GAMES, _games(source)))
    folder.write(f"{DATA}/faults.csv", table_text(_OF_FAULTS, _faults(source)))
    words = msgspec.json.encode(words_of(source) | _figures(figures))
    folder.write(f"{DATA}/tournament.json", msgspec.json.format(words, indent=1).decode() + "\n")


def table_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """CSV in which a stranger's text is visible, and no spreadsheet takes it for a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, bytes):
        value = output_text(value)
    if not isinstance(value, str):
        return value
    text = value if value.isprintable() else visible(value)  # asking first takes a fraction
    return f"'{text}" if text.startswith(_FORMULA) else text


def _games(source: Source) -> Iterator[list[Any]]:
    for game in source.games:
        told = [
            game.block, game.number, game.game, game.table, game.stage, game.finished, game.reason,
            game.turns, game.decisions, game.seconds, game.void,
        ]  # fmt: skip
        if not game.seats:
            yield [*told, *[None] * 6]
        for number, seat in enumerate(game.seats):
            yield [*told, number, seat.bot, seat.rank, seat.total, seat.faults, seat.out]


def _faults(source: Source) -> Iterator[list[Any]]:
    for fault in source.faults:
        yield [getattr(fault, name) for name in _OF_FAULTS]


def _figures(figures: Figures) -> dict[str, Any]:
    return {
        "ratings": figures.ratings,
        "apart": {name: ratings.entries for name, ratings in figures.apart.items()},
        "points_by_place": figures.points,
        "meetings": [
            {"bot": bot, "other": other, "games": meeting.games, "before": meeting.before}
            for (bot, other), meeting in sorted(figures.meetings.items())
        ],
        "chairs": [
            {"bot": bot, "table": table, "seat": seat, **asdict(sums)}
            for (bot, table, seat), sums in sorted(figures.chairs.items())
        ],
        "growth": [
            {
                "blocks": point.blocks,
                "ratings": {bot: one._asdict() for bot, one in point.ratings.items()},
            }
            for point in figures.curve
        ],
    }
