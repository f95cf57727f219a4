"""`referee bench fuzz`: replies and files with something wrong in them, by the million."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
from referee.bench.fuzz import as_words, fuzz_replies
from referee.bench.fuzz_files import as_words as file_words
from referee.bench.fuzz_files import fuzz_files
from referee.bench.fuzz_pipes import fuzz_pipes
from referee.console_fuzz import counting, show_files, show_replies

from referee import terminal
from referee.cli.bench import options
from referee.cli.examples import examples

FAILED: Final = 1
USUAL: Final = {"replies": 1_000_000, "pipes": 20_000, "files": 20_000}


@click.command(
    epilog=examples(
        "referee bench fuzz replies",
        "referee bench fuzz replies --count 10000000 --seed 2",
        "referee bench fuzz pipes --count 100000",
        "referee bench fuzz files --count 100000 --keep found/",
    )
)
@click.argument("what", type=click.Choice(list(USUAL)))
@click.option(
    "--count",
    type=click.IntRange(min=1),
    help="How many.  [default: a million replies, or 20,000 through pipes, or 20,000 files]",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Others with another one.")
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where to put files that show something wrong.",
)
@options.as_json
def fuzz(what: str, count: int | None, seed: int, keep: Path | None, as_json: bool) -> int:
    """Fuzz the referee: bytes that are almost right, the same for the same seed.

    WHAT is `replies` (the codec, the judging of answers and the runner, in this process), `pipes`
    (the same from bots in processes), or `files` (maps, components, configurations, bot.toml,
    records and stores). Every reply must end as a legal choice or a fault with a name, every file
    must be read or refused in a sentence, and nothing may be left. The exit status is 1 if it is
    not so.
    """
    count = count or USUAL[what]
    with tempfile.TemporaryDirectory(prefix="referee-fuzz-") as name, counting(count) as tell:
        folder = Path(name)
        if what == "files":
            return _files(folder, count, seed, keep, tell, as_json=as_json)
        found = (
            fuzz_replies(count, seed, tell)
            if what == "replies"
            else fuzz_pipes(folder, count, seed, tell)
        )
    if as_json:
        terminal.show_json(as_words(found, what))
    else:
        show_replies(found, what)
    return 0 if found.is_clean else FAILED


def _files(
    folder: Path,
    count: int,
    seed: int,
    keep: Path | None,
    tell: Callable[[int], None],
    *,
    as_json: bool,
) -> int:
    found = fuzz_files(folder, count, seed, tell, keep)
    if as_json:
        terminal.show_json(file_words(found))
    else:
        show_files(found)
    return 0 if found.is_clean else FAILED
