"""A running tournament as events: progress, standings, running games, latest results, faults and bots that are out.

The data has sections. The id of an event is a version; an event has only the sections that changed
after the version that a client knows.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any, Final

from referee.text import visible
from referee.tournament.ratings import Entry
from referee.tournament.ratings.scale import interval_of
from referee.tournament.store.games import StoredGame
from referee.web.live.broadcast import encoded_event
from referee.web.live.running_games import RunningGame, RunningGames, game_key
from referee.web.live.tournament_state import Reading, TournamentState
from referee.web.site.descriptions import progress
from referee.web.site.paths import bot_page
from referee.web.site.snapshot import Snapshot

LATEST: Final = 12  # results and faults


class TournamentFeed:
    """A tournament as a `Source`; it is never finished, because any tournament may continue."""

    is_finished = False

    def __init__(self, state: TournamentState) -> None:
        self._state = state
        self._running = RunningGames(state.folder)
        self._run = secrets.token_hex(4)  # a server that is started again has other versions
        self._version = 0
        self._reading: Reading | None = None
        self._sections: dict[str, Any] = {}
        self._changed: dict[str, int] = {}  # the version of each section
        self.poll()

    @property
    def event_id(self) -> str:
        """The version, with a mark of this run."""
        return f"{self._run}-{self._version}"

    def poll(self, *, is_last: bool = False) -> bool:
        """Read the store and the folder of records; return whether a section has changed."""
        reading = self._state.refresh(is_last=is_last)
        sections = dict(self._sections)
        if reading is not self._reading:
            self._reading = reading
            self._blocks = {game.block for game in reading.snapshot.games}
            sections |= _stored_sections(reading)
        games = self._running.find(self._blocks)
        sections["running"] = [_running(game) for game in games]
        changed = [name for name, value in sections.items() if self._sections.get(name) != value]
        if changed:
            self._version += 1
            self._changed |= dict.fromkeys(changed, self._version)
            self._sections = sections
        return bool(changed)

    def since(self, event_id: str) -> bytes:
        """One event with the sections that a client does not know."""
        run, _, version = event_id.rpartition("-")
        is_known = run == self._run and version.isascii() and version.isdigit()
        known = int(version[:12]) if is_known else 0
        if known == self._version:
            return b""
        return encoded_event("tournament", self.event_id, self.data(known))

    def data(self, known: int = 0) -> dict[str, Any]:
        """The sections that changed after a version."""
        return {
            name: value for name, value in self._sections.items() if self._changed[name] > known
        }


def _stored_sections(reading: Reading) -> dict[str, Any]:
    snapshot = reading.snapshot
    return {
        "progress": _progress(snapshot),
        "standings": {
            "anchor_at": reading.ratings.anchor_at,
            "bots": list(_standings(reading)),
        },
        "results": {
            "has_tables": len(snapshot.tables) > 1,
            "games": [_result(game, snapshot) for game in reversed(snapshot.games[-LATEST:])],
        },
        "faults": [
            {
                "game": f"{fault.block}-{fault.number}",
                "key": None if fault.record is None else game_key(fault.block, fault.number),
                "decision": fault.decision,
                "bot": visible(fault.bot),
                "fault": fault.fault,
                "out": bool(fault.disqualified),
            }
            for fault in reversed(snapshot.faults[-LATEST:])
        ],
    }


def _progress(snapshot: Snapshot) -> dict[str, Any]:
    forecast = snapshot.forecast
    remaining = None if forecast is None else forecast.remaining_games
    is_open = forecast is None or forecast.size == "at least"
    goes_on = snapshot.may_continue
    return {
        "text": progress(snapshot),
        "games": len(snapshot.games),
        "left": remaining if goes_on and not is_open else (None if goes_on else 0),
        "seconds": None if forecast is None or not goes_on or is_open else forecast.seconds,
        "goes_on": goes_on,
        "faults": len(snapshot.faults),
        "verdict": None if snapshot.verdict is None else snapshot.verdict.sentence,
    }


def _standings(reading: Reading) -> Iterator[dict[str, Any]]:
    out = {bot.name: bot.out for bot in reading.snapshot.bots if bot.out is not None}
    for entry in reading.ratings.entries:
        yield {
            "bot": visible(entry.bot),
            "page": bot_page(entry.bot),
            **_rating(entry),
            "games": entry.games,
            "first": entry.first_places,
            "faults": entry.faults,
            "out": visible(out[entry.bot]) if entry.bot in out else None,
            "retired": entry.bot in reading.snapshot.retired,
        }


def _rating(entry: Entry) -> dict[str, Any]:
    if not entry.games:
        return {"rating": None, "low": None, "high": None}
    interval = interval_of(entry)
    ends = (interval.rating, interval.low, interval.high)
    rating, low, high = (None if value is None else round(value, 1) for value in ends)
    return {"rating": rating, "low": low, "high": high}


def _result(game: StoredGame, snapshot: Snapshot) -> dict[str, Any]:
    seats = sorted(game.seats, key=lambda seat: seat.rank)
    return {
        "game": f"{game.block}-{game.number}",
        "key": None if game.record is None else game_key(*game.key),
        "table": visible(snapshot.table_labels.get(game.table, game.table)),
        "seats": [[visible(seat.bot), seat.rank, seat.total] for seat in seats],
        "void": game.void is not None,
    }


def _running(game: RunningGame) -> dict[str, Any]:
    return {
        "game": f"{game.block}-{game.number}",
        "key": game.key,
        "names": [visible(name) for name in game.names],
        "quiet": game.quiet,
    }
