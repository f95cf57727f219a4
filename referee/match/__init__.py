"""One game with real bots: their processes, clocks, faults, and the decision loop."""
