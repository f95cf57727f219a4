"""Checks whether a bot follows the protocol, one named check after the other."""
