"""The error tree: everything that a user, a bot or a file can cause. Any other exception is a bug.

RefereeError                the root; its text is one sentence for the person who reads it
├── RulesRefused            an option that the board or the number of players does not allow
├── SeedRefused             a seed that is not a whole number from 0 to 2^53 - 1
├── ChoiceRefused           an index that is not offered
├── ViewRefused             a view that no game can have shown
├── MapRefused              a map file that cannot be found, read or played on
├── BotRefused              a bot that cannot be found, built or started
├── BotSilent               a bot that was started and never says hello
├── SandboxRefused          a sandbox level that does not work here
├── MatchVoid               a game that an error of the referee made void
├── RecordRefused           a record that cannot be written or read
│   └── LineRefused         a wrong line of a record
├── DatasetRefused          a data set that cannot be read
├── TournamentRefused       a tournament that cannot be played as requested
├── TuningRefused           a tuning that cannot be played as requested
├── ScheduleRefused         a tournament that cannot be planned
├── StoreRefused            a store that cannot be opened, read or written
├── BlockLost               a block that stops every worker that plays it
├── WorkerRefused           a worker process that cannot be started
├── VersionRefused          a machine of the cluster that has another version of the referee
├── ClusterRefused          a cluster that cannot be used
├── ClusterLost             a cluster that went away during a run
├── RatingsRefused          ratings that cannot be computed
├── SprtRefused             a sequential test whose settings are not valid
├── SiteRefused             a web site that cannot be written
├── ServerRefused           a web server that cannot be started
├── ServerLost              a server of pages that ended during a game
├── OutputRefused           an output file that cannot be written
└── BenchRefused            a measurement that is not possible here
"""

from __future__ import annotations

from pathlib import Path

from referee.engine.errors import (
    ChoiceRefused,
    RefereeError,
    RulesRefused,
    SeedRefused,
    ViewRefused,
)
from referee.text import printable

__all__ = [
    "BenchRefused",
    "BlockLost",
    "BotRefused",
    "BotSilent",
    "ChoiceRefused",
    "ClusterLost",
    "ClusterRefused",
    "DatasetRefused",
    "LineRefused",
    "MapRefused",
    "MatchVoid",
    "OutputRefused",
    "RatingsRefused",
    "RecordRefused",
    "RefereeError",
    "RulesRefused",
    "SandboxRefused",
    "ScheduleRefused",
    "SeedRefused",
    "ServerLost",
    "ServerRefused",
    "SiteRefused",
    "SprtRefused",
    "StoreRefused",
    "TournamentRefused",
    "TuningRefused",
    "VersionRefused",
    "ViewRefused",
    "WorkerRefused",
]


class MapRefused(RefereeError):
    """A map file that cannot be found, read or played on."""


class BotRefused(RefereeError):
    """A bot that cannot be found, built or started."""


class BotSilent(RefereeError):
    """A bot that was started and never says hello."""


class SandboxRefused(RefereeError):
    """A sandbox level that was requested and does not work here."""


class MatchVoid(RefereeError):
    """A game that an error of the referee made void; no bot is to blame."""


class RecordRefused(RefereeError):
    """A record that cannot be written or read."""


class LineRefused(RecordRefused):
    """A wrong line of a record: its number (None if no line could be read), and why."""

    def __init__(self, path: Path, number: int | None, why: str) -> None:
        self.number = number
        self.why: str = printable(why)
        where = printable(str(path))
        if number is not None:
            where += f", line {number}"
        super().__init__(f"{where}: {self.why}")


class DatasetRefused(RefereeError):
    """A data set that cannot be read."""


class TournamentRefused(RefereeError):
    """A tournament that cannot be played as requested."""


class TuningRefused(RefereeError):
    """A tuning that cannot be played as requested."""


class ScheduleRefused(RefereeError):
    """A tournament that cannot be planned."""


class StoreRefused(RefereeError):
    """A store that cannot be opened, read or written."""


class BlockLost(RefereeError):
    """A block that stops every worker that plays it, or that cannot be stored."""


class WorkerRefused(RefereeError):
    """A worker process that cannot be started."""


class VersionRefused(RefereeError):
    """A machine of the cluster that has another version of the referee."""


class ClusterRefused(RefereeError):
    """A cluster that cannot be used."""


class ClusterLost(RefereeError):
    """A cluster that went away during a run."""


class RatingsRefused(RefereeError):
    """Ratings that cannot be computed: the anchor did not play, or the points are not valid."""


class SprtRefused(RefereeError):
    """A sequential test whose settings are not valid."""


class SiteRefused(RefereeError):
    """A web site that cannot be written."""


class ServerRefused(RefereeError):
    """A web server that cannot be started."""


class ServerLost(RefereeError):
    """A server of pages that ended during a game."""


class OutputRefused(RefereeError):
    """An output file that cannot be written."""


class BenchRefused(RefereeError):
    """A measurement that is not possible here."""
