"""A game in English: events, the log, the result."""
