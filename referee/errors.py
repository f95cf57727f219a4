"""The error tree: what a user, a bot or a file can cause. Everything else is a bug and may trace back.

RefereeError            the root; its text is a sentence for the one who reads it
├── RulesRefused        an option that the board or the number of players does not allow
├── SeedRefused         a seed that is no whole number from 0 to 2^53 - 1
├── ChoiceRefused       an index that is not on offer
├── ViewRefused         a view that no game can have shown
├── MapRefused          a map file that cannot be found, read or played on
├── BotRefused          a bot that cannot be started
├── BotSilent           a bot that was started and never says hello
├── MatchVoid           a game that an error of the referee spoiled
├── OutputRefused       an output that takes no more
├── RecordRefused       a record that cannot be written or read
└── BenchRefused        a measurement that cannot be made
"""

from referee.engine.errors import (
    ChoiceRefused,
    RefereeError,
    RulesRefused,
    SeedRefused,
    ViewRefused,
)

__all__ = [
    "BenchRefused",
    "BotRefused",
    "BotSilent",
    "ChoiceRefused",
    "MapRefused",
    "MatchVoid",
    "OutputRefused",
    "RecordRefused",
    "RefereeError",
    "RulesRefused",
    "SeedRefused",
    "ViewRefused",
]


class MapRefused(RefereeError):
    """A map file that cannot be found, read or played on."""


class RecordRefused(RefereeError):
    """A record that cannot be written or read."""


class BotRefused(RefereeError):
    """A bot that cannot be started."""


class OutputRefused(RefereeError):
    """An output that takes no more."""


class BotSilent(RefereeError):
    """A bot that was started and never says hello."""


class MatchVoid(RefereeError):
    """A game that an error of the referee spoiled; no bot is to blame."""


class BenchRefused(RefereeError):
    """A measurement that cannot be made."""
