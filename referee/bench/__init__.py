"""What things cost on this machine: each bench measures, and returns one object."""
