"""The schedule: which blocks a tournament plays, as a pure function of its seed and its results."""

from referee.errors import ScheduleRefused
from referee.tournament.schedule.base import Outline, Plan, Spread, Stage, describe
from referee.tournament.schedule.draws import game_id
from referee.tournament.schedule.ladder import Ladder, Rate, Rating
from referee.tournament.schedule.round_robin import Gauntlet, RoundRobin
from referee.tournament.schedule.swiss import Swiss

__all__ = [
    "Gauntlet",
    "Ladder",
    "Outline",
    "Plan",
    "Rate",
    "Rating",
    "RoundRobin",
    "ScheduleRefused",
    "Spread",
    "Stage",
    "Swiss",
    "describe",
    "game_id",
]
