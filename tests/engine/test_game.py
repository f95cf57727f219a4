"""The game as a fold over indices: a refused choice changes nothing, single choices are applied."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine import game, view
from referee.engine.errors import ChoiceRefused, RefereeError, RulesRefused
from referee.engine.state import GameState
from referee.engine.terms import DECISIONS, END_REASONS, FAULTS
from support.combinations import named
from support.groups import together
from support.random_games import decisions, events_since, final_of, played, sampled, with_empty_log
from support.table import asked, end_turn, events_of, play, table

NAME = "hanse-2-3:3:bigbox+missions"
every_name = together(
    "name",
    [NAME, "east:2:bigbox", "britannia-4-5:4:original+permits", "hanse-4-5:4:bigbox+favours"],
)


def new(name: str = NAME, seed: int = 1, *, events: bool = True) -> GameState:
    return game.new_game(*named(name), seed, events=events)


# -- the start


@every_name
def test_a_game_begins_with_the_first_seats_turn(name: str) -> None:
    state = new(name)
    decision = game.pending(state)
    assert decision is not None
    assert (DECISIONS[decision.kind], decision.seat) == ("turn", 0)
    assert (state.turn, state.active, state.decision_id) == (1, 0, 1)
    assert not state.is_over


@every_name
def test_the_first_events_are_markers_and_the_last_is_the_turn(name: str) -> None:
    events = events_since(new(name))
    assert [event["event"] for event in events[:3]] == ["marker-placed"] * 3
    assert events[-1] == {"event": "turn", "turn": 1, "seat": 0, "actions": 2}


@every_name
def test_without_listeners_the_game_is_the_same(name: str) -> None:
    silent = new(name, events=False)
    assert silent.events is None
    assert silent.digest() == new(name).digest()


# -- choices and apply


def test_choices_are_listed_once() -> None:
    state = new()
    assert game.choices(state) is game.choices(state)


def test_each_choice_raises_the_id_of_the_decision_by_one() -> None:
    one = played(NAME)
    ids = [state.decision_id for state in decisions(one)]
    assert ids == list(range(1, len(one.indices) + 2))


def numbers_out_of_range(state: GameState) -> list[int]:
    count = len(game.choices(state))
    return [-1, -count, count, count + 1, 10**20]


@every_name
def test_an_index_out_of_range_is_refused_and_changes_nothing(name: str) -> None:
    for state in map(with_empty_log, sampled(name)):
        before = state.digest(), events_since(state), view.request(state)
        for index in numbers_out_of_range(state):
            with pytest.raises(ChoiceRefused):
                game.apply(state, index)
        assert (state.digest(), events_since(state), view.request(state)) == before


@together("index", [0.0, "0", None, [0]])
def test_an_index_that_is_not_an_integer_is_refused_and_changes_nothing(index: Any) -> None:
    """The compiled engine refuses other types by itself."""
    state = new()
    before = state.digest(), events_since(state), view.request(state)
    with pytest.raises((ChoiceRefused, TypeError)):
        game.apply(state, index)
    assert (state.digest(), events_since(state), view.request(state)) == before


def test_the_refusal_names_the_decision_and_what_is_allowed() -> None:
    state = new()
    count = len(game.choices(state))
    with pytest.raises(ChoiceRefused) as refused:
        game.apply(state, count)
    expected = f"choice {count} of decision 1 (turn) is not one of 0 to {count - 1}"
    assert str(refused.value) == expected
    assert issubclass(ChoiceRefused, RefereeError)


@every_name
def test_after_the_end_there_is_no_choice_and_any_is_refused(name: str) -> None:
    final = final_of(name)
    digest = final.digest()
    assert game.pending(final) is None
    assert game.choices(final) == []
    with pytest.raises(ChoiceRefused, match="choice 0 comes after the end of the game"):
        game.apply(final, 0)
    assert final.digest() == digest


# -- replay


def test_a_replay_of_no_choices_is_a_new_game() -> None:
    board, rules = named(NAME)
    assert game.replay(board, rules, 1, []).digest() == new().digest()


def test_a_replay_emits_the_same_events() -> None:
    one = played(NAME)
    again = game.replay(one.board, one.rules, one.seed, iter(one.indices))
    assert events_since(again) == events_since(final_of(NAME))


def test_a_replay_stops_at_an_index_out_of_range() -> None:
    with pytest.raises(ChoiceRefused, match="choice 999 of decision 2"):
        game.replay(*named(NAME), 1, [0, 999])


# -- settle


def test_settling_takes_single_choices_until_there_is_a_real_one() -> None:
    state = table("hanse-4-5", actions=0, stock={0: (0, 0)})
    assert len(game.choices(state)) == 1
    assert game.settle(state) == 1
    assert asked(state) == ("turn", 1)
    assert len(game.choices(state)) > 1


def test_settling_takes_nothing_where_there_is_a_choice() -> None:
    state = new()
    digest = state.digest()
    assert game.settle(state) == 0
    assert state.digest() == digest


def test_settling_ends_with_the_game() -> None:
    state = table("hanse-4-5", actions=0, turn=4, active=3, max_turns=4)
    assert game.settle(state) == 1
    assert state.is_over
    assert game.settle(state) == 0


# -- ends that no rule causes


def test_at_the_turn_limit_the_game_is_scored_as_it_is() -> None:
    state = new("hanse-2-3:3:bigbox+max_turns=2")
    end_turn(state)
    assert not state.is_over
    play(state, do="end-turn")
    assert END_REASONS[state.over] == "max-turns"
    assert [event["event"] for event in events_of(state)[-4:]] == ["game-over", *["scored"] * 3]


def test_an_abandoned_game_ends_at_once() -> None:
    state = game.replay(*named(NAME), 1, [0, 0])
    game.abandon(state)
    assert END_REASONS[state.over] == "abandoned"
    assert game.pending(state) is None
    assert events_of(state, "game-over") == [{"event": "game-over", "reason": "abandoned"}]
    assert [event["seat"] for event in events_of(state, "scored")] == [0, 1, 2]


def test_a_game_can_be_abandoned_in_the_middle_of_an_action() -> None:
    state = table("hanse-4-5", points={"bremen--hamburg": ["0t", None, None, None]})
    play(state, do="move")
    play(state, do="lift")
    game.abandon(state)
    assert state.is_over
    assert view.see(state, 0)["in_hand"] == []


def test_a_game_that_is_over_is_not_abandoned() -> None:
    final = final_of(NAME)
    digest, events = final.digest(), events_since(final)
    game.abandon(final)
    assert (final.digest(), events_since(final)) == (digest, events)


# -- disqualification emits an event, and changes no rule


@together("fault", FAULTS)
def test_a_disqualification_emits_an_event_and_changes_nothing_else(fault: str) -> None:
    state = new()
    digest = state.digest()
    game.emit_disqualified(state, 2, fault, 17)
    expected = {"event": "disqualified", "seat": 2, "fault": fault, "id": 17}
    assert events_of(state)[-1] == expected
    assert state.digest() == digest


def test_without_listeners_no_event_is_emitted() -> None:
    state = new(events=False)
    game.emit_disqualified(state, 1, "crash", 3)
    assert state.events is None


# -- standings


@every_name
def test_the_parts_of_every_total_add_up(name: str) -> None:
    final = final_of(name)
    for standing in game.standings(final):
        words: Any = view.standing_words(final, standing)
        parts = ("track", "abilities", "markers", "special", "cities", "network", "missions")
        assert (
            sum(words[part] for part in parts) + sum(words["countries"].values()) == standing.total
        )


@every_name
def test_the_standings_are_by_seat_and_the_same_as_the_scored_events(name: str) -> None:
    final = final_of(name)
    standings: list[Any] = [view.standing_words(final, one) for one in game.standings(final)]
    scored = [event for event in events_since(final) if event["event"] == "scored"]
    assert [words["seat"] for words in standings] == list(range(final.rules.players))
    ranks = [words.pop("rank") for words in standings]
    assert 1 in ranks
    assert [{"event": "scored", **words} for words in standings] == scored


@every_name
def test_standings_are_available_at_any_time_and_change_nothing(name: str) -> None:
    for state in sampled(name):
        digest = state.digest()
        assert len(game.standings(state)) == state.rules.players
        assert state.digest() == digest


def test_rules_of_another_board_are_refused() -> None:
    board, rules = named("hanse-4-5:4:bigbox")
    other, _ = named("east:4:bigbox")
    with pytest.raises(RulesRefused, match="these rules are for the board hanse-4-5, not for east"):
        game.new_game(other, rules, 1)
    assert game.new_game(board, rules, 1).turn == 1
