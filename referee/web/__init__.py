"""Everything that is shown in a browser."""
