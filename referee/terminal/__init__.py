"""The terminal: plain lines, figures and progress. Only the console's modules import rich."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

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

from referee.text import visible

Item = TypeVar("Item")


class Output(Console):
    """A console that lets those who print deal with a closed pipe."""

    def on_broken_pipe(self) -> None:
        """Raised as it is."""
        raise BrokenPipeError


# Shared by all that print while there is a bar: only its own console keeps lines and bar apart.
OUT: Final = Output(highlight=False)
ERR: Final = Output(stderr=True, highlight=False)


def say(text: str) -> None:
    """One plain line."""
    OUT.print(Text(text), soft_wrap=True)


def explain(text: str) -> None:
    """Sentences below a table, broken between words."""
    OUT.print(Text(text))


def complain(sentence: str) -> None:
    """One sentence on stderr: one line, or on a terminal as many as it takes, broken between words."""
    text = Text.assemble(("referee: ", "bold red"), _harmless(sentence))
    ERR.print(text, soft_wrap=not ERR.is_terminal)


def note(text: str) -> None:
    """One line on stderr that is no complaint."""
    ERR.print(Text(_harmless(text), style="dim"), soft_wrap=True)


def _harmless(text: str) -> str:
    """Names of folders and files are strangers' too: whatever does not print is made visible."""
    return "\n".join(map(visible, text.expandtabs().split("\n")))


def aside(text: str) -> None:
    """One calm line beside the results, such as which sandbox is in force."""
    OUT.print(Text(visible(text), style="dim"), soft_wrap=True)


def show_json(words: Mapping[str, object]) -> None:
    """One object on one line, in ASCII: nothing in it can be taken for a command to a terminal."""
    OUT.out(json.dumps(words), highlight=False)


def progress(items: Sequence[Item], name: Callable[[Item], str]) -> Iterator[Item]:
    """The items one after the other, with a bar on a terminal that says which is at work."""
    with bar(TimeElapsedColumn()) as shown:
        task = shown.add_task("", total=len(items))
        for item in items:
            shown.update(task, description=name(item))
            yield item
            shown.advance(task)


def bar(last: ProgressColumn, *, moves: bool = True, hidden: bool = False) -> Progress:
    """A bar where results are printed, if that is a terminal, else on stderr; it leaves no trace.

    What is printed meanwhile goes where it would go without: rich would send all of it to the bar.
    """
    console = OUT if OUT.is_terminal else ERR
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        last,
        console=console,
        transient=True,
        auto_refresh=moves,
        disable=hidden or not console.is_terminal or console.is_dumb_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    )
