"""The plan of a tuning: blocks with equal chances for both variants, and values that follow from results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from referee.bots.parameters import Parameter
from referee.tournament.request import TournamentRequest
from referee.tournament.results import Block, BlockResult, GameResult, TableKind
from referee.tuning.plan import MINUS, NOW, PLUS, START, TuningPlan, first_state, state_after
from referee.tuning.terms import Terms

NOBODY: frozenset[str] = frozenset()
TERMS = Terms(
    "bot",
    TournamentRequest(seats=4),
    (Parameter("width", "float", 2.0, 0.0, 10.0),),
    {"width": 2.0, "other": 5},
    seed=3,
    iterations=4,
    blocks=2,
)
FIRST = first_state(TERMS)


def blocks_of(plan: TuningPlan, number: int, results: Sequence[BlockResult] = ()) -> list[Block]:
    stage = plan.stage(number, results, NOBODY)
    assert stage is not None
    return list(stage)


def won_by(winner: str, block: Block) -> BlockResult:
    """The block, in which every seat of one bot beats all others."""
    games = []
    for bots in block.seatings():
        others = bots.count(winner) + 1
        ranks = tuple(1 if bot == winner else others for bot in bots)
        none = (0,) * len(bots)
        games.append(GameResult(block.table, bots, ranks, none, none, (False,) * len(bots)))
    return BlockResult(block, tuple(games))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_both_variants_have_equally_many_seats(seats: int) -> None:
    plan = TuningPlan(TERMS, TableKind("table", seats))
    taken: Counter[str] = Counter()
    for number in range(2):
        for block in blocks_of(plan, number):
            taken += Counter(block.bots)
            assert len(block.bots) == seats
            assert len(block.seatings()) == seats
            (one, few), (other, many) = sorted(
                Counter(block.bots).items(), key=lambda pair: pair[1]
            )
            assert {one, other} in ({PLUS, MINUS}, {NOW, START})
            assert many - few == seats % 2
    assert taken[PLUS] == taken[MINUS]
    assert taken[NOW] == taken[START]


def test_every_block_has_a_seed_of_its_own_and_says_all_values() -> None:
    plan = TuningPlan(TERMS, TableKind("table", 4))
    blocks = [block for number in range(4) for block in blocks_of(plan, number)]
    assert len({block.seed for block in blocks}) == len({block.id for block in blocks}) == 12
    for block in blocks:
        said = dict(block.settings)
        assert said.keys() == set(block.bots)
        assert all(settings[1] == "other=5" for settings in said.values())
    assert dict(blocks[-1].settings)[START] == ("width=2.0", "other=5")


def test_other_seeds_play_other_games() -> None:
    other = TuningPlan(
        Terms(TERMS.word, TERMS.game, TERMS.tuned, TERMS.start, seed=4), TableKind("table", 4)
    )
    own = TuningPlan(TERMS, TableKind("table", 4))
    assert blocks_of(own, 0)[0].seed != blocks_of(other, 0)[0].seed


def test_the_next_iteration_follows_the_winner_in_any_order_of_the_results() -> None:
    plan = TuningPlan(TERMS, TableKind("table", 4))
    results = [won_by(PLUS if PLUS in one.bots else NOW, one) for one in blocks_of(plan, 0)]
    after = blocks_of(plan, 1, results)
    state = plan.state
    assert state.iteration == 1
    assert state.checks == (1.0,)
    assert abs(state.position[0] - 0.2) > 0.1
    again = TuningPlan(TERMS, TableKind("table", 4))
    assert blocks_of(again, 1, results[::-1]) == after


def test_results_of_later_iterations_do_not_count() -> None:
    plan = TuningPlan(TERMS, TableKind("table", 4))
    first = [won_by(PLUS if PLUS in one.bots else NOW, one) for one in blocks_of(plan, 0)]
    second = [won_by(MINUS if PLUS in one.bots else NOW, one) for one in blocks_of(plan, 1, first)]
    assert state_after(FIRST, 1, [*first, *second]) == state_after(FIRST, 1, first)
    both = state_after(FIRST, 2, [*first, *second])
    assert len(both.positions) == 3
    assert state_after(state_after(FIRST, 1, first), 2, [*second, *first]) == both


def test_void_blocks_move_nothing() -> None:
    assert state_after(FIRST, 2, ()).values == TERMS.start


def test_a_tuning_ends_after_its_iterations_or_without_a_bot() -> None:
    plan = TuningPlan(TERMS, TableKind("table", 4))
    assert plan.stage(4, (), NOBODY) is None
    assert plan.stage(0, (), frozenset({PLUS})) is None
    assert plan.lacks_bots(frozenset({PLUS, MINUS})) == (
        "the bot is disqualified as minus and plus, and every iteration needs it"
    )
    assert plan.lacks_bots(NOBODY) is None


def test_the_gain_comes_from_the_second_half_of_the_checks() -> None:
    few = state_after(FIRST, 0, ())
    assert few.gain() is None
    shares = (0.0,) * 8 + (0.5, 0.75) * 4
    gain = type(few)(TERMS, few.positions, shares).gain()
    assert gain is not None
    assert gain.blocks == 8
    assert gain.low < 89 == round(gain.elo) < gain.high
    sure = type(few)(TERMS, few.positions, (0.5,) * 12).gain()
    assert sure is not None
    assert sure.low < -10 < 10 < sure.high
