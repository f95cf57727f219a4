"""What positions are worth, and plans of whole turns: for the house bots and for whoever judges games."""
