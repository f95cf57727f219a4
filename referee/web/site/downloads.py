"""The data files of a site: those of `referee standings --export`, and the figures of the site."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from referee.tournament.standings import StandingsReport
from referee.tournament.store.export import EXPORTED, export
from referee.tournament.store.store import Store
from referee.web.site.descriptions import settings_to_dict
from referee.web.site.paths import DATA, SiteFolder
from referee.web.site.snapshot import Snapshot
from referee.web.site.statistics import Figures

FIGURES: Final = "figures.json"
FILES: Final = {
    **EXPORTED,
    FIGURES: "settings, ratings of every selection of games, cross table, ratings over time and seats, in one object",
}


def write_data(
    folder: SiteFolder,
    store: Store,
    standings: StandingsReport,
    snapshot: Snapshot,
    figures: Figures,
) -> None:
    """Write every data file of the site; the store must be in a snapshot."""
    with TemporaryDirectory(prefix="referee-site-") as made:
        for path in export(store, standings, Path(made)):
            folder.copy(f"{DATA}/{path.name}", path)
    data = msgspec.json.encode(settings_to_dict(snapshot) | _figures(figures))
    folder.write(f"{DATA}/{FIGURES}", msgspec.json.format(data, indent=1).decode() + "\n")


def _figures(figures: Figures) -> dict[str, Any]:
    """The figures as plain data; programs read these keys, so they do not change."""
    return {
        "ratings": figures.ratings,
        "apart": {name: ratings.entries for name, ratings in figures.selections.items()},
        "points_by_place": figures.points,
        "meetings": [
            {"bot": bot, "other": other, "games": meeting.games, "before": meeting.before}
            for (bot, other), meeting in sorted(figures.meetings.items())
        ],
        "chairs": [
            {"bot": bot, "table": table, "seat": seat, **asdict(sums)}
            for (bot, table, seat), sums in sorted(figures.by_seat.items())
        ],
        "growth": [
            {
                "blocks": point.blocks,
                "ratings": {bot: interval._asdict() for bot, interval in point.ratings.items()},
            }
            for point in figures.curve
        ],
    }
