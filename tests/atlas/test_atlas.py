"""The atlas finds boards, refuses faulty ones, and names every mistake with its place."""

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee import atlas
from referee.engine.board import Board
from referee.errors import MapRefused
from support.groups import together
from support.small_board import IN_LANDS, ISLAND, board_of, island
from support.strategies import CHARACTERS

# --- What is found -------------------------------------------------------------------------


def test_a_bundled_board_is_read_once() -> None:
    assert atlas.load_board("east") is atlas.load_board("east")


def test_a_board_can_be_found_by_its_path(tmp_path: Path) -> None:
    assert board_of(ISLAND, tmp_path).title == "The Island"
    assert atlas.load_board(str(tmp_path / "board.toml")).id == "island"


def test_an_unknown_name_is_an_error_with_the_nearest_and_all_names() -> None:
    with pytest.raises(MapRefused, match='did you mean "hanse-4-5"') as refused:
        atlas.load_board("hanse-45")
    assert all(name in str(refused.value) for name in atlas.board_names())


@together("name", ["", "components", "missing.toml", "/", "a\0b.toml", "no/where"])
def test_a_name_that_is_not_a_board_is_refused(name: str) -> None:
    with pytest.raises(MapRefused):
        atlas.load_board(name)


@together("name", atlas.board_names())
def test_the_words_of_a_board_make_the_same_board(name: str) -> None:
    board = atlas.load_board(name)
    again = atlas.board_from_words(json.loads(json.dumps(board.words)))
    assert (again.words, again.digest) == (board.words, board.digest)


# --- What is filled in ---------------------------------------------------------------------


def test_missing_parts_of_a_file_are_filled_in() -> None:
    words = island()
    assert "format" not in words
    assert words["countries"] == words["permits"] == words["replaces"] == {}
    assert (words["missions"], words["favours"]) == ([], False)
    assert words["neutral_start"] == ["market", "abbey", "mill"]
    route, city = words["routes"][2], words["cities"][0]
    assert (route["id"], route["country"], route["tavern"]) == ("abbey--market", None, False)
    assert (route["permanent"], city["green"], city["spaces"][0]["coin"]) == (None, False, 0)
    assert (city["abilities"], city["countries"], city["aliases"]) == ([], [], [])


def test_points_without_coordinates_are_spread_between_the_cities() -> None:
    first, second, third = island()["routes"][0]["points"]
    assert (first["x"], second["x"], third["x"]) == (210, 300, 390)
    assert island()["routes"][6]["points"][0] == {"type": "ship", "x": 780, "y": 290}


def test_every_place_is_on_the_board() -> None:
    words = island()
    spots = [route["marker_at"] for route in words["routes"]]
    spots += [[space["x"], space["y"]] for space in words["special_prestige"]["spaces"]]
    assert all(0 <= value <= 1000 for spot in spots for value in spot)


# --- What comes from strangers --------------------------------------------------------------


def test_the_size_of_a_received_board_is_limited() -> None:
    words: dict[Any, Any] = island()
    words["cities"] = words["cities"] * 50_000
    words["title"] = "\ud800"
    words.update({f"key {number}": number for number in range(5_000)})
    words[7] = words[None] = []
    mistakes = atlas.check_words(words)
    assert 3 <= len(mistakes) <= 200
    assert "".join(map(str, mistakes)).encode()


def test_the_largest_board_is_read_in_time() -> None:
    words = island()
    cities = words["cities"] = [
        {**words["cities"][0], "id": f"c{number}", "name": f"C{number}"} for number in range(200)
    ]
    pairs = [(at, at + step) for step in (1, 2) for at in range(len(cities) - step)]
    points = [{"type": "house"}] * 2
    words["routes"] = [
        {"ends": [f"c{a}", f"c{b}"], "points": points, "tavern": at < 3}
        for at, (a, b) in enumerate(pairs)
    ]
    words["east_west"]["ends"] = ["c0", "c199"]
    words["special_prestige"].update(city="c1", routes=["c0--c1"])
    words["neutral_start"] = ["c7"]
    assert len(atlas.board_from_words(words).routes) == 397


# --- Nothing but MapRefused, whatever comes ------------------------------------------------

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(CHARACTERS, max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(CHARACTERS, max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)


def board_or_refusal(words: object) -> None:
    mistakes = atlas.check_words(words)
    if mistakes:
        with pytest.raises(MapRefused):
            atlas.board_from_words(words)
    else:
        board = atlas.board_from_words(words)
        assert atlas.board_from_words(json.loads(json.dumps(board.words))).digest == board.digest


@settings(max_examples=25)
@given(junk)
def test_a_dict_that_is_not_a_board_is_refused(words: object) -> None:
    board_or_refusal(words)


def places_in(words: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a nested value."""
    pairs = list(words.items()) if isinstance(words, dict) else []
    pairs = list(enumerate(words)) if isinstance(words, list) else pairs
    found = [(*path, key) for key, _ in pairs]
    return found + [place for key, inner in pairs for place in places_in(inner, (*path, key))]


def change(words: Any, path: tuple[Any, ...], data: st.DataObject) -> None:
    """Replace, remove, repeat or swap one value inside."""
    *above, last = path
    for step in above:
        words = words[step]
    what = data.draw(st.sampled_from(["junk", "drop", "twin", "number", "word"]))
    if what == "drop":
        del words[last]
    elif what == "twin" and isinstance(words, list):
        words.append(copy.deepcopy(words[last]))
    elif what == "number":
        words[last] = data.draw(st.integers(-2, 1002))
    elif what == "word":
        words[last] = data.draw(st.sampled_from(["mill", "abbey", "white", "ship", "Coast", True]))
    else:
        words[last] = data.draw(junk)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_changed_board_is_a_board_or_refused(data: st.DataObject) -> None:
    words = island()
    for _ in range(data.draw(st.integers(1, 3))):
        change(words, data.draw(st.sampled_from(places_in(words))), data)
    board_or_refusal(words)


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_a_changed_file_is_a_board_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    lines = IN_LANDS.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        new = st.sampled_from([*lines, '"""', "[[", "x = {", "[[cities.spaces]]"]) | st.text(
            CHARACTERS
        )
        lines[at : at + data.draw(st.integers(0, 2))] = [data.draw(new)]
    path = tmp_path / "board.toml"
    path.write_bytes("\n".join(lines).encode(sys.getdefaultencoding(), "surrogatepass"))
    if atlas.check_file(path):
        with pytest.raises(MapRefused):
            atlas.load_board(path)
    else:
        assert isinstance(atlas.load_board(path), Board)
