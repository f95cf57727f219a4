"""A person at the terminal: menus with every choice, and what can be typed there."""

from collections.abc import Sequence
from random import Random

import pytest

from referee import atlas
from referee.adjudication.clock import NO_CLOCK
from referee.adjudication.faults import Fault
from referee.encoder import Formats, GameEncoder, SeatEncoder
from referee.engine import game, view
from referee.engine.choice import Choice
from referee.engine.ruleset import make_ruleset
from referee.engine.serialize import choice_words
from referee.engine.state import GameState
from referee.match.human import HumanPlayer
from referee.match.menu import FLAT, Item, MenuMaker
from referee.match.players import Answer
from referee.random_play import kind_first

NAMES = ["ann", "bob", "cid"]


class Script:
    """A terminal with prepared input, which notes what it shows."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.menus: list[tuple[str, list[str]]] = []
        self.messages: list[str] = []
        self.shown: list[str] = []

    def menu(self, state: GameState, seat: int, title: str, items: Sequence[Item]) -> None:
        self.menus.append((title, [item.label for item in items]))

    def ask(self, question: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def message(self, text: str) -> None:
        self.messages.append(text)

    def board(self, state: GameState, seat: int) -> None:
        self.shown.append("board")

    def desks(self, state: GameState, seat: int) -> None:
        self.shown.append("desks")

    def log(self) -> None:
        self.shown.append("log")


def new_game(board: str = "hanse-2-3", players: int = 3, **options: bool) -> GameState:
    found = atlas.load_board(board)
    rules = make_ruleset(atlas.load_components(), found, players, max_turns=300, **options)  # type: ignore[arg-type]
    return game.new_game(found, rules, 5)


def seated(state: GameState, terminal: Script) -> HumanPlayer:
    player = HumanPlayer("ann", terminal)
    player.sit(state, 0)
    encoding, detail, _ = player.message_format
    message_format = Formats(state.board).get(encoding, detail)
    player.start(SeatEncoder(GameEncoder(message_format, state), 0), "a-game", NAMES, NO_CLOCK)
    return player


def answer(terminal: Script, state: GameState | None = None) -> Answer | Fault:
    state = state or new_game()
    return seated(state, terminal).decide(state.decision_id, game.choices(state))


def chosen(terminal: Script) -> dict[str, object]:
    state = new_game()
    found = answer(terminal, state)
    assert isinstance(found, Answer)
    return choice_words(state.board, game.choices(state)[found.index])


# --- Input


def test_a_number_selects_a_line_and_opens_its_menu() -> None:
    terminal = Script("2", "1", "2")
    words = chosen(terminal)
    assert (words["do"], words["tradesman"]) == ("place", "merchant")
    assert [title for title, _ in terminal.menus] == [
        "Your turn",
        "Place a tradesman",
        "Arnheim – Duisburg",
    ]


def test_an_empty_line_goes_back_to_the_first_menu() -> None:
    assert chosen(Script("2", "", "3"))["do"] == "end-turn"


@pytest.mark.parametrize("typed", ["lübeck", "LÜB", "lubeck"])
def test_a_word_finds_the_choices_that_contain_it(typed: str) -> None:
    terminal = Script(typed, "1")
    assert chosen(terminal)["route"] == "hamburg--luebeck"
    assert terminal.menus[1][0] == f'Choices with "{typed}"'


@pytest.mark.parametrize("typed", ["0", "99", "-1", "x", "nowhere", "1.5", "①", "9" * 5000])
def test_after_invalid_input_the_person_is_asked_again(typed: str) -> None:
    terminal = Script(typed, "3")
    assert chosen(terminal)["do"] == "end-turn"
    assert len(terminal.messages) == 1


def test_board_desks_log_and_help_can_be_shown() -> None:
    terminal = Script("b", "d", "l", "?", "3")
    assert chosen(terminal)["do"] == "end-turn"
    assert terminal.shown == ["board", "desks", "log"]
    assert "Ctrl-C" in terminal.messages[0]
    assert len(terminal.menus) == 1


# --- Leaving


def test_the_end_of_the_input_is_a_crash_of_this_seat() -> None:
    assert answer(Script()) == Fault("crash", "left the game")


def test_leaving_needs_a_confirmation() -> None:
    assert chosen(Script("q", "n", "3"))["do"] == "end-turn"
    assert isinstance(answer(Script("q", "y")), Fault)


# --- Menus


def decisions_of(board: str, players: int, **options: bool) -> list[tuple[GameState, list[Choice]]]:
    """Every third decision of a game, if it has more than one choice, with its choices."""
    state, rng, found = new_game(board, players, **options), Random(3), []
    while not state.is_over:
        offered = game.choices(state)
        if len(offered) > 1 and state.decision_id % 3 == 0:
            found.append((state.copy(), offered))
        game.apply(state, kind_first(offered, rng) if len(offered) > 1 else 0)
    return found


@pytest.mark.parametrize(
    ("board", "players", "options"),
    [
        ("hanse-4-5", 4, {"favours": True, "promos": True}),
        ("east", 3, {"promos": True}),
        ("britannia-2-3", 2, {"permits": True, "promos": True}),
    ],
)
def test_a_menu_has_every_choice_once_and_labels_are_unique(
    board: str, players: int, options: dict[str, bool]
) -> None:
    for state, offered in decisions_of(board, players, **options):
        routes = view.see(state, 0)["routes"]
        assert isinstance(routes, dict)
        words = [choice_words(state.board, choice) for choice in offered]
        menu = MenuMaker(state.board.words, NAMES).menu(words, routes)
        leaves = menu.leaves()
        assert sorted(leaf.index for leaf in leaves) == list(range(len(offered)))
        assert menu.count == len(offered)
        assert len(menu.items) <= max(FLAT, len(state.board.routes))
        labels = [leaf.label for leaf in leaves]
        assert len(set(labels)) == len(labels)
