"""The end of a run of a tuning: its summary as data, and the file of its values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.bots.parameters import Value
from referee.bots.values_file import write_values
from referee.text import plural
from referee.tournament.coordinator import Ending
from referee.tournament.run import RunResult
from referee.tournament.sprt import Verdict
from referee.tuning.opening import OpenTuning
from referee.tuning.plan import Gain, TuningState
from referee.version import __version__

VALUES_FILE: Final = "values.toml"  # in the folder of the tuning


@dataclass(frozen=True)
class TuningSummary:
    """How a run of a tuning ended, and what the tuning has reached."""

    folder: Path
    ending: Ending
    state: TuningState
    games: int  # of all runs
    faults: int
    new_games: int
    seconds: float
    lack: str | None = None  # why no more games were possible

    @property
    def is_done(self) -> bool:
        """Whether all iterations are finished."""
        return self.ending == "done"

    @property
    def file(self) -> Path:
        """The file of the present values."""
        return self.folder / VALUES_FILE

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "ending": self.ending,
            "games": self.games,
            "faults": self.faults,
            "new_games": self.new_games,
            "seconds": round(self.seconds, 3),
            "lack": self.lack,
            "file": str(self.file),
            **state_to_dict(self.state),
        }


def make_summary(
    tuning: OpenTuning, result: RunResult, games_before: int, seconds: float
) -> TuningSummary:
    """Return the summary of a run that has just ended."""
    store = tuning.tournament.store
    games = store.count("games")
    return TuningSummary(
        tuning.folder,
        result.ending,
        tuning.state,
        games,
        store.count("faults"),
        games - games_before,
        seconds,
        result.lack,
    )


def state_to_dict(state: TuningState) -> dict[str, Any]:
    """Return where a tuning is as plain data: the tuned values, and the measured gain."""
    gain = state.gain()
    return {
        "iteration": state.iteration,
        "iterations": state.terms.iterations,
        "values": tuned_values(state),
        "gain": None if gain is None else gain._asdict(),
    }


def tuned_values(state: TuningState) -> dict[str, Value]:
    """Return the present values of the tuned parameters only."""
    values = state.values
    return {one.name: values[one.name] for one in state.terms.tuned}


def save_values(bot: str, summary: TuningSummary, verdict: Verdict | None = None) -> None:
    """Write the present value of every parameter to a file for `--set @FILE`.

    Its head says how the values were made. Raises OutputRefused if it cannot be written.
    """
    write_values(summary.file, summary.state.values, _comments(bot, summary, verdict))


def _comments(bot: str, summary: TuningSummary, verdict: Verdict | None) -> Iterator[str]:
    state = summary.state
    terms = state.terms
    yield f"Values of the parameters of bot {bot}, for --set @FILE."
    yield (
        f"Made by `referee tune` {__version__}: {state.iteration} of"
        f" {plural(terms.iterations, 'iteration')}, {plural(summary.games, 'game')}, seed {terms.seed}."
    )
    yield f"Tuned: {', '.join(one.name for one in terms.tuned)}."
    gain = state.gain()
    if gain is not None:
        yield f"Measured gain over the start: {describe_gain(gain)}."
    if verdict is not None:
        yield f"{verdict.sentence}."


def describe_gain(gain: Gain) -> str:
    """Return a gain with its interval, such as `+48 Elo (95 % interval +21 to +75, 50 blocks)`."""
    ends = f"{gain.low:+z.0f} to {gain.high:+z.0f}"
    return f"{gain.elo:+z.0f} Elo (95 % interval {ends}, {plural(gain.blocks, 'block')})"
