"""The five actions and what follows from them: one module for each heading of the rulebook."""
