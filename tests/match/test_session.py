"""Sessions: bots are started, play games one after the other, and are ended."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee import atlas
from referee.adjudication.clock import ClockRules
from referee.adjudication.faults import FaultRecord
from referee.bots.find import Bot, find_bots
from referee.engine.ruleset import make_ruleset
from referee.engine.state import GameState
from referee.errors import BotRefused, BotSilent, RecordRefused
from referee.match.runner import GameListener, Settings
from referee.match.session import GameSpec, Logs, Session, share_cores
from referee.records.resume import Record
from support.paths import TROUBLE

SETTINGS = Settings(clock=ClockRules(start_ms=20_000))


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create temporary folders where pytest deletes them."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def bots(*kinds: str) -> list[Bot]:
    """One bot for each kind of trouble, named after it."""
    return find_bots([f"{kind}={sys.executable} -I -S {TROUBLE} {kind}" for kind in kinds])


def spec(players: int, turns: int = 4, settings: Settings = SETTINGS) -> GameSpec:
    board = atlas.load_board("hanse-2-3")
    rules = make_ruleset(atlas.load_components(), board, players, max_turns=turns)
    return GameSpec(board, rules, 7, "a-game", settings)


def pids(session: Session) -> list[int]:
    return [player._process.pid for player in session.players if player._process]  # type: ignore[union-attr]


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


# --- Games


def test_one_session_plays_many_games_with_the_same_processes() -> None:
    with Logs() as logs, Session(bots("plain", "plain"), logs) as session:
        first = session.play(spec(2))
        before = pids(session)
        second = session.play(spec(2))
        assert pids(session) == before
    assert first.state.digest() == second.state.digest()
    assert first.faults == []


def test_a_listener_is_called_at_the_beginning_and_the_end() -> None:
    seen: list[tuple[int, bool]] = []

    def note(state: GameState) -> None:
        seen.append((state.decision_id, state.is_over))

    with Logs() as logs, Session(bots("plain", "plain"), logs) as session:
        session.play(spec(2), listener=GameListener(applied=note))
    assert seen[0] == (1, False)
    assert seen[-1][1]


def test_a_game_without_a_running_bot_ends_at_once() -> None:
    with Logs() as logs, Session(bots("crashes", "kills-itself"), logs) as session:
        outcome = session.play(spec(2, turns=50))
    assert outcome.void is None
    assert outcome.state.is_over
    assert [place.disqualified for place in outcome.standings] == ["crash", "crash"]


def test_a_game_stopped_at_a_fault_stays_before_the_decision() -> None:
    faults: list[FaultRecord] = []
    settings = Settings(clock=SETTINGS.clock, stop_at_fault=True)
    with Logs() as logs, Session(bots("plain", "crashes"), logs) as session:
        listener = GameListener(faulted=lambda _, fault: faults.append(fault))
        outcome = session.play(spec(2, settings=settings), listener=listener)
    assert outcome.stopped
    assert not outcome.state.is_over
    assert outcome.state.decision_id == faults[0].decision_id


def test_a_continued_game_has_the_whole_game_in_its_record(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    whole = record_game(first)
    state, past = Record(first).position(5)
    with Logs() as logs, Session(bots("plain", "plain"), logs) as session:
        record = session.record(second, state.board, past)
        outcome = session.play(spec(2), record=record, state=state)
        record.close()
    assert outcome.state.digest() == whole
    assert Record(second).position(9)[0].digest() == Record(first).position(9)[0].digest()
    assert b'"from":{"game":"a-game","at":5}' in second.read_bytes().splitlines()[0]


def record_game(path: Path) -> str:
    """Record a game of two bots; return the digest of its last position."""
    with Logs() as logs, Session(bots("plain", "plain"), logs) as session:
        record = session.record(path, spec(2).board)
        digest = session.play(spec(2), record=record).state.digest()
        record.close()
    return digest


# --- The end of bots


def test_after_a_session_no_bot_is_left() -> None:
    with Logs() as logs, Session(bots("plain", "plain"), logs) as session:
        session.greet(SETTINGS.clock)
        running = pids(session)
        assert all(map(is_running, running))
    assert not any(map(is_running, running))


def test_after_an_error_bots_are_killed_at_once_and_nothing_is_left() -> None:
    running: list[int] = []
    logs = Logs()
    with pytest.raises(KeyboardInterrupt):
        interrupted(running, logs)
    assert len(running) == 2
    assert not any(map(is_running, running))
    assert logs.folder is not None
    assert not logs.folder.exists()


def interrupted(running: list[int], logs: Logs) -> None:
    """Start two bots, add their process ids to `running`, and press Ctrl-C."""
    with logs, Session(bots("plain", "plain"), logs) as session:
        session.greet(SETTINGS.clock)
        running += pids(session)
        raise KeyboardInterrupt


# --- Bots that do not start


@pytest.mark.parametrize("with_record", [True, False])
def test_a_bot_without_hello_is_named_with_its_stderr(tmp_path: Path, with_record: bool) -> None:
    with (
        pytest.raises(BotSilent, match=r"(?s)bot no-such-kind .*exit status 1.*KeyError") as caught,
        Logs(tmp_path / "game.jsonl" if with_record else None) as logs,
        Session(bots("plain", "no-such-kind"), logs) as session,
    ):
        session.greet(SETTINGS.clock)
    assert logs.folder is not None
    assert logs.folder.exists() == (str(logs.folder) in str(caught.value)) == with_record


def test_a_missing_program_is_refused() -> None:
    missing = Bot("gone", ("/no/such/program",), Path.cwd(), "0")
    with (
        pytest.raises(BotRefused, match="gone"),
        Logs() as logs,
        Session([missing], logs) as session,
    ):
        session.greet(ClockRules(start_ms=2000))


# --- Standard error of bots


def test_stderr_is_written_beside_the_record(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "game.jsonl")
    assert logs.file("a") == tmp_path / "game.jsonl.stderr" / "a.txt"
    assert not logs.is_temporary


def test_stderr_of_an_earlier_game_is_deleted(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "game.jsonl")
    logs.file("a").write_text("old")
    assert not logs.file("a").exists()


def test_empty_files_are_deleted(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "games" / "game.jsonl")
    logs.file("a").touch()
    logs.tidy()
    assert list((tmp_path / "games").iterdir()) == []


def test_a_temporary_folder_does_not_stay() -> None:
    logs = Logs()
    file = logs.file("a")
    file.write_text("trouble")
    assert logs.kept_file(file) == ""
    logs.tidy()
    assert not file.parent.exists()


def test_a_device_has_no_folder_beside_it() -> None:
    assert Logs(Path(os.devnull)).is_temporary


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl.stderr").write_text("in the way")
    with pytest.raises(RecordRefused, match=r"game\.jsonl\.stderr"):
        Logs(tmp_path / "game.jsonl").file("a")


# --- Cores


def test_referee_and_bots_share_one_core() -> None:
    before = os.sched_getaffinity(0)
    with Logs() as logs, Session(bots("plain", "plain"), logs) as session:
        session.greet(SETTINGS.clock)
        mine = os.sched_getaffinity(0)
        theirs = [os.sched_getaffinity(pid) for pid in pids(session)]
    assert len(mine) == 1
    assert theirs == [mine, mine]
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize(
    ("cores", "shared"),
    [({3, 4, 5}, (3, [4, 5])), ({3, 4}, (None, [None, None]))],
)
def test_bots_that_may_ponder_get_their_own_cores_if_there_are_enough(
    cores: set[int],
    shared: tuple[int | None, Sequence[int | None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: cores)
    assert share_cores(2, "allow") == shared
