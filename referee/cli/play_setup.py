"""Laying a table for one game: from the options alone, like a record, or on from its position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.adjudication.faults import DEFAULT_STRIKES
from referee.cli.options import ClockGiven, ConductGiven, RulesGiven
from referee.engine.state import GameState
from referee.match.runner import Settings, public_id
from referee.match.session import Table
from referee.random_play import draw_seed
from referee.records.header import clock_rules
from referee.records.resume import Record
from referee.records.writer import Past


@dataclass(frozen=True)
class LaidTable:
    """A table, and the position that it goes on from, if it does."""

    table: Table
    state: GameState | None = None
    past: Past | None = None
    origin: str | None = None  # the position, for people


def referee_settings(
    source: Record | None, clock: ClockGiven, conduct: ConductGiven, *, stop_at_fault: bool
) -> Settings:
    """How it is refereed: as was given, else like the record, else as usual."""
    if source is None:
        timing, strikes = clock.rules(), DEFAULT_STRIKES
    else:
        header = source.header
        timing, strikes = clock.rules(clock_rules(header.clock)), header.strikes
    if conduct.strikes is not None:
        strikes = conduct.strikes
    return Settings(clock=timing, strikes=strikes, stop_at_fault=stop_at_fault)


def new_table(
    names: Sequence[str],
    rules: RulesGiven,
    seed: int | None,
    settings: Settings,
    source: Record | None = None,
) -> LaidTable:
    """A game from its beginning; what was not given is like the record, if there is one."""
    if source is None:
        board = rules.load_board(len(names))
        ruleset = rules.ruleset(board, len(names))
        seed = draw_seed() if seed is None else seed
        return LaidTable(Table(board, ruleset, seed, public_id(ruleset, names), settings))
    header = source.header
    board = source.board() if rules.board is None else rules.load_board(len(names))
    ruleset = rules.like(header).ruleset(board, len(names))
    seed = header.seed if seed is None else seed
    return LaidTable(Table(board, ruleset, seed, header.game, settings))


def table_from(source: Record, at: int | None, settings: Settings) -> LaidTable:
    """A game that goes on from a recorded position."""
    state, past = source.position(at)
    header = source.header
    table = Table(state.board, state.rules, header.seed, header.game, settings)
    return LaidTable(table, state, past, f"decision {past.at} of {source.path}")
