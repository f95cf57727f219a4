"""Measures what things cost, and compares it with the last release, whose ratios are in a file.

    python tools/bench.py                 measure, compare, and say what became slower
    python tools/bench.py --only engine   only what has a name that begins like this
    python tools/bench.py --write         measure for a release, and write the file

It measures the build that is installed. Every figure is the ratio of a time and of a reference from
the same run, and every round measures all of them, so that a busy moment affects few rounds.
The exit status is 0 if nothing became slower, 1 if something did, and 2 if nothing can be compared.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final, TypeAlias

import msgspec

import bench_ratios
from bench_ratios import FILE, BuildRatios, FileRefused, Ratio
from referee import atlas
from referee.bench import api, engine, match, replay, sandbox, tournament, verify
from referee.bench.common import cpu_time, scratch
from referee.errors import BenchRefused, RefereeError
from referee.terminal.bench import coloured_screen
from referee.version import __version__, build_name

Costs: TypeAlias = dict[str, float]

ROUNDS: Final = 7
SECONDS: Final = 1.0  # for a board, in one round
BOARDS: Final = {"hanse-4-5": 4, "britannia-2-3": 3}  # and their seats
BOARD: Final = "hanse-4-5"
GAMES: Final = 24  # of a tournament
STARTS: Final = 15  # of a bot in each sandbox
CASES: Final = ("codes/none, C", "words/full, C", "codes/none, Python")
CALIBRATIONS: Final = 5  # before a measurement, and as many after it
CALIBRATION_STEPS: Final = 100_000
CALIBRATION_RESULT: Final = 2_389_751


def calibrate() -> int:
    """Do fixed work in pure Python: the reference for work that has no other one.

    If this function changes, no ratio can be compared with an earlier one; so its result is tested.
    """
    places, counts, total = list(range(64)), dict.fromkeys(range(16), 0), 1
    for step in range(CALIBRATION_STEPS):
        at = (total + step) & 63
        places[at], places[step & 63] = places[step & 63], places[at]
        counts[at & 15] += 1
        total = _mixed(total, places[at])
    return total + sum(counts.values())


def _mixed(total: int, place: int) -> int:
    return (total * 31 + place) % 4_194_301


class Calibrated:
    """Divides times by that of the reference, which is measured before and after them."""

    def __init__(self) -> None:
        self._times = [cpu_time(calibrate) for _ in range(CALIBRATIONS)]

    def costs(self, seconds: Costs) -> Costs:
        """Return each time as a multiple of one step of the reference."""
        self._times += [cpu_time(calibrate) for _ in range(CALIBRATIONS)]
        step_s = median(self._times) / CALIBRATION_STEPS
        return {name: time_s / step_s for name, time_s in seconds.items()}


# -- what is measured, each function for one round


def engine_costs(_: Path) -> Costs:
    """Measure random play, copy, apply and replay, compared with pure Python."""
    components, costs = atlas.load_components(), Costs()
    for name, seats in BOARDS.items():
        reference = Calibrated()
        speed = engine.measure_board(components, atlas.load_board(name), seats, SECONDS)
        costs |= reference.costs(
            {
                f"engine: play, {name}": 1 / speed.decisions_per_s,
                f"engine: copy, {name}": speed.copy_us / 1e6,
                f"engine: apply, {name}": speed.apply_us / 1e6,
                f"engine: replay, {name}": 1 / speed.replay_decisions_per_s,
            }
        )
    return costs


def api_costs(_: Path) -> Costs:
    """Measure a search with the public API, compared with the engine alone."""
    speeds = [api.measure_api(name, seats, SECONDS) for name, seats in BOARDS.items()]
    return {f"api: search, {speed.board}": 1 / speed.share for speed in speeds}


def match_costs(folder: Path) -> Costs:
    """Measure the CPU time of a refereed decision, compared with an echo, and of its main parts."""
    costs = Costs()
    for case in match.cases():
        if case.name not in CASES:
            continue
        reference = Calibrated()
        cost = match.measure_case(case, folder)
        own_us = cost.engine + cost.messages + cost.record + cost.reply
        costs[f"match: decision, {case.name}"] = cost.cpu_ratio
        costs |= reference.costs({f"match: own work, {case.name}": own_us / 1e6})
    return costs


def verify_costs(folder: Path) -> Costs:
    """Measure the verification of records, compared with playing the games."""
    board = atlas.load_board(BOARD)
    components = atlas.load_components()
    speed = verify.measure_board(components, board, BOARDS[BOARD], SECONDS, folder)
    return {f"verify: {BOARD}": 1 / speed.ratio}


def replay_costs(folder: Path) -> Costs:
    """Measure opening a record and jumping in it, compared with pure Python."""
    board, reference = atlas.load_board(BOARD), Calibrated()
    speed = replay.measure_board(
        atlas.load_components(), board, BOARDS[BOARD], folder, coloured_screen
    )
    jumps = zip(replay.SIZES, speed.jump_ms, strict=True)
    seconds = {f"replay: jump, {size[0]}x{size[1]}": jump / 1e3 for size, jump in jumps}
    return reference.costs({"replay: open a record": speed.open_s, **seconds})


def tournament_costs(_: Path) -> Costs:
    """Measure the CPU time of the referee in a tournament, compared with that of the bots."""
    shares = {kind: tournament.measure(kind, 1, GAMES) for kind in tournament.kinds()}
    return {
        f"tournament: the referee and {kind} bots": found.referee_share / (1 - found.referee_share)
        for kind, found in shares.items()
    }


def sandbox_costs(folder: Path) -> Costs:
    """Measure the fastest start of a bot at each level of the sandbox, compared with no sandbox."""
    prices = sandbox.measure(STARTS, 1, folder)
    off = next(price.least_start_ms for price in prices if price.level == "off")
    return {
        f"sandbox: start, {price.level}": price.least_start_ms / off
        for price in prices
        if price.level != "off"
    }


def rl_costs(_: Path) -> Costs:
    """Measure the learning environments, compared with the engine alone."""
    try:
        from referee.bench import rl  # noqa: PLC0415  it needs an extra

        speed = rl.measure_rl(BOARD, BOARDS[BOARD], SECONDS)
    except ImportError as error:
        raise BenchRefused(f"it needs the extra `rl`: {error}") from None
    return {
        "rl: environment": 1 / speed.share,
        f"rl: batch of {rl.BATCH} games": 1 / speed.batch_share,
    }


MEASURES: Final[dict[str, Callable[[Path], Costs]]] = {
    "engine": engine_costs,
    "api": api_costs,
    "match": match_costs,
    "verify": verify_costs,
    "replay": replay_costs,
    "tournament": tournament_costs,
    "sandbox": sandbox_costs,
    "rl": rl_costs,
}


def measure(rounds: int, names: list[str]) -> dict[str, Ratio]:
    """Measure everything once in each round; what cannot be measured here is left out."""
    figures: dict[str, list[float]] = {}
    skipped: set[str] = set()
    with scratch() as folder:
        for number in range(1, rounds + 1):
            for name in [name for name in names if name not in skipped]:
                _say(f"round {number} of {rounds}: {name}")
                try:
                    costs = MEASURES[name](folder)
                except BenchRefused as refused:
                    skipped.add(name)
                    _say(f"{name} is not measured: {refused}")
                    continue
                for figure, cost in costs.items():
                    figures.setdefault(figure, []).append(cost)
    return {name: bench_ratios.summarize(found) for name, found in figures.items()}


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


# -- the program


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, metavar="N", help=f"rounds [default: {ROUNDS}]"
    )
    parser.add_argument(
        "--only", action="append", choices=MEASURES, help="measure only this; may be repeated"
    )
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name} for a release")
    parser.add_argument("--json", action="store_true", help="print the ratios as JSON")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("--rounds must be at least 1")
    if given.write and given.only:
        parser.error("--write and --only are mutually exclusive: a release needs all ratios")
    return given


def run(given: argparse.Namespace) -> int:
    """Measure, then write or compare; return the exit status. FileRefused if there is no file."""
    build = build_name()
    known = None if given.write else _known(build)
    ratios = measure(given.rounds, given.only or list(MEASURES))
    now = BuildRatios(__version__, platform.python_version(), given.rounds, ratios)
    if given.json:
        print(json.dumps({"build": build, **msgspec.to_builtins(now)}, indent=2))
    if known is None:
        bench_ratios.write_build(build, now)
        _say(f"{FILE} now has {len(ratios)} ratios of {__version__}, {build}")
        return 0
    if not given.json:
        print("\n".join(bench_ratios.report(_only(known, given.only), now)))
    return 1 if bench_ratios.has_slower(known, now) else 0


def _known(build: str) -> BuildRatios:
    builds = bench_ratios.read_file().builds
    if build not in builds:
        raise FileRefused(f"{FILE} has no ratios of the {build} build: write them with --write")
    return builds[build]


def _only(known: BuildRatios, names: list[str] | None) -> BuildRatios:
    if names is None:
        return known
    kept = {name: ratio for name, ratio in known.ratios.items() if name.partition(":")[0] in names}
    return msgspec.structs.replace(known, ratios=kept)


def main() -> int:
    """Run the program; a mistake is one sentence and the exit status 2."""
    try:
        return run(_arguments())
    except (FileRefused, RefereeError) as error:
        _say(f"bench: {error}")
        return 2
    except KeyboardInterrupt:
        _say("bench: interrupted")
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
