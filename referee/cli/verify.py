"""`referee verify`: play recorded games again and check every line."""

from __future__ import annotations

import time

import click

from referee.cli import completion
from referee.cli.lazy import examples
from referee.records.find import find_records
from referee.records.verify import RecordVerdict, in_parallel
from referee.records.verify import verify as verify_record
from referee.system import core_count
from referee.terminal import guarded, show_json
from referee.terminal import records as shown

ALL_FINE, SOMETHING_WRONG = 0, 1

workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Number of worker processes.  [default: one for each CPU core]",
)


@click.command(
    epilog=examples(
        "referee verify game.jsonl",
        "referee verify records/ --quiet",
        'referee verify "records/**/*.jsonl.gz" --json',
    )
)
@click.argument(
    "records", nargs=-1, required=True, metavar="RECORD...", shell_complete=completion.files
)
@click.option("--complete", is_flag=True, help="Count an incomplete record as wrong.")
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per record.")
@click.option("--quiet", is_flag=True, help="Print only wrong records.")
def verify(
    records: tuple[str, ...], complete: bool, workers: int | None, as_json: bool, quiet: bool
) -> int:
    """Play recorded games again and check every line.

    A RECORD is a file, a folder that contains records at any depth, or a pattern in quotes. A record
    is fine, wrong (the output shows the first wrong line, and why), incomplete (it ends before the
    game does), or void (the referee itself failed).

    The exit status is 1 if a record is wrong, 2 if no record is found, else 0.
    """
    if as_json and quiet:
        raise click.UsageError("--json and --quiet are mutually exclusive")
    paths = find_records(records)
    begin = time.monotonic()
    verdicts: list[RecordVerdict] = []
    results = in_parallel(verify_record, paths, workers or core_count())
    for verdict in shown.with_progress(results, len(paths), "verifying"):
        verdicts.append(verdict)
        _show(verdict, as_json, quiet, len(paths) <= shown.FEW, complete)
    if not (as_json or quiet):
        guarded(shown.show_summary)(verdicts, time.monotonic() - begin)
    wrong = any(verdict.counts(complete=complete) for verdict in verdicts)
    return SOMETHING_WRONG if wrong else ALL_FINE


def _show(verdict: RecordVerdict, as_json: bool, quiet: bool, each: bool, complete: bool) -> None:
    if as_json:
        guarded(show_json)(verdict.to_dict())
    elif verdict.counts(complete=complete) or not (
        quiet or (verdict.verdict == "fine" and not each)
    ):
        guarded(shown.show_verdict)(verdict)
