"""A bot that continues the game after each of its best turns, and plays the turn with the best result.

This is the first navigator. It stays as it is: an opponent by which others are measured.

python bot.py                     thinks as long as the clock allows, or 60 rounds a turn without a clock
python bot.py --nodes 60          60 rounds a turn whatever the clock says, so that its play is repeatable
python bot.py --set turn_ms=400   400 ms of CPU time a turn whatever the clock says
"""

from __future__ import annotations

from protocol import run
from referee.engine.board import Board
from referee.thinking.judges import Judge, PlannerJudge
from referee.thinking.search.bot import SearchBot, effort_from_arguments
from referee.thinking.search.race import Race


class Navigator1(SearchBot):
    """Evaluates positions as merchant does."""

    name = "navigator-1"
    most_ms = 1500.0  # longer thinking hardly changes a turn
    most_deals = 8
    search = Race

    def judge_of(self, board: Board) -> Judge:  # noqa: ARG002  the same on every board
        return PlannerJudge()


if __name__ == "__main__":
    run(Navigator1(*effort_from_arguments()))
