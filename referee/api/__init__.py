"""The Python API: `from referee import Game, play_match, Tournament`."""
