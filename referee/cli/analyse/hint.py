"""`referee hint`: what the seat should do at a decision of a recorded game."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from referee.analysis.hint import HINT_MS, Hint, hint_for, hint_lines
from referee.cli import completion
from referee.cli.analyse.judging import judging, rounds_option, time_option
from referee.cli.lazy import examples
from referee.records.resume import Record
from referee.terminal import explain, guarded, show_json


@click.command(
    epilog=examples(
        "referee hint --from game.jsonl --at 120",
        "referee hint --from game.jsonl --at 120 --time 10000",
        "referee hint --from unfinished.jsonl",
        "referee hint --from game.jsonl --at 120 --rounds 200 --json",
    )
)
@click.option(
    "--from",
    "origin",
    type=click.Path(path_type=Path),
    required=True,
    metavar="RECORD",
    shell_complete=completion.files,
    help="The record of the game, finished or not.",
)
@click.option(
    "--at",
    type=click.IntRange(min=1),
    metavar="ID",
    help="The id of the decision.  [default: the next one of an unfinished game]",
)
@time_option("the hint", HINT_MS)
@rounds_option("the hint")
@click.option("--json", "as_json", is_flag=True, help="Print the hint as one JSON object.")
def hint(
    origin: Path, at: int | None, time_ms: float | None, rounds: int | None, as_json: bool
) -> None:
    """Show the best turn that is found for the seat at a decision, and the two next best.

    The hint uses only what the seat knew then. In the middle of a turn, such as a relocation, it
    says the best choice there. `referee replay RECORD` shows the ids of the decisions.

    A loss is how much smaller the chance to come first is than after the best turn. "Perhaps" means
    that the difference may be chance.
    """
    settings = judging(time_ms, rounds, HINT_MS)
    record = Record(origin)
    state, _ = record.position(at)
    names = [player.name for player in record.header.players]
    found = hint_for(state, names, settings)
    if as_json:
        guarded(show_json)(msgspec.to_builtins(found))
    else:
        guarded(_show)(found)


def _show(found: Hint) -> None:
    explain(f"Decision {found.id} ({found.decision}), seat {found.seat}, {found.name}")
    for line in hint_lines(found):
        explain(line)
