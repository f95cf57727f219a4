"""`referee schema`: print or write the JSON Schemas of the messages."""

from __future__ import annotations

from pathlib import Path

import click

from referee import schema as schemas
from referee import terminal
from referee.cli.lazy import examples
from referee.schema import docs_page


@click.command(
    epilog=examples(
        "referee schema", "referee schema --message decide", "referee schema --out schemas/"
    )
)
@click.option(
    "--message",
    "name",
    type=click.Choice(schemas.NAMES),
    help="Print only this schema.  [default: all]",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write each schema to DIR/NAME.json instead of printing it.",
)
@click.option(
    "--page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Update the tables of codes in this Markdown file instead of printing.",
)
def schema(name: str | None, out: Path | None, page: Path | None) -> None:
    """Print the JSON Schemas of all messages, or write them to files.

    The referee sends hello, start, decide, error, end and quit; the bot sends hello (bot-hello),
    ready and choose. The schema 'codes' explains the numbers that a bot gets if it asks for codes.
    """
    if page is not None:
        if name or out:
            raise click.UsageError("--page cannot be combined with --message or --out")
        _write(page, docs_page.update_page(_read(page)))
    elif out is not None:
        for message in [name] if name else schemas.NAMES:
            _write(out / f"{message}.json", schemas.text(message))
    elif name:
        click.echo(schemas.text(name), nl=False)
    else:
        terminal.show_json({message: schemas.schema(message) for message in schemas.NAMES})


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path} cannot be read: it is not UTF-8 text") from error


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from error
    terminal.say(f"Written: {path}")
