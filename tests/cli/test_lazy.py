"""Commands are imported when they are used."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from referee.cli import main
from referee.cli.lazy import LazyGroup


def groups() -> list[LazyGroup]:
    bench = main.get_command(click.Context(main), "bench")
    assert isinstance(main, LazyGroup)
    assert isinstance(bench, LazyGroup)
    return [main, bench]


@pytest.mark.parametrize("group", groups(), ids=lambda group: str(group.name))
def test_every_command_is_where_the_table_says(group: LazyGroup) -> None:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert isinstance(command, click.Command)
        assert command.name == name


def test_commands_import_only_what_they_need() -> None:
    program = (
        "import sys; from click.testing import CliRunner; from referee.cli import main;"
        "print('referee.match' in sys.modules);"
        "CliRunner().invoke(main, ['play', '--help']); print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\nFalse\n"
