"""A bot that continues the game after each of its best turns, and judges by what it has learnt.

python bot.py                     thinks as long as the clock allows, or 60 rounds a turn without a clock
python bot.py --nodes 60          60 rounds a turn whatever the clock says, so that its play is repeatable
python bot.py --set turn_ms=400   400 ms of CPU time a turn whatever the clock says
"""

from __future__ import annotations

from protocol import run
from referee.engine.board import Board
from referee.thinking.judges import Judge, judge_of
from referee.thinking.search.bot import SearchBot, effort_from_arguments


class Navigator(SearchBot):
    """Adds what it has learnt to the evaluation of every position."""

    name = "navigator"
    most_ms = 5000.0

    def judge_of(self, board: Board) -> Judge:
        return judge_of(board)


if __name__ == "__main__":
    run(Navigator(*effort_from_arguments()))
