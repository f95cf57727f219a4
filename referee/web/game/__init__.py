"""A recorded game as one web page."""
