"""What an analysis says in the end: how a game was decided, where a bot loses its chances."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import numpy as np
import pytest

from referee.analysis.evaluate import Worth
from referee.analysis.lines import FORMAT, GameAnalysis, Settings, TurnAnalysis
from referee.analysis.reasons import PARTS, why
from referee.analysis.run import RecordResult, Wanted
from referee.analysis.summary import describe_game, summarise

NAMES = ["ann", "ben"]


def turn(number: int, chance: float, after: float, **more: object) -> TurnAnalysis:
    """A turn before which seat 0 has this chance to come first."""
    made = TurnAnalysis(
        turn=number,
        seat=(number - 1) % 2,
        first_step=3 * number - 3,
        last_step=3 * number,
        kind="create",
        phase="first",
        played=f"does {number}",
        text=[],
        chances=[chance, 1 - chance],
        ranks=[1.5, 1.5],
        totals=[9.0, 9.0],
        chances_after=[after, 1 - after],
        ranks_after=[1.5, 1.5],
        totals_after=[9.0, 9.0],
        loss=0.0,
        loss_interval=(0.0, 0.0),
        is_mistake=False,
    )
    return msgspec.structs.replace(made, **more)


def game_of(
    *chances: float, winners: tuple[int, ...] = (0,), is_complete: bool = True
) -> GameAnalysis:
    """A game in which seat 0 has these chances before its turns, and the last one after them."""
    turns = [turn(number, one, after) for number, (one, after) in enumerate(pairwise(chances), 1)]
    return GameAnalysis(
        format=FORMAT,
        board="east",
        names=NAMES,
        seats=2,
        turn_count=len(turns) + (not is_complete),
        winners=list(winners),
        settings=Settings(),
        is_complete=is_complete,
        turns=turns,
    )


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (
            game_of(0.4, 0.6, 0.3, 0.7, 1.0),
            (
                "Decided in turn 3, when ann does 3: its chance to come first rose from 30 % to 70 % and"
                " stayed above 50 %."
            ),
        ),
        (
            game_of(0.4, 0.4, 0.6, 1.0),
            (
                "Decided in turn 2, when ben does 2: the chance of ann to come first rose from 40 % to"
                " 60 % and stayed above 50 %."
            ),
        ),
        (game_of(0.6, 0.7, 1.0), "ann was ahead from the first turn to the last."),
        (game_of(0.6, 0.7, winners=(0, 1)), "ann and ben share the victory."),
        (game_of(0.6, 0.7, is_complete=False), "ann won."),
        (
            game_of(0.6, 0.3, winners=()),
            "After turn 1, ben has the best chance to come first, 70 %.",
        ),
        (game_of(0.6), ""),
    ],
)
def test_a_game_in_one_sentence(game: GameAnalysis, sentence: str) -> None:
    assert describe_game(game) == sentence


def test_the_losses_of_a_bot_by_kind_phase_and_board() -> None:
    turns = [
        turn(1, 0.5, 0.4, loss=0.2, is_mistake=True),
        turn(3, 0.5, 0.4, loss=0.1, phase="last"),
        turn(5, 0.5, 0.4, kind="income", phase="last"),
    ]
    game = msgspec.structs.replace(game_of(0.5), turns=turns)
    left_out = RecordResult("wrong.jsonl", "wrong")
    summary = summarise([RecordResult("my game.jsonl", "fine", game), left_out])
    assert (summary.games, summary.all.turns, summary.all.mistakes) == (1, 3, 1)
    assert summary.all.mean_loss == pytest.approx(0.1)
    kinds = [(one.name, one.turns, one.mean_loss) for one in summary.kinds]
    assert kinds == [("create", 2, 0.15), ("income", 1, 0.0)]
    assert [one.name for one in summary.phases] == ["first", "last"]
    assert [one.name for one in summary.boards] == ["east"]
    assert [one.command for one in summary.worst] == [
        "referee replay 'my game.jsonl' --turn 1",
        "referee replay 'my game.jsonl' --turn 3",
    ]


def test_copies_of_a_bot_count_as_the_bot() -> None:
    names = ["my-bot", "other", "my-bot#2"]
    assert Wanted(bot="my-bot").seats(names) == [0, 2]
    assert Wanted(bot="my-bot#2").seats(names) == [2]
    assert Wanted(bot="my-bot", seat=2).seats(names) == [2]
    assert Wanted().seats(names) == [0, 1, 2]


def difference(own: dict[str, float], rival: dict[str, float]) -> Worth:
    parts = np.array([[one.get(part, 0) for part in PARTS] for one in (own, rival)], np.float32)
    chances, totals = np.array([0.07, -0.07], np.float32), parts.sum(axis=1)
    return Worth(chances, -chances, totals, parts)


@pytest.mark.parametrize(
    ("own", "rival", "sentence"),
    [
        (
            {"network": 2.1, "track": 0.8, "markers": 0.5},
            {"cities": -1.0},
            "ann can expect 2.1 points more for the network and 0.8 on the track.",
        ),
        (
            {"network": 0.4},
            {"cities": -2.0},
            (
                "ben, the strongest rival, can expect 2.0 points fewer for the control of cities; ann"
                " itself 0.4 points more for the network."
            ),
        ),
        (
            {"network": 0.1},
            {"cities": 0.2},
            (
                "The expected points stay nearly the same, but the chance to come first is 7 percentage"
                " points higher."
            ),
        ),
    ],
)
def test_why_a_turn_is_better(
    own: dict[str, float], rival: dict[str, float], sentence: str
) -> None:
    assert why(difference(own, rival), 0, 1, NAMES) == sentence
