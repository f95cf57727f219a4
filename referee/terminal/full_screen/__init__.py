"""A program on the whole terminal: its keys, its rows, and what it restores at its end."""
