"""The loops over many games at once; the compiled build compiles them, so numpy is not used here."""

from __future__ import annotations

from referee.rl.game import NumberedGame


def joined_rows(games: list[NumberedGame]) -> tuple[bytearray, bytearray, list[int]]:
    """Return what the seats that have to choose see, for one game after the other, and these seats.

    `rows.RowBuilder` makes rows from it: first come the numbers of all games, then their other parts.
    """
    numbers: list[int] = []
    parts: list[bytes] = []
    seats: list[int] = []
    for game in games:
        game.add_row_apart(numbers, parts)
        seats.append(game.seat)
    return bytearray(numbers), bytearray().join(parts), seats


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
