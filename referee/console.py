"""The terminal: plain lines, figures and progress. Only the console's modules import rich."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

Item = TypeVar("Item")

_out = Console(highlight=False)
_err = Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """One plain line."""
    _out.print(Text(text), soft_wrap=True)


def complain(sentence: str) -> None:
    """One sentence on stderr."""
    _err.print(Text.assemble(("referee: ", "bold red"), sentence), soft_wrap=True)


def note(text: str) -> None:
    """One line on stderr that is no complaint."""
    _err.print(Text(text, style="dim"), soft_wrap=True)


def show_json(words: Mapping[str, object]) -> None:
    """One object on one line, in ASCII: nothing in it can be taken for a command to a terminal."""
    _out.file.write(json.dumps(words) + "\n")


def progress(items: Sequence[Item], name: Callable[[Item], str]) -> Iterator[Item]:
    """The items one after the other, with a bar on a terminal that says which is at work."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=_err, transient=True, disable=not _err.is_terminal) as bar:
        task = bar.add_task("", total=len(items))
        for item in items:
            bar.update(task, description=name(item))
            yield item
            bar.advance(task)
