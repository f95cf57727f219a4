"""Lists the public API: the Python names with their signatures, and the commands with their options.

python tools/public_api.py           print what differs from the list in tests/api/public_api.txt
python tools/public_api.py --write   accept the present API: write the list
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

import api_source
from api_source import Named
from referee.cli import main as referee

LIST: Final = Path(__file__).resolve().parent.parent / "tests" / "api" / "public_api.txt"
MODULES: Final = ("referee", "referee.rl", "referee.options", "referee.errors", "protocol")
PUBLIC_OPTIONS: Final = ["GameOptions", "LoadedGame", "load_game"]  # others use the module too
HEADING: Final = (
    "# The public API; `python tools/public_api.py --write` writes this file.\n"
    "# Whatever changes here changes for users: say it in CHANGELOG.md.\n"
)


def text() -> str:
    """Return the whole list: the names of each module, their data types, and the commands."""
    sections = [*(_module_section(module) for module in MODULES), _types_section()]
    sections += [command_section(name, command) for name, command in commands()]
    return HEADING + "".join(f"\n{section}\n" for section in sections)


# -- Python


def public_names(module: str) -> list[Named]:
    """Return the definitions of the names that a module exports."""
    return [_find(module, name) for name in exported(module)]


def exported(module: str) -> list[str]:
    """Return the public names of a module."""
    return PUBLIC_OPTIONS if module == "referee.options" else api_source.exported(module)


def _find(module: str, name: str) -> Named:
    found = api_source.resolve(module, name)
    if found is None:
        raise LookupError(f"{module}.{name} is exported, but nothing defines it")
    return found


def data_types() -> list[Named]:
    """Return the aliases and data classes that the types of public names consist of."""
    public = [named for module in MODULES for named in public_names(module)]
    others = set(api_source.with_data_types(public)) - set(public)
    return sorted(others, key=lambda named: (named.module, named.name))


def _module_section(module: str) -> str:
    lines = [f"## {module}"]
    for name in exported(module):
        found = _find(module, name)
        first, *rest = api_source.lines_of(found)
        lines += ["", first if found.name == name else f"{name} = {found.name}", *rest]
    return "\n".join(lines)


def _types_section() -> str:
    lines = ["## types that the signatures above consist of"]
    for named in data_types():
        first, *rest = api_source.lines_of(named)
        lines += ["", f"{named.module}: {first}", *rest]
    return "\n".join(lines)


# -- the command line


def commands(
    command: click.Command = referee, path: tuple[str, ...] = ("referee",)
) -> Iterator[tuple[str, click.Command]]:
    """Yield every command and group with its full name, such as "referee maps show"."""
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, (*path, name))


def command_section(name: str, command: click.Command) -> str:
    """Return a command with its arguments and options, one on each line."""
    lines = [_parameter(parameter) for parameter in command.params]
    return "\n".join([f"## {name}", *lines])


def _parameter(parameter: click.Parameter) -> str:
    """One parameter: its names, its type, whether it is repeated, and its default."""
    if isinstance(parameter, click.Argument):
        names = parameter.human_readable_name
    else:
        names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    is_flag = isinstance(parameter, click.Option) and parameter.is_flag
    kind = "flag" if is_flag else _type_text(parameter)
    count = "" if parameter.nargs == 1 else f" x{parameter.nargs}"
    repeated = " repeated" if parameter.multiple else ""
    required = " required" if parameter.required else ""
    default = _default_text(parameter)
    return f"{names}: {kind}{count}{repeated}{required}{default}"


def _type_text(parameter: click.Parameter) -> str:
    kind = parameter.type
    if isinstance(kind, click.Choice):
        return "|".join(map(str, kind.choices))
    if isinstance(kind, click.IntRange | click.FloatRange):
        lower = "" if kind.min is None else kind.min
        upper = "" if kind.max is None else kind.max
        return f"{kind.name} {lower}..{upper}"
    return kind.name


def _default_text(parameter: click.Parameter) -> str:
    value = parameter.default
    is_given = isinstance(value, bool | int | float | str) and value is not False
    return f" = {value}" if is_given else ""


def main() -> int:
    """Compare or write the list; return 1 if it differs."""
    parser = argparse.ArgumentParser(description="Compare the public API with the list of it.")
    parser.add_argument("--write", action="store_true", help=f"write {LIST.name}")
    if parser.parse_args().write:
        LIST.write_text(text(), "utf-8")
        return 0
    known = LIST.read_text("utf-8") if LIST.exists() else ""
    changes = list(
        difflib.unified_diff(known.splitlines(), text().splitlines(), "list", "now", n=1)
    )
    print("\n".join(changes) or "The public API is as listed.")
    return 1 if changes else 0


if __name__ == "__main__":
    raise SystemExit(main())
