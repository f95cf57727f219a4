"""Programs that play: found, hashed, built, started in a sandbox, and ended."""
