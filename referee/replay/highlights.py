"""What a step changed on the board: the places that stand out when it is shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.engine.board import Board
from referee.engine.serialize import Words, event_words
from referee.replay.timeline import Timeline


@dataclass
class News:
    """Points by route and number, cities, and routes whose marker came or went."""

    points: set[tuple[str, int]] = field(default_factory=set)
    cities: set[str] = field(default_factory=set)
    markers: set[str] = field(default_factory=set)

    def add(self, board: Board, event: Words) -> None:
        """What one event changed."""
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


def news_of(timeline: Timeline, step: int) -> News:
    """The news of a step; nothing stands out at the set-up."""
    news = News()
    state = timeline.state(step)
    for event in timeline.events(step) if step else ():
        news.add(timeline.board, event_words(state, event))
    return news
