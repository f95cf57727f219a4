"""`python -m stress.fuzz`: test the referee with millions of replies and files with random errors."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from referee.cli.lazy import examples
from referee.terminal import explain, say, show_json
from referee.version import build_name
from stress import program
from stress.fuzz import files as fuzzed_files
from stress.fuzz import in_process
from stress.fuzz.files import FuzzedFiles, fuzz_files
from stress.fuzz.in_process import Fuzzed, fuzz_replies
from stress.fuzz.pipes import fuzz_pipes

DEFAULT_COUNTS: Final = {"replies": 1_000_000, "pipes": 20_000, "files": 20_000}


@click.command(
    cls=program.StressProgram,
    epilog=examples(
        "python -m stress.fuzz replies",
        "python -m stress.fuzz replies --count 10000000 --seed 2",
        "python -m stress.fuzz pipes --count 100000",
        "python -m stress.fuzz files --count 100000 --keep found/",
    ),
)
@click.argument("what", type=click.Choice(list(DEFAULT_COUNTS)))
@click.option(
    "--count",
    type=click.IntRange(min=1),
    help="How many.  [default: a million replies, or 20,000 through pipes, or 20,000 files]",
)
@program.seed
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Keep the files that show an error here.",
)
@program.as_json
def fuzz(what: str, count: int | None, seed: int, keep: Path | None, as_json: bool) -> int:
    """Fuzz the referee with bytes that are almost right; the same seed gives the same bytes.

    `replies` come from bots in this process and test the codec, the judging of answers and the
    runner. `pipes` are the same from bots in their own processes. `files` are maps, components,
    configurations, bot.toml, records and stores. Every reply must become a legal choice or a fault
    with a name, every file must be read or refused in one sentence, and nothing may be left running
    or open. The exit status is 1 if any of this fails.
    """
    count = count or DEFAULT_COUNTS[what]
    found: Fuzzed | FuzzedFiles
    with (
        tempfile.TemporaryDirectory(prefix="referee-fuzz-") as folder,
        program.counting(count) as on_progress,
    ):
        if what == "files":
            found = fuzz_files(Path(folder), count, seed, on_progress, keep)
        elif what == "pipes":
            found = fuzz_pipes(Path(folder), count, seed, on_progress)
        else:
            found = fuzz_replies(count, seed, on_progress)
    if isinstance(found, FuzzedFiles):
        _show_files(found, as_json=as_json)
    else:
        _show_replies(found, what, as_json=as_json)
    return 0 if found.is_clean else program.FAILED


def _show_replies(found: Fuzzed, what: str, *, as_json: bool) -> None:
    if as_json:
        show_json(in_process.to_dict(found, what))
        return
    explain(
        f"{found.replies:,} {'replies' if what == 'replies' else 'replies through pipes'} in"
        f" {found.games:,} games, seed {found.seed} ({build_name()}): {found.legal:,} legal choices;"
        f" faults: {_counts(found.faults)}."
    )
    explain(f"{found.seconds:,.0f} s, {found.replies / found.seconds:,.0f} per second.")
    explain(
        f"Memory {found.early_mib:.1f} MiB after a tenth, {found.late_mib:.1f} MiB at the end;"
        f" left: {found.left_running} processes, {found.left_open} descriptors."
    )
    _show_wrong(found.wrong)


def _show_files(found: FuzzedFiles, *, as_json: bool) -> None:
    if as_json:
        show_json(fuzzed_files.to_dict(found))
        return
    explain(f"{found.files:,} files, seed {found.seed}, in {found.seconds:,.0f} s.")
    for kind in sorted(found.read | found.refused):
        say(f"  {kind}: {found.read[kind]:,} read, {found.refused[kind]:,} refused in a sentence")
    explain(
        f"Slowest {found.slowest_s:.2f} s. Memory {found.early_mib:.1f} MiB after a tenth,"
        f" {found.late_mib:.1f} MiB at the end; left: {found.left_open} descriptors."
    )
    _show_wrong(found.wrong)


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counter.items())) or "none"


def _show_wrong(wrong: Sequence[str]) -> None:
    for problem in wrong:
        say(f"Wrong: {problem}")
    if not wrong:
        say("Nothing was wrong.")


if __name__ == "__main__":
    fuzz(prog_name="python -m stress.fuzz")
