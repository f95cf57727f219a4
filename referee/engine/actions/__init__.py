"""The five actions and what they set going: one room a heading of the rulebook."""
