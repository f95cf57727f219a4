"""Rates the house bots on every board, and checks that docs/results.md shows just this list.

    python tools/rating_list.py FOLDER           play what is missing in FOLDER, and check the page
    python tools/rating_list.py FOLDER --write   the same, and write the list to the page

The tournaments are in FOLDER: on each board, one of the strong bots and one of the weak ones, and two
bots play in both. A run that was stopped goes on where it was.
The exit status is 0 if the page has the list, 1 if it does not, and 2 if that cannot be found out.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from referee import RefereeError, Tournament
from referee.api.tournament import TournamentOptions
from referee.system import core_count
from referee.text import plural
from referee.tournament.coordinator import Progress
from referee.tournament.ratings import Difference, Ratings
from referee.tournament.store.store import Store
from referee.version import __version__, build_name

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "results.md"
BEGIN: Final = "<!-- rating list -->"
END: Final = "<!-- end of the rating list -->"
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "strong": (
        "navigator", "navigator-1", "merchant", "builder", "rusher", "blocker", "greedy",
    ),
    "weak": (
        "merchant", "greedy", "greedy-0.2=greedy --set mistakes=0.2",
        "greedy-0.4=greedy --set mistakes=0.4", "trader", "trader-0.7=trader --set mistakes=0.7",
        "random",
    ),
}  # fmt: skip
SEATS: Final = {"hanse-4-5": 4, "hanse-2-3": 3, "east": 4, "britannia-4-5": 4, "britannia-2-3": 3}
MORE_BLOCKS: Final = {("britannia-2-3", "strong"): 4}  # one is too few to tell the best two apart
OPTIONS: Final[TournamentOptions] = {
    "blocks": 1,
    "seed": 1,
    "clock": "cpu",
    "bank_ms": 3000,
    "increment_ms": 20,
}


class Machine(msgspec.Struct, frozen=True):
    """What the games were played with."""

    version: str
    build: str
    python: str
    cores: int

    def sentence(self) -> str:
        """What it is, for the page."""
        return (
            f"Version {self.version}, {self.build} build, Python {self.python},"
            f" {plural(self.cores, 'core')}."
        )


def play(bots: Sequence[str], options: TournamentOptions, folder: Path) -> Ratings:
    """Play a tournament, or what is missing of it."""
    result = Tournament(bots, out=folder, look=_show_progress, **options).run()
    if result.ending != "done":
        raise SystemExit(130)
    return result.ratings


def options_of(board: str, field: str) -> TournamentOptions:
    """The options of a tournament on a board."""
    blocks = MORE_BLOCKS.get((board, field), OPTIONS["blocks"])
    return {**OPTIONS, "blocks": blocks, "board": board, "seats": SEATS[board]}


def _show_progress(progress: Progress) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{progress.new_games} new games ")
        sys.stderr.flush()


def machine_of(folder: Path) -> Machine:
    """What the games in a folder are played with; another program must not go on with them."""
    path = folder / "machine.json"
    here = Machine(__version__, build_name(), platform.python_version(), core_count())
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(here) + b"\n")
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Machine)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RefereeError(f"{path} cannot be read: {error}; use another folder") from None
    if found != here:
        raise RefereeError(
            f"the games in {folder} were played with something else; use another folder. It was:"
            f" {found.sentence()}"
        )
    return found


# -- the page


def section(bots: Sequence[str], options: TournamentOptions, ratings: Ratings, days: str) -> str:
    """The list of one tournament, as Markdown."""
    words = [f"'{bot}'" if " " in bot else bot for bot in bots]
    words += [f"--{name.replace('_', '-')} {value}" for name, value in options.items()]
    lines = [
        f"`referee tournament {' '.join(words)}`",
        f"played {ratings.games:,} games ({days}).",
        "",
        "| bot | rating | games | first places | points | above the next one |",
        "| --- | --- | --- | --- | --- | --- |",
        *_rows(ratings),
    ]
    return "\n".join(lines) + "\n"


def _rows(ratings: Ratings) -> Iterable[str]:
    entries = ratings.entries
    for entry, below in zip(entries, (*entries[1:], None), strict=True):
        half = None if entry.low is None or entry.high is None else (entry.high - entry.low) / 2
        cells = [
            f"`{entry.bot}`",
            f"{entry.rating:.0f}" + ("" if half is None else f" ± {half:.0f}"),
            str(entry.games),
            f"{entry.first_places / max(1, entry.games):.0%}".replace("%", " %"),
            "" if entry.mean_total is None else f"{entry.mean_total:.1f}",
            "" if below is None else _gap(ratings.difference(entry.bot, below.bot)),
        ]
        yield f"| {' | '.join(cells)} |"


def _gap(difference: Difference) -> str:
    if difference.low is None or difference.high is None:
        return f"{difference.elo:.0f}"
    return f"{difference.elo:.0f} ({difference.low:.0f} to {difference.high:.0f})"


def days_of(folder: Path) -> str:
    """The first and the last day of a tournament."""
    with Store.read(folder) as store:
        _, rows = store.rows("SELECT min(finished), max(finished) FROM blocks")
        first, last = [str(moment)[:10] for moment in next(rows)]
    return first if first == last else f"{first} to {last}"


def with_list(page: str, text: str) -> str:
    """The page with this list; RefereeError if the page has no place for one."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise RefereeError(f"the page needs the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{text}\n{END}{after}"


# -- the program


def main() -> int:
    """Play, and check or write the page."""
    given = _arguments()
    try:
        return run(given.folder, given.boards, is_writing=given.write)
    except RefereeError as error:
        print(f"rating list: {error}", file=sys.stderr)
        return 2


def run(folder: Path, boards: Sequence[str], *, is_writing: bool, page: Path = PAGE) -> int:
    """Play all boards, and check or write the page; return the exit status."""
    machine = machine_of(folder)
    sections = []
    for board in boards:
        sections.append(f"### {board}\n")
        for field, bots in FIELDS.items():
            played = folder / f"{board}-{field}"
            options = options_of(board, field)
            ratings = play(bots, options, played)
            sections.append(section(bots, options, ratings, days_of(played)))
            print(sections[-1], flush=True)
    if set(boards) != set(SEATS):
        return 0  # a part of the list is only printed
    known = page.read_text("utf-8")
    wanted = with_list(known, "\n".join([f"{machine.sentence()}\n", *sections]))
    if is_writing:
        page.write_text(wanted, "utf-8")
    elif wanted != known:
        print(f"rating list: {page} has another list: write it with --write", file=sys.stderr)
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the tournaments are")
    parser.add_argument(
        "--boards", nargs="+", choices=SEATS, default=list(SEATS), metavar="BOARD",
        help="only these boards, whose lists are printed",
    )  # fmt: skip
    parser.add_argument("--write", action="store_true", help=f"write the list to {PAGE.name}")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
