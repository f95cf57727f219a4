"""The bundled boards and components: the facts that the map files must keep."""

from collections import Counter

from referee import atlas
from referee.engine.board import BoardWords, CityWords, RouteWords
from support.groups import together
from support.rule_marker import rule

BOARDS = ("britannia-2-3", "britannia-4-5", "east", "hanse-2-3", "hanse-4-5")
HANSE = ("hanse-2-3", "hanse-4-5")
BRITANNIA = ("britannia-2-3", "britannia-4-5")
# cities, routes, connection points, ships, spaces, limit, chain, special prestige and its route
COUNTS = {
    "hanse-4-5": (27, 34, 107, 0, 62, 10, "stendal arnheim", "coellen", "coellen--warburg"),
    "hanse-2-3": (27, 32, 101, 0, 57, 10, "stendal arnheim", "coellen", "coellen--warburg"),
    "east": (28, 32, 98, 6, 55, 10, "luebeck danzig", "koenigsberg", "danzig--koenigsberg"),
    "britannia-4-5": (30, 40, 121, 9, 72, 8, "oxford york", "plymouth", "plymouth--salisbury"),
    "britannia-2-3": (26, 35, 111, 7, 60, 8, "oxford york", "plymouth", "plymouth--salisbury"),
}


def board(name: str) -> BoardWords:
    return atlas.load_board(name).words


def city(name: str, wanted: str) -> CityWords:
    return next(one for one in board(name)["cities"] if one["id"] == wanted)


def route(name: str, wanted: str) -> RouteWords:
    return next(one for one in board(name)["routes"] if one["id"] == wanted)


def spaces(name: str, wanted: str) -> str:
    """The spaces of a city, left to right: a capital letter is a square, a digit is the coin on the space."""
    shown = ""
    for space in city(name, wanted)["spaces"]:
        letter = space["privilege"][0]
        shown += letter.upper() if space["shape"] == "square" else letter
        shown += str(space["coin"] or "")
    return shown


def points(name: str, wanted: str) -> str:
    return "".join(point["type"][0] for point in route(name, wanted)["points"])


def coins(name: str) -> dict[str, list[int]]:
    found = {one["id"]: [space["coin"] for space in one["spaces"]] for one in board(name)["cities"]}
    return {city_id: values for city_id, values in found.items() if any(values)}


def ability_cities(name: str) -> dict[str, list[str]]:
    return {one["id"]: one["abilities"] for one in board(name)["cities"] if one["abilities"]}


def test_the_bundled_boards_are_these() -> None:
    assert atlas.board_names() == BOARDS


@together("name", BOARDS)
def test_a_bundled_board_has_no_mistakes(name: str) -> None:
    assert atlas.check_file(atlas.maps_folder() / f"{name}.toml") == []
    assert board(name)["id"] == name


@together("name", BOARDS)
def test_a_bundled_board_has_the_printed_counts(name: str) -> None:
    words = board(name)
    types = Counter(point["type"] for one in words["routes"] for point in one["points"])
    special = words["special_prestige"]
    assert COUNTS[name] == (
        len(words["cities"]),
        len(words["routes"]),
        types.total(),
        types["ship"],
        sum(len(one["spaces"]) for one in words["cities"]),
        words["completed_cities_limit"],
        " ".join(words["east_west"]["ends"]),
        special["city"],
        " ".join(special["routes"]),
    )


@together("name", BOARDS)
def test_the_chain_and_special_prestige_give_the_same_everywhere(name: str) -> None:
    words = board(name)
    assert words["east_west"]["prestige"] == [7, 4, 2]
    given = [(space["points"], space["privilege"]) for space in words["special_prestige"]["spaces"]]
    assert given == [(7, "white"), (8, "orange"), (9, "pink"), (11, "black")]


@together(
    ("name", "least", "most"),
    [
        ("hanse-4-5", 4, 5),
        ("hanse-2-3", 2, 3),
        ("east", 2, 5),
        ("britannia-4-5", 4, 5),
        ("britannia-2-3", 2, 3),
    ],
)
def test_the_number_of_players_is_as_printed(name: str, least: int, most: int) -> None:
    assert board(name)["players"] == {"min": least, "max": most}


@together(
    ("name", "taverns"),
    [
        ("hanse-4-5", {"bremen--osnabrueck", "goslar--hildesheim", "lueneburg--perleberg"}),
        ("hanse-2-3", {"bremen--osnabrueck", "goslar--hildesheim", "lueneburg--perleberg"}),
        ("east", {"allenstein--braunsberg", "brandenburg--tangermuende", "kulm--stettin"}),
        (
            "britannia-4-5",
            {"coventry--nottingham", "lancaster--richmond", "salisbury--southampton"},
        ),
        (
            "britannia-2-3",
            {"coventry--nottingham", "lancaster--richmond", "salisbury--southampton"},
        ),
    ],
)
def test_the_taverns_are_where_they_are_printed(name: str, taverns: set[str]) -> None:
    assert {one["id"] for one in board(name)["routes"] if one["tavern"]} == taverns


@together(
    ("name", "permanent"),
    [
        ("hanse-4-5", {}),
        ("hanse-2-3", {}),
        (
            "east",
            {
                "danzig--malmoe": "place-2-from-route",
                "malmoe--stralsund": "develop-privilege",
                "malmoe--visby": "green-post",
                "stralsund--wismar": "move-2-any",
            },
        ),
        (
            "britannia-4-5",
            {"calais--canterbury": "move-2-any", "calais--southampton": "place-2-abroad"},
        ),
        (
            "britannia-2-3",
            {
                "calais--canterbury": "move-2-any",
                "calais--southampton": "place-2-abroad",
                "carlisle--isle-of-man": "move-2-any",
            },
        ),
    ],
)
def test_the_permanent_markers_are_where_they_are_printed(
    name: str, permanent: dict[str, str]
) -> None:
    found = {one["id"]: one["permanent"] for one in board(name)["routes"] if one["permanent"]}
    assert found == permanent


@together(
    ("name", "places"),
    [
        *[
            (
                name,
                {
                    "halle": ["keys"],
                    "goettingen": ["actions"],
                    "stade": ["privilege"],
                    "groningen": ["book"],
                    "luebeck": ["bank"],
                },
            )
            for name in HANSE
        ],
        (
            "east",
            {
                "dresden": ["keys"],
                "waren": ["actions", "bank"],
                "magdeburg": ["privilege"],
                "breslau": ["book"],
            },
        ),
        *[
            (
                name,
                {
                    "york": ["keys"],
                    "chester": ["actions"],
                    "london": ["privilege"],
                    "norwich": ["book"],
                    "newcastle": ["bank"],
                },
            )
            for name in BRITANNIA
        ],
    ],
)
def test_the_abilities_are_where_they_are_printed(name: str, places: dict[str, list[str]]) -> None:
    assert ability_cities(name) == places


@together(
    ("name", "places"),
    [
        ("hanse-4-5", {"coellen": [1, 0], "groningen": [1, 0], "halle": [1, 0], "luebeck": [1, 0]}),
        ("east", {"havelberg": [1, 0, 0, 0], "magdeburg": [1, 0], "thorn": [1, 0, 0]}),
        ("britannia-4-5", {"bristol": [2], "ipswich": [2], "plymouth": [0, 2]}),
        ("britannia-2-3", {"bristol": [2], "ipswich": [2], "plymouth": [0, 2]}),
    ],
)
def test_the_coins_are_where_they_are_printed(name: str, places: dict[str, list[int]]) -> None:
    assert coins(name) == places


def test_the_smaller_hanse_side_has_six_coins() -> None:
    places = {"coellen", "groningen", "halle", "luebeck", "stade", "warburg"}
    assert set(coins("hanse-2-3")) == places
    assert all(worth[0] == 1 and not any(worth[1:]) for worth in coins("hanse-2-3").values())


@together(
    ("name", "wanted", "shown"),
    [
        ("hanse-4-5", "stendal", "WwOP"),
        ("hanse-4-5", "goettingen", "WwP"),
        ("hanse-4-5", "coellen", "W1P"),
        ("east", "danzig", "WOPB"),
        ("east", "waren", ""),
        ("britannia-4-5", "london", "WOOPPpBb"),
        ("britannia-4-5", "cardiff", "WOPpb"),
        ("britannia-4-5", "carlisle", "WOPBb"),
        ("britannia-4-5", "plymouth", "Wo2"),
        ("britannia-2-3", "london", "WOPpBb"),
        ("britannia-2-3", "cardiff", "WOPp"),
        ("britannia-2-3", "carlisle", "WOB"),
    ],
)
def test_spaces_are_as_printed(name: str, wanted: str, shown: str) -> None:
    assert spaces(name, wanted) == shown


@together(
    ("name", "wanted", "shown"),
    [
        ("hanse-4-5", "coellen--warburg", "hhhh"),
        ("east", "danzig--malmoe", "hhhs"),
        ("east", "malmoe--stralsund", "ssh"),
        ("britannia-4-5", "calais--canterbury", "hsh"),
        ("britannia-4-5", "carlisle--chester", "hss"),
        ("britannia-2-3", "conway--isle-of-man", "ssh"),
    ],
)
def test_points_run_from_the_first_end_to_the_second(name: str, wanted: str, shown: str) -> None:
    assert points(name, wanted) == shown


def test_the_green_cities_are_belgard_waren_and_dresden() -> None:
    assert {one["id"] for one in board("east")["cities"] if one["green"]} == {
        "belgard",
        "dresden",
        "waren",
    }
    assert not any(
        one["green"] for name in BOARDS if name != "east" for one in board(name)["cities"]
    )


def test_york_is_an_end_of_the_chain_and_has_the_city_keys() -> None:
    for name in BRITANNIA:
        assert "york" in board(name)["east_west"]["ends"]
        assert city(name, "york")["abilities"] == ["keys"]


def test_carlisle_to_isle_of_man_is_in_another_country_on_each_side() -> None:
    smaller = route("britannia-2-3", "carlisle--isle-of-man")
    larger = route("britannia-4-5", "carlisle--isle-of-man")
    assert (smaller["country"], smaller["permanent"]) == ("England", "move-2-any")
    assert (larger["country"], larger["permanent"]) == ("Scotland", None)


def test_the_isle_of_man_counts_for_both_countries_on_the_larger_side() -> None:
    assert city("britannia-4-5", "isle-of-man")["countries"] == ["Wales", "Scotland"]
    assert city("britannia-2-3", "isle-of-man")["countries"] == ["Wales"]


def test_permits_come_from_these_cities() -> None:
    assert board("britannia-2-3")["permits"] == {"cardiff": ["Wales"], "london": ["Wales"]}
    assert board("britannia-4-5")["permits"] == {
        "cardiff": ["Wales"],
        "carlisle": ["Scotland"],
        "london": ["Wales", "Scotland"],
    }


def test_only_the_home_country_gives_no_prestige() -> None:
    assert board("britannia-4-5")["countries"] == {
        "England": {"home": True, "prestige": []},
        "Wales": {"home": False, "prestige": [7, 4, 2]},
        "Scotland": {"home": False, "prestige": [7, 4, 2]},
    }
    assert list(board("britannia-2-3")["countries"]) == ["England", "Wales"]


@together("name", BOARDS)
@rule("TWO-1")
def test_neutral_traders_start_beside_abilities(name: str) -> None:
    assert set(board(name)["neutral_start"]) == set(ability_cities(name))


@together("name", [name for name in BOARDS if board(name)["players"]["min"] == 2])
@rule("TWO-1")
def test_with_britannia_they_start_at_every_city_with_a_yellow_banner(name: str) -> None:
    words = board(name)
    yellow = {city["id"] for city in words["cities"] if "yellow" in city["banner"].split("-")}
    more = {"plymouth", "cardiff"} if name in BRITANNIA else set()
    assert set(words["neutral_start_britannia"]) == yellow | more


@together("name", BOARDS)
def test_missions_favours_and_replaced_markers_belong_to_their_boards(name: str) -> None:
    words = board(name)
    assert len(words["missions"]) == (9 if name in HANSE else 0)
    assert words["favours"] == (name in HANSE)
    assert words["replaces"] == ({"remove-3": "move-3"} if name in BRITANNIA else {})


@together("name", HANSE)
def test_six_cities_stand_on_three_mission_cards_each(name: str) -> None:
    cards = Counter(place for card in board(name)["missions"] for place in card)
    thrice = {"arnheim", "dortmund", "minden", "osnabrueck", "perleberg", "stendal"}
    assert {place for place, count in cards.items() if count == 3} == thrice
    assert sorted(cards.values()) == [1] * 9 + [3] * 6


def test_two_routes_are_missing_on_the_smaller_hanse_side() -> None:
    larger, smaller = ({one["id"] for one in board(name)["routes"]} for name in reversed(HANSE))
    assert larger - smaller == {"emden--stade", "goettingen--warburg"}
    assert smaller <= larger


def test_names_are_spelled_as_printed() -> None:
    assert {"Brunswiek", "Coellen"} <= {one["name"] for one in board("hanse-4-5")["cities"]}
    assert city("britannia-2-3", "southampton")["aliases"] == ["Southamton"]


def test_the_components_are_as_in_the_rules() -> None:
    box = atlas.load_components()
    assert (box.traders, box.merchants, box.supply_merchants) == (27, 4, 1)
    assert box.supply_traders == (5, 6, 7, 8, 9)
    assert (box.keys, box.actions) == ((1, 2, 2, 3, 4), (2, 3, 3, 4, 4, 5))
    assert (box.book, box.bank) == ((2, 3, 4, 5), (3, 5, 7, 0))
    assert box.marker_prestige == (0, 1, 3, 3, 6, 6, 10, 10, 15, 15, 21)
    assert box.promo_markers == (("swap-marker", 2), ("tribute", 2), ("block", 2))
    assert len(box.favour_tiles) == 6


@together(
    ("edition", "in_all", "supply", "more"),
    [("bigbox", 15, 12, {"move-3": 2}), ("original", 16, 13, {"remove-3": 2})],
)
def test_an_edition_has_its_markers(
    edition: str, in_all: int, supply: int, more: dict[str, int]
) -> None:
    printing = atlas.load_components().editions[edition]
    markers = Counter(dict(printing.start)) + Counter(dict(printing.supply))
    assert markers.total() == in_all
    assert sum(count for _, count in printing.supply) == supply
    assert [count for _, count in printing.start] == [1, 1, 1]
    assert markers["additional-post"] == {"bigbox": 4, "original": 5}[edition]
    assert markers.items() >= more.items()
