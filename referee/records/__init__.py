"""A game on disk: written as it goes, and read again."""
