"""What `referee replay` shows."""
