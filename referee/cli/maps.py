"""`referee maps`: list, show and check boards."""

from __future__ import annotations

from pathlib import Path

import click

from referee import atlas, terminal
from referee.atlas.schema import Mistake
from referee.cli import completion
from referee.cli.lazy import CommandGroup, examples
from referee.drawing import board_svg
from referee.engine.board import BoardWords
from referee.errors import MapRefused
from referee.terminal.board.tables import show_board, show_boards

MISTAKES_FOUND = 1


@click.group(
    cls=CommandGroup, epilog=examples("referee maps list", "referee maps show east --help")
)
def maps() -> None:
    """List, show and check boards."""


@maps.command("list", epilog=examples("referee maps list", "referee maps list --json"))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_maps(as_json: bool) -> None:
    """List the boards that come with the referee."""
    boards = [atlas.load_board(name).words for name in atlas.board_names()]
    if as_json:
        terminal.show_json({"maps": [summary(words) for words in boards]})
    else:
        show_boards(boards, [", ".join(traits(words)) for words in boards])


def summary(words: BoardWords) -> dict[str, object]:
    """Return the main facts about a board, for `maps list --json`."""
    points = [point for route in words["routes"] for point in route["points"]]
    return {
        "id": words["id"],
        "title": words["title"],
        "side": words["side"],
        "players": words["players"],
        "cities": len(words["cities"]),
        "routes": len(words["routes"]),
        "points": len(points),
        "ships": sum(point["type"] == "ship" for point in points),
        "spaces": sum(len(city["spaces"]) for city in words["cities"]),
        "special": traits(words),
    }


def traits(words: BoardWords) -> list[str]:
    """Return what this board adds to the basic game, such as "ships" or "permits"."""
    routes = words["routes"]
    has = {
        "missions": bool(words["missions"]),
        "favours": words["favours"],
        "ships": any(point["type"] == "ship" for route in routes for point in route["points"]),
        "permanent markers": any(route["permanent"] for route in routes),
        "green cities": any(city["green"] for city in words["cities"]),
        "countries": bool(words["countries"]),
        "permits": bool(words["permits"]),
    }
    return [trait for trait, present in has.items() if present]


@maps.command(
    epilog=examples(
        "referee maps show east",
        "referee maps show britannia-4-5 --tables",
        "referee maps show hanse-4-5 --svg hanse.svg",
        "referee maps show my-map.toml --json",
    )
)
@click.argument("board", metavar="NAME|FILE", shell_complete=completion.boards)
@click.option("--tables", is_flag=True, help="Also print tables of all cities and routes.")
@click.option(
    "--svg",
    "svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the board as an SVG drawing to this file; - means standard output.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the board as one JSON object.")
def show(board: str, tables: bool, svg: Path | None, as_json: bool) -> None:
    """Show a board in the terminal, as an SVG drawing or as JSON."""
    if as_json and (svg or tables):
        raise click.UsageError("--json cannot be combined with --svg or --tables")
    words = atlas.load_board(board).words
    if as_json:
        terminal.show_json(words)
    elif svg is not None:
        _write(svg, board_svg(words))
    else:
        show_board(words, tables=tables)


def _write(path: Path, drawing: str) -> None:
    if str(path) == "-":
        click.echo(drawing, nl=False)
        return
    try:
        path.write_text(drawing, encoding="utf-8")
    except OSError as error:
        raise MapRefused(f"{path} cannot be written: {error.strerror}") from error
    terminal.say(f"Written: {path}")


@maps.command(
    epilog=examples("referee maps check my-map.toml", "referee maps check maps/*.toml --json")
)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", shell_complete=completion.files
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(context: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Check map files and report every mistake with its line.

    The exit status is 0 when all files are valid, else 1.
    """
    found = {name: atlas.check_file(name) for name in files}
    if as_json:
        mistakes_by_file = {
            name: [mistake_to_dict(mistake) for mistake in mistakes]
            for name, mistakes in found.items()
        }
        terminal.show_json({"ok": not any(found.values()), "files": mistakes_by_file})
    else:
        for name, mistakes in found.items():
            _print_mistakes(name, mistakes)
    if any(found.values()):
        context.exit(MISTAKES_FOUND)


def mistake_to_dict(mistake: Mistake) -> dict[str, object]:
    """Return a mistake for `maps check --json`."""
    return {
        "line": mistake.line,
        "place": mistake.place,
        "what": mistake.what,
        "allowed": mistake.allowed,
    }


def _print_mistakes(name: str, mistakes: list[Mistake]) -> None:
    for mistake in mistakes:
        line = f":{mistake.line}" if mistake.line else ""
        terminal.say(f"{name}{line}: {mistake}")
    if not mistakes:
        terminal.say(f"{name}: valid")
