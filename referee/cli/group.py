"""The group of all commands, and what becomes of errors: one sentence, exit status 2, no traceback."""

from __future__ import annotations

import sys
from typing import Any, ClassVar, NoReturn

import click

from referee import __version__
from referee.bench.build import build_name
from referee.cli.examples import examples
from referee.cli.lazy import LazyGroup
from referee.console import complain
from referee.errors import RefereeError
from referee.nearest import did_you_mean

USAGE_ERROR = 2
INTERRUPTED = 130


class Commands(LazyGroup):
    """All commands, by their modules; a group that tells its errors in one sentence."""

    modules: ClassVar = {
        "bench": "referee.cli.bench",
        "check": "referee.cli.check",
        "doctor": "referee.cli.doctor",
        "faults": "referee.cli.faults",
        "maps": "referee.cli.maps",
        "new-bot": "referee.cli.new_bot",
        "play": "referee.cli.play",
        "reask": "referee.cli.reask",
        "replay": "referee.cli.replay",
        "report": "referee.cli.report",
        "schema": "referee.cli.schema",
        "standings": "referee.cli.standings",
        "stats": "referee.cli.stats",
        "tournament": "referee.cli.tournament",
        "verify": "referee.cli.verify",
    }

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run a command and leave with its exit status."""
        extra["standalone_mode"] = False
        try:
            status = super().main(*args, **extra)
        except click.Abort:
            _leave("interrupted", INTERRUPTED)
        except click.ClickException as error:
            _leave(_sentence(error), USAGE_ERROR)
        except RefereeError as error:
            _leave(str(error), USAGE_ERROR)
        sys.exit(status if isinstance(status, int) else 0)


def _sentence(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return error.format_message()
    said = error.format_message().rstrip(".;")
    if isinstance(error, click.NoSuchOption):
        said = _no_such_option(error.option_name, context.command)
    return f"{said}{'' if said.endswith('?') else ';'} see '{context.command_path} --help'"


def _no_such_option(name: str, command: click.Command) -> str:
    known = [word for one in command.params for word in (*one.opts, *one.secondary_opts)]
    options = [word for word in known if word.startswith("-")]
    said = [f"there is no option {name!r};", did_you_mean(name, options)]
    return " ".join(filter(None, said)).rstrip(";")


def _leave(sentence: str, status: int) -> NoReturn:
    complain(sentence)
    sys.exit(status)


@click.group(
    cls=Commands,
    no_args_is_help=False,
    invoke_without_command=True,
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
@click.pass_context
def main(context: click.Context) -> None:
    """Referee games of Hansa Teutonica."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
