"""A referee for Hansa Teutonica: the canonical engine, the boards, and what is built on them.

    from referee import Game, play_match, Tournament

What is named below is loaded when it is asked for, so that `import referee` costs nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from referee.version import __version__ as __version__
COMPILING = False  # setup.py has it true for the compiler: what is compiled needs none of these
if TYPE_CHECKING and not COMPILING:
    from referee.api.bots import BotLike, chance
    from referee.api.game import Game
    from referee.api.match import Clock, MatchFault, MatchResult, play_match
    from referee.api.tournament import Tournament, TournamentResult
    from referee.errors import RefereeError

__all__ = [
    "BotLike",
    "Clock",
    "Game",
    "MatchFault",
    "MatchResult",
    "RefereeError",
    "Tournament",
    "TournamentResult",
    "chance",
    "play_match",
]

_HOMES = {
    "__version__": "referee.version",
    "BotLike": "referee.api.bots",
    "Clock": "referee.api.match",
    "Game": "referee.api.game",
    "MatchFault": "referee.api.match",
    "MatchResult": "referee.api.match",
    "RefereeError": "referee.errors",
    "Tournament": "referee.api.tournament",
    "TournamentResult": "referee.api.tournament",
    "chance": "referee.api.bots",
    "play_match": "referee.api.match",
}


def __getattr__(name: str) -> object:
    """The thing of this name, from the module that it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(__import__(_HOMES[name], fromlist=[name]), name)
    globals()[name] = found
    return found
