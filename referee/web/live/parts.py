"""The parts of a server that its settings ask for."""

from __future__ import annotations

from pathlib import Path

from referee.tournament.live_ratings import RatingOptions
from referee.web.live.app import Part
from referee.web.live.games import Games
from referee.web.live.process import ServerSettings
from referee.web.live.records import RecordIndex, RecordList
from referee.web.live.tournament import TournamentGames, TournamentPages
from referee.web.live.tournament_state import TournamentState
from referee.web.play.game_link import GameLink


def parts_of(settings: ServerSettings) -> list[Part]:
    """What the server shows; a part with seats comes before the others, so that its addresses win."""
    parts: list[Part] = []
    if settings.game is not None:
        parts.append(GameLink(settings.game))
    if settings.tournament is not None:
        options = RatingOptions(settings.points, settings.anchor)
        state = TournamentState(Path(settings.tournament), options)
        parts += [Games(TournamentGames(state), settings.delay), TournamentPages(state)]
    if settings.records:
        index = RecordIndex(Path(place) for place in settings.records)
        index.refresh()
        parts += [RecordList(index), Games(index, settings.delay)]
    return parts
