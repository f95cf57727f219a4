"""The digest covers everything that affects later play, and nothing else."""

from __future__ import annotations

import copy
import hashlib
import re
import struct
from functools import cache
from typing import Any

from referee import atlas
from referee.engine import game
from referee.engine.decision import Decision
from referee.engine.digest import position_key
from referee.engine.state import GameState
from support.combinations import combinations, named
from support.golden_games import game_of, read
from support.groups import each_of, together
from support.random_games import final_of, sampled
from support.table import play

COUNTS = (
    "points",
    "posts",
    "additional",
    "green",
    "route_markers",
    "stock",
    "supply",
    "desk",
    "prestige",
    "markers",
    "used",
    "plates",
    "favours",
    "display",
    "special",
    "east_west",
    "laid",
    "markers_out",
    "supply_order",
    "drawn",
    "undrawn",
    "missions",
    "turn",
    "active",
    "actions_left",
    "extra_actions",
    "fresh",
    "acted",
    "forgone",
    "completed_cities",
    "permits_spent",
    "permit_bought",
    "over",
    "decision_id",
    "agenda",
    "board",
    "rules",
)
FOLLOWS = ("free", "on_points", "presence", "hooks", "options")  # from the ones above
NOBODYS_PLAY = ("events", "plates_seen")


def middle(name: str = "hanse-2-3:2:bigbox+missions+promos+neutral=britannia") -> GameState:
    return _after_200_choices(name).copy()


@cache
def _after_200_choices(name: str) -> GameState:
    one = game_of(read(name))
    return game.replay(one.board, one.rules, one.seed, one.indices[:200])


def changed(value: Any) -> Any:
    """The value with a small difference, of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, tuple):
        return (*value, (8, 0, 0)) if value and isinstance(value[0], tuple) else (*value, 1)
    return [changed(value[0]), *value[1:]]


def test_a_digest_is_16_hex_digits_of_sha_256() -> None:
    state = middle()
    assert re.fullmatch("[0-9a-f]{16}", state.digest())
    assert state.digest() == hashlib.sha256(state.canonical()).hexdigest()[:16]


def test_the_canonical_bytes_begin_with_the_board_and_the_ruleset() -> None:
    state = middle()
    digest = state.board.digest_for(state.rules.neutral_scores)
    names = f"{digest}\n{state.rules.name}\n".encode()
    assert state.canonical().startswith(names)
    version, decision = struct.unpack_from("<2i", state.canonical(), len(names))
    assert (version, decision) == (state.rules.version, state.decision_id)


def test_every_part_of_the_state_counts_or_has_a_reason_not_to() -> None:
    parts = {name for name in dir(GameState) if not name.startswith("_")}
    methods = {"copy", "digest", "canonical", "tradesmen", "is_over", "neutral"}
    assert parts - methods == {*COUNTS, *FOLLOWS, *NOBODYS_PLAY}


@together("part", [part for part in COUNTS if part not in ("board", "rules", "agenda")])
def test_a_small_difference_in_each_part_changes_the_digest(part: str) -> None:
    state = middle("hanse-4-5:4:bigbox+missions+favours+promos")
    twin = state.copy()
    setattr(twin, part, changed(getattr(state, part)))
    assert twin.digest() != state.digest()


DECISION = {
    "why": 0,
    "left": 1,
    "point": 3,
    "city": 2,
    "by": 1,
    "owner": 1,
    "held": (2, 4),
    "origins": (5, 6),
    "placed": (7,),
    "unbound": True,
}


@together("field", DECISION)
def test_a_small_difference_in_a_pending_decision_changes_the_digest(field: str) -> None:
    plain, other = middle(), middle()
    given: Any = {field: DECISION[field]}
    plain.agenda.append(Decision(3, 0))
    other.agenda.append(Decision(3, 0, **given))
    assert other.digest() != plain.digest()


def test_numbers_moved_to_the_next_list_change_the_digest() -> None:
    """The canonical bytes contain the length of each list."""
    left, right = middle(), middle()
    left.east_west, left.markers_out = (1, 0), (0,)
    right.east_west, right.markers_out = (1,), (0, 0)
    assert left.digest() != right.digest()


def test_the_ruleset_counts() -> None:
    board, plain = named("hanse-2-3:3:bigbox")
    limited = named("hanse-2-3:3:bigbox+max_turns=9")[1]
    assert game.new_game(board, plain, 1).digest() != game.new_game(board, limited, 1).digest()


# -- what does not count


@each_of(combinations()[::9])
def test_listeners_and_listed_choices_do_not_count(name: str) -> None:
    for state in sampled(name):
        silent = state.copy()
        silent.options = None
        heard = state.copy()
        heard.events = final_of(name).events
        game.choices(heard)
        assert silent.digest() == heard.digest() == state.digest()


def test_markers_that_were_drawn_long_ago_do_not_count() -> None:
    state = middle()
    assert state.drawn
    twin = state.copy()
    twin.supply_order, twin.drawn = state.supply_order[state.drawn :], 0
    assert twin.digest() == state.digest()


def test_the_order_on_a_plate_and_who_looked_at_it_do_not_count() -> None:
    one, other = middle(), middle()
    one.plates, other.plates = [(0, 5), ()], [(5, 0), ()]
    other.plates_seen = [2, 0]
    assert one.digest() == other.digest()


def test_the_way_to_a_position_does_not_count() -> None:
    board, rules = named("hanse-4-5:4:bigbox")
    one, other = game.new_game(board, rules, 1), game.new_game(board, rules, 1)
    for state, routes in ((one, ("bremen--hamburg", "goslar--quedlinburg")), (other, ())):
        for route in routes or ("goslar--quedlinburg", "bremen--hamburg"):
            play(state, do="place", route=route, tradesman="trader")
    assert one.digest() == other.digest()


# -- the board's digest


def redrawn(**changes: Any) -> str:
    words: Any = copy.deepcopy(atlas.load_board("east").words)
    for path, value in changes.items():
        inner = words
        *keys, last = [int(key) if key.isdecimal() else key for key in path.split("__")]
        for key in keys:
            inner = inner[key]
        assert inner[last] != value
        inner[last] = value
    return atlas.board_from_words(words).digest


@together(
    "change",
    [
        {"title": "Another title"},
        {"aspect": 1.0},
        {"cities__0__x": 1},
        {"cities__0__name": "Another name"},
        {"cities__0__banner": "brown"},
        {"routes__0__marker_at": [1, 1]},
        {"routes__0__points__0__y": 7},
        {"special_prestige__spaces__0__x": 5},
    ],
)
def test_a_board_with_only_another_drawing_has_the_same_digest(change: dict[str, Any]) -> None:
    assert redrawn(**change) == atlas.load_board("east").digest


@together(
    "change",
    [
        {"cities__0__spaces__0__coin": 3},
        {"cities__0__spaces__0__privilege": "black"},
        {"cities__0__spaces__0__shape": "round"},
        {"cities__0__abilities": ["keys"]},
        {"routes__0__points": [{"type": "house"}, {"type": "house"}]},
        {"completed_cities_limit": 9},
        {"east_west__prestige": [7, 4]},
        {"players__max": 4},
        {"neutral_start": ["breslau"]},
        {"favours": True},
        {"replaces": {"remove-3": "move-3"}},
        {"missions": [["breslau", "danzig", "luebeck"]] * 5},
        {"special_prestige__spaces__0__points": 6},
    ],
)
def test_a_board_with_other_rules_has_another_digest(change: dict[str, Any]) -> None:
    assert redrawn(**change) != atlas.load_board("east").digest


# --- the key of a position ----------------------------------------------------------------------


def test_the_key_of_a_position_ignores_only_the_number_of_decisions() -> None:
    start = game.new_game(*named("hanse-2-3:3:bigbox+missions+favours"), 1)
    key = position_key(start)
    changes: dict[str, object] = {
        "turn": 2,
        "acted": True,
        "forgone": True,
        "fresh": False,
        "undrawn": True,
        "plates": [(1,), (), ()],
        "supply_order": start.supply_order[::-1],
        "missions": start.missions[::-1],
        "prestige": [1, 0, 0],
        "stock": [0, *start.stock[1:]],
        "points": [2, *start.points[1:]],
        "agenda": [],
    }
    keys = {key}
    for field, value in changes.items():
        other = start.copy()
        setattr(other, field, value)
        keys.add(position_key(other))
    assert len(keys) == 1 + len(changes)
    later = start.copy()
    later.decision_id += 1
    assert position_key(later) == key


def test_what_an_owner_has_seen_of_its_plate_is_part_of_the_key() -> None:
    state = game.new_game(*named("hanse-2-3:3:bigbox"), 1)
    state.plates = [(1, 2), (), ()]
    keys = set()
    for seen in range(3):
        state.plates_seen = [seen, 0, 0]
        keys.add(position_key(state))
    assert len(keys) == 3


def test_the_order_of_a_plate_is_not_part_of_the_key() -> None:
    state = game.new_game(*named("hanse-2-3:3:bigbox"), 1)
    state.plates = [(1, 2), (), ()]
    key = position_key(state)
    state.plates = [(2, 1), (), ()]
    assert position_key(state) == key


def test_positions_of_different_rulesets_have_different_keys() -> None:
    names = ("hanse-2-3:3:bigbox", "hanse-2-3:3:bigbox+max_turns=9", "east:3:bigbox")
    keys = {position_key(game.new_game(*named(name), 1)) for name in names}
    assert len(keys) == 3
