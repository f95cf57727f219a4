"""A record as a self-contained web page."""
