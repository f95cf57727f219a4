"""Tournaments: schedules of games, the workers that play them, the store, and the ratings."""
