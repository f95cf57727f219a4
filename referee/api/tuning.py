"""Tuning from Python: improve the parameters of a bot by games against itself."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Unpack

from referee.adjudication.clock_rules import ClockKeywords
from referee.api.bots import BotLike, find
from referee.api.tournament import ProgressCallback
from referee.bots.find import Bot
from referee.bots.parameters import Value
from referee.options import GameKeywords
from referee.tournament.coordinator import Ending, RunListener
from referee.tournament.field import IN_PROCESS
from referee.tournament.request import request_from_dict
from referee.tournament.run import run_tournament
from referee.tuning.opening import find_tuned_bot, open_tuning
from referee.tuning.plan import Gain
from referee.tuning.summary import make_summary, save_values
from referee.tuning.terms import DEFAULT_BLOCKS, DEFAULT_ITERATIONS, DEFAULT_SEED, make_terms


class TuningOptions(GameKeywords, ClockKeywords, total=False):
    """The options of a tuning that decide its games; the names are those of the command line."""

    seats: int
    strikes: int
    ponder: Literal["report", "forbid", "allow"]
    hours: float
    sandbox: Literal["off", "limits", "strict"]
    allow_build: Sequence[str]


@dataclass(frozen=True)
class TuningResult:
    """What a tuning has reached, including earlier runs in the same folder."""

    ending: Ending  # "done", or why it ended early
    values: dict[str, Value]  # of every parameter of the bot
    path: list[dict[str, Value]]  # the values at the start and after each iteration
    gain: Gain | None  # over the start; None if there are too few blocks
    games: int
    folder: Path | None  # where it is kept, so that it can be continued


def tune(
    bot: BotLike,
    *,
    only: Sequence[str] = (),
    iterations: int = DEFAULT_ITERATIONS,
    blocks: int = DEFAULT_BLOCKS,
    seed: int = DEFAULT_SEED,
    out: str | Path | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    look: ProgressCallback | None = None,
    **options: Unpack[TuningOptions],
) -> TuningResult:
    """Tune the parameters that a bot declares, as `referee tune --no-confirm` does.

    With `out`, the tuning is kept in that folder, the values are in its file values.toml, and the same
    call again continues it. `look` is called several times a second with a Progress.
    After the first Ctrl-C, the running blocks are finished; the second raises KeyboardInterrupt at
    once. Raises RefereeError if the bot cannot be tuned.
    """
    started, plain, word = _find(bot)
    given: dict[str, Any] = {**options, "workers": workers}
    if given.get("board") is not None:
        given["board"] = str(given["board"])
    request = request_from_dict(given, "this tuning")
    terms = make_terms(
        started, word, request, only, seed=seed, iterations=iterations, blocks=blocks
    )
    with _folder(out) as folder:
        tuning = open_tuning(Path(folder), plain, terms, request)
        listener = RunListener() if look is None else RunListener(look)
        with tuning.tournament.store:
            ended = run_tournament(tuning.tournament, listener, cluster=cluster, records=False)
            if ended.is_interrupted:
                raise KeyboardInterrupt
            summary = make_summary(tuning, ended, 0, 0.0)
        if out is not None:
            save_values(plain.name, summary)
    state = tuning.state
    kept = None if out is None else Path(out)
    return TuningResult(ended.ending, state.values, state.path(), state.gain(), summary.games, kept)


def _find(bot: BotLike) -> tuple[Bot, Bot, str]:
    """Return the bot with the given values, with its defaults, and its word without values."""
    found = find(bot)
    if found.in_process is None:
        return find_tuned_bot(str(bot))
    plain = replace(found, values={}, content=found.files)
    return found, plain, f"{IN_PROCESS}{found.import_path or found.name}"


def _folder(out: str | Path | None) -> AbstractContextManager[str]:
    if out is not None:
        return nullcontext(str(out))
    return tempfile.TemporaryDirectory(prefix="referee-tuning-")
