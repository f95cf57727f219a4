"""Shared by the stress programs: common options, errors and exit statuses, JSON, progress bars.

Run each program from the folder `tests` (`python -m stress.fuzz --help`) or with tox (`tox -e fuzz`).
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NoReturn

import click
from rich.progress import TimeRemainingColumn

from referee import terminal
from referee.bots.sandbox.limits import LEVELS
from referee.cli.lazy import CommandGroup
from referee.errors import RefereeError
from referee.version import __version__, build_name

FAILED: Final = 1
USAGE_ERROR: Final = 2
INTERRUPTED: Final = 130

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
seed = click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed."
)
sandbox = click.option(
    "--sandbox",
    type=click.Choice(LEVELS),
    help="The sandbox of the bots.  [default: strict, where it works]",
)


class StressRefused(RefereeError):
    """A stress test that cannot run on this machine."""


class _OneSentence(click.Command):
    """Prints errors in one sentence, without a traceback; the function returns the exit status."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        extra["standalone_mode"] = False
        try:
            status = super().main(*args, **extra)
        except (click.Abort, KeyboardInterrupt):
            _exit("interrupted", INTERRUPTED)
        except click.ClickException as error:
            _exit(" ".join(error.format_message().split()), USAGE_ERROR)
        except RefereeError as error:
            _exit(str(error), USAGE_ERROR)
        sys.exit(status if isinstance(status, int) else 0)


class StressProgram(_OneSentence):
    """A program with one command."""


class StressPrograms(_OneSentence, CommandGroup):
    """A program with several commands."""


def _exit(sentence: str, status: int) -> NoReturn:
    sys.stderr.write(f"{sentence}\n")
    sys.exit(status)


def heading(program: str) -> dict[str, object]:
    """Return the first keys of a program's JSON: its name, and the build that it tested."""
    return {
        "stress": program,
        "build": build_name(),
        "python": platform.python_version(),
        "referee": __version__,
    }


@contextmanager
def counting(count: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal; call the yielded function with the number that is done."""
    with terminal.bar(TimeRemainingColumn()) as bar:
        task = bar.add_task("", total=count)
        yield lambda done: bar.update(task, completed=done)
