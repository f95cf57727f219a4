"""What things cost on this machine: each benchmark measures, and returns plain figures."""
