"""How a game is judged: clocks, faults and final standings, as pure functions and values."""
