"""All that a bot author needs: the messages between referee and bot. It imports nothing of referee."""
