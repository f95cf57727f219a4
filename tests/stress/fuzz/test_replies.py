"""Fuzzed replies: each becomes a legal choice or a fault with a name. `tox -e fuzz` tries millions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.codec import Splitter, WireError
from referee.adjudication.faults import Fault
from referee.bots.reaper import Reaper
from referee.match.players import judge
from stress.fuzz import in_process
from stress.fuzz.in_process import FuzzPlayer, fuzz_replies, to_dict
from stress.fuzz.pipes import fuzz_pipes
from stress.fuzz.replies import Encoding
from stress.fuzz.second_reader import is_legal
from support.groups import together

CORPUS = Path(__file__).resolve().parent / "corpus"


def test_thousands_of_replies_in_process() -> None:
    found = fuzz_replies(3000, seed=11)
    assert found.wrong == []
    assert found.replies >= 3000
    assert found.legal + found.faults.total() == found.replies
    assert {"flood", "garbage", "illegal", "timeout"} <= set(found.faults)
    assert to_dict(found, "replies")["clean"] is True


def test_the_same_seed_gives_the_same_result() -> None:
    first, second = fuzz_replies(500, seed=3), fuzz_replies(500, seed=3)
    assert (first.legal, first.faults, first.games) == (second.legal, second.faults, second.games)


def test_replies_through_pipes_leave_nothing_running_or_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reaper, "take_charge", lambda _: None)
    monkeypatch.setattr("stress.fuzz.pipes.MAX_TURNS", 60)
    found = fuzz_pipes(tmp_path, 40, seed=11)
    assert found.wrong == []
    assert found.replies >= 40
    assert (found.left_running, found.left_open) == (0, 0)


# --- Errors of the referee are found


def judged_by(monkeypatch: pytest.MonkeyPatch, wrongly: Callable[..., object]) -> list[str]:
    monkeypatch.setattr(in_process, "judge", wrongly)
    return fuzz_replies(2000, seed=1).wrong


def test_a_legal_choice_that_is_refused_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = judged_by(monkeypatch, lambda *_: Fault("garbage", "no"))
    assert "was judged Fault(fault='garbage'" in wrong[0]


def test_an_illegal_choice_that_is_accepted_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_lenient(raw: bytes, encoding: Encoding, decision_id: int, count: int) -> object:
        found = judge(raw, encoding, decision_id, 10**9)
        return judge(raw, encoding, decision_id, count) if isinstance(found, Fault) else found

    assert judged_by(monkeypatch, too_lenient)


def test_a_fault_without_a_name_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = judged_by(monkeypatch, lambda *_: Fault("bad luck", "no"))
    assert any("a fault without a name" in one for one in wrong)


def test_an_exception_in_the_referee_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise LookupError("a bug")

    assert "is void: LookupError: a bug" in judged_by(monkeypatch, broken)[0]


def test_a_game_that_does_not_follow_from_the_choices_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decide = FuzzPlayer.decide

    def forgetful(self: FuzzPlayer, *arguments: object) -> object:
        answer = decide(self, *arguments)  # type: ignore[arg-type]
        self.chosen.clear()
        return answer

    monkeypatch.setattr(FuzzPlayer, "decide", forgetful)
    assert "does not follow from the choices" in fuzz_replies(3000, seed=1).wrong[0]


# --- The corpus: replies of earlier runs


@together("path", sorted((CORPUS / "replies").iterdir()))
def test_a_reply_of_the_corpus_is_a_choice_or_a_fault(path: Path) -> None:
    encoding: Encoding = "json" if ".json." in path.name else "msgpack"
    splitter = Splitter(encoding)
    splitter.feed(path.read_bytes())
    ends: list[object] = []
    try:
        ends = [judge(raw, encoding, 7, 4) for raw in splitter]
    except WireError as error:
        ends.append(error)
    assert ends or path.name.startswith("half")


# --- The second reader


@together(
    ("raw", "end"),
    [
        (b'{"type":"choose","id":7,"choice":3}', True),
        (b'{"type":"choose","id":7,"choice":4}', False),
        (b'{"type":"choose","id":6,"choice":3}', False),
        (b'{"type":"choose","id":7,"choice":true}', False),
        (b'{"type":"choose","id":7,"choice":3,"say":5}', False),
        (b'{"type":"ready"}', False),
        (b"[]", False),
        (b"null", False),
        (b'{"type":', False),
        (b'{"type":"choose","id":"x","id":7,"choice":3}', None),
        (b'{"type":"choose","id":7,"choice":3,"x":NaN}', None),
        (b'{"type":"choose","id":7,"choice":3,"say":"\\ud800"}', None),
    ],
)
def test_the_second_reader_knows_where_readers_may_differ(raw: bytes, end: bool | None) -> None:
    assert is_legal(raw, "json", 7, 4) is end
