"""A referee for Hansa Teutonica: the canonical engine, the boards, and what is built on them.

    from referee import Game, play_match, Tournament

The public names are loaded when they are first used, so that `import referee` is fast.
"""

from referee import _deprecated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from referee.version import __version__ as __version__
COMPILING = False  # setup.py sets it for the compiler, which does not need the names below
if TYPE_CHECKING and not COMPILING:
    from referee.api.bots import BotLike, chance
    from referee.api.game import Game
    from referee.api.match import Clock, MatchFault, MatchResult, play_match
    from referee.api.tournament import Tournament, TournamentOptions, TournamentResult
    from referee.api.tuning import TuningOptions, TuningResult, tune
    from referee.errors import RefereeError
    from referee.options import GameKeywords
    from referee.tournament.coordinator import Progress

__all__ = [
    "BotLike",
    "Clock",
    "Game",
    "GameKeywords",
    "MatchFault",
    "MatchResult",
    "Progress",
    "RefereeError",
    "Tournament",
    "TournamentOptions",
    "TournamentResult",
    "TuningOptions",
    "TuningResult",
    "chance",
    "play_match",
    "tune",
]

_MODULES = {
    "__version__": "referee.version",
    "BotLike": "referee.api.bots",
    "Clock": "referee.api.match",
    "Game": "referee.api.game",
    "GameKeywords": "referee.options",
    "MatchFault": "referee.api.match",
    "MatchResult": "referee.api.match",
    "Progress": "referee.tournament.coordinator",
    "RefereeError": "referee.errors",
    "Tournament": "referee.api.tournament",
    "TournamentOptions": "referee.api.tournament",
    "TournamentResult": "referee.api.tournament",
    "TuningOptions": "referee.api.tuning",
    "TuningResult": "referee.api.tuning",
    "chance": "referee.api.bots",
    "play_match": "referee.api.match",
    "tune": "referee.api.tuning",
}

_deprecated.install()


def __getattr__(name: str) -> object:
    """Load a public name from its module; AttributeError for any other name."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(__import__(_MODULES[name], fromlist=[name]), name)
    globals()[name] = found
    return found
