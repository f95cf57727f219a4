"""Searches for the best turn of a seat, and the bot that plays what they find."""
