"""Many games: what is played, by whom, and what follows from it."""
