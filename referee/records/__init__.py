"""A game on disk: written while it is played, read, verified and counted."""
