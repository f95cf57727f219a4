"""All commands of `referee`; errors are printed as one sentence, with exit status 2."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn

import click

from referee.cli.lazy import LazyGroup, examples
from referee.errors import RefereeError
from referee.terminal import PIPE_CLOSED, close_output, complain
from referee.terminal.ascii import replace_unencodable
from referee.text import nearest
from referee.version import __version__, build_name

USAGE_ERROR = 2
INTERRUPTED = 130
_PLAIN: Final = {
    "a valid integer range": "a whole number",
    "a valid integer": "a whole number",
    "a valid float range": "a number",
    "a valid float": "a number",
}
# click's messages about a number that is too small or too large, and ours
_RANGES: Final = (
    (re.compile(r" is not in the range (\S+?)<=x<=(\S+)"), r" is not a number from \1 to \2"),
    (re.compile(r" is not in the range x>=(\S+)"), r" is less than \1"),
)
_NEAR_OPTION: Final = 0.65  # how similar a suggested option is at least
_STREAMS: Final = {"stdin": "r", "stdout": "w", "stderr": "w"}


class Commands(LazyGroup):
    """All commands with their modules; errors are printed as one sentence."""

    modules: ClassVar = {
        "analyse": "referee.cli.analyse",
        "bench": "referee.cli.bench",
        "check": "referee.cli.check",
        "compare": "referee.cli.compare",
        "dataset": "referee.cli.dataset",
        "doctor": "referee.cli.doctor",
        "faults": "referee.cli.faults",
        "hint": "referee.cli.analyse.hint",
        "lesson": "referee.cli.analyse.lesson",
        "maps": "referee.cli.maps",
        "new-bot": "referee.cli.new_bot",
        "play": "referee.cli.play",
        "reask": "referee.cli.reask",
        "replay": "referee.cli.replay",
        "report": "referee.cli.report",
        "schema": "referee.cli.schema",
        "serve": "referee.cli.serve",
        "standings": "referee.cli.standings",
        "stats": "referee.cli.stats",
        "tournament": "referee.cli.tournament",
        "tune": "referee.cli.tune",
        "verify": "referee.cli.verify",
    }

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run a command and exit with its status."""
        extra["standalone_mode"] = False
        _open_closed_streams()
        replace_unencodable()
        try:
            status = super().main(*args, **extra)
            sys.stdout.flush()
        except click.Abort:
            _exit_with("interrupted", INTERRUPTED)
        except click.ClickException as error:
            _exit_with(_sentence(error), USAGE_ERROR)
        except RefereeError as error:
            _exit_with(str(error), USAGE_ERROR)
        except OSError as error:
            _exit_unwritten(error)
        except SystemExit as left:
            # Only click and rich exit with 1 by themselves, at a closed pipe; it does not mean a failure.
            sys.exit(PIPE_CLOSED if left.code == 1 else left.code)
        sys.exit(status if isinstance(status, int) else 0)


def _open_closed_streams() -> None:
    """Open closed streams on /dev/null; otherwise the next opened file would become stdout."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < len(_STREAMS):
        pass
    os.close(descriptor)
    for name, mode in _STREAMS.items():
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  stays open


def _exit_unwritten(error: OSError) -> NoReturn:
    """Exit after a failed write: to the file that the error names, else to standard output."""
    close_output()
    if isinstance(error, BrokenPipeError):
        sys.exit(PIPE_CLOSED)
    target = error.filename or "cannot write to standard output"
    _exit_with(f"{target}: {error.strerror}", USAGE_ERROR)


def _sentence(error: click.ClickException) -> str:
    """Return click's message as one sentence in the style of our own messages."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return error.format_message()
    message = " ".join(error.format_message().split()).rstrip(".;")
    if isinstance(error, click.NoSuchOption):
        message = _no_such_option(error.option_name, context.command)
    for theirs, ours in _PLAIN.items():
        message = message.replace(theirs, ours)
    for pattern, ours in _RANGES:
        message = pattern.sub(ours, message)
    message = message[0].lower() + message[1:]
    return (
        f"{message}{' See' if message.endswith('?') else '; see'} '{context.command_path} --help'"
    )


def _no_such_option(name: str, command: click.Command) -> str:
    known = [word for option in command.params for word in (*option.opts, *option.secondary_opts)]
    arguments = [word for word in known if not word.startswith("-")]
    if name.lstrip("-") in arguments:
        return f"there is no option {name!r}; write the {name.lstrip('-')} without it"
    # The dashes do not count: every option has them.
    options = {word.lstrip("-"): word for word in known if word.startswith("--")}
    meant = nearest(name.lstrip("-"), options, _NEAR_OPTION)
    return f"there is no option {name!r}" + (f"; did you mean {options[meant]!r}?" if meant else "")


def _exit_with(sentence: str, status: int) -> NoReturn:
    complain(sentence)
    sys.exit(status)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "referee tournament",
        "referee play greedy random random",
        "referee new-bot my-bot --language python",
        "referee check my-bot",
        "referee doctor",
    ),
)
@click.version_option(
    __version__, prog_name="referee", message=f"%(prog)s %(version)s ({build_name()} engine)"
)
def main() -> None:
    """Referee games and tournaments of Hansa Teutonica bots."""
