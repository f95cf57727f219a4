"""Walking through a recorded game: its positions, what can be jumped to, and what keys do. No terminal here."""
