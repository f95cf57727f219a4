"""The rules of the game, and nothing else: no files, no clock, no chance but the seed's."""
