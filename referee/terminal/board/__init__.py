"""A board and the pieces on it, drawn with characters."""
