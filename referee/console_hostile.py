"""The figures of `bench hostile` and `bench sandbox`, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from referee.bench.hostile import MOST_LAG_MS, Attack
from referee.bench.sandbox import Price
from referee.terminal import OUT, explain, say
from referee.terminal.game.score_tables import plain_table


def show_attacks(words: Mapping[str, object], found: Sequence[Attack]) -> None:
    """A row for each kind of attack."""
    table = plain_table()
    table.add_column("attack", no_wrap=True)
    table.add_column("fault", no_wrap=True)
    for header in ("kills", "survivors", "lag\nms", "p99\nms", "most\nms"):
        table.add_column(header, justify="right", no_wrap=True)
    for attack in found:
        faults = ", ".join(f"{fault} {count}" for fault, count in attack.faults.items())
        table.add_row(
            Text(attack.kind, style="" if attack.is_held else "bold red"),
            faults,
            str(attack.kills),
            str(attack.survivors),
            f"{attack.lag_ms:.1f}",
            f"{attack.p99_lag_ms:.1f}",
            f"{attack.most_lag_ms:.1f}",
        )
    say("")
    OUT.print(Text(f"Sandbox: {words['sandbox']}", style="bold"))
    OUT.print(table)
    say("'lag' is from the fault to the next request to somebody else, in the middle.")
    say(f"At most {MOST_LAG_MS:.0f} ms and no survivor: {'held' if words['held'] else 'not held'}.")
    say("")


def show_prices(words: Mapping[str, object], prices: Sequence[Price]) -> None:
    """A row for each level."""
    table = plain_table()
    table.add_column("sandbox", no_wrap=True)
    for header in ("start\nms", "more\nms", "least\nms", "decision\nµs", "more\nµs"):
        table.add_column(header, justify="right", no_wrap=True)
    for price in prices:
        table.add_row(
            price.level,
            f"{price.start_ms:.1f}",
            Text(f"{price.more_start_ms:+.1f}", style="bold"),
            f"{price.least_start_ms:.1f}",
            f"{price.decision_us:.1f}",
            Text(f"{price.more_decision_us:+.2f}", style="bold"),
        )
    say("")
    OUT.print(Text(f"Engine: {words['build']}, Python {words['python']}", style="bold"))
    OUT.print(table)
    explain(
        "'more' is against no sandbox, in the middle of all turns; 'least' is the quickest start."
    )
    say("")
