"""A person at the terminal: menus with every choice, and what can be typed there."""

import unicodedata
from collections.abc import Sequence

import pytest

from referee import atlas
from referee.adjudication.clock import NO_CLOCK
from referee.adjudication.faults import Fault
from referee.encoder import Formats, GameEncoder, SeatEncoder
from referee.engine import game, view
from referee.engine.ruleset import make_ruleset
from referee.engine.serialize import choice_words
from referee.engine.state import GameState
from referee.engine.terms import TRADER, tradesman
from referee.match.hints import Hints
from referee.match.human import HELP, HINT_HELP, HumanPlayer
from referee.match.menu import FLAT, Item, MenuMaker, RouteNotes
from referee.match.players import Answer
from referee.text import has_words
from support.combinations import WITH_LEVY, WITH_VALUES
from support.random_games import sampled

CTRL_D = "\x04"
NAMES = ["ann", "bob", "cid"]


class Script:
    """A terminal with prepared input, which notes what it shows."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.rows = 100
        self.notes: list[str] = []
        self.menus: list[tuple[str, list[str]]] = []
        self.messages: list[str] = []
        self.shown: list[str] = []

    def menu(
        self, state: GameState, seat: int, title: str, items: Sequence[Item], first: int
    ) -> int:
        rest = min(first + self.rows, len(items))
        self.menus.append((title, [item.label for item in items[first:rest]]))
        self.notes = [item.note for item in items]
        return rest

    def ask(self, question: str) -> str:
        self.shown.append(question)
        if not self.lines or self.lines[0] == CTRL_D:
            del self.lines[:1]
            raise EOFError
        return self.lines.pop(0)

    def message(self, text: str) -> None:
        self.messages.append(text)

    def board(self, state: GameState, seat: int) -> None:
        self.shown.append("board")

    def desks(self, state: GameState, seat: int) -> None:
        self.shown.append("desks")

    def scores(self, state: GameState, seat: int) -> None:
        self.shown.append("scores")

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


@pytest.mark.parametrize(
    "typed", ["lübeck", "LÜB", "lubeck", "LUEBECK", "hamb lueb", "  lub   hamburg ", "bank"]
)
def test_words_find_the_choices_that_contain_them_all(typed: str) -> None:
    terminal = Script(typed, "1")
    assert chosen(terminal)["route"] == "hamburg--luebeck"
    assert terminal.menus[1][0] == f'Choices with "{typed.strip()}"'


@pytest.mark.parametrize(
    ("typed", "text"),
    [("koln", "Köln"), ("KOELN", "Köln"), ("cöllen", "Coellen"), ("gross", "Groß")],
)
def test_an_umlaut_can_be_typed_in_three_ways(typed: str, text: str) -> None:
    assert has_words(text, typed)
    assert has_words(unicodedata.normalize("NFD", text), typed)


@pytest.mark.parametrize(
    "typed", ["0", "99", "-1", "x", "nowhere", "hamb nowhere", "1.5", "①", "9" * 5000]
)
def test_after_invalid_input_the_person_is_asked_again(typed: str) -> None:
    terminal = Script(typed, "3")
    assert chosen(terminal)["do"] == "end-turn"
    assert len(terminal.messages) == 1
    assert len(terminal.menus) == 1


def test_the_menu_follows_board_desks_scores_log_and_help() -> None:
    terminal = Script("2", "b", "d", "s", "l", "?", "", "3")
    assert chosen(terminal)["do"] == "end-turn"
    shown = [what for what in terminal.shown if what.isalpha()]
    assert shown == ["board", "board", "desks", "scores", "log"]
    assert "Ctrl-C" in terminal.messages[0]
    titles = [title for title, _ in terminal.menus]
    assert titles == ["Your turn", *["Place a tradesman"] * 6, "Your turn"]


def test_the_board_is_shown_before_the_first_menu() -> None:
    state, terminal = new_game(), Script("3", "3")
    player = seated(state, terminal)
    for _ in range(2):
        player.decide(state.decision_id, game.choices(state))
    assert terminal.shown == ["board", "1-3, b d s l ? q", "1-3, b d s l ? q"]


def test_a_long_menu_has_more_lines() -> None:
    terminal = Script("2", "m", "m", "m", "32", "1")
    terminal.rows = 20
    assert chosen(terminal)["route"] == "perleberg--stendal"
    places = [labels for title, labels in terminal.menus if title == "Place a tradesman"]
    assert [len(labels) for labels in places] == [20, 12, 20, 12]
    assert "1-32, m b d s l ? q" in terminal.shown


def test_m_is_not_a_command_in_a_short_menu() -> None:
    terminal = Script("m", "3")
    chosen(terminal)
    assert terminal.messages == ["'m' is not one of these; ? shows help"]


# --- What a place gives


def note_of(route: str, state: GameState) -> str:
    terminal = Script("2")
    answer(terminal, state)
    places = next(labels for title, labels in terminal.menus if title == "Place a tradesman")
    return terminal.notes[places.index(route)]


def test_a_place_says_how_full_it_is_and_what_it_gives() -> None:
    state = new_game()
    assert (
        note_of("Göttingen – Quedlinburg", state) == "0/3 taken · actions, white | orange merchant"
    )
    assert note_of("Coellen – Warburg", state) == "0/4 taken · prestige, white +1 | orange +1"
    assert note_of("Lüneburg – Perleberg", state) == (
        "0/3 taken · white merchant | white · “move 3”"
    )


def test_the_note_of_a_place_follows_the_position() -> None:
    state = new_game()
    route = state.board.route_number["hamburg--luebeck"]
    state.points[state.board.routes[route][0]] = tradesman(1, TRADER)
    for city in state.board.ends[route]:
        state.posts[state.board.spaces[city][0]] = tradesman(1, TRADER)
    note = RouteNotes(state.board.words).note("hamburg--luebeck", view.see(state, 0))
    assert note == "1/3 taken · orange | bank, pink"
    for city in state.board.ends[route]:
        for space in state.board.spaces[city]:
            state.posts[space] = tradesman(1, TRADER)
    full = RouteNotes(state.board.words).note("hamburg--luebeck", view.see(state, 0))
    assert full == "1/3 taken · full | bank, full"


# --- Leaving


def test_the_end_of_the_input_is_a_crash_of_this_seat() -> None:
    assert answer(Script()) == Fault("crash", "left the game")


def test_ctrl_d_asks_before_the_person_leaves() -> None:
    terminal = Script(CTRL_D, "n", "3")
    assert chosen(terminal)["do"] == "end-turn"
    assert terminal.shown[2].startswith("Leave the game?")
    assert isinstance(answer(Script(CTRL_D, "y")), Fault)
    assert isinstance(answer(Script(CTRL_D, CTRL_D)), Fault)


def test_leaving_needs_a_confirmation() -> None:
    assert chosen(Script("q", "n", "3"))["do"] == "end-turn"
    assert isinstance(answer(Script("q", "y")), Fault)


# --- Menus


@pytest.mark.parametrize("name", [*WITH_VALUES, WITH_LEVY])
def test_a_menu_has_every_choice_once_and_labels_are_unique(name: str) -> None:
    for state in sampled(name):
        offered = game.choices(state)
        words = [choice_words(state.board, choice) for choice in offered]
        menu = MenuMaker(state.board.words, NAMES).menu(words, view.see(state, 0))
        leaves = menu.leaves()
        assert sorted(leaf.index for leaf in leaves) == list(range(len(offered)))
        assert menu.count == len(offered)
        assert len(menu.items) <= max(FLAT, len(state.board.routes))
        labels = [leaf.label for leaf in leaves]
        assert len(set(labels)) == len(labels)


# --- Hints


class Advice:
    """Hints that are there at once; notes what was begun and stopped."""

    def __init__(self, error: type[BaseException] | None = None) -> None:
        self.error = error
        self.begun: list[int] = []
        self.stopped = 0

    def __call__(self, state: GameState, names: Sequence[str]) -> "Advice":
        assert list(names) == NAMES
        self.begun.append(state.decision_id)
        return self

    def fileno(self) -> int:
        raise NotImplementedError

    def text(self) -> str:
        if self.error is not None:
            raise self.error
        return f"Best: number {len(self.begun)}"

    def stop(self) -> None:
        self.stopped += 1


def advised(terminal: Script, advice: Advice) -> HumanPlayer:
    state = new_game()
    player = seated(state, terminal)
    player.sit(state, 0, Hints(advice, None))
    return player


def test_a_hint_is_shown_and_again_without_another_one() -> None:
    terminal, advice = Script("h", "hint", "3"), Advice()
    player = advised(terminal, advice)
    found = player.decide(1, game.choices(player._state))
    assert isinstance(found, Answer)
    assert terminal.messages == ["Looking for a hint …", "Best: number 1", "Best: number 1"]
    assert (advice.begun, advice.stopped) == ([1], 1)
    assert "1-3, b d s l h ? q" in terminal.shown


def test_ctrl_c_stops_the_hint_and_the_game() -> None:
    advice = Advice(KeyboardInterrupt)
    player = advised(Script("h"), advice)
    with pytest.raises(KeyboardInterrupt):
        player.decide(1, game.choices(player._state))
    assert advice.stopped == 1


def test_the_help_names_the_key_only_where_there_are_hints() -> None:
    player = advised(with_hints := Script("?", "3"), Advice())
    player.decide(1, game.choices(player._state))
    answer(without := Script("h", "3"))
    assert [HINT_HELP in one.messages[0] for one in (with_hints, without)] == [True, False]
    assert without.messages == [HELP]
