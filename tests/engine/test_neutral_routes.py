"""Two players: a route that is full of neutral traders is created (TWO-3)."""

from referee.engine import game
from support.countries import WALES
from support.rule_marker import rule
from support.table import (
    about,
    asked,
    event_kinds,
    events_of,
    men_on,
    offered_routes,
    offers,
    play,
    player,
    posts_in,
)
from support.two_player_tables import BRITANNIA, EAST, MODES, displace, hannover, move_three, two

# -- TWO-3: a route full of neutral traders


@MODES
@rule("TWO-3")
def test_a_displacement_that_fills_a_route_creates_it(neutral: str) -> None:
    state = hannover(neutral=neutral)
    created = {"event": "neutral-created", "route": "hannover--minden", "marker": None, "stays": 0}
    assert events_of(state, "neutral-created") == [created]
    assert men_on(state, "hannover--minden") == [None, None, None]


@MODES
@rule("TWO-3")
def test_the_active_player_chooses_the_city_of_the_neutral_post(neutral: str) -> None:
    state = hannover(neutral=neutral)
    assert (asked(state), about(state)["route"]) == (("neutral-post", 0), "hannover--minden")
    assert [one["city"] for one in offers(state)] == ["hannover", "minden"]
    play(state, do="neutral-post", city="minden")
    assert (posts_in(state, "minden")[0], asked(state)) == ("nt", ("turn", 0))


@rule("TWO-3")
def test_it_is_the_active_player_also_when_that_is_seat_1() -> None:
    points = {"hannover--minden": ["nt", "nt", None], "bremen--minden": ["nt", None, None]}
    marked = {"hannover--minden": "plus-3-actions"}
    state = two(active=1, points=points, route_markers=marked, draws=["move-3"])
    displace(state, "bremen--minden")
    play(state, from_="displaced", route="hannover--minden")
    play(state, do="decline")
    assert asked(state) == ("neutral-post", 1)
    assert [player(state, seat)["plate"] for seat in (0, 1)] == [0, 1]


@MODES
@rule("TWO-3")
def test_the_creation_waits_for_the_end_of_the_displacement(neutral: str) -> None:
    points = {"hannover--minden": ["nt", "nt", None], "bremen--minden": ["nt", None, None]}
    state = two(neutral=neutral, points=points)
    displace(state, "bremen--minden")
    play(state, from_="displaced", route="hannover--minden")
    assert (men_on(state, "hannover--minden"), asked(state)) == (["nt"] * 3, ("relocate", 1))
    play(state, from_="stock", route="bremen--osnabrueck")
    assert (men_on(state, "hannover--minden"), asked(state)) == ([None] * 3, ("neutral-post", 0))


@MODES
@rule("TWO-3")
def test_the_extra_can_fill_a_route_too(neutral: str) -> None:
    points = {"hannover--minden": ["nt", None, None], "bremen--minden": ["nt", None, None]}
    state = two(neutral=neutral, points=points)
    displace(state, "bremen--minden")
    play(state, from_="displaced", route="hannover--minden")
    play(state, from_="stock", route="hannover--minden")
    assert asked(state) == ("neutral-post", 0)


@rule("TWO-3")
def test_a_route_that_is_shared_with_a_player_is_not_created() -> None:
    state = hannover(points={"hannover--minden": ["nt", "1t", None]})
    assert (events_of(state, "neutral-created"), asked(state)) == ([], ("turn", 0))


@MODES
@rule("TWO-3", "BON-7")
def test_move_three_that_fills_a_route_creates_it(neutral: str) -> None:
    points = {"kampen--osnabrueck": ["nt", None], "goslar--quedlinburg": ["nt", "1t", None, None]}
    state = two(neutral=neutral, points=points, markers={0: ["move-3"]})
    move_three(state, [("goslar--quedlinburg", 0)], ["kampen--osnabrueck"])
    assert (asked(state), men_on(state, "kampen--osnabrueck")) == (
        ("neutral-post", 0),
        [None, None],
    )


@MODES
@rule("TWO-3", "BON-7", "END-1")
def test_a_route_filled_by_move_three_can_end_the_game(neutral: str) -> None:
    points = {"kampen--osnabrueck": ["nt", None], "goslar--quedlinburg": ["nt", "1t", None, None]}
    state = two(
        neutral=neutral,
        points=points,
        markers={0: ["move-3"]},
        posts={"kampen": ["1t"]},
        prestige={1: 19},
    )
    move_three(state, [("goslar--quedlinburg", 0)], ["kampen--osnabrueck"])
    play(state, do="neutral-post", city="osnabrueck")
    assert (asked(state), event_kinds(state)[-3]) == (None, "game-over")


@MODES
@rule("TWO-2", "BRI-5")
def test_on_britannia_move_three_keeps_neutral_traders_in_their_country(neutral: str) -> None:
    points = {"chester--conway": ["nt", None, None]}
    state = two(BRITANNIA, neutral=neutral, points=points, markers={0: ["move-3"]})
    play(state, do="use", marker="move-3")
    play(state, do="lift")
    game.settle(state)
    assert offered_routes(state, do="put") == WALES


@MODES
@rule("TWO-3", "EAST-6")
def test_move_any_two_that_fills_a_route_creates_it(neutral: str) -> None:
    points = {
        "stralsund--wismar": ["0m", "0m", "0t"],
        "elbing--kulm": ["nt", None],
        "anklam--stettin": ["nt", None, None],
    }
    state = two(EAST, neutral=neutral, points=points, desk={0: {"book": 1}})
    play(state, do="create", route="stralsund--wismar", reward=None)
    play(state, do="lift", route="anklam--stettin")
    play(state, do="stop")
    play(state, do="put", route="elbing--kulm")
    assert (asked(state), about(state)["route"]) == (("neutral-post", 0), "elbing--kulm")


@MODES
@rule("TWO-3", "BRI-5")
def test_on_britannia_move_any_two_creates_neutral_routes_too(neutral: str) -> None:
    points = {
        "calais--canterbury": ["0t", "0m", "0t"],
        "hereford--lancaster": ["nt", None],
        "durham--lancaster": ["nt", None, None],
    }
    state = two(BRITANNIA, neutral=neutral, points=points)
    play(state, do="create", route="calais--canterbury", reward=None)
    play(state, do="lift", route="durham--lancaster")
    play(state, do="stop")
    play(state, do="put", route="hereford--lancaster")
    play(state, do="neutral-post", city="hereford")
    assert (posts_in(state, "hereford")[0], asked(state)) == ("nt", ("turn", 0))


@MODES
@rule("TWO-3")
def test_several_routes_are_created_in_the_boards_order(neutral: str) -> None:
    points = {
        "kampen--osnabrueck": ["nt", None],
        "dortmund--duisburg": ["nt", None],
        "goslar--quedlinburg": ["nt", "nt", None, None],
    }
    state = two(neutral=neutral, points=points, markers={0: ["move-3"]})
    sources = [("goslar--quedlinburg", 0), ("goslar--quedlinburg", 1)]
    move_three(state, sources, ["kampen--osnabrueck", "dortmund--duisburg"])
    assert about(state)["route"] == "dortmund--duisburg"
    play(state, do="neutral-post", city="dortmund")
    assert about(state)["route"] == "kampen--osnabrueck"
    play(state, do="neutral-post", city="kampen")
    made = [one["route"] for one in events_of(state, "neutral-created")]
    assert (made, asked(state)) == (["dortmund--duisburg", "kampen--osnabrueck"], ("turn", 0))


@MODES
@rule("TWO-3")
def test_a_route_without_a_free_space_does_not_delay_the_next(neutral: str) -> None:
    points = {
        "kampen--osnabrueck": ["nt", None],
        "dortmund--duisburg": ["nt", None],
        "goslar--quedlinburg": ["nt", "nt", None, None],
    }
    posts = {"dortmund": ["1m", "1t"], "duisburg": ["1t"]}
    state = two(
        neutral=neutral, points=points, posts=posts, markers={0: ["move-3"]}, supply={1: (0, 0)}
    )
    sources = [("goslar--quedlinburg", 0), ("goslar--quedlinburg", 1)]
    move_three(state, sources, ["kampen--osnabrueck", "dortmund--duisburg"])
    made = [one["route"] for one in events_of(state, "neutral-created")]
    assert made == ["dortmund--duisburg", "kampen--osnabrueck"]
    assert (asked(state), about(state)["route"]) == (("neutral-post", 0), "kampen--osnabrueck")


@MODES
@rule("TWO-3")
def test_a_displacement_can_fill_two_routes(neutral: str) -> None:
    points = {
        "hannover--minden": ["nt", "nt", None],
        "bremen--minden": ["nt", None, None],
        "bremen--hannover": ["nt", "nt", None],
    }
    state = two(neutral=neutral, points=points)
    displace(state, "bremen--minden")
    play(state, from_="displaced", route="hannover--minden")
    play(state, from_="stock", route="bremen--hannover")
    assert about(state)["route"] == "bremen--hannover"
    play(state, do="neutral-post", city="bremen")
    assert about(state)["route"] == "hannover--minden"


@rule("TWO-3", "CRE-2")
def test_the_post_of_the_first_route_stands_when_the_second_is_created() -> None:
    points = {
        "dortmund--paderborn": ["nt", "nt", None],
        "dortmund--duisburg": ["nt", None],
        "goslar--quedlinburg": ["nt", "nt", None, None],
    }
    state = two(points=points, markers={0: ["move-3"]})
    sources = [("goslar--quedlinburg", 0), ("goslar--quedlinburg", 1)]
    move_three(state, sources, ["dortmund--paderborn", "dortmund--duisburg"])
    play(state, do="neutral-post", city="dortmund")
    won = {"event": "prestige", "seat": "n", "points": 1, "why": "control", "city": "dortmund"}
    assert events_of(state, "prestige") == [won]
