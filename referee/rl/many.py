"""The loops over many games at once; the compiled build compiles them, so numpy is not used here."""

from __future__ import annotations

from referee.rl.game import NumberedGame


def joined_rows(games: list[NumberedGame]) -> bytearray:
    """Return what the seat that has to choose sees, for one game after the other."""
    parts: list[bytes] = []
    for game in games:
        game.add_row(parts)
    return bytearray().join(parts)


def joined_numbers(games: list[NumberedGame]) -> tuple[list[int], list[int]]:
    """Return the legal numbers of one game after the other, and how many each game has."""
    numbers: list[int] = []
    counts: list[int] = []
    for game in games:
        numbers += game.legal
        counts.append(len(game.legal))
    return numbers, counts


def step_all(games: list[NumberedGame], numbers: list[int]) -> list[int]:
    """Make one choice in each game, and return the indices of the games that have ended.

    Raises ChoiceRefused if a number is not legal in its game.
    """
    ended: list[int] = []
    for place, game in enumerate(games):
        game.step(numbers[place])
        if game.is_over:
            ended.append(place)
    return ended
