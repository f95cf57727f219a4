"""Checks of the handshake, of decisions of every kind and of several games in a row."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

from protocol.messages import BotHello
from referee import atlas
from referee.check.conversation import BUDGET_S, Conversation, Subject
from referee.check.games import (
    CheckGame,
    GameSetup,
    basic_setup,
    board_for,
    bundled,
    game_setups,
    games_leading_to,
)
from referee.check.verdict import HINTS, CheckFailed, Verdict, passed, warning
from referee.engine.terms import DECISIONS
from referee.text import plural

FEW: Final = 3
SOME: Final = 8
MANY: Final = 60
EVERY: Final = 100_000
GAMES: Final = 3
EACH: Final = 4  # decisions of each kind that a fast bot is asked in each game


def format_of(hello: BotHello) -> str:
    """Return what a bot asks for in its hello: encoding, detail and state."""
    return f"{hello.encoding}, detail {hello.detail}, state {hello.state}"


def handshake(subject: Subject) -> Verdict:
    """Exchange hello, start and ready, then end the game before any decision."""
    with subject.converse() as conversation:
        hello = conversation.greet()
        game = CheckGame(conversation, basic_setup(board_for(FEW), FEW)).begin()
        conversation.send(game.end())
        return passed(
            f"said hello as {hello.name!r} after {subject.starts_ms[-1]:.0f} ms, asks for"
            f" {format_of(hello)}, and was ready for a game",
            hello_ms=round(subject.starts_ms[-1], 3),
            hello={
                "name": hello.name,
                "version": hello.version,
                "author": hello.author,
                "encoding": hello.encoding,
                "detail": hello.detail,
                "state": hello.state,
            },
        )


def answer(subject: Subject) -> Verdict:
    """Ask the first decisions of a game."""
    with subject.converse() as conversation:
        hello = conversation.greet()
        asked = _short_game(conversation, basic_setup(board_for(FEW), FEW), FEW)
        return passed(f"answered {asked} decisions in {format_of(hello)}", asked=asked)


def _short_game(conversation: Conversation, setup: GameSetup, most: int) -> int:
    """Play a game that ends after this many decisions of the bot; return how many it answered."""
    game = CheckGame(conversation, setup).begin()
    asked = game.play(most)
    conversation.send(game.end())
    return asked


def whole_game(subject: Subject) -> Verdict:
    """Play a game to its end, or as much of it as fits in the time of a check."""
    with subject.converse() as conversation:
        conversation.greet()
        game = CheckGame(conversation, basic_setup(board_for(4), 4, seat=1)).begin()
        asked = game.play(EVERY)
        how = "of a whole game" if game.state.is_over else f"of a game in {BUDGET_S:.0f} s"
        conversation.send(game.end())
        return passed(f"answered {asked} decisions {how}", asked=asked, turns=game.state.turn)


def encodings(subject: Subject) -> Verdict:
    """Offer all encodings, then only JSON: a bot that asks for two encodings must know both."""
    with subject.converse() as conversation:
        preferred = conversation.greet().encoding
    with subject.converse() as conversation:
        other = conversation.greet(offer=("json",)).encoding
        if other == preferred:
            return passed(f"asks for {preferred}, whatever is offered", encodings=[preferred])
        asked = _short_game(conversation, basic_setup(board_for(FEW), FEW), SOME)
        return passed(
            f"asks for {preferred}, or for {other} if nothing else is offered; answered {asked}"
            f" decisions in {other}",
            encodings=[preferred, other],
        )


def several_games(subject: Subject) -> Verdict:
    """Play games on different boards, one after the other in the same process."""
    with subject.converse() as conversation:
        conversation.greet()
        first, *others = boards = bundled()[:GAMES]
        try:
            asked = [_short_game(conversation, basic_setup(first), SOME)]
        except CheckFailed as failure:  # not because of several games
            failure.hint = failure.hint or HINTS.get(failure.fault)
            raise
        asked += [_short_game(conversation, basic_setup(board), SOME) for board in others]
        return passed(
            f"played {len(boards)} games in one process", boards=[b.id for b in boards], asked=asked
        )


def every_seat_count(subject: Subject) -> Verdict:
    """Play games with two to five seats, with the bot in the first and in the last seat."""
    counts = range(2, 6)
    with subject.converse() as conversation:
        conversation.greet()
        for players in counts:
            for seat in (0, players - 1):
                _short_game(conversation, basic_setup(board_for(players), players, seat=seat), 2)
        return passed("played with 2, 3, 4 and 5 seats, in the first and in the last seat")


def every_parameter(subject: Subject) -> Verdict:
    """Play with the lowest value of every parameter, and with the highest."""
    parameters = subject.bot.parameters
    if not parameters:
        return passed("declares no parameters")
    lowest = {parameter.name: parameter.low for parameter in parameters}
    highest = {parameter.name: parameter.high for parameter in parameters}
    for values in (lowest, highest):
        with subject.converse(values) as conversation:
            conversation.greet()
            _short_game(conversation, basic_setup(board_for(FEW), FEW), SOME)
    return passed(
        f"played with the lowest and the highest values of {plural(len(parameters), 'parameter')}",
        parameters=[parameter.name for parameter in parameters],
    )


def repeatable(subject: Subject) -> Verdict:
    """Play the same game twice, each time in a new process, and compare the choices."""
    first, second = _choices(subject), _choices(subject)
    compared = min(len(first), len(second))
    for at in range(compared):
        if first[at] != second[at]:
            return warning(
                f"made a different choice at decision {at + 1} when the same game was played again",
                "For repeatable games, seed your random numbers with the game's id and your seat, and"
                " do not let the clock decide. This is not required; it makes bugs easier to find.",
                first_difference=at + 1,
            )
    return passed(f"made the same {compared} choices in the same game", compared=compared)


def _choices(subject: Subject) -> list[int]:
    chosen: list[int] = []
    until = time.monotonic() + BUDGET_S / 2
    with subject.converse() as conversation:
        conversation.greet()
        game = CheckGame(conversation, basic_setup(board_for(4), 4)).begin()
        while len(chosen) < MANY and time.monotonic() < until and game.advance():
            chosen.append(game.ask())
        conversation.send(game.end())
    return chosen


# -- every kind of decision


def every_decision(subject: Subject, *, board: str) -> Verdict:
    """Ask all kinds of decision on a board, with all its numbers of seats, editions and options."""
    setups = game_setups(atlas.load_board(board))
    kinds = sorted(set[int]().union(*[setup.kinds() for setup in setups]))
    asked: Counter[int] = Counter()
    with subject.converse() as conversation:
        conversation.greet()
        played = [
            _ask_each_kind(conversation, setup, asked) for setup in setups if subject.in_time()
        ]
        for kind in kinds:
            if not asked[kind]:
                _ask_rare_kind(conversation, setups, kind, asked)
    figures = {
        "asked": {DECISIONS[kind]: asked[kind] for kind in kinds},
        "games": played,
    }
    missing = [DECISIONS[kind] for kind in kinds if not asked[kind]]
    if missing:
        return warning(
            f"decisions of these kinds could not be asked within {BUDGET_S:.0f} s: {', '.join(missing)}",
            "Nothing is wrong so far. A bot that answers faster is asked decisions of every kind.",
            **figures,
        )
    total, different = sum(asked.values()), len(played)
    return passed(
        f"answered {total} decisions of all {len(kinds)} kinds in {different} different games",
        **figures,
    )


def _ask_each_kind(conversation: Conversation, setup: GameSetup, asked: Counter[int]) -> str:
    """Play a game in which the bot is asked some decisions of each kind; return its rules' name."""
    game = CheckGame(conversation, setup).begin()
    here: Counter[int] = Counter()
    kinds = setup.kinds()
    while kinds and conversation.subject.in_time() and game.advance(kinds):
        asked[game.kind] += 1
        here[game.kind] += 1
        game.ask()
        kinds = _still_wanted(conversation.subject, setup, asked, here)
    conversation.send(game.end())
    return setup.rules.name


def _still_wanted(
    subject: Subject, setup: GameSetup, asked: Counter[int], here: Counter[int]
) -> set[int]:
    """Return the kinds that were not asked yet; while there is time, also some of the others."""
    plenty = time.monotonic() < subject.until - BUDGET_S / 2
    return {kind for kind in setup.kinds() if not asked[kind] or (plenty and here[kind] < EACH)}


def _ask_rare_kind(
    conversation: Conversation, setups: Sequence[GameSetup], kind: int, asked: Counter[int]
) -> None:
    """Play games that lead to a rare kind of decision until it was asked or time is up."""
    for game in games_leading_to(conversation, setups, kind):
        game.begin()
        while not asked[kind] and conversation.subject.in_time() and game.advance((kind,)):
            asked[game.kind] += 1
            game.ask()
        conversation.send(game.end())
        if asked[kind] or not conversation.subject.in_time():
            return
