"""Tuning: improves the parameters of a bot by games of the bot against itself."""
