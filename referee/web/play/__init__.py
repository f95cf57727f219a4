"""A seat in the browser: the page on which a person plays, and the connection to the game."""
