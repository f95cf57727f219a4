"""`referee stats`: count what happened in many recorded games."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from referee.cli import completion
from referee.cli.lazy import examples
from referee.cli.verify import ALL_FINE, SOMETHING_WRONG, workers_option
from referee.errors import OutputRefused
from referee.records.find import find_records
from referee.records.game_stats import GameTally, tally_record
from referee.records.stats import rows
from referee.records.stats import stats as figures_of
from referee.records.verify import RecordVerdict, in_parallel
from referee.system import core_count
from referee.terminal import guarded, show_json
from referee.terminal.records import complain_if_wrong, with_progress
from referee.terminal.stats import show_stats, write_csv
from referee.text import printable


@click.command(
    epilog=examples(
        "referee stats records/",
        'referee stats "records/*.jsonl.gz" --json',
        "referee stats records/ --csv games.csv",
    )
)
@click.argument(
    "records", nargs=-1, required=True, metavar="RECORD...", shell_complete=completion.files
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    help="Number of routes to list, the most often created first.",
)
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print all figures as one JSON object.")
@click.option(
    "--csv",
    "csv_file",
    metavar="FILE",
    help="Write one row for each seat of each game to this file instead; - means standard output.",
)
def stats(
    records: tuple[str, ...], top: int, workers: int | None, as_json: bool, csv_file: str | None
) -> int:
    """Count what happened in recorded games.

    A RECORD is a file, a folder that contains records at any depth, or a pattern in quotes. Each
    record is verified first. Games that are incomplete, void or wrong are left out; the output says
    how many.

    The exit status is 1 if a record is wrong, 2 if no record is found, else 0.
    """
    if as_json and csv_file is not None:
        raise click.UsageError("--json and --csv are mutually exclusive")
    paths = find_records(records)
    results = in_parallel(tally_record, paths, workers or core_count())
    verdicts: list[RecordVerdict] = []
    games: list[GameTally] = []
    for verdict, game in with_progress(results, len(paths), "counting"):
        verdicts.append(verdict)
        games += [game] if game is not None else []
    _show(games, verdicts, top, as_json, csv_file)
    return _complain(verdicts)


def _show(
    games: Sequence[GameTally],
    verdicts: Sequence[RecordVerdict],
    top: int,
    as_json: bool,
    csv_file: str | None,
) -> None:
    if csv_file is not None:
        _write_csv(csv_file, games)
        return
    left_out = Counter[str](verdict.verdict for verdict in verdicts if verdict.verdict != "fine")
    words = figures_of(games, left_out)
    if as_json:
        guarded(show_json)(words)
    else:
        guarded(show_stats)(words, top)


def _write_csv(name: str, games: Sequence[GameTally]) -> None:
    found = [row for game in games for row in rows(game)]
    if name == "-":
        guarded(write_csv)(sys.stdout, found)
        return
    try:
        with Path(name).open("w", encoding="utf-8", newline="") as file:
            write_csv(file, found)
    except OSError as error:
        raise OutputRefused(f"cannot write {printable(name)}: {error.strerror}") from error


def _complain(verdicts: Sequence[RecordVerdict]) -> int:
    for verdict in verdicts:
        complain_if_wrong(verdict)
    is_wrong = any(verdict.verdict == "wrong" for verdict in verdicts)
    return SOMETHING_WRONG if is_wrong else ALL_FINE
