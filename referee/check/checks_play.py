"""Checks of play: hands are shaken, decisions of every kind are answered, games follow each other."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

from protocol.messages import BotHello
from referee import atlas
from referee.check.conversation import BUDGET_S, Subject, Talk
from referee.check.games import Scene, Table, aimed_at, board_for, bundled, scenes_of, usual
from referee.check.verdict import Verdict, passed, warning
from referee.engine.terms import DECISIONS

FEW: Final = 3
SOME: Final = 8
MANY: Final = 60
EVERY: Final = 100_000
GAMES: Final = 3
EACH: Final = 4  # decisions of each kind that a quick bot is asked in each game


def manner(hello: BotHello) -> str:
    """How a bot wants to be spoken to."""
    return f"{hello.encoding}, {hello.detail}, state {hello.state}"


def handshake(subject: Subject) -> Verdict:
    """Hello, then start and ready, then the end of a game before anything was asked."""
    with subject.talk() as talk:
        hello = talk.greet()
        table = Table(talk, usual(board_for(FEW), FEW)).begin()
        talk.send(table.end())
        return passed(
            f"said hello as {hello.name!r} after {subject.starts_ms[-1]:.0f} ms, asks for"
            f" {manner(hello)}, and was ready for a game",
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
    """The first decisions of a game."""
    with subject.talk() as talk:
        hello = talk.greet()
        asked = _short_game(talk, usual(board_for(FEW), FEW), FEW)
        return passed(f"answered {asked} decisions in {manner(hello)}", asked=asked)


def _short_game(talk: Talk, scene: Scene, most: int) -> int:
    """A game that is broken off after so many decisions of the bot."""
    table = Table(talk, scene).begin()
    asked = table.play(most)
    talk.send(table.end())
    return asked


def whole_game(subject: Subject) -> Verdict:
    """A game to its end; one that takes too long is broken off."""
    with subject.talk() as talk:
        talk.greet()
        table = Table(talk, usual(board_for(4), 4, seat=1)).begin()
        asked = table.play(EVERY)
        how = "of a whole game" if table.state.is_over else f"of a game in {BUDGET_S:.0f} s"
        talk.send(table.end())
        return passed(f"answered {asked} decisions {how}", asked=asked, turns=table.state.turn)


def encodings(subject: Subject) -> Verdict:
    """A bot that asks for another encoding when it is offered only JSON must speak both."""
    with subject.talk() as talk:
        wish = talk.greet().encoding
    with subject.talk() as talk:
        other = talk.greet(offer=("json",)).encoding
        if other == wish:
            return passed(f"asks for {wish}, whatever is offered", encodings=[wish])
        asked = _short_game(talk, usual(board_for(FEW), FEW), SOME)
        return passed(
            f"asks for {wish}, or {other} where only that is offered, and answered {asked}"
            " decisions in it",
            encodings=[wish, other],
        )


def several_games(subject: Subject) -> Verdict:
    """Games on different boards, one after the other in one process."""
    with subject.talk() as talk:
        talk.greet()
        boards = bundled()[:GAMES]
        asked = [_short_game(talk, usual(board), SOME) for board in boards]
        return passed(
            f"played {len(boards)} games in one process", boards=[b.id for b in boards], asked=asked
        )


def every_seat_count(subject: Subject) -> Verdict:
    """Two to five seats, as the first and as the last."""
    counts = range(2, 6)
    with subject.talk() as talk:
        talk.greet()
        for players in counts:
            for seat in (0, players - 1):
                _short_game(talk, usual(board_for(players), players, seat=seat), 2)
        return passed("played with 2, 3, 4 and 5 seats, as the first and as the last")


def repeatable(subject: Subject) -> Verdict:
    """The same game twice, in processes of their own."""
    first, second = _choices(subject), _choices(subject)
    compared = min(len(first), len(second))
    for at in range(compared):
        if first[at] != second[at]:
            return warning(
                f"chose otherwise at its {at + 1}. decision, when the same game was played again",
                "To be repeatable, seed your chance from the game's id and your seat, and do not let"
                " the clock decide. Nothing in the rules asks for it; it makes mistakes findable.",
                first_difference=at + 1,
            )
    return passed(f"made the same {compared} choices in the same game", compared=compared)


def _choices(subject: Subject) -> list[int]:
    chosen: list[int] = []
    until = time.monotonic() + BUDGET_S / 2
    with subject.talk() as talk:
        talk.greet()
        table = Table(talk, usual(board_for(4), 4)).begin()
        while len(chosen) < MANY and time.monotonic() < until and table.advance():
            chosen.append(table.ask())
        talk.send(table.end())
    return chosen


# -- every kind of decision


def every_decision(subject: Subject, *, board: str) -> Verdict:
    """All kinds of decision that a board has, over its seats, editions and options."""
    scenes = scenes_of(atlas.load_board(board))
    kinds = sorted(set[int]().union(*[scene.kinds() for scene in scenes]))
    asked: Counter[int] = Counter()
    with subject.talk() as talk:
        talk.greet()
        played = [_visit(talk, scene, asked) for scene in scenes if subject.in_time()]
        for kind in kinds:
            if not asked[kind]:
                _seek(talk, scenes, kind, asked)
    figures = {
        "asked": {DECISIONS[kind]: asked[kind] for kind in kinds},
        "games": played,
    }
    missing = [DECISIONS[kind] for kind in kinds if not asked[kind]]
    if missing:
        return warning(
            f"{', '.join(missing)} could not be asked within {BUDGET_S:.0f} s",
            "Nothing is wrong so far; a bot that answers faster is asked everything.",
            **figures,
        )
    total, different = sum(asked.values()), len(played)
    return passed(
        f"answered {total} decisions of all {len(kinds)} kinds in {different} different games",
        **figures,
    )


def _visit(talk: Talk, scene: Scene, asked: Counter[int]) -> str:
    """A game in which the bot is asked its first decision, and some of each kind."""
    table = Table(talk, scene).begin()
    here: Counter[int] = Counter()
    kinds = scene.kinds()
    while kinds and talk.subject.in_time() and table.advance(kinds):
        asked[table.kind] += 1
        here[table.kind] += 1
        table.ask()
        kinds = _still_wanted(talk.subject, scene, asked, here)
    talk.send(table.end())
    return scene.rules.name


def _still_wanted(
    subject: Subject, scene: Scene, asked: Counter[int], here: Counter[int]
) -> set[int]:
    """Kinds that were not asked yet; as long as there is plenty of time, some more of the others."""
    plenty = time.monotonic() < subject.until - BUDGET_S / 2
    return {kind for kind in scene.kinds() if not asked[kind] or (plenty and here[kind] < EACH)}


def _seek(talk: Talk, scenes: Sequence[Scene], kind: int, asked: Counter[int]) -> None:
    """A rare decision: games that aim at it, until it was asked or time is up."""
    for table in aimed_at(talk, scenes, kind):
        table.begin()
        while not asked[kind] and talk.subject.in_time() and table.advance((kind,)):
            asked[table.kind] += 1
            table.ask()
        talk.send(table.end())
        if asked[kind] or not talk.subject.in_time():
            return
