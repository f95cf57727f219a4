"""`referee dataset`: turn recorded games into arrays to learn from."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from referee import terminal
from referee.cli import completion
from referee.cli.lazy import examples
from referee.cli.verify import ALL_FINE, SOMETHING_WRONG
from referee.records.find import find_records
from referee.records.verify import RecordVerdict
from referee.rl.dataset_making import SHARD, write_dataset
from referee.rl.shards import Index
from referee.terminal.records import complain_if_wrong, with_progress
from referee.text import plural, printable


@click.command(
    epilog=examples(
        "referee dataset league/records --out data",
        'referee dataset "records/**/*.jsonl.gz" --out data --json',
    )
)
@click.argument(
    "records", nargs=-1, required=True, metavar="RECORD...", shell_complete=completion.files
)
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for the data set: a new or empty one.",
)
@click.option(
    "--shard",
    type=click.IntRange(1, 1_000_000),
    default=SHARD,
    show_default=True,
    metavar="N",
    help="Number of decisions in a shard.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object that says what was written."
)
def dataset(records: tuple[str, ...], out: Path, shard: int, as_json: bool) -> int:
    """Turn recorded games into arrays to learn from: observation, mask, action and outcome.

    A RECORD is a file, a folder that contains records at any depth, or a pattern in quotes. Each
    record is verified first. Games that are incomplete, void or wrong are left out; the output says
    how many.

    The data set has every decision of a bot between two or more choices. DIR gets its name when the
    data set is complete: if the command fails or is interrupted, nothing is left.

    The exit status is 1 if a record is wrong, 2 if there is no complete game, else 0.
    """
    paths = find_records(records)
    begin = time.monotonic()
    left_out: Counter[str] = Counter()

    def progress(verdicts: Iterator[RecordVerdict]) -> Iterator[RecordVerdict]:
        for verdict in with_progress(verdicts, len(paths), "converting"):
            complain_if_wrong(verdict)
            if verdict.verdict != "fine":
                left_out[verdict.verdict] += 1
            yield verdict

    index = write_dataset(paths, out, decisions=shard, progress=progress)
    if as_json:
        terminal.show_json({**_words(index), "left_out": dict(left_out), "out": str(out)})
    else:
        _say(index, left_out, out, time.monotonic() - begin)
    return SOMETHING_WRONG if left_out["wrong"] else ALL_FINE


def _words(index: Index) -> dict[str, object]:
    return {
        "format": index.format,
        "games": index.games,
        "decisions": index.decisions,
        "shards": len(index.shards),
        "layouts": [layout.ruleset for layout in index.layouts],
    }


def _say(index: Index, left_out: Counter[str], out: Path, seconds: float) -> None:
    counts = ((index.games, "game"), (index.decisions, "decision"), (len(index.shards), "shard"))
    terminal.say(f"{', '.join(plural(count, noun) for count, noun in counts)} in {seconds:.1f} s.")
    for layout in index.layouts:
        terminal.say(f"{layout.ruleset}: rows of {layout.row:,}, {layout.actions:,} actions")
    if left_out:
        shown = ", ".join(f"{count:,} {verdict}" for verdict, count in sorted(left_out.items()))
        terminal.note(f"left out: {shown}")
    terminal.say(f"The data set: {printable(str(out))}")
