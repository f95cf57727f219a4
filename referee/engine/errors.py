"""The root of the project's error tree, and the engine's branch of it."""


class RefereeError(Exception):
    """Anything that a user, a bot or a file can cause; its text is a sentence for them."""


class RulesRefused(RefereeError):
    """An option that the board or the number of players does not allow."""


class SeedRefused(RefereeError):
    """A seed that is no whole number from 0 to 2^53 - 1."""


class ChoiceRefused(RefereeError):
    """An index that is no index of the choices on offer, or a choice after the end."""


class ViewRefused(RefereeError):
    """A view that no game of this board and ruleset can have shown."""
