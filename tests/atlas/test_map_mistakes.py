"""Every kind of mistake in a map is named with its line and place, and with what is allowed."""

from pathlib import Path
from typing import Any

import pytest

from referee import atlas
from referee.errors import MapRefused
from support.groups import together
from support.small_board import DOCS, IN_LANDS, ISLAND, board_of


@pytest.fixture
def check(tmp_path: Path) -> Any:
    """Checks a text as a map file, and returns its mistakes as `LINE: PLACE: WHAT; ALLOWED`."""

    def checked(text: str | bytes) -> list[str]:
        path = tmp_path / "board.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return [f"{mistake.line}: {mistake}" for mistake in atlas.check_file(path)]

    return checked


MISTAKES = {
    "syntax": ("players = {", "players = ((", "5: this is not valid TOML: "),
    "unknown key": (
        'banner = "red"',
        'baner = "red"',
        '23: cities[0] "westport" baner: unknown key "baner"; did you mean "banner"?',
    ),
    "unknown table": ("[east_west]", "[north]\n\n[east_west]", '9: north: unknown key "north"'),
    "missing key": ("completed_cities_limit = 4\n", "", "None: completed_cities_limit: "),
    "missing key of a city": ("y = 450\n", "", '18: cities[0] "westport" y: "y" is missing'),
    "missing format": ("format = 1\n", "", 'None: format: "format" is missing'),
    "other format": ("format = 1", "format = 2", "1: format: 2 cannot be used; it is 1"),
    "missing chain": (
        '[east_west]\nends = ["westport", "eastport"]\nprestige = [7, 4, 2]\n',
        "",
        'None: east_west: "east_west" is missing',
    ),
    "wrong type": ("x = 120", 'x = "120"', '21: cities[0] "westport" x: "120" cannot be used'),
    "true is not a number": ("x = 120", "x = true", "x: true cannot be used; it is a whole number"),
    "not a list": ('ends = ["westport", "market"]', 'ends = "westport"', "ends: "),
    "board id": ('id = "island"', 'id = "The Island"', "2: id: "),
    "city id": ('id = "mill"', 'id = "Mill"', 'cities[4] "Mill" id: "Mill" cannot be used'),
    "city twice": ('id = "mill"', 'id = "market"', '"market" is another city\'s too'),
    "name twice": ('name = "Mill"', 'name = "Market"', '"Market" is another city\'s too'),
    "route twice": (
        'ends = ["westport", "abbey"]',
        'ends = ["abbey", "market"]',
        '"abbey--market" is another route\'s too',
    ),
    "pair twice": (
        'ends = ["westport", "abbey"]',
        'ends = ["market", "abbey"]',
        "a second route between abbey and market",
    ),
    "route id": (
        'id = "eastport--lighthouse"',
        'id = "eastport-lighthouse"',
        'id: "eastport-lighthouse" cannot be used; it is the ids of its two ends joined by --',
    ),
    "route id of others": (
        'id = "eastport--lighthouse"',
        'id = "lighthouse--eastport"',
        'does not name its ends; it is "eastport--lighthouse"',
    ),
    "route to itself": (
        'ends = ["eastport", "mill"]',
        'ends = ["mill", "mill"]',
        '94: routes[5] "mill--mill" ends: the route goes from "mill" to itself',
    ),
    "unknown city": (
        'ends = ["eastport", "mill"]',
        'ends = ["eastport", "mil"]',
        '94: routes[5] "eastport--mil" ends: "mil" is not a city of this board; did you mean "mill"?',
    ),
    "unreachable": (
        'ends = ["eastport", "lighthouse"]',
        'ends = ["eastport", "abbey"]',
        'routes: no route leads from "westport" to lighthouse',
    ),
    "too few points": (
        'points = [{type = "ship", x = 780, y = 290}, {type = "ship", x = 690, y = 220}]',
        "points = []",
        "the list has 0 entries; it is a list of 2 to 4 points",
    ),
    "half the coordinates": ("x = 690, y = 220", "x = 690", "some coordinates are missing"),
    "off the board": ("x = 690, y", "x = 1001, y", "points[1].x: 1001 cannot be used"),
    "colour": ('privilege = "black"', 'privilege = "blak"', 'did you mean "black"?'),
    "shape": ('"white", shape = "round"', '"white", shape = "oval"', "it is one of square, round"),
    "point type": ('{type = "ship", x = 7', '{type = "boat", x = 7', "it is one of house, ship"),
    "ability": ('abilities = ["bank"]', 'abilities = ["bnak"]', 'did you mean "bank"?'),
    "ability twice": ('["bank"]', '["bank", "bank"]', '"bank" appears twice'),
    "banner": ('banner = "green"', 'banner = "green-green"', "one to three different colours"),
    "permanent": ('"green-post"', '"green-pots"', 'did you mean "green-post"?'),
    "green-post for nobody": (
        "green = true",
        'spaces = [{privilege = "white", shape = "round"}]',
        "green-post has nowhere to go; it needs a green city",
    ),
    "abroad for nobody": ('"green-post"', '"place-2-abroad"', "place-2-abroad has nowhere to go"),
    "green with spaces": (
        "green = true",
        'green = true\nspaces = [{privilege = "white", shape = "round"}]',
        "spaces: a green city has spaces",
    ),
    "no space": ("green = true", "", "spaces: the city has no space; only a green city has none"),
    "coin": ("coin = 1", "coin = 21", "spaces[0].coin: 21 cannot be used"),
    "aspect": ("aspect = 1.5", "aspect = 0.1", "aspect: 0.1 cannot be used; it is a number from"),
    "aspect nan": ("aspect = 1.5", "aspect = nan", "aspect: nan cannot be used"),
    "two taverns": ("tavern = true\n", "", "routes: 2 routes have a tavern; exactly 3"),
    "tavern at sea": (
        'permanent = "green-post"',
        'permanent = "green-post"\ntavern = true',
        "tavern: a tavern beside a permanent marker",
    ),
    "chain to itself": ('"westport", "eastport"]', '"eastport", "eastport"]', "to itself"),
    "chain nowhere": ('"westport", "eastport"]', '"westport", "east"]', '"east" is not a city'),
    "chain of nothing": ("prestige = [7, 4, 2]", "prestige = []", "it is a list of 1 to 5"),
    "special city": ('city = "abbey"', 'city = "abby"', 'did you mean "abbey"?'),
    "special route": ('"abbey--market"]', '"abbey--mill"]', "is not a route of this board"),
    "special elsewhere": (
        'city = "abbey"',
        'city = "mill"',
        '"abbey--market" does not touch "mill"',
    ),
    "special twice": (
        "points = 9",
        "points = 7",
        "spaces[1].points: a space of 7 points appears twice",
    ),
    "limit": ("limit = 4", "limit = 7", "7 cities can never be completed; it is 1 to 6"),
    "no limit": ("limit = 4", "limit = 0", "completed_cities_limit: 0 cannot be used"),
    "players": ("min = 2, max = 4", "min = 4, max = 2", "players: min 4 is more than max 2"),
    "six players": ("max = 4", "max = 6", "5: players.max: 6 cannot be used"),
    "few missions": (
        "aspect = 1.5",
        'missions = [["mill", "abbey", "market"]]',
        "6: missions: 1 card for up to 4 players",
    ),
    "mission": (
        "aspect = 1.5",
        'missions = [\n["mill", "abbey", "market"],\n' + '["mill", "mill", "abby"],\n' * 3 + "]",
        '9: missions[2]: "mill" appears twice',
    ),
    "mission of two": ("aspect = 1.5", 'missions = [["mill", "abbey"]]', "6: missions[0]: "),
    "neutral start": (
        "aspect = 1.5",
        'neutral_start = ["mil"]',
        '6: neutral_start[0]: "mil" is no',
    ),
    "replaces": ("aspect = 1.5", 'replaces = {move-3 = "move-4"}', "6: replaces.move-3: "),
    "replaces itself": ("aspect = 1.5", 'replaces = {move-3 = "move-3"}', "replaces itself"),
    "replaces nothing": ("aspect = 1.5", 'replaces = {nothing = "move-3"}', "6: replaces: "),
    "control character": ('name = "Mill"', 'name = "Mi\\u001bll"', '"Mi\\u001bll" cannot be used'),
    "long name": ('name = "Mill"', f'name = "{"Mill" * 11}"', "it is text of 1 to 40 characters"),
    "country of no country": (
        "green = true",
        'green = true\ncountries = ["W"]',
        '"W" is not a country',
    ),
    "permit of no country": (
        "[east_west]",
        '[permits]\nmill = ["W"]\n[east_west]',
        '"W" is not a country',
    ),
}


@together("kind", MISTAKES)
def test_a_mistake_is_named_with_its_place(check: Any, kind: str) -> None:
    before, after, expected = MISTAKES[kind]
    assert before in ISLAND
    found = check(ISLAND.replace(before, after, 1))
    assert any(expected in mistake for mistake in found), found


LAND_MISTAKES = {
    "no home": ("home = true", "home = false", "countries: 0 countries are home; exactly one"),
    "two homes": ("prestige = [7, 4, 2]}", "home = true}", "countries: 2 countries are home"),
    "route of no country": ('country = "Inland"\n', "", "country: the route has no country"),
    "unknown country": (
        'country = "Inland"\n',
        'country = "Ireland"\n',
        "is not a country of this",
    ),
    "tavern abroad": ('country = "Inland"\n', 'country = "Coast"\n', "tavern: a tavern in Coast"),
    "permit at home": ('["Coast"]', '["Inland"]', "permits.market: Inland is home"),
    "permit for nothing": ('["Coast"]', "[]", "permits.market: the list has 0 entries"),
    "permit of no city": ('market = ["Coast"]', 'markt = ["Coast"]', 'did you mean "market"?'),
    "permit of a green city": ('market = ["Coast"]', 'lighthouse = ["Coast"]', "gives no permits"),
}


def test_countries_and_permits_are_read(check: Any) -> None:
    assert check(IN_LANDS) == []


@together("kind", LAND_MISTAKES)
def test_a_mistake_about_countries_is_named_with_its_place(check: Any, kind: str) -> None:
    before, after, expected = LAND_MISTAKES[kind]
    assert before in IN_LANDS
    found = check(IN_LANDS.replace(before, after, 1))
    assert any(expected in mistake for mistake in found), found


def test_all_mistakes_are_named_from_the_top_down(check: Any) -> None:
    text = (
        ISLAND.replace("max = 4", "max = 9").replace("y = 450", "y = -1").replace('"mill"]', '"m"]')
    )
    found = check(text)
    assert [int(mistake.split(":")[0]) for mistake in found] == [5, 22, 89, 94]


def test_a_mistake_is_not_reported_again_by_what_depends_on_it(check: Any) -> None:
    assert len(check(ISLAND.replace('id = "mill"', "id = 3"))) == 1
    assert len(check(ISLAND.replace('ends = ["eastport", "mill"]', "ends = 7"))) == 1
    assert len(check(ISLAND.replace("tavern = true", "tavern = 1", 1))) == 1


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'\n\nid = "\xff"', "3: the file is not UTF-8 text"),
        (b"# " + b"x" * (1 << 20), "None: the file is too large"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"a = " + b"9" * 5_000, "not valid TOML"),
        (b"", '"title" is missing'),
        (b"a.b.c = 1", 'unknown key "a"'),
    ],
)
def test_a_file_that_is_not_a_map_is_refused(check: Any, data: bytes, expected: str) -> None:
    assert any(expected in mistake for mistake in check(data))


def test_a_byte_order_mark_and_carriage_returns_are_accepted(check: Any) -> None:
    assert check(b"\xef\xbb\xbf" + ISLAND.replace("\n", "\r\n").encode()) == []


def test_one_mistake_is_a_sentence_and_several_are_a_list(tmp_path: Path) -> None:
    with pytest.raises(MapRefused) as one:
        board_of(ISLAND.replace("limit = 4", "limit = 7"), tmp_path)
    assert "\n" not in str(one.value)
    assert "line 7: completed_cities_limit: 7 cities" in str(one.value)
    with pytest.raises(MapRefused) as several:
        board_of(ISLAND.replace("limit = 4", "limit = 0").replace("max = 4", "max = 1"), tmp_path)
    assert "is refused for 2 mistakes:\n  line 5: players.max" in str(several.value)


def test_the_documentation_shows_the_message_of_the_checker(check: Any) -> None:
    (expected,) = check(ISLAND.replace('["eastport", "mill"]', '["eastport", "mil"]'))
    assert f"island.toml:{expected}" in DOCS.read_text("utf-8")
