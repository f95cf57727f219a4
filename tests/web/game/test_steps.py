"""The steps of a page: the engine's position at every step, without what is hidden from the viewer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.adjudication.faults import Strikes
from referee.engine import game
from referee.errors import RecordRefused
from referee.replay.position import Viewpoint
from referee.web.game.position_cells import STANDING, Cells, cells
from referee.web.game.steps import GameSteps, read_steps
from support.board_records import write_abandoned, write_record
from support.golden_games import GAMES
from support.random_games import Game, decisions, played

MISSIONS = "hanse-2-3:3:original+missions"


def cells_by_step(steps: GameSteps) -> list[Cells]:
    """The cells of every step, as a page makes them."""
    now = list(steps.first)
    found = []
    for delta in steps.deltas:
        for place, value in zip(delta[::2], delta[1::2], strict=True):
            assert isinstance(place, int)
            now[place] = value
        found.append(list(now))
    return found


def texts(steps: GameSteps, step: int) -> list[str]:
    found = [steps.sentences[number] for number in steps.step_sentences[step]]
    return ["".join(part for part in sentence[2:] if isinstance(part, str)) for sentence in found]


def part(steps: GameSteps, now: Cells, name: str) -> Cells:
    begin, count = steps.places[name]
    return now[begin : begin + count]


@pytest.fixture(scope="module")
def missions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Path]:
    """A game with missions and its record; do not change it."""
    recorded = played(MISSIONS, 1)
    return recorded, write_record(tmp_path_factory.mktemp("missions") / "game.jsonl", recorded)


@pytest.fixture(scope="module")
def steps_of_seat_1(missions: tuple[Game, Path]) -> GameSteps:
    return read_steps(missions[1], viewer_seat=1)


@pytest.mark.parametrize(("name", "seed"), GAMES[::7])
def test_every_step_has_the_position_of_the_engine(tmp_path: Path, name: str, seed: int) -> None:
    recorded = played(name, seed)
    steps = read_steps(write_record(tmp_path / "game.jsonl", recorded))
    strikes = Strikes(recorded.rules.players)
    expected = [cells(state, strikes, Viewpoint()) for state in decisions(recorded)]
    assert cells_by_step(steps) == expected
    assert steps.timeline.is_complete


def test_a_packed_record_shows_the_same(tmp_path: Path) -> None:
    recorded = played(*GAMES[-1])
    plain = read_steps(write_record(tmp_path / "game.jsonl", recorded))
    packed = read_steps(write_record(tmp_path / "game.jsonl.gz", recorded))
    assert plain.deltas == packed.deltas
    assert plain.decisions == packed.decisions
    assert plain.step_sentences == packed.step_sentences


def test_every_step_has_a_sentence(missions: tuple[Game, Path]) -> None:
    steps = read_steps(missions[1])
    assert all(steps.step_sentences)


def test_a_seat_sees_only_its_own_mission_before_the_end(steps_of_seat_1: GameSteps) -> None:
    steps = steps_of_seat_1
    *before, final = [part(steps, now, "missions") for now in cells_by_step(steps)]
    assert all(mission[0] == mission[2] == [] != mission[1] for mission in before)
    assert [] not in final


def test_scores_do_not_reveal_the_missions_of_other_seats(
    missions: tuple[Game, Path], steps_of_seat_1: GameSteps
) -> None:
    recorded, steps = missions[0], steps_of_seat_1
    width = len(STANDING)
    for now, state in zip(cells_by_step(steps), decisions(recorded), strict=True):
        if state.is_over:
            continue
        for standing in game.standings(state):
            shown = part(steps, now, "standings")[standing.seat * width :]
            hidden = 0 if standing.seat == 1 else standing.missions
            assert shown[:2] == [0, standing.total - hidden]
            assert shown[8] == standing.missions - hidden


def test_a_seat_that_does_not_exist_is_refused(missions: tuple[Game, Path]) -> None:
    with pytest.raises(RecordRefused, match="no seat 3: seats are numbered from 0 to 2"):
        read_steps(missions[1], viewer_seat=3)


def test_faults_are_shown_where_the_referee_chose(tmp_path: Path) -> None:
    path = write_abandoned(tmp_path / "game.jsonl", played(*GAMES[3]), "gone\x1b[2J")
    steps = read_steps(path)
    assert len(steps.faults) == 3
    assert texts(steps, steps.faults[0])[0].startswith("gone\\u001b[2J (crash, decision ")
    assert steps.decisions[steps.faults[0]].by == 2
    assert part(steps, cells_by_step(steps)[-1], "out") == [1, 1, 1]
    assert texts(steps, -1)[-1].startswith("The game ended because nobody was left to play")


def test_an_incomplete_record_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    recorded = played(*GAMES[3])
    path = write_record(tmp_path / "game.jsonl", recorded, upto=40)
    with path.open("ab") as file:
        file.write(b'{"line":"decision","id":41,"se')
    steps = read_steps(path)
    assert len(steps.decisions) == 41
    assert texts(steps, -1)[-1] == "the record breaks off here"
    assert not steps.timeline.is_complete


def test_a_wrong_record_is_shown_up_to_the_wrong_line(
    missions: tuple[Game, Path], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    lines = missions[1].read_text("utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if '"id":30,' in line)
    lines[at] = json.dumps(json.loads(lines[at]) | {"choice": 999})
    path.write_text("\n".join(lines) + "\n", "utf-8")
    steps = read_steps(path)
    assert len(steps.decisions) == 30
    assert texts(steps, -1)[-1].startswith(
        "the record is wrong from here on: choice 999 is not one"
    )


@pytest.mark.parametrize("text", ["", "{}\n", "hello\n", '{"line":"turn"}\n', '{"line":"ga'])
def test_an_invalid_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordRefused):
        read_steps(path)


def test_the_log_says_that_a_game_is_void(tmp_path: Path) -> None:
    path = write_record(tmp_path / "game.jsonl", played(*GAMES[3]), upto=12)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"line":"void","message":"KeyError: <b>"}\n')
    assert texts(read_steps(path), -1)[-1] == "the game is void: KeyError: <b>"
