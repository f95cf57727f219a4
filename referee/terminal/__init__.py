"""Output on the terminal: lines, JSON and progress bars. Only this package imports rich."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, ParamSpec, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from referee.errors import OutputRefused
from referee.text import visible

Item = TypeVar("Item")
P = ParamSpec("P")
PIPE_CLOSED: Final = 141  # the exit status of a program that a closed pipe ended


class Output(Console):
    """A console that raises BrokenPipeError when its output is closed; rich would exit."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


# Everything that prints during a progress bar uses these: only the bar's own console keeps lines and bar apart.
OUT: Final = Output(highlight=False)
ERR: Final = Output(stderr=True, highlight=False)


def guarded(do: Callable[P, None]) -> Callable[P, None]:
    """Return the callback so that a failed write ends the program; otherwise it would make the game void."""

    def guard(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            do(*args, **kwargs)
        except BrokenPipeError:
            close_output()
            raise SystemExit(PIPE_CLOSED) from None
        except OSError as error:
            close_output()
            raise OutputRefused(f"cannot write to standard output: {error.strerror}") from error

    return guard


def close_output() -> None:
    """Discard what is still in the buffer of standard output."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        pass


def say(text: str) -> None:
    """Print one line on stdout, without wrapping or colours."""
    OUT.print(Text(text), soft_wrap=True)


def explain(text: str) -> None:
    """Print sentences below a table, wrapped between words."""
    OUT.print(Text(text))


def complain(sentence: str) -> None:
    """Print an error on stderr, after "referee: "; on a terminal it is wrapped between words."""
    text = Text.assemble(("referee: ", "bold red"), _printable(sentence))
    ERR.print(text, soft_wrap=not ERR.is_terminal)


def note(text: str) -> None:
    """Print one line on stderr that is not an error."""
    ERR.print(Text(_printable(text), style="dim"), soft_wrap=True)


def _printable(text: str) -> str:
    """Make control characters visible: names of files and bots may contain them."""
    return "\n".join(map(visible, text.expandtabs().split("\n")))


def aside(text: str) -> None:
    """Print one dim line on stdout, such as which sandbox is in force."""
    OUT.print(Text(visible(text), style="dim"), soft_wrap=True)


def show_json(fields: Mapping[str, object]) -> None:
    """Print one JSON object on one line, in ASCII, so that it cannot contain terminal control codes."""
    OUT.out(json.dumps(fields), highlight=False)


def progress(items: Sequence[Item], name: Callable[[Item], str]) -> Iterator[Item]:
    """Yield the items in turn; on a terminal a progress bar shows the name of the current one."""
    with bar(TimeElapsedColumn()) as shown:
        task = shown.add_task("", total=len(items))
        for item in items:
            shown.update(task, description=name(item))
            yield item
            shown.advance(task)


def bar(last: ProgressColumn, *, auto_refresh: bool = True, hidden: bool = False) -> Progress:
    """Return a progress bar on stdout if that is a terminal, else on stderr.

    It disappears at its end; `last` is the column on its right. Other output still goes to stdout and
    stderr; by default rich would redirect it to the bar.
    """
    console = OUT if OUT.is_terminal else ERR
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        last,
        console=console,
        transient=True,
        auto_refresh=auto_refresh,
        disable=hidden or not console.is_terminal or console.is_dumb_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    )
