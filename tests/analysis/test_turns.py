"""One turn of a recorded game, judged: on every board, with what the seat knew."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import Game
from referee.analysis import alternatives
from referee.analysis.alternatives import compare
from referee.analysis.evaluate import deals_of, phase_of, worth_of
from referee.analysis.lines import Settings, TurnAnalysis
from referee.analysis.turns import finished_turns, judge, made_by
from referee.atlas import load_board
from referee.engine import game
from referee.engine.digest import position_key
from referee.engine.restore import redraw
from referee.engine.state import GameState
from referee.engine.terms import DOINGS, TURN
from referee.replay.timeline import Timeline, open_timeline
from referee.thinking.candidates import ONE_LINE
from referee.thinking.decisions import answer_until_turn
from referee.thinking.evaluation import Evaluator
from referee.thinking.plan import best_lines
from support.recorded_games import EVERY_BOARD, SOME_FAULTS, record
from support.replay_games import abandoned_record

QUICK = Settings(time_ms=None, rounds=2)
LONGER = [f"{name.partition('+max_turns')[0]}+max_turns=60" for name in EVERY_BOARD]


def timeline_of(folder: Path, name: str, **options: object) -> Timeline:
    return open_timeline(record(folder / "game.jsonl", name, **options))  # type: ignore[arg-type]


def after_choices(state: GameState, turn: TurnAnalysis) -> GameState:
    """Play the better turn in the true position; raise ChoiceRefused if it is not legal there."""
    assert turn.best is not None
    for seat, index in turn.best.choices:
        assert state.agenda[-1].seat == seat
        game.apply(state, index)
    return state


@pytest.mark.parametrize("name", LONGER)
def test_a_judged_turn_is_consistent(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alternatives, "ROUNDS", 1)  # the second round takes time, and shows no more
    timeline = timeline_of(tmp_path, name)
    turns = finished_turns(timeline)
    at = turns[10 + LONGER.index(name)]
    turn, seats = judge(timeline, at, QUICK), timeline.rules.players
    sums = [turn.chances, turn.chances_after] + ([turn.best.chances] if turn.best else [])
    assert [sum(chances) for chances in sums] == [pytest.approx(1, abs=1e-3)] * len(sums)
    assert sum(turn.ranks) == pytest.approx(seats * (seats + 1) / 2, abs=1e-2)
    assert turn.loss >= 0
    assert turn.loss_interval[0] <= turn.loss_interval[1]
    assert turn.kind in DOINGS
    assert len(turn.text) == turn.last_step - turn.first_step
    assert (turn.best is None) == (turn.loss == 0) == (turn.why == "")
    if turn.best is not None:
        end = after_choices(timeline.state(at.first), turn)
        assert end.is_over or end.turn != at.turn or end.agenda[-1].kind != TURN
        assert len(turn.best.text) == len(turn.best.choices)


def test_a_turn_is_judged_by_what_its_seat_knew(tmp_path: Path) -> None:
    state = timeline_of(tmp_path, EVERY_BOARD[0]).state(20)
    seat = state.active
    other_truth = state.copy()
    redraw(other_truth, seat, 99)
    known = deals_of(state, seat, omniscient=False)
    same = deals_of(other_truth, seat, omniscient=False)
    assert [position_key(known(n)) for n in range(3)] == [position_key(same(n)) for n in range(3)]
    assert len({position_key(known(number)) for number in range(9)}) > 1


def test_the_omniscient_know_the_truth(tmp_path: Path) -> None:
    state = timeline_of(tmp_path, EVERY_BOARD[0]).state(20)
    deal = deals_of(state, state.active, omniscient=True)
    assert {position_key(deal(number)) for number in range(3)} == {position_key(state)}


def planned_game(turns: int) -> GameState:
    """A position after some turns that the planner has played."""
    state = Game(3, board="hanse-2-3", seed=0).engine_state.copy()
    while state.turn <= turns:
        evaluator = Evaluator(state, state.active)
        answer_until_turn(state, evaluator, ())
        for _, index in best_lines(state, evaluator, ONE_LINE)[0].trail:
            game.apply(state, index)
    answer_until_turn(state, Evaluator(state, state.active), ())
    return state


def test_doing_nothing_is_a_mistake_and_the_best_turn_is_the_best() -> None:
    state, settings = planned_game(13), Settings(time_ms=None, rounds=16)
    deal = deals_of(state, state.active, omniscient=False)
    idle = ((state.active, len(game.choices(state)) - 1),)
    found = compare(deal, state.active, idle, settings)
    assert found is not None
    assert found.is_mistake
    assert found.interval[0] <= found.loss <= found.interval[1]
    assert compare(deal, state.active, found.trail, settings) is None


def test_a_finished_game_is_certain(tmp_path: Path) -> None:
    timeline = timeline_of(tmp_path, "east:3:original+max_turns=6")
    state = timeline.newest_state
    worth = worth_of(deals_of(state, 0, omniscient=False))
    standings = game.standings(state)
    assert list(worth.ranks) == pytest.approx([one.rank for one in standings], abs=1)
    assert list(worth.totals) == [one.total for one in standings]
    assert phase_of(timeline.state(0)) == "first"


def test_turns_that_the_referee_plays_are_not_judged(tmp_path: Path) -> None:
    timeline = timeline_of(tmp_path, EVERY_BOARD[0], faults=SOME_FAULTS)
    out = [at for at in finished_turns(timeline) if at.seat == 2][-1]
    turn = judge(timeline, out, Settings(time_ms=None, rounds=1_000_000))  # it would take hours
    assert (turn.loss, turn.best, turn.is_mistake) == (0, None, False)


def test_the_turn_in_which_a_game_is_abandoned_is_not_judged() -> None:
    timeline = open_timeline(abandoned_record())
    last = finished_turns(timeline)[-1]
    turn = judge(timeline, last, Settings(time_ms=None, rounds=1_000_000))
    assert last.last == timeline.last
    assert (turn.loss, turn.best) == (0, None)


def test_an_unfinished_turn_is_left_out(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", "east:3:original+max_turns=6")
    whole = finished_turns(open_timeline(path))
    lines = path.read_bytes().splitlines(keepends=True)
    ends = [at for at, line in enumerate(lines) if b'"line":"turn"' in line]
    path.write_bytes(b"".join(lines[: ends[3] + 2]))
    assert len(whole) == 6
    assert finished_turns(open_timeline(path)) == whole[:4]


def test_other_values_are_another_judge() -> None:
    east, hanse = load_board("east"), load_board("hanse-2-3")
    assert made_by(east) != made_by(hanse)
    assert made_by(east) == made_by(east)
