"""Starter kits: a bot of one's own to begin with, in nine languages."""
