"""The rules of the game: standard library only, no files, no clock, and randomness from the seed only.

    from referee import engine

    state = engine.new_game(board, rules, seed=7)
    while engine.pending(state):
        engine.apply(state, 0)  # the first of engine.choices(state)
    print(engine.standings(state))

A position is a `GameState`. `apply` changes it; everything else only reads it.
"""

from referee.engine.game import apply, choices, new_game, pending, replay, standings

__all__ = ["apply", "choices", "new_game", "pending", "replay", "standings"]
