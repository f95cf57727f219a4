"""Conformance: a bot in conversations that try it, one named check after the other."""
