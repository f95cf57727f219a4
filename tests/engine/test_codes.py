"""What a decision concerns, as the numbers of compact messages."""

from referee.engine import codes
from support.table import play, table

HERE = "luebeck--wismar"


def test_about_is_in_codes_except_for_a_plain_turn() -> None:
    state = table("east", players=4, points={HERE: [None, "1t", None]}, supply={0: (2, 0)})
    assert codes.about_codes(state, state.agenda[-1]) is None
    play(state, do="displace", route=HERE, point=1)
    about = codes.about_codes(state, state.agenda[-1])
    assert about is not None
    point = state.board.routes[state.board.route_number[HERE]][1]
    assert (about["point"], about["by"], about["owner"]) == (point, 0, 1)
