"""The places on the board that a step changed; they are highlighted when the step is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.engine.board import Board
from referee.engine.serialize import Words, event_words
from referee.engine.state import GameState
from referee.engine.terms import Event
from referee.replay.timeline import Timeline


@dataclass
class Highlights:
    """Connection points (route and number), cities, and routes whose marker was placed or taken."""

    points: set[tuple[str, int]] = field(default_factory=set)
    cities: set[str] = field(default_factory=set)
    markers: set[str] = field(default_factory=set)

    def add(self, board: Board, event: Words) -> None:
        """Add the places that an event changed."""
        for prefix in ("", "from_"):
            if f"{prefix}point" in event:
                self.points.add((str(event[f"{prefix}route"]), int(str(event[f"{prefix}point"]))))
        if "city" in event:
            self.cities.add(str(event["city"]))
        if str(event["event"]).startswith("marker-") and "route" in event:
            self.markers.add(str(event["route"]))
        if event["event"] in ("created", "neutral-created"):
            name = str(event["route"])
            count = len(board.routes[board.route_ids.index(name)])
            self.points |= {(name, point) for point in range(count)}


def highlights_of(timeline: Timeline, step: int) -> Highlights:
    """The places that a step changed; none for the set-up."""
    return highlights_in(timeline.newest_state, timeline.events(step) if step else ())


def highlights_in(state: GameState, events: Iterable[Event]) -> Highlights:
    """The places that these events changed; `state` is any position of the game."""
    found = Highlights()
    for event in events:  # they are described by board and rules alone
        found.add(state.board, event_words(state, event))
    return found
