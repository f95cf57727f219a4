"""What the bots that play with the engine share: the table rebuilt, and what a position is worth."""
