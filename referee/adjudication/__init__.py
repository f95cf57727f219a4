"""Clocks, faults and final standings: pure functions and values."""
