"""The frames of a page: the engine's position at every step, without what may not be seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.adjudication.faults import Strikes
from referee.engine import game
from referee.errors import RecordRefused
from referee.replay.position import Viewpoint
from referee.web.game.position_cells import STANDING, Cells, cells
from referee.web.game.steps import Frames, frames_of
from support.board_records import write_abandoned, write_record
from support.golden_games import GAMES
from support.random_games import Game, decisions, played

MISSIONS = "hanse-2-3:3:original+missions"


def unfolded(frames: Frames) -> list[Cells]:
    """The cells of every step, as a page makes them."""
    now = list(frames.first)
    found = []
    for delta in frames.deltas:
        for place, value in zip(delta[::2], delta[1::2], strict=True):
            assert isinstance(place, int)
            now[place] = value
        found.append(list(now))
    return found


def texts(frames: Frames, step: int) -> list[str]:
    found = [frames.sentences[number] for number in frames.step_sentences[step]]
    return ["".join(part for part in one[2:] if isinstance(part, str)) for one in found]


def part(frames: Frames, now: Cells, name: str) -> Cells:
    begin, count = frames.places[name]
    return now[begin : begin + count]


@pytest.fixture
def missions(tmp_path: Path) -> tuple[Game, Path]:
    one = played(MISSIONS, 1)
    return one, write_record(tmp_path / "game.jsonl", one)


@pytest.mark.parametrize(("name", "seed"), GAMES[::3])
def test_every_step_has_the_position_of_the_engine(tmp_path: Path, name: str, seed: int) -> None:
    one = played(name, seed)
    frames = frames_of(write_record(tmp_path / "game.jsonl", one))
    strikes = Strikes(one.rules.players)
    due = [cells(state, strikes, Viewpoint()) for state in decisions(one)]
    assert unfolded(frames) == due
    assert frames.timeline.is_complete


def test_a_packed_record_shows_the_same(tmp_path: Path) -> None:
    one = played(*GAMES[3])
    plain = frames_of(write_record(tmp_path / "game.jsonl", one))
    packed = frames_of(write_record(tmp_path / "game.jsonl.gz", one))
    assert plain.deltas == packed.deltas
    assert plain.decisions == packed.decisions
    assert plain.step_sentences == packed.step_sentences


def test_every_step_has_a_sentence(missions: tuple[Game, Path]) -> None:
    frames = frames_of(missions[1])
    assert all(frames.step_sentences)


def test_a_seat_sees_only_its_own_mission_before_the_end(
    missions: tuple[Game, Path],
) -> None:
    frames = frames_of(missions[1], viewer_seat=1)
    *before, final = [part(frames, now, "missions") for now in unfolded(frames)]
    assert all(mission[0] == mission[2] == [] != mission[1] for mission in before)
    assert [] not in final


def test_scores_do_not_reveal_the_missions_of_other_seats(
    missions: tuple[Game, Path],
) -> None:
    one, path = missions
    frames = frames_of(path, viewer_seat=1)
    width = len(STANDING)
    for now, state in zip(unfolded(frames), decisions(one), strict=True):
        if state.is_over:
            continue
        for standing in game.standings(state):
            shown = part(frames, now, "standings")[standing.seat * width :]
            hidden = 0 if standing.seat == 1 else standing.missions
            assert shown[:2] == [0, standing.total - hidden]
            assert shown[8] == standing.missions - hidden


def test_a_seat_that_does_not_exist_is_refused(missions: tuple[Game, Path]) -> None:
    with pytest.raises(RecordRefused, match="no seat 3: they go from 0 to 2"):
        frames_of(missions[1], viewer_seat=3)


def test_faults_are_shown_where_the_referee_chose(tmp_path: Path) -> None:
    path = write_abandoned(tmp_path / "game.jsonl", played(*GAMES[3]), "gone\x1b[2J")
    frames = frames_of(path)
    assert len(frames.faults) == 3
    assert texts(frames, frames.faults[0])[0].startswith("gone\\u001b[2J (crash, decision ")
    assert frames.decisions[frames.faults[0]].by == 2
    assert part(frames, unfolded(frames)[-1], "out") == [1, 1, 1]
    assert texts(frames, -1)[-1].startswith("The game ended because nobody was left to play")


def test_an_incomplete_record_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    one = played(*GAMES[3])
    path = write_record(tmp_path / "game.jsonl", one, upto=40)
    with path.open("ab") as file:
        file.write(b'{"line":"decision","id":41,"se')
    frames = frames_of(path)
    assert len(frames.decisions) == 41
    assert texts(frames, -1)[-1] == "the record breaks off here"
    assert not frames.timeline.is_complete


def test_a_wrong_record_is_shown_up_to_the_wrong_line(missions: tuple[Game, Path]) -> None:
    _, path = missions
    lines = path.read_text("utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if '"id":30,' in line)
    lines[at] = json.dumps(json.loads(lines[at]) | {"choice": 999})
    path.write_text("\n".join(lines) + "\n", "utf-8")
    frames = frames_of(path)
    assert len(frames.decisions) == 30
    assert texts(frames, -1)[-1].startswith(
        "the record is wrong from here on: choice 999 is not one"
    )


@pytest.mark.parametrize("text", ["", "{}\n", "hello\n", '{"line":"turn"}\n', '{"line":"ga'])
def test_an_invalid_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordRefused):
        frames_of(path)


def test_a_void_game_says_so(tmp_path: Path) -> None:
    path = write_record(tmp_path / "game.jsonl", played(*GAMES[3]), upto=12)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"line":"void","message":"KeyError: <b>"}\n')
    assert texts(frames_of(path), -1)[-1] == "the game is void: KeyError: <b>"
