"""A referee for Hansa Teutonica: the canonical engine, the boards, and what is built on them."""

__version__ = "0.1.0"
