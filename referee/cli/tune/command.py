"""`referee tune`: improve the parameters of a bot by games against itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from referee import terminal
from referee.bots.reaper import REAPER
from referee.cli import completion
from referee.cli.help_sections import BOTS, OUTPUT, RESUME, SCHEDULE, SectionedCommand, option
from referee.cli.lazy import examples
from referee.cli.options import (
    ClockGiven,
    FaultsGiven,
    SandboxGiven,
    clock_options,
    fault_options,
    rules_options,
    sandbox_options,
)
from referee.cli.tournament_options import Given, tuning_options
from referee.cli.tune.run import BETTER, STOPPED, UNDECIDED, TuningRun
from referee.errors import TuningRefused
from referee.options import GivenOptions
from referee.tournament.request import LARGEST_COUNT, TournamentRequest
from referee.tuning.opening import (
    OpenTuning,
    default_folder,
    find_tuned_bot,
    open_tuning,
    stored_terms,
)
from referee.tuning.summary import TuningSummary
from referee.tuning.terms import (
    DEFAULT_BLOCKS,
    DEFAULT_ITERATIONS,
    DEFAULT_SEED,
    game_of,
    make_terms,
)

DEFAULT_CONFIRM: Final = (0.0, 50.0)


@dataclass(frozen=True)
class TuneGiven:
    """The values of the options that only `tune` has."""

    only: str | None
    iterations: int | None
    blocks: int | None
    confirm: tuple[float, float] | None
    no_confirm: bool
    seed: int | None

    def check(self, bot: str | None, resume: Path | None) -> None:
        """Raise UsageError for options that exclude each other."""
        if (bot is None) == (resume is None):
            raise click.UsageError("name a BOT to tune, or a folder to continue with --resume")
        if self.no_confirm and self.confirm is not None:
            raise click.UsageError("--confirm and --no-confirm are mutually exclusive")
        fixed = {
            "--only": self.only,
            "--iterations": self.iterations,
            "--blocks": self.blocks,
            "--seed": self.seed,
        }
        given = [name for name, value in fixed.items() if value is not None]
        if resume is not None and given:
            raise click.UsageError(f"{given[0]} cannot change: leave it out to continue the tuning")

    @property
    def names(self) -> Sequence[str]:
        """The parameters to tune; all of them if there are none."""
        return [] if self.only is None else [name.strip() for name in self.only.split(",")]


@click.command(
    cls=SectionedCommand,
    epilog=examples(
        "referee tune my-bot/",
        "referee tune my-bot/ --only depth,greed --iterations 200",
        "referee tune 'my-bot --set @values.toml' --board east --seats 3",
        "referee tune my-bot/ --hours 8 --out tuning",
        "referee tune --resume tuning",
        "referee tune my-bot/ --confirm 0 20 --json",
        "referee play 'my-bot --set @tuning/values.toml' my-bot",
    ),
)
@click.argument("bot", required=False, metavar="[BOT]", shell_complete=completion.bots)
@option(
    BOTS,
    "--only",
    metavar="NAME,NAME",
    help="Tune only these parameters.  [default: all that bot.toml declares]",
)
@option(
    SCHEDULE,
    "--iterations",
    type=click.IntRange(1, LARGEST_COUNT),
    metavar="N",
    help=f"Steps of the tuning.  [default: {DEFAULT_ITERATIONS}]",
)
@option(
    SCHEDULE,
    "--blocks",
    type=click.IntRange(1, LARGEST_COUNT),
    metavar="N",
    help=f"Blocks of each iteration between its two variants.  [default: {DEFAULT_BLOCKS}]",
)
@option(
    SCHEDULE,
    "--seed",
    type=click.IntRange(min=0, max=2**53 - 1),
    metavar="N",
    help=f"Random seed: it determines the variants and the games.  [default: {DEFAULT_SEED}]",
)
@option(
    SCHEDULE,
    "--confirm",
    type=(float, float),
    metavar="LOW HIGH",
    help="At the end, test whether the tuned bot is closer to LOW or to HIGH Elo above its start."
    "  [default: 0 50]",
)
@option(SCHEDULE, "--no-confirm", is_flag=True, help="Do not test the result.")
@option(
    RESUME,
    "--resume",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Continue the tuning in this folder.",
)
@option(
    OUTPUT,
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the results; the same tuning continues there."
    "  [default: a name for this bot and these settings, such as tune-my-bot-1a2b3c4d]",
)
@rules_options
@clock_options
@fault_options
@sandbox_options
@tuning_options
@click.pass_context
def tune(
    context: click.Context,
    /,
    bot: str | None,
    rules: GivenOptions,
    clock: ClockGiven,
    fault_rules: FaultsGiven,
    isolation: SandboxGiven,
    only: str | None,
    iterations: int | None,
    blocks: int | None,
    confirm: tuple[float, float] | None,
    no_confirm: bool,
    seed: int | None,
    **options: Any,
) -> int:
    """Improve the parameters of a bot by games against itself.

    BOT is a folder with bot.toml or the name of a bundled bot; its bot.toml declares the parameters
    and their ranges. 'BOT --set PARAMETER=VALUE' starts from another value, and 'BOT --set @FILE' from
    the values in a file.

    In every iteration two variants of the bot, with all parameters a little higher or lower, play
    each other at the same tables, and the values move towards the better one. The result is the file
    values.toml in the folder. At the end, a sequential test on new games compares it with the start.

    The exit status is 0 if the tuned bot is better or --no-confirm was given, 1 if it is not better, 2 if
    it could not be tuned, 3 if --hours ended the run or the bot was disqualified, and 130 if you stopped
    it.
    """
    given = Given(**options)
    given.check()
    own = TuneGiven(only, iterations, blocks, confirm, no_confirm, seed)
    own.check(bot, given.resume)
    ponder_given = context.get_parameter_source("ponder") is ParameterSource.COMMANDLINE
    request = given.request((), rules, clock, fault_rules, isolation, ponder_given=ponder_given)
    tuning = _open(bot, given, own, request)
    with tuning.tournament.store:
        run = TuningRun(tuning, given)
        summary = run.play()
        if not summary.is_done or no_confirm:
            return _status(summary)
        return run.confirm(summary, request, confirm or DEFAULT_CONFIRM)


def _open(word: str | None, given: Given, own: TuneGiven, request: TournamentRequest) -> OpenTuning:
    """Open a new tuning, or the one that continues."""
    REAPER.take_charge()
    if word is None:
        assert given.resume is not None, "TuneGiven.check"
        terms = stored_terms(given.resume)
        if game_of(request) != TournamentRequest():
            raise TuningRefused(
                "the rules, the seats and the clock of a tuning cannot change: leave them out"
            )
        _, bot, _ = find_tuned_bot(terms.word)
        return open_tuning(given.resume, bot, terms, request, terminal.note)
    started, bot, plain_word = find_tuned_bot(word)
    terms = make_terms(
        started,
        plain_word,
        request,
        own.names,
        seed=DEFAULT_SEED if own.seed is None else own.seed,
        iterations=own.iterations or DEFAULT_ITERATIONS,
        blocks=own.blocks or DEFAULT_BLOCKS,
    )
    folder = given.out or default_folder(bot, terms)
    return open_tuning(folder, bot, terms, request, terminal.note)


def _status(summary: TuningSummary) -> int:
    if summary.ending == "stopped":
        return STOPPED
    return BETTER if summary.is_done else UNDECIDED
