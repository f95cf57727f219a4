"""The game that `referee play` plays: from options, like a record, or continued from a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.adjudication.faults import DEFAULT_STRIKES
from referee.cli.options import ClockGiven, FaultsGiven
from referee.engine.state import GameState
from referee.match.runner import Settings, public_id
from referee.match.session import GameSpec
from referee.options import GivenOptions, load_game
from referee.random_play import draw_seed
from referee.records.resume import Record
from referee.records.writer import Past


@dataclass(frozen=True)
class PlaySetup:
    """A game to play; if it continues another one, also that game's position and past."""

    table: GameSpec
    state: GameState | None = None
    past: Past | None = None
    origin: str | None = None  # describes where it continues from


def referee_settings(
    source: Record | None, clock: ClockGiven, fault_rules: FaultsGiven, *, stop_at_fault: bool
) -> Settings:
    """How the game is refereed: as given, else like the record, else by default."""
    if source is None:
        timing, strikes = clock.rules(), DEFAULT_STRIKES
    else:
        timing, strikes = clock.rules(source.header.clock.plain()), source.header.strikes
    if fault_rules.strikes is not None:
        strikes = fault_rules.strikes
    return Settings(clock=timing, strikes=strikes, stop_at_fault=stop_at_fault)


def new_game(
    names: Sequence[str],
    given: GivenOptions,
    seed: int | None,
    settings: Settings,
    source: Record | None = None,
) -> PlaySetup:
    """A game from its beginning; what was not given is like the record, if there is one."""
    players = len(names)
    if source is None:
        board, rules = load_game(given.options(), players)
        seed = draw_seed() if seed is None else seed
        return PlaySetup(GameSpec(board, rules, seed, public_id(rules, names), settings))
    header = source.header
    options = given.options(default=source.options())
    board = source.board() if given.board is None else options.load_board(players)
    seed = header.seed if seed is None else seed
    return PlaySetup(GameSpec(board, options.ruleset(board, players), seed, header.game, settings))


def continued_game(source: Record, at: int | None, settings: Settings) -> PlaySetup:
    """A game that continues from a recorded position."""
    state, past = source.position(at)
    header = source.header
    table = GameSpec(state.board, state.rules, header.seed, header.game, settings)
    return PlaySetup(table, state, past, f"decision {past.at} of {source.path}")
