"""One game with real players: sessions, the decision loop, and asking a bot again."""
