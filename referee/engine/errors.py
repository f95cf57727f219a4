"""The root of the project's error tree, and the engine's branch of it."""


class RefereeError(Exception):
    """Any error that a user, a bot or a file can cause; its text explains it to them."""


class RulesRefused(RefereeError):
    """An option that the board or the number of players does not allow."""


class SeedRefused(RefereeError):
    """A seed that is not a whole number from 0 to 2^53 - 1."""


class ChoiceRefused(RefereeError):
    """An index outside the list of choices, or a choice after the end of the game."""


class ViewRefused(RefereeError):
    """A view that no game of this board and ruleset can have shown."""
