"""Judges the turns of recorded games: who was winning, what was a mistake, what was better."""
