"""What the house bots share: they evaluate positions, plan whole turns, and search."""
