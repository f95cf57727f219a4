"""A recorded game step by step: positions, steps to jump to, and what keys do. Draws nothing."""
