"""Variants: what is added to the game, each in a room of its own."""
