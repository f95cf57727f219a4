"""Two players: the post, the marker and the prestige of a neutral route (TWO-3)."""

from support.groups import together
from support.rule_marker import rule
from support.table import (
    asked,
    event_kinds,
    events_of,
    men_on,
    offers,
    play,
    player,
    posts_in,
    seen,
)
from support.two_player_tables import (
    BRITANNIA,
    EAST,
    MODES,
    filled,
    hannover,
    luebeck,
    neutral_prestige,
)

# -- TWO-3: what such a route brings


@MODES
@rule("TWO-3", "CRE-2")
def test_controllers_score_when_a_neutral_route_is_created(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"hannover": ["1t"], "minden": ["1t", "0t"]})
    won = [(one["seat"], one["city"], one["why"]) for one in events_of(state, "prestige")]
    assert won == [(1, "hannover", "control"), (0, "minden", "control")]
    assert [player(state, seat)["prestige"] for seat in (0, 1)] == [1, 1]


@rule("TWO-3", "CRE-2")
def test_control_counts_before_the_neutrals_own_post() -> None:
    state = hannover(posts={"hannover": ["1t"]})
    play(state, do="neutral-post", city="hannover")
    assert (player(state, 1)["prestige"], neutral_prestige(state)) == (1, 0)
    assert [
        kind for kind in event_kinds(state) if kind in {"neutral-created", "prestige", "post"}
    ] == [
        "neutral-created",
        "prestige",
        "post",
    ]


@MODES
@rule("TWO-3", "CRE-3")
def test_the_marker_of_a_neutral_route_goes_out_of_the_game(neutral: str) -> None:
    marked = {"hannover--minden": "plus-3-actions"}
    state = hannover(neutral=neutral, route_markers=marked, draws=["move-3", "develop-ability"])
    assert seen(state)["markers_out"] == ["plus-3-actions"]
    assert seen(state)["routes"]["hannover--minden"]["marker"] is None
    assert [player(state, seat)["markers"] for seat in (0, 1)] == [[], []]
    assert events_of(state, "neutral-created")[0]["marker"] == "plus-3-actions"


@MODES
@rule("TWO-3", "CRE-3")
def test_its_replacement_goes_onto_the_active_players_plate(neutral: str) -> None:
    marked = {"hannover--minden": "plus-3-actions"}
    state = hannover(neutral=neutral, route_markers=marked, draws=["move-3", "develop-ability"])
    assert [player(state, seat)["plate"] for seat in (0, 1)] == [1, 0]
    assert events_of(state, "marker-drawn") == [{"event": "marker-drawn", "seat": 0, "left": 1}]
    play(state, do="neutral-post", city="minden")
    play(state, do="end-turn")
    assert asked(state) == ("place-marker", 0)
    assert {one["marker"] for one in offers(state)} == {"move-3"}


@MODES
@rule("TWO-3", "END-1")
def test_without_a_replacement_the_game_ends_after_the_action(neutral: str) -> None:
    state = hannover(
        neutral=neutral, route_markers={"hannover--minden": "plus-3-actions"}, draws=[]
    )
    assert asked(state) == ("neutral-post", 0)
    play(state, do="neutral-post", city="minden")
    assert (posts_in(state, "minden")[0], asked(state)) == ("nt", None)
    assert events_of(state, "game-over") == [{"event": "game-over", "reason": "markers"}]


@rule("TWO-3")
def test_without_a_marker_nothing_is_drawn() -> None:
    assert events_of(hannover(), "marker-drawn") == []


@MODES
@rule("TWO-3")
def test_neutral_posts_need_no_privilege_and_no_shape(neutral: str) -> None:
    state = filled("goslar--quedlinburg", "halle--quedlinburg", neutral=neutral)
    play(state, do="neutral-post", city="quedlinburg")
    assert posts_in(state, "quedlinburg") == ["nt", None]
    post = events_of(state, "post")[0]
    assert (post["seat"], post["where"], post["space"], post["tradesman"]) == (
        "n",
        "space",
        0,
        "trader",
    )


@rule("TWO-3")
def test_a_neutral_post_takes_the_leftmost_empty_space() -> None:
    state = hannover(posts={"minden": ["1t", "0t"]})
    play(state, do="neutral-post", city="minden")
    assert posts_in(state, "minden") == ["1t", "0t", "nt", None]


@MODES
@rule("TWO-3")
def test_a_full_city_takes_no_neutral_post(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"hannover": ["1t", "0t"]})
    assert [one["city"] for one in offers(state)] == ["minden"]


@MODES
@rule("TWO-3")
def test_between_full_cities_the_route_is_created_without_a_post(neutral: str) -> None:
    posts = {"hannover": ["1t", "0t"], "minden": ["1t", "0t", "1t", "0t"]}
    state = hannover(neutral=neutral, posts=posts)
    assert (asked(state), events_of(state, "post")) == (("turn", 0), [])
    assert men_on(state, "hannover--minden") == [None, None, None]
    assert len(events_of(state, "neutral-created")) == 1


@MODES
@rule("TWO-3", "EAST-3")
def test_the_neutral_has_no_posts_in_green_cities(neutral: str) -> None:
    state = filled("belgard--kulm", "belgard--danzig", EAST, neutral=neutral)
    assert [one["city"] for one in offers(state)] == ["kulm"]


@MODES
@rule("TWO-3", "EAST-3")
def test_an_empty_green_city_is_not_a_space_for_the_neutral(neutral: str) -> None:
    posts = {"kulm": ["1t", "1t"]}
    state = filled("belgard--kulm", "belgard--danzig", EAST, neutral=neutral, posts=posts)
    assert (asked(state), events_of(state, "post")) == (("turn", 0), [])


@together(("neutral", "points"), [("2009", 0), ("britannia", 1)])
@rule("TWO-3", "CRE-6")
def test_a_coin_is_the_neutrals_after_britannia_and_nobodys_after_2009(
    neutral: str, points: int
) -> None:
    state = luebeck(neutral=neutral)
    play(state, do="neutral-post", city="luebeck")
    assert neutral_prestige(state) == points
    coin = {"event": "prestige", "seat": "n", "points": 1, "why": "coin", "city": "luebeck"}
    assert events_of(state, "prestige") == [coin] * points


@together(("neutral", "points"), [("2009", 0), ("britannia", 2)])
@rule("TWO-3", "CRE-6")
def test_the_neutrals_coins_on_britannia_are_worth_two(neutral: str, points: int) -> None:
    state = filled("bristol--salisbury", "oxford--salisbury", BRITANNIA, neutral=neutral)
    play(state, do="neutral-post", city="bristol")
    assert neutral_prestige(state) == points


@MODES
@rule("TWO-3", "EAST-5")
def test_the_permanent_marker_of_a_neutral_route_is_not_used(neutral: str) -> None:
    state = filled("malmoe--visby", "danzig--malmoe", EAST, neutral=neutral)
    play(state, do="neutral-post", city="visby")
    assert (asked(state), seen(state)["completed_cities"]) == (("turn", 0), 1)


@MODES
@rule("TWO-3", "CRE-7")
def test_a_neutral_post_can_complete_a_city(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"hannover": ["1t"]}, completed=3)
    play(state, do="neutral-post", city="hannover")
    assert events_of(state, "city-completed") == [
        {"event": "city-completed", "city": "hannover", "count": 4}
    ]


@MODES
@rule("TWO-3", "END-1")
def test_a_neutral_post_can_complete_the_last_city_of_the_game(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"hannover": ["1t"]}, completed=9)
    play(state, do="neutral-post", city="hannover")
    assert events_of(state, "game-over") == [{"event": "game-over", "reason": "cities"}]


@MODES
@rule("TWO-3", "END-1")
def test_a_neutral_route_can_bring_a_controller_to_twenty(neutral: str) -> None:
    state = hannover(neutral=neutral, posts={"minden": ["1t"]}, prestige={1: 19})
    assert asked(state) == ("neutral-post", 0)
    play(state, do="neutral-post", city="hannover")
    assert events_of(state, "game-over") == [{"event": "game-over", "reason": "prestige"}]


@MODES
@rule("TWO-3")
def test_a_neutral_route_costs_the_active_player_no_action(neutral: str) -> None:
    state = hannover(neutral=neutral, actions=2)
    play(state, do="neutral-post", city="minden")
    assert seen(state)["actions_left"] == 1


@MODES
@rule("TWO-3")
def test_after_the_last_action_too_the_neutral_post_is_put(neutral: str) -> None:
    state = hannover(neutral=neutral, actions=1)
    assert (asked(state), seen(state)["actions_left"]) == (("neutral-post", 0), 0)
