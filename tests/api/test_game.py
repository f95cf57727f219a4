"""`Game`: a game from Python, with the data of the protocol."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import pytest

from protocol import Codes
from referee import Game, RefereeError, chance
from referee.engine import game as engine
from referee.engine import view
from referee.errors import ChoiceRefused, RecordRefused, RulesRefused
from referee.options import GameOptions, load_game
from referee.records.verify import verify
from support.combinations import BOARDS, PLAYERS


def play_out(game: Game, decisions: int | None = None) -> Game:
    """Play at random, this many decisions or to the end."""
    while not game.over and decisions != 0:
        game.play(chance(game.view()).choice(game.choices))
        decisions = None if decisions is None else decisions - 1
    return game


def short(seed: int = 1) -> Game:
    return Game(3, board="east", seed=seed, max_turns=9)


@pytest.mark.parametrize("board", BOARDS)
def test_a_game_can_be_played_to_its_end_on_every_board(board: str) -> None:
    game = play_out(Game(PLAYERS[board][0], board=board, seed=3, max_turns=8))
    assert game.over
    assert game.reason == "max-turns"
    assert (game.seat, game.decision, game.choices) == (None, None, [])
    assert [place["seat"] for place in game.standings] == list(range(PLAYERS[board][0]))


def test_the_same_seed_and_choices_are_the_same_game_as_in_the_engine() -> None:
    game = play_out(short())
    state = engine.replay(
        *load_game(GameOptions(board="east", max_turns=9), 3), 1, game._indices or []
    )
    assert state.digest() == game._state.digest()


def test_single_choices_are_made_automatically() -> None:
    game = short()
    while not game.over:
        assert len(game.choices) > 1
        game.play(0)


def test_a_choice_is_played_by_its_index_or_as_a_dict() -> None:
    by_choice, by_index, by_dict = short(), short(), short()
    choice = by_choice.choices[5]
    by_choice.play(choice)
    by_index.play(5)
    by_dict.play(dict(choice))
    assert by_choice.view() == by_index.view() == by_dict.view()


@pytest.mark.parametrize("choice", [-1, 10_000, {"do": "fly"}])
def test_an_illegal_choice_is_refused_and_changes_nothing(choice: int) -> None:
    game = short()
    before = game.view()
    with pytest.raises(ChoiceRefused):
        game.play(choice)
    assert game.view() == before


def test_a_view_is_the_position_and_the_request_of_a_bot() -> None:
    game = play_out(short(), 7)
    seat = game.seat
    assert seat is not None
    seen = game.view()
    sent = {**view.see(game._state, seat), **view.request(game._state)}
    sent.pop("choices")
    assert seen == {**sent, "game": game.id, "seat": seat, "about": sent.get("about", {})}


def test_a_seat_that_is_not_asked_sees_no_decision() -> None:
    game = short()
    assert game.seat == 0
    seen = game.view(1)
    assert (seen["seat"], seen["decision"], seen["about"]) == (1, None, {})


def test_the_view_of_an_unknown_seat_is_an_error() -> None:
    with pytest.raises(IndexError, match="there is no seat 3; the seats are 0 to 2"):
        short().view(3)


@pytest.mark.parametrize("choice", ["3", 2.5, None])
def test_neither_an_index_nor_a_choice_is_a_type_error(choice: int) -> None:
    with pytest.raises(TypeError):
        short().play(choice)


def test_only_its_owner_sees_a_mission() -> None:
    game = Game(3, missions=True, seed=5)
    cards = [tuple(game.view(seat)["mission"] or ()) for seat in range(3)]
    assert len(set(cards)) == 3


# --- for search -----------------------------------------------------------------------------------


def test_the_number_of_choices_and_their_codes_are_those_of_the_choices() -> None:
    game = short()
    start: Any = {"seat": 0, "board": game.board, "rules": game.rules}
    translate = Codes(start).choice
    while not game.over:
        assert game.choice_count == len(game.choices) == len(game.codes)
        assert [translate(code) for code in game.codes] == game.choices
        assert game.choice(game.choice_count - 1) == game.choices[-1]
        game.play(game.choice_count // 2)
    assert (game.choice_count, game.codes) == (0, [])


def test_one_choice_has_its_index_and_an_unknown_index_is_refused() -> None:
    game = short()
    assert game.choice(7).index == 7
    with pytest.raises(ChoiceRefused, match="choice 72 is not one of 72 choices"):
        game.choice(72)


def test_a_changed_choice_changes_no_other() -> None:
    """Choices are made once for each board, and the caller gets a copy."""
    game = Game(3, seed=1)
    while not any(choice["do"] == "displace" for choice in game.choices):
        game.play(next((one for one in game.choices if one["do"] == "place"), game.choices[-1]))
    choice = next(one for one in game.choices if one["do"] == "displace")
    code = game.codes[choice.index]
    before = json.dumps(choice)
    choice["pay"]["traders"] = 99
    choice["route"] = "nowhere"
    code.clear()
    assert json.dumps(game.choice(choice.index)) == before
    assert game.codes[choice.index]


def test_scores_and_ranks_are_those_of_the_standings() -> None:
    game = Game(3, seed=1, max_turns=60)
    while not game.over:
        routes = [choice for choice in game.choices if choice["do"] == "create"]
        game.play(chance(game.view()).choice(routes or game.choices))
    assert game.scores == [place["total"] for place in game.standings]
    assert game.ranks == [place["rank"] for place in game.standings]
    assert len(set(game.scores)) > 1


def test_games_are_equal_if_their_positions_are_whatever_led_to_them() -> None:
    """Two tradesmen are placed in either order."""
    one, other = short(), short()
    first, second = [choice for choice in one.choices if choice["do"] == "place"][:6:5]
    for game, choices in ((one, (first, second)), (other, (second, first))):
        for choice in choices:
            game.play(choice)
    assert one == other
    assert one.position_key() == other.position_key()
    other.play(0)
    assert one != other
    assert one != "a game"


def test_a_game_is_not_hashable() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(short())


def test_events_start_at_any_number() -> None:
    game = play_out(short(), 10)
    events = game.events()
    assert events[0]["event"] == "marker-placed"
    assert game.events(len(events) - 2) == events[-2:]


def test_a_copy_is_independent() -> None:
    game = play_out(short(), 5)
    copied = game.copy()
    before = game.view()
    play_out(copied)
    assert game.view() == before
    assert copied.over
    assert copied.events() == []


@pytest.mark.parametrize("made", [lambda one: pickle.loads(pickle.dumps(one)), copy, deepcopy])
def test_a_game_can_be_pickled_and_copied_by_the_standard_library(
    made: Callable[[Game], Game], tmp_path: Path
) -> None:
    game = play_out(Game(3, missions=True, seed=4, max_turns=30), 60)
    again = made(game)
    assert (again, again.id, again.seed) == (game, game.id, game.seed)
    assert again.view() == game.view()
    assert again.events() == game.events()
    before = game.view()
    play_out(again).save(tmp_path / "game.jsonl")
    assert verify(tmp_path / "game.jsonl").verdict == "fine"
    assert game.view() == before


def test_a_saved_game_is_a_record_that_can_be_verified(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = play_out(short())
    game.save(path, ["anna", "bert", "carl"])
    assert verify(path).verdict == "fine"
    first = json.loads(path.read_text("utf-8").splitlines()[0])
    assert [player["name"] for player in first["players"]] == ["anna", "bert", "carl"]
    assert first["game"] == game.id


@pytest.mark.parametrize("decisions", [0, 10_000])
def test_too_few_names_are_refused_and_nothing_is_written(decisions: int, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with pytest.raises(RecordRefused, match="a game of 3 players needs 3 names, not 2"):
        play_out(short(), decisions).save(path, ["anna", "bert"])
    assert not path.exists()


def test_an_unfinished_game_can_be_saved_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl.gz"
    game = play_out(short(), 12)
    game.save(path)
    again = Game.load(path)
    assert again.view() == game.view()
    assert play_out(again).standings == play_out(game).standings
    again.save(tmp_path / "whole.jsonl")
    assert verify(tmp_path / "whole.jsonl").verdict == "fine"


def test_a_record_can_be_loaded_at_any_decision(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play_out(short()).save(path)
    assert Game.load(path, at=1).view() == short().view()
    with pytest.raises(RecordRefused, match="over"):
        Game.load(path)


def test_a_mistyped_option_gets_a_suggestion() -> None:
    with pytest.raises(TypeError, match="did you mean 'missions'"):
        Game(3, mission=True)  # type: ignore[call-arg]


def test_impossible_rules_are_refused() -> None:
    with pytest.raises(RulesRefused, match="takes 2 to 3 players, not 5"):
        Game(5, board="hanse-2-3")
    assert issubclass(RulesRefused, RefereeError)


def test_a_game_has_a_drawing_and_a_repr() -> None:
    game = short()
    assert "Lübeck" in game.draw()
    assert repr(game) == "<Game east:3:bigbox+max_turns=9 seed 1, turn 1, seat 0 decides: turn>"


def test_the_id_of_a_game_depends_on_its_seed_without_revealing_it() -> None:
    assert short(1).id != short(2).id
    assert short(123456789).id.find("123456789") == -1
