"""Variants: what can be added to the game, each in its own module."""
