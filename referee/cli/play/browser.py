"""`referee play --browser`: people play on a page, and everybody can watch."""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import click

from referee import terminal
from referee.bots.sandbox.levels import Sandboxed
from referee.cli.help_sections import BROWSER, CLOCKS, option
from referee.cli.options import gather
from referee.cli.serving import allow_host_option, place_option
from referee.web.live.page_opener import PageOpener, has_display, opening_file
from referee.web.live.process import DEFAULT_HOST
from referee.web.play.browser_seats import BrowserSeats
from referee.web.play.game_server import GameServer, game_server

PACKED: Final = ".gz"


@dataclass(frozen=True)
class BrowserGiven:
    """The options for pages of the game."""

    browser: bool = False
    place: tuple[str, int] | None = None  # host and port
    allowed_hosts: tuple[str, ...] = ()
    human_clock: bool = False

    @property
    def is_wanted(self) -> bool:
        """Whether pages are served."""
        return self.browser or self.place is not None

    def words(self) -> list[str]:
        """These options as words of a command line."""
        place = [] if self.place is None else ["--serve", f"{self.place[0]}:{self.place[1]}"]
        hosts = [word for name in self.allowed_hosts for word in ("--allow-host", name)]
        flags = ["--browser"] * self.browser + ["--human-clock"] * self.human_clock
        return [*flags, *place, *hosts]

    def check(self, record: Path | None) -> None:
        """UsageError for options that need pages, and for a record that pages cannot follow."""
        if not self.is_wanted:
            if self.allowed_hosts or self.human_clock:
                raise click.UsageError(
                    "--allow-host and --human-clock belong to --browser or --serve"
                )
        elif record is not None and record.suffix == PACKED:
            raise click.UsageError(
                "the pages follow the record while it is written, so it cannot be packed: name it .jsonl"
            )


browser_options = gather(
    "pages",
    BrowserGiven,
    option(
        BROWSER,
        "--browser",
        is_flag=True,
        help="Play and watch in the browser: opens the page of the first `human`, and prints an"
        " address for each.",
    ),
    place_option("--serve", "Where the pages are served; port 0 is any free one.", BROWSER),
    allow_host_option(BROWSER),
    option(
        CLOCKS,
        "--human-clock",
        is_flag=True,
        help="The clock runs for people in the browser, too.  [default: they have no clock]",
    ),
)


class BrowserGame(NamedTuple):
    """A game whose pages are served: the record that they follow, and the people in the browser."""

    record: Path
    seats: BrowserSeats

    def begin(self) -> None:
        """The record was opened: show the game."""
        self.seats.game_began()

    def wait_until_closed(self) -> None:
        """After the end of the game: serve until the last page of a seat is closed, or Ctrl-C."""
        with suppress(KeyboardInterrupt):
            self.seats.wait_until_closed()


@contextmanager
def served_game(
    record: Path | None,
    sandboxed: Sandboxed,
    given: BrowserGiven,
    *,
    hints: bool = False,
) -> Iterator[BrowserGame]:
    """Serve the pages of a game during the block; without a record, a temporary one is written."""
    people = {seat: bot.name for seat, bot in enumerate(sandboxed.bots) if bot.is_human}
    with ExitStack() as stack:
        stack.enter_context(_ended_by_sigterm())
        # Started first: what opens the browser must not be a child of the process that ends bots.
        opener = stack.enter_context(PageOpener()) if given.browser and has_display() else None
        if record is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-play-"))
            record = Path(folder) / "game.jsonl"
        server = stack.enter_context(
            game_server(
                record,
                people,
                *(given.place or (DEFAULT_HOST, 0)),
                given.allowed_hosts,
                has_clock=given.human_clock,
                hints=hints,
            )
        )
        _say_addresses(server, people, sandboxed)
        if people and sys.stdin.isatty():
            terminal.note("If a browser loses its seat, press Enter here for new addresses.")
            server.seats.watch(sys.stdin.fileno(), lambda: _say_new_addresses(server, people))
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


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end the program with an exception, so that the server ends and temporary files are removed."""
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _say_new_addresses(server: GameServer, people: dict[int, str]) -> None:
    server.renew_codes()
    _say_seats(server, people)
    terminal.note("Opening a new address takes the seat; the old page no longer works.")


def _say_seats(server: GameServer, people: dict[int, str]) -> None:
    for seat, name in people.items():
        terminal.note(f"Seat {seat}, {name}: {server.network_address(seat)}")


def _say_addresses(server: GameServer, people: dict[int, str], sandboxed: Sandboxed) -> None:
    _say_seats(server, people)
    terminal.note(f"Spectators: {server.address.network_url}")
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
