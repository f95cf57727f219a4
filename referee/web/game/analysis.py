"""The analysis of a recorded game as data for the web page: chances, mistakes, and better turns as steps."""

from __future__ import annotations

from typing import Any

from referee.analysis.lines import TurnAnalysis
from referee.analysis.shown import ShownAnalysis, better_line, shown_analysis
from referee.text import visible
from referee.web.game.position_cells import CellReader
from referee.web.game.steps import GameSteps


def analysis_data(steps: GameSteps) -> dict[str, Any] | None:
    """What the page shows of the analysis beside the record; None if there is nothing to show."""
    found = shown_analysis(steps.timeline, steps.viewpoint)
    if found is None:
        return None
    return {
        "summary": visible(found.summary),
        **_points(found),
        "mistakes": [_mistake(steps, turn) for turn in found.mistakes],
    }


def _points(found: ShownAnalysis) -> dict[str, list[Any]]:
    """The steps at which chances are known, and the chances there in per cent."""
    points = list(found.points())
    return {
        "steps": [point.step for point in points],
        "chances": [[round(100 * chance) for chance in point.chances] for point in points],
    }


def _mistake(steps: GameSteps, turn: TurnAnalysis) -> dict[str, Any]:
    return {
        "step": turn.first_step,
        "turn": turn.turn,
        "seat": turn.seat,
        "loss": [round(100 * share) for share in (turn.loss, *turn.loss_interval)],
        "why": visible(turn.why),
        "better": _better(steps, turn),
    }


def _better(steps: GameSteps, turn: TurnAnalysis) -> dict[str, list[Any]]:
    """The better turn in columns: by choice the seat, the changed cells and the sentences."""
    timeline, viewpoint = steps.timeline, steps.viewpoint
    line = better_line(timeline, turn, viewpoint)
    reader, strikes = CellReader(viewpoint), timeline.strikes(turn.first_step)
    reader.read(timeline.state(turn.first_step), strikes)
    return {
        "seats": [step.seat for step in line],
        "deltas": [reader.read_changes(step.state, strikes) for step in line],
        "sentences": [step.sentences for step in line],
    }
