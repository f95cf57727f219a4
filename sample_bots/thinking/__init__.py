"""What the bots that play with the engine share: the position restored, and its evaluation."""
