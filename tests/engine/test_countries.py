"""The Britannia boards: the prestige of countries (BRI-8)."""

from support.britannia_tables import LARGE, SMALL, britannia
from support.rule_marker import rule
from support.table import table, totals

# -- BRI-8: prestige for countries


def wales(board: str = LARGE, **posts: list[str]) -> list[int]:
    """What each seat gets for Wales."""
    players = 4 if board == LARGE else 3
    supply = dict.fromkeys(range(players), (0, 0))
    state = table(board, posts=posts, players=players, supply=supply)
    return [totals(state, seat)["countries"]["Wales"] for seat in range(players)]


@rule("BRI-8")
def test_two_that_tie_for_first_share_both_places_and_the_next_has_two() -> None:
    points = wales(
        SMALL, cardiff=["0t"], chester=["0t"], conway=["1t"], montgomery=["1t"], pembroke=["2t"]
    )
    assert points == [5, 5, 2]


@rule("BRI-8")
def test_when_nobody_else_has_a_city_the_third_place_goes_by_posts() -> None:
    points = wales(
        SMALL, cardiff=["2t", "0t", "0t"], chester=["0t"], conway=["1t"], pembroke=["1t", "1t"]
    )
    assert points == [5, 5, 2]


@rule("BRI-8")
def test_most_cities_win_seven_then_four_then_two() -> None:
    points = wales(
        LARGE,
        cardiff=["0t"],
        chester=["0t"],
        conway=["0t"],
        montgomery=["1t"],
        pembroke=["1t"],
        **{"isle-of-man": ["2m"]},
    )
    assert points == [7, 4, 2, 0]


@rule("BRI-8")
def test_cities_count_before_posts() -> None:
    points = wales(SMALL, cardiff=["0t", "0t", "0t"], chester=["1t"], conway=["1t"])
    assert points == [4, 7, 0]


@rule("BRI-8")
def test_posts_decide_between_equal_numbers_of_cities() -> None:
    points = wales(SMALL, cardiff=["0t", "0t"], chester=["2t", "2t", "2t"], conway=["1t"])
    assert points == [4, 2, 7]


@rule("BRI-8")
def test_posts_in_cities_of_others_decide_too() -> None:
    points = wales(SMALL, cardiff=["0t", "1t"], chester=["0t"])
    assert points == [7, 4, 0]


@rule("BRI-8", "BON-3")
def test_additional_posts_count_as_posts() -> None:
    state = table(
        SMALL, posts={"cardiff": ["0t"], "chester": ["1t"]}, additional={"chester": ["1t"]}
    )
    assert [totals(state, seat)["countries"]["Wales"] for seat in range(3)] == [4, 7, 0]


@rule("BRI-8")
def test_only_posts_in_that_country_count() -> None:
    posts = {"cardiff": ["0t"], "chester": ["1t"], "london": ["0t", "0t"], "carlisle": ["0t"]}
    state = table(LARGE, posts=posts)
    assert [totals(state, seat)["countries"]["Wales"] for seat in range(2)] == [5, 5]
    assert [totals(state, seat)["countries"]["Scotland"] for seat in range(2)] == [7, 0]


@rule("BRI-8")
def test_three_tied_for_the_first_place_share_thirteen() -> None:
    assert wales(SMALL, cardiff=["0t"], chester=["1t"], conway=["2t"]) == [4, 4, 4]


@rule("BRI-8")
def test_four_tied_for_the_first_place_share_thirteen_too() -> None:
    assert wales(LARGE, cardiff=["0t"], chester=["1t"], conway=["2t"], pembroke=["3t"]) == [
        3,
        3,
        3,
        3,
    ]


@rule("BRI-8")
def test_two_tied_for_the_second_place_share_four_and_two() -> None:
    points = wales(LARGE, cardiff=["0t"], chester=["0t"], conway=["1t"], pembroke=["2t"])
    assert points == [7, 3, 3, 0]


@rule("BRI-8")
def test_three_tied_for_the_second_place_share_four_and_two_as_well() -> None:
    points = wales(
        LARGE, cardiff=["0t"], chester=["0t"], conway=["1t"], pembroke=["2t"], montgomery=["3t"]
    )
    assert points == [7, 2, 2, 2]


@rule("BRI-8")
def test_two_tied_for_the_third_place_share_two() -> None:
    points = wales(
        LARGE,
        cardiff=["0t", "0t"],
        chester=["1t"],
        conway=["0t"],
        pembroke=["2t"],
        montgomery=["3t"],
        **{"isle-of-man": ["1m"]},
    )
    assert points == [7, 4, 1, 1]


@rule("BRI-8")
def test_what_cities_leave_goes_to_those_with_posts_only() -> None:
    points = wales(LARGE, cardiff=["1t", "2t", "2t", "0t", "0t"], chester=["0t", "2t", "0t"])
    assert points == [7, 2, 4, 0]


@rule("BRI-8")
def test_more_posts_without_a_city_stay_behind_a_city() -> None:
    points = wales(
        SMALL,
        cardiff=["1t", "0t", "0t"],
        chester=["1t", "0t", "0t"],
        conway=["1t", "0t"],
        pembroke=["2t"],
    )
    assert points == [7, 2, 4]


@rule("BRI-8")
def test_ties_among_those_without_a_city_share_in_the_same_way() -> None:
    points = wales(LARGE, cardiff=["1t", "0t", "0t"], chester=["2t", "0t", "0t"])
    assert points == [7, 3, 3, 0]


@rule("BRI-8")
def test_those_without_a_post_get_nothing() -> None:
    assert wales(SMALL, cardiff=["0t"]) == [7, 0, 0]
    assert wales(SMALL) == [0, 0, 0]


@rule("BRI-8")
def test_scotland_is_counted_in_the_same_way() -> None:
    posts = {
        "carlisle": ["0t"],
        "falkirk": ["1t"],
        "glasgow": ["2t"],
        "dunbar": ["2t"],
        "edinburgh": ["2t", "3m"],
    }
    state = table(LARGE, posts=posts, players=4, supply={3: (0, 0)})
    assert [totals(state, seat)["countries"]["Scotland"] for seat in range(4)] == [2, 2, 7, 2]


@rule("BRI-8", "SCO-1")
def test_the_prestige_of_countries_is_part_of_the_total() -> None:
    state = britannia(LARGE, posts={"isle-of-man": ["0m"]})
    parts = totals(state, 0)
    assert parts["total"] == 14 + parts["cities"] + parts["network"] == 17


@rule("BRI-8")
def test_a_city_belongs_to_the_tied_player_furthest_right() -> None:
    assert wales(SMALL, cardiff=["0t", "1t"]) == [4, 7, 0]
