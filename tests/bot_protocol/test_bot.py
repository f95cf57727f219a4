"""Bots written with the SDK, as real processes: every option, and every mistake of a bot."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from protocol.messages import Encoding, StateOption
from protocol.request import Request
from referee.encoder import Detail
from referee.engine import game
from referee.engine.state import GameState
from support.dialogue import CLOCK, HELLO, QUIT, Process, SeatMessages, conversation, parsed
from support.paths import ROOT
from support.random_games import played

FIRST = """
    from protocol import Bot, run

    class First(Bot):
        name = "first"

        def decide(self, request):
            return request.choices[0]

    run(First())
"""
NAME = "hanse-2-3:3:bigbox+missions+max_turns=30"

Start = Callable[..., Process]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a bot from its source; its process ends with the test."""
    made: list[Process] = []

    def start_bot(source: str, *options: str) -> Process:
        made.append(Process(tmp_path, source, *options))
        return made[-1]

    yield start_bot
    for process in made:
        process.close()


def first_messages(encoding: Encoding = "json", detail: Detail = "words") -> list[bytes]:
    """A start and the first two requests of a game."""
    found = conversation(played(NAME), 0, encoding, detail)
    return [next(found)[0] for _ in range(3)]


def bot(body: str, attributes: str = "") -> str:
    lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
    return (
        f"from protocol import Bot, run\nclass Mine(Bot):\n    {attributes}\n{lines}\nrun(Mine())\n"
    )


def ask(process: Process, *messages: bytes) -> list[dict[str, object]]:
    """Send the hello and these messages. Returns the answers without the hello."""
    process.say(HELLO)
    process.hear()
    answers = []
    for message in messages:
        process.say(message)
        answers.append(process.hear())
    return answers


# --- Whole games ---------------------------------------------------------------------------


def test_a_first_bot_is_ten_lines_and_plays(start: Start) -> None:
    assert len(FIRST.strip().split("\n")) <= 10
    process = start(FIRST)
    process.say(HELLO)
    assert process.hear() == {
        "type": "hello",
        "name": "first",
        "encoding": "json",
        "state": "full",
        "detail": "words",
        "protocol": 1,
    }
    assert process.play(played(NAME), 0, "json", "words", state=True) > 20
    assert process.leave(QUIT) == (0, b"", "")


@pytest.mark.parametrize(
    ("encoding", "detail", "state"),
    [  # any two of the options occur together
        ("json", "words", "full"),
        ("json", "codes", "none"),
        ("msgpack", "words", "none"),
        ("msgpack", "codes", "full"),
    ],
)
def test_a_bot_gets_what_its_hello_asks_for(
    start: Start, encoding: Encoding, detail: Detail, state: StateOption
) -> None:
    source = f"""
        from protocol import Bot, run

        class Options(Bot):
            encoding, detail, state = {encoding!r}, {detail!r}, {state!r}
            def decide(self, request):
                assert (request.state is None) == (self.state == "none")
                assert isinstance(request.choices[0], list) == (self.detail == "codes")
                return self.random.choice(request.choices)

        run(Options)
    """
    process = start(source)
    process.say(HELLO)
    assert process.hear() == {
        "type": "hello",
        "name": "Options",
        "encoding": encoding,
        "state": state,
        "detail": detail,
        "protocol": 1,
    }
    for name in (NAME, "east:4:bigbox+max_turns=32"):  # the second game is read by msgspec
        assert process.play(played(name), 1, encoding, detail, state=state == "full") > 20
    assert process.leave() == (0, b"", "")


def test_every_decision_of_every_kind_of_game_is_answered(start: Start) -> None:
    process = start(FIRST)
    process.say(HELLO)
    process.hear()
    for name in ("britannia-2-3:2:bigbox+permits+neutral=britannia", "hanse-4-5:5:bigbox+favours"):
        process.play(played(name), 0, "json", "words", state=True)
    assert process.leave(QUIT) == (0, b"", "")


def test_a_table_follows_the_game_without_a_state(start: Start) -> None:
    source = bot(
        """
def start(self, game):
    self.table = Table(game)
def decide(self, request):
    self.table.hear(request)
    return 0, str(self.table.state["turn"])
""",
        'state = "none"',
    ).replace("import Bot, run", "import Bot, Table, run")
    messages = [data for data, _ in conversation(played(NAME), 0, state=False)][:9]
    answers = ask(start(source), *messages)
    turns = [parsed(data)["state"]["turn"] for data, _ in list(conversation(played(NAME), 0))[1:9]]
    assert [answer["say"] for answer in answers[1:]] == [str(turn) for turn in turns]


def test_the_hooks_are_called_in_order(start: Start) -> None:
    source = bot("""
def start(self, game):
    self.calls = ["start", game.id, game.seat, self.game is game, self.seat, game.clock["bank_ms"]]
def events(self, events):
    self.calls.append(f"{len(events)} events")
def decide(self, request):
    self.calls.append(request.decision)
    return 0
def error(self, error):
    self.calls.append(error["fault"])
def end(self, result):
    self.calls += ["end", result.reason, result.mine["seat"], len(result.standings)]
    self.log.info(repr(self.calls))
""")
    process = start(source)
    messages = SeatMessages(new_state(), 0)
    ask(process, messages.start(), messages.decide())
    process.say(messages.error() + messages.end())
    status, out, err = process.leave(QUIT)
    assert (status, out) == (0, b"")
    wanted = ["start", "a-game", 0, True, 0, CLOCK.bank_ms, "4 events", "turn", "timeout"]
    assert repr([*wanted, "0 events", "end", "", 0, 3]) in err
    assert "referee: strike 1 of 3: timeout: no answer in time" in err
    assert "INFO [" in err


def new_state() -> GameState:
    finished = played(NAME)
    return game.new_game(finished.board, finished.rules, finished.seed)


# --- Answers -------------------------------------------------------------------------------


def test_an_answer_is_a_choice_or_its_index(start: Start) -> None:
    source = bot("""
def decide(self, request):
    import numpy
    second = request.choices[1]
    found = request.find(**second)[0]
    answers = [second, 1, dict(second), request.index(second), found, numpy.int64(1)]
    return answers[request.id - 1]
""")
    begin, decide, _ = first_messages()
    requests = [decide.replace(b'"id":1,', b'"id":%d,' % number, 1) for number in range(1, 7)]
    _, *answers = ask(start(source), begin, *requests)
    assert answers == [{"type": "choose", "id": number, "choice": 1} for number in range(1, 7)]


@pytest.mark.parametrize("detail", ["words", "codes"])
def test_choices_may_be_put_in_another_order(start: Start, detail: Detail) -> None:
    source = bot(
        "def decide(self, request):\n    request.choices.reverse()\n    return request.choices[0]",
        f'detail = "{detail}"',
    )
    _, request, _ = messages = first_messages(detail=detail)
    *_, last = ask(start(source), *messages[:2])
    assert last["choice"] == len(parsed(request, "json")["choices"]) - 1


def test_an_answer_may_carry_a_remark(start: Start) -> None:
    source = bot("""
def decide(self, request):
    if request.id > 1:
        return request.choices[0], "ü" * 600
    self.say("well")
    return 0
""")
    _, first, second = ask(start(source), *first_messages())
    assert (first["say"], second["say"]) == ("well", "ü" * 500)


@pytest.mark.parametrize("answer", [None, True, 9999, -1, 1.0, "place", {"do": "x"}])
def test_an_answer_that_is_not_a_choice_is_refused(answer: Any) -> None:
    request = Request(parsed(first_messages()[1]))
    with pytest.raises(ValueError, match=r"is not a choice of request 1 \(turn\), nor an index"):
        request.index(answer)


def test_an_answer_that_is_not_a_choice_ends_with_an_explanation(start: Start) -> None:
    process = start(bot("def decide(self, request):\n    pass"))
    begin, decide, _ = first_messages()
    ask(process, begin)
    status, out, err = process.leave(decide)
    assert (status, out) == (1, b"")
    assert "is not a choice of request 1 (turn), nor an index from 0 to" in err


def test_random_repeats_for_the_same_game_and_seat_only(start: Start) -> None:
    source = bot("def decide(self, request):\n    return 0, str(self.random.random())")
    begin, decide, _ = first_messages()
    other = begin.replace(b'"a-game"', b'"another"')
    elsewhere = begin.replace(b'"seat":0,', b'"seat":1,', 1)
    assert begin not in (other, elsewhere)
    process = start(source)
    messages = [begin, decide, begin, decide, other, decide, elsewhere, decide]
    remarks = [answer.get("say") for answer in ask(process, *messages)][1::2]
    assert remarks[0] == remarks[1]
    assert len(set(remarks)) == 3


def test_time_left_runs_down(start: Start) -> None:
    source = bot("""
def decide(self, request):
    import time
    time.sleep(0.05)
    return 0, f"{request.clock_ms} {request.time_left()}"
""")
    _, answer = ask(start(source), *first_messages()[:2])
    clock, left = str(answer["say"]).split()
    assert float(clock) == 1500
    assert 0 < float(left) <= 1450


# --- Mistakes of a bot ---------------------------------------------------------------------


def test_a_stray_print_does_not_break_the_conversation(start: Start) -> None:
    source = "print('before run')\n" + bot("""
def __init__(self):
    print("when made")
def decide(self, request):
    import os, subprocess, sys
    print("a stray print", flush=True)
    sys.stdout.write("another")
    os.write(1, b"and a bare one")
    subprocess.run(["echo", "and a child's"], check=True)
    return 0
""")
    process = start(source)
    assert [answer["type"] for answer in ask(process, *first_messages())] == [
        "ready",
        "choose",
        "choose",
    ]
    status, out, err = process.leave(QUIT)
    assert (status, out) == (0, b"")
    for text in ("before run", "when made", "a stray print", "another", "a bare one", "a child's"):
        assert text in err


def test_a_stray_input_does_not_eat_messages(start: Start) -> None:
    source = bot("""
def decide(self, request):
    import subprocess
    subprocess.run(["cat"], check=True)
    try:
        input()
    except EOFError:
        return 0
""")
    assert len(ask(start(source), *first_messages())) == 3


@pytest.mark.parametrize("hook", ["start", "events", "decide"])
def test_an_exception_ends_the_process_with_a_traceback(start: Start, hook: str) -> None:
    source = bot(f"def {hook}(self, _):\n    raise RuntimeError('the bot is broken')")
    process = start(source)
    process.say(HELLO)
    process.hear()
    status, _, err = process.leave(b"".join(first_messages()[:2]))
    assert status == 1
    assert "Traceback" in err
    assert "RuntimeError: the bot is broken" in err
    assert hook == "start" or "in request 1 (turn), seat 0" in err


def test_a_bot_without_decide_gets_an_error_that_names_it(start: Start) -> None:
    process = start(bot("pass"))
    status, _, err = process.leave(HELLO + b"".join(first_messages()[:2]))
    assert status == 1
    assert "Mine has no decide(self, request)" in err


@pytest.mark.parametrize("option", ["encoding = 'xml'", "state = 'some'", "detail = 'more'"])
def test_an_unknown_option_in_the_hello_is_one_sentence(start: Start, option: str) -> None:
    status, out, err = start(bot("pass", option)).leave()
    assert (status, out) == (1, b"")
    assert err.startswith(f"Mine.{option.split(maxsplit=1)[0]} is {option.split()[2]}; it can be ")
    assert err.count("\n") == 1


# --- Unusual input -------------------------------------------------------------------------


def test_unknown_messages_and_fields_are_ignored(start: Start) -> None:
    begin, decide, _ = first_messages()
    decide = decide.replace(b'{"type"', b'{"weather":{"wind":[1,2]},"type"')
    odd = b'{"type":"weather","rain":true}\n[1,2]\n7\nnull\n{}\n'
    process = start(FIRST)
    answers = ask(process, odd + begin, odd + decide)
    assert [answer["type"] for answer in answers] == ["ready", "choose"]
    assert process.leave(QUIT) == (0, b"", "")


def test_blank_lines_and_carriage_returns_are_fine(start: Start) -> None:
    begin, decide, _ = first_messages()
    process = start(FIRST)
    answers = ask(process, b"\r\n\n  " + begin.replace(b"\n", b" \r\n"), decide + b"\n\n")
    assert [answer["type"] for answer in answers] == ["ready", "choose"]
    assert process.leave(QUIT) == (0, b"", "")


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
def test_messages_may_come_byte_by_byte(start: Start, encoding: Encoding) -> None:
    process = start(bot("def decide(self, request): return 0", f"encoding = {encoding!r}"))
    begin, decide, _ = first_messages(encoding)
    for at in range(len(HELLO)):
        process.say(HELLO[at : at + 1])
    process.hear()
    process.say(begin)
    hear = process.hear if encoding == "json" else process.hear_packed
    assert hear() == {"type": "ready"}
    for at in range(len(decide)):
        process.say(decide[at : at + 1])
    assert hear()["type"] == "choose"


def test_a_message_larger_than_the_pipe_is_read(start: Start) -> None:
    begin, decide, _ = first_messages()
    process = start(FIRST)
    large = decide.replace(b'{"type"', b'{"padding":"' + b"x" * 900_000 + b'","type"')
    assert [answer["type"] for answer in ask(process, begin, large)] == ["ready", "choose"]


@pytest.mark.parametrize("last", [b"", QUIT, QUIT + b"more", b'{"type":"dec'])
def test_the_end_of_input_and_quit_end_the_process_quietly(start: Start, last: bytes) -> None:
    process = start(FIRST)
    ask(process, *first_messages())
    assert process.leave(last) == (0, b"", "")


def test_a_closed_output_ends_the_process_quietly(start: Start) -> None:
    process = start(bot("def decide(self, request):\n    input = 0\n    return input"))
    ask(process, first_messages()[0])
    process.close_output()
    assert process.leave(first_messages()[1])[0::2] == (0, "")


def test_an_interrupt_ends_the_process_quietly(start: Start) -> None:
    process = start(FIRST)
    ask(process, *first_messages())
    os.kill(process.pid, signal.SIGINT)
    assert process.leave() == (130, b"", "")


def test_a_bot_works_with_stderr_closed(start: Start) -> None:
    source = "import os\nos.close(2)\n" + bot(
        "def decide(self, request):\n    print('x'); return 0"
    )
    process = start(source)
    assert len(ask(process, *first_messages())) == 3
    assert process.leave(QUIT)[:2] == (0, b"")


# --- Nothing but the standard library ------------------------------------------------------


def isolated(source: str) -> str:
    """The same source, where neither packages nor the referee can be imported."""
    blocked = "dict.fromkeys(['msgspec', 'msgpack', 'numpy', 'referee'])"
    path = f"sys.path.insert(0, {str(ROOT)!r})"
    return f"import sys\n{path}\nsys.modules.update({blocked})\n{source}"


@pytest.mark.parametrize(("detail", "state"), [("words", "full"), ("codes", "none")])
def test_the_standard_library_is_enough(start: Start, detail: Detail, state: StateOption) -> None:
    rest = f"""
from protocol import Bot, Codes, Table, run

class Plain(Bot):
    detail, state = {detail!r}, {state!r}

    def start(self, game):
        self.table = Table(game)
        self.codes = Codes(game)

    def decide(self, request):
        self.table.hear(request)
        found = request.find(do=("create", "place", "end-turn", "put", "relocate"))
        return self.random.choice(found or request.choices)

run(Plain())
"""
    process = start(isolated(rest), "-I", "-S")
    process.say(HELLO)
    process.hear()
    for _ in range(2):
        process.play(played(NAME), 0, "json", detail, state=state == "full")
    assert process.leave(QUIT) == (0, b"", "")


def test_messagepack_without_its_package_is_one_sentence(start: Start) -> None:
    source = isolated(bot("pass", 'encoding = "msgpack"'))
    status, out, err = start(source, "-I", "-S").leave()
    assert (status, out) == (1, b"")
    assert "the package msgpack is not installed" in err
    assert err.count("\n") == 1


def test_the_sdk_says_hello_before_it_loads_anything(start: Start) -> None:
    source = """
        import os, sys
        before = set(sys.modules)
        write = os.write
        def watch(descriptor, data):
            write(2, " ".join(sorted(set(sys.modules) - before)).encode())
            os._exit(0)
        os.write = watch
        from protocol import Bot, run
        run(Bot())
    """
    _, _, err = start(source).leave()
    assert set(err.split()) <= {"protocol", "protocol.bot", "__future__"}


# --- What the page about the protocol shows -------------------------------------------------


def shown_bots() -> list[str]:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    return [
        block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "run(" in block
    ]


@pytest.mark.parametrize("number", [0, 1])
def test_the_bots_on_the_page_play(start: Start, number: int) -> None:
    source = shown_bots()[number]
    process = start(source)
    process.say(HELLO)
    state = process.hear()["state"] == "full"
    assert process.play(played(NAME), 0, "json", "words", state=state) > 20
    assert process.leave(QUIT) == (0, b"", "")
    assert len(shown_bots()) == 2
