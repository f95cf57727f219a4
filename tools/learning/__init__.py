"""Learns the networks in referee/thinking/values from games that the planner plays with itself."""
