"""Writing records: the content of each line, and when it is on disk."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from referee import __version__
from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import MOST_BYTES, Fault, FaultRecord
from referee.adjudication.standings import SeatResult
from referee.encoder import MessageFormat, SeatEncoder
from referee.engine import game as engine
from referee.engine import view
from referee.errors import RecordRefused
from referee.match import runner
from referee.match.players import Answer
from referee.match.runner import RefereedGame, Settings, public_id
from referee.records.writer import MOST_SAY, MOST_STDERR, RecordWriter
from support.match_setup import BOARD, FORMATS, PLAIN, BotMatch, Played, Words, play, rules_for

FULL = Path("/dev/full")

pytestmark = pytest.mark.usefixtures("in_charge")


class Clock:
    """A clock that advances a little at each reading, and otherwise by `pass_ms` only."""

    def __init__(self) -> None:
        self.now_ns = 0

    def monotonic_ns(self) -> int:
        self.now_ns += 1000
        return self.now_ns

    def pass_ms(self, count: int) -> None:
        self.now_ns += count * 1_000_000


@dataclass
class Scripted:
    """A player without a process; a function gives its answers."""

    answer: Callable[[int], int | Fault] = lambda _: 0
    say: str | None = None
    name: str = "scripted"
    version: str | None = "1.0"
    content: str = "abc"
    message_format: MessageFormat = field(default_factory=MessageFormat)
    stderr: bytes = b""
    clock: Clock = field(default_factory=Clock)

    def open(self, clock: ClockRules) -> Fault | None:
        return None

    def start(
        self, encoder: SeatEncoder, game: str, names: list[str], clock: ClockRules
    ) -> Fault | None:
        return None

    def decide(self, decision_id: int, options: list[engine.Choice]) -> Answer | Fault:
        asked = self.clock.monotonic_ns()
        answer = self.answer(decision_id)
        if isinstance(answer, Fault):
            return answer
        return Answer(answer, 1.25, asked, self.clock.monotonic_ns(), say=self.say)

    def refuse(self, fault: FaultRecord) -> None:
        pass

    def dismiss(self) -> None:
        pass

    def end(self, standings: list[SeatResult]) -> None:
        pass

    def stderr_excerpt(self) -> bytes:
        return self.stderr


def recorded(
    path: Path, first: Scripted | None = None, settings: Settings | None = None
) -> list[Words]:
    """Record a short game of scripted players with a common clock; return the lines."""
    first = first or Scripted()
    players = [first, Scripted(clock=first.clock), Scripted(clock=first.clock)]
    record = RecordWriter(path, FORMATS.get("json", "words"))
    try:
        RefereedGame(FORMATS, rules_for(3), 7, "id", players, settings or Settings(), record).play()
    finally:
        record.close()
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def played(in_charge: None) -> Played:
    return play("negative", PLAIN, PLAIN, max_turns=30)


# --- content -------------------------------------------------------------------------


def test_the_first_line_has_all_rules_and_settings_of_the_game(played: Played) -> None:
    first = played.lines[0]
    rules = played.outcome.state.rules
    assert first["line"] == "game"
    assert (first["format"], first["protocol"], first["referee"]) == (1, 1, __version__)
    assert (first["rules_version"], first["rules"]) == (rules.version, rules.to_dict())
    assert first["board"] == json.loads(json.dumps(BOARD.words))
    assert first["board_digest"] == BOARD.digest
    assert (first["seed"], first["game"], first["strikes"]) == (5, "a-game", 3)
    assert {"start_ms", "bank_ms", "increment_ms", "move_ms"} <= set(first["clock"])


def test_the_first_line_has_the_players_by_seat(tmp_path: Path) -> None:
    line = recorded(tmp_path / "r.jsonl")[0]
    assert line["players"][0] == {
        "seat": 0,
        "name": "scripted",
        "version": "1.0",
        "hash": "abc",
        "encoding": "json",
        "detail": "words",
        "state": "full",
    }
    assert [player["seat"] for player in line["players"]] == [0, 1, 2]


def test_the_header_and_the_indices_alone_rebuild_the_game(played: Played) -> None:
    indices = [line["choice"] for line in played.of("decision")]
    state = engine.replay(BOARD, played.outcome.state.rules, played.lines[0]["seed"], indices)
    assert state.is_over
    assert state.digest() == played.end["digest"]


def test_every_decision_is_there_once_and_in_order(played: Played) -> None:
    ids = [line["id"] for line in played.of("decision")]
    assert ids == list(range(1, played.outcome.state.decision_id))


def test_a_decision_says_what_was_done_in_words(played: Played) -> None:
    state = engine.new_game(BOARD, played.outcome.state.rules, played.outcome.seed)
    for line in played.of("decision"):
        request: Words = view.request(state)
        assert line["do"] == request["choices"][line["choice"]]
        assert line["decision"] == request["decision"]
        assert line["seat"] == state.agenda[-1].seat
        engine.apply(state, line["choice"])


def test_the_end_of_every_turn_has_the_digest_of_the_state(played: Played) -> None:
    state = engine.new_game(BOARD, played.outcome.state.rules, played.outcome.seed)
    for line in played.lines:
        if line["line"] == "decision":
            engine.apply(state, line["choice"])
        elif line["line"] == "turn":
            assert line["digest"] == state.digest()
    assert [line["turn"] for line in played.of("turn")] == list(range(1, 31))


def test_the_last_line_has_the_result(played: Played) -> None:
    assert played.end["reason"] == "max-turns"
    assert played.end["standings"] == [result.to_dict() for result in played.outcome.standings]
    assert [standing["seat"] for standing in played.end["standings"]] == [0, 1, 2]


def test_times_have_three_decimals(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorded(path)
    assert b'"ms":1.250,"lag_ms":' in path.read_bytes()


def test_a_long_remark_is_shortened(tmp_path: Path) -> None:
    lines = recorded(tmp_path / "r.jsonl", Scripted(say='"\n\x1b' + "é" * 1000))
    assert lines[1]["say"] == '"\n\x1b' + "é" * (MOST_SAY - 3)


def test_the_bytes_and_the_stderr_of_a_fault_are_shortened(tmp_path: Path) -> None:
    crash = Fault("crash", "left", b"\xff" * 5000)
    lines = recorded(tmp_path / "r.jsonl", Scripted(lambda _: crash, stderr=b"\xffx" * 5000))
    (fault,) = [line for line in lines if line["line"] == "fault"]
    assert base64.b64decode(fault["bytes_base64"]) == b"\xff" * MOST_BYTES
    assert fault["stderr"] == "\ufffdx" * (MOST_STDERR // 2)
    assert (fault["seat"], fault["id"], fault["message"]) == (0, 1, "left")


# --- the referee's own time ----------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, interpreted: None) -> Clock:
    """A clock that the runner and scripted players share."""
    clock = Clock()
    monkeypatch.setattr(runner, "time", clock)
    return clock


def test_lag_is_the_time_that_the_referee_took(tmp_path: Path, clock: Clock) -> None:
    lines = recorded(tmp_path / "r.jsonl", Scripted(clock=clock))
    lags = [line["lag_ms"] for line in lines if line["line"] == "decision"]
    assert set(lags) <= {0, 0.001}


def test_the_time_of_one_bot_is_not_the_lag_of_the_next(tmp_path: Path, clock: Clock) -> None:
    def dawdle(number: int) -> int | Fault:
        clock.pass_ms(900)
        return 0 if number % 2 else Fault("timeout", "gave no answer in time")

    lines = recorded(tmp_path / "r.jsonl", Scripted(dawdle, clock=clock), Settings(strikes=0))
    assert any(line["line"] == "fault" for line in lines)
    assert max(line["lag_ms"] for line in lines if line["line"] == "decision") < 1


# --- during the game ----------------------------------------------------------------------------


def test_every_line_is_on_disk_at_once(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"

    def read_so_far(number: int) -> int:
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
        assert [x["id"] for x in lines if x["line"] == "decision"] == list(range(1, number))
        return 0

    assert recorded(path, Scripted(read_so_far))[-1]["line"] == "end"


def test_a_packed_record_has_the_same_lines(tmp_path: Path) -> None:
    plain, packed = recorded(tmp_path / "r.jsonl"), recorded(tmp_path / "r.jsonl.gz")
    for line in (*plain, *packed):
        line.pop("lag_ms", None)
    assert plain == packed


def test_a_packed_record_can_be_read_up_to_the_last_turn_after_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl.gz"
    seen: list[int] = []

    def read_so_far(number: int) -> int:
        seen.append(whole_turns(path))
        return 0

    recorded(path, Scripted(read_so_far))
    assert seen[-1] >= 6


def whole_turns(path: Path) -> int:
    """The number of whole turns in a packed record that is not complete."""
    unpacker = zlib.decompressobj(31)
    return int(unpacker.decompress(path.read_bytes()).count(b'{"line":"turn"'))


def test_a_missing_folder_is_created(tmp_path: Path) -> None:
    assert recorded(tmp_path / "a" / "b" / "r.jsonl")


def test_an_old_record_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("x" * 1_000_000)
    assert recorded(path)[0]["line"] == "game"


# --- errors -----------------------------------------------------------------------


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordRefused, match=r"cannot write the record .*: Is a directory"):
        RecordWriter(tmp_path, FORMATS.get("json", "words"))


@pytest.mark.skipif(not FULL.exists(), reason="no full disk to write to")
@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_a_full_disk_is_one_sentence(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.symlink_to(FULL)
    with pytest.raises(RecordRefused, match=r"cannot continue the record .*No space left"):
        recorded(path)


def test_a_disk_that_takes_half_a_line_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = RecordWriter(tmp_path / "r.jsonl", FORMATS.get("json", "words"))
    whole = record._file

    class Half:
        def write(self, line: bytes) -> int:
            return len(line) // 2

    record._file = Half()  # type: ignore[assignment]
    with pytest.raises(RecordRefused, match="no space left on the device"):
        record.void("x")
    whole.close()


@pytest.mark.skipif(not FULL.exists(), reason="no full disk to write to")
def test_a_record_that_cannot_be_written_ends_the_game_and_not_a_bot() -> None:
    with BotMatch([PLAIN, PLAIN, PLAIN]) as match:
        record = RecordWriter(match.path / "r.jsonl", FORMATS.get("json", "words"))
        record._file.close()
        with FULL.open("wb", 0) as record._file, pytest.raises(RecordRefused):
            match.game(record).play()


def test_a_game_that_is_stopped_has_no_last_line(tmp_path: Path) -> None:
    crash = Fault("garbage", "what?")
    lines = recorded(tmp_path / "r.jsonl", Scripted(lambda _: crash), Settings(stop_at_fault=True))
    assert [line["line"] for line in lines] == ["game", "fault"]


# --- the public id -------------------------------------------------------------------------


def test_the_public_id_follows_from_rules_and_names_alone() -> None:
    names = ["a", "b", "c"]
    assert public_id(rules_for(3), names) == public_id(rules_for(3), names)
    assert public_id(rules_for(3), names) != public_id(rules_for(3), ["a", "c", "b"])
    assert public_id(rules_for(3), ["a", "b"]) != public_id(rules_for(2), ["a", "b"])
    assert public_id(rules_for(3), names).startswith("play-")


def test_a_game_needs_no_record() -> None:
    game = RefereedGame(FORMATS, rules_for(3), 7, "id", [Scripted()] * 3, Settings())
    assert game.play().void is None
