"""`referee play --browser`: people play on a page, and everybody can watch."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import click

from referee import terminal
from referee.bots.sandbox.levels import Sandboxed
from referee.cli.serve_options import ServeGiven
from referee.web.live.browser_seats import BrowserSeats
from referee.web.live.game_server import GameServer, game_server
from referee.web.live.page_opener import PageOpener, has_display, opening_file

PACKED = ".gz"


class BrowserGame(NamedTuple):
    """A game whose pages are served: the record that they follow, and the people in the browser."""

    record: Path
    seats: BrowserSeats

    def wait_until_closed(self) -> None:
        """After the end of the game: serve until the last page of a seat is closed, or Ctrl-C."""
        with suppress(KeyboardInterrupt):
            self.seats.wait_until_closed()


def check_record(record: Path | None) -> None:
    """UsageError for a record that cannot be followed while it is written."""
    if record is not None and record.suffix == PACKED:
        raise click.UsageError(
            "--browser follows the record while it is written, so it cannot be packed: name it .jsonl"
        )


@contextmanager
def served_game(
    record: Path | None,
    sandboxed: Sandboxed,
    serving: ServeGiven,
    *,
    has_clock: bool,
) -> Iterator[BrowserGame]:
    """Serve the pages of a game during the block; without a record, a temporary one is written."""
    people = {seat: bot.name for seat, bot in enumerate(sandboxed.bots) if bot.is_human}
    with ExitStack() as stack:
        # Started first: what opens the browser must not be a child of the process that ends bots.
        opener = stack.enter_context(PageOpener()) if serving.browser and has_display() else None
        if record is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-play-"))
            record = Path(folder) / "game.jsonl"
        server = stack.enter_context(
            game_server(record, people, *serving.place, serving.allow_host, has_clock=has_clock)
        )
        _say_addresses(server, people, sandboxed)
        if opener is not None:
            own = next(iter(people), None)
            if own is None:
                opener.open(server.address.url)
            elif _are_trusted(sandboxed):
                file = stack.enter_context(opening_file(server.taking_address(own)))
                opener.open(file.as_uri())
            else:
                opener.open(server.seat_address(own))
        yield BrowserGame(record, server.seats)


def _are_trusted(sandboxed: Sandboxed) -> bool:
    """Whether no bot can read the files of this user, or all bots are the referee's own."""
    return sandboxed.level == "strict" or all(
        bot.is_bundled or bot.is_human for bot in sandboxed.bots
    )


def _say_addresses(server: GameServer, people: dict[int, str], sandboxed: Sandboxed) -> None:
    for seat, name in people.items():
        terminal.note(f"Seat {seat}, {name}: {server.taking_address(seat)}")
    terminal.note(f"Spectators: {server.address.url}")
    if people:
        terminal.note("The address of a seat works once, and takes the seat.")
    if not server.address.is_loopback:
        terminal.note(
            "The traffic is not encrypted: everybody in this network can read it, also the codes."
        )
    if people and not _are_trusted(sandboxed):
        terminal.note(
            "Bots that are not in the strict sandbox can reach the server and read your files:"
            " play only with bots that you trust."
        )
