"""What `referee play` shows."""
