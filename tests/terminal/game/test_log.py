"""The log of a game: every event in plain words, and text of bots cannot control the terminal."""

from collections.abc import Sequence
from io import StringIO

import pytest
from rich.console import Console

from referee import atlas, random_play
from referee.adjudication.faults import Fault, FaultRecord
from referee.engine import game, view
from referee.engine.ruleset import make_ruleset
from referee.engine.serialize import event_words
from referee.engine.state import GameState
from referee.narration.events import EventNarrator, Statement, Who
from referee.terminal.board.picture import show_position
from referee.terminal.game.log import LiveGameLog
from referee.terminal.game.score_tables import desks_table
from referee.terminal.seats import seat_text

NAMES = ("ann", "bob", "cid", "dan", "eve")
SILENT = {"turn", "action", "lifted", "game-over", "scored"}
GAMES = [
    ("hanse-4-5", 4, {"favours": True, "promos": True, "missions": True}),
    ("east", 3, {"promos": True}),
    ("britannia-2-3", 2, {"permits": True, "promos": True}),
    ("britannia-4-5", 5, {}),
]


def new_game(board: str, players: int, max_turns: int = 400, **options: bool) -> GameState:
    found = atlas.load_board(board)
    rules = make_ruleset(atlas.load_components(), found, players, max_turns=max_turns, **options)  # type: ignore[arg-type]
    return game.new_game(found, rules, 5)


def played(board: str, players: int, max_turns: int = 400, **options: bool) -> GameState:
    state = new_game(board, players, max_turns, **options)
    random_play.play_out(state, random_play.rng_of(5))
    return state


def screen(width: int = 80) -> Console:
    return Console(file=StringIO(), width=width, highlight=False, color_system=None)


def text_of(console: Console) -> str:
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def logged(state: GameState, names: Sequence[str], width: int = 80) -> str:
    console = screen(width)
    LiveGameLog(state.board, names, console).applied(state)
    return text_of(console)


def text_of_phrase(narrated: Statement | None) -> str:
    assert narrated is not None
    return "".join(f"<{part.seat}>" if isinstance(part, Who) else part for part in narrated.phrase)


# --- Events in words


@pytest.mark.parametrize(("board", "players", "options"), GAMES)
def test_every_event_has_a_phrase_unless_another_includes_it(
    board: str, players: int, options: dict[str, bool]
) -> None:
    state = played(board, players, **options)
    narrator = EventNarrator(state.board.words)
    for event in state.events or []:
        words = event_words(state, event)
        narrated = narrator.narrate(words)
        paid = words["event"] == "paid" and words["why"] == "displace"
        assert (narrated is None) == (words["event"] in SILENT or paid)


def test_the_cost_of_displacing_is_part_of_its_phrase() -> None:
    narrator = EventNarrator(atlas.load_board("hanse-2-3").words)
    place = {"route": "hamburg--luebeck", "point": 0, "tradesman": "merchant"}
    assert (
        narrator.narrate(
            {"event": "paid", "seat": 0, "traders": 2, "merchants": 0, "why": "displace"}
        )
        is None
    )
    narrated = narrator.narrate(
        {"event": "displaced", "seat": 1, "by": 0, "with": "trader", **place}
    )
    assert text_of_phrase(narrated) == (
        "displaces <1> merchant at Hamburg – Lübeck with a trader, paying 2 traders"
    )


def test_a_move_is_one_phrase_with_both_routes() -> None:
    narrator = EventNarrator(atlas.load_board("hanse-2-3").words)
    common = {"seat": 0, "by": 0, "point": 0, "tradesman": "trader", "why": "move"}
    assert narrator.narrate({"event": "lifted", "route": "hamburg--luebeck", **common}) is None
    narrated = narrator.narrate({"event": "put", "route": "hamburg--stade", **common})
    assert text_of_phrase(narrated) == "moves a trader from Hamburg – Lübeck to Hamburg – Stade"


def test_prestige_is_shown_with_its_new_total() -> None:
    log = logged(played("hanse-2-3", 3, 300), NAMES[:3])
    assert "+1 prestige for control of" in log
    assert ", now 2" in log


# --- The margin


def test_a_turn_is_named_once_with_its_seat() -> None:
    state = played("hanse-2-3", 2, max_turns=8)
    lines = logged(state, NAMES[:2]).splitlines()
    for number in range(1, 8):
        assert sum(line.startswith(f"{number:>4} ● ") for line in lines) == 1


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    log = logged(played("britannia-4-5", 5, 100), [name * 14 for name in NAMES], width)
    assert max(map(len, log.splitlines())) <= width


def test_skipped_events_are_not_shown() -> None:
    state = played("hanse-2-3", 2, max_turns=8)
    console = screen()
    log = LiveGameLog(state.board, NAMES[:2], console)
    log.skip(state)
    log.applied(state)
    assert text_of(console) == ""


def test_the_last_lines_can_be_shown_again() -> None:
    state = played("hanse-2-3", 2, max_turns=8)
    console = screen()
    log = LiveGameLog(state.board, NAMES[:2], console)
    log.applied(state)
    once = text_of(console)
    log.print_again()
    assert text_of(console) == once + once


def test_the_board_can_be_drawn_after_each_turn() -> None:
    state = played("hanse-2-3", 2, max_turns=3)
    console = screen()
    LiveGameLog(state.board, NAMES[:2], console, boards=True).applied(state)
    assert text_of(console).count("Lüneburg") >= 2


# --- Text of bots is data


def test_control_characters_and_markup_in_a_remark_are_escaped() -> None:
    state, console = new_game("hanse-2-3", 2), screen(120)
    LiveGameLog(state.board, NAMES[:2], console).remarked(state, "[red]hi[/red]\x1b[2J\n\u202e")
    assert '"[red]hi[/red]\\u001b[2J\\u000a\\u202e"' in text_of(console)


def test_a_fault_has_its_sentence_and_the_file_on_one_line() -> None:
    state, console = new_game("hanse-2-3", 2), screen(60)
    path = "/a/rather/long/path/to/the/folder/of/the/record/game.jsonl.stderr/bob.txt"
    cause = Fault("garbage", "[b]no\x07message[/b]")
    fault = FaultRecord(1, "bob", 12, cause, 1, 3, disqualified=False, stderr_file=path)
    LiveGameLog(state.board, NAMES[:2], console).faulted(fault)
    shown = text_of(console)
    assert "[b]no\\u0007message[/b] (garbage, decision 12)" in " ".join(shown.split())
    assert f"its stderr: {path}\n" in shown


def test_a_name_is_shown_with_its_control_characters() -> None:
    assert seat_text(0, ["a\x1bb"]).plain == "● a\\u001bb"


# --- The position


@pytest.mark.parametrize(("board", "players", "options"), GAMES)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_position_can_be_drawn_in_any_encoding(
    board: str, players: int, options: dict[str, bool], encoding: str
) -> None:
    state = played(board, players, 200, **options)
    console = screen(100)
    if encoding == "ascii":
        console = Console(file=AsciiFile(), width=100, highlight=False, color_system=None)
    show_position(state.board.words, view.see(state, 0), NAMES[:players], console)  # type: ignore[arg-type]
    drawn = text_of(console)
    assert "eve" in drawn or players < 5
    assert drawn.isascii() or encoding == "utf-8"


class AsciiFile(StringIO):
    """A terminal that can only show ASCII."""

    encoding = "ascii"


def test_every_tradesman_on_a_point_is_drawn() -> None:
    state = played("hanse-2-3", 2, 60)
    empty, full = screen(), screen()
    position = view.see(state, 0)
    show_position(state.board.words, position, NAMES[:2], full)  # type: ignore[arg-type]
    fresh = new_game("hanse-2-3", 2)
    show_position(fresh.board.words, view.see(fresh, 0), NAMES[:2], empty)  # type: ignore[arg-type]
    free = sum(not man for man in fresh.points) - sum(not man for man in state.points)
    assert text_of(empty).count("⌂") - text_of(full).count("⌂") == free


def test_the_desks_have_a_column_for_each_seat() -> None:
    state = played("hanse-4-5", 5, 50, favours=True)
    console = screen()
    console.print(desks_table(view.see(state, 0), state.rules, NAMES))  # type: ignore[arg-type]
    drawn = text_of(console)
    for word in (*NAMES, "keys", "privilege", "white", "supply", "favours"):
        assert word in drawn
