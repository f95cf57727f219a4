"""`referee play --serve` with people on pages: whole games over HTTP, their records, and their secrets."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.records.resume import Record
from referee.records.verify import verify
from referee.web.play import game_link
from referee.web.play.game_server import game_server
from support import played_in_browser
from support.command_runs import PLAIN
from support.forks import FORKING, Fork, forked_servers
from support.paths import ROOT
from support.seat_client import SeatClient

RunningGame = partial(played_in_browser.RunningGame, start=Fork)
RULESET = "hanse-2-3:3:bigbox+missions"
SNOOP = ROOT / "tests" / "bad_bots" / "snoop.py"


@pytest.fixture(scope="module", autouse=True)
def fast_servers() -> Iterator[None]:
    """Servers are forks, and end soon after the last page is closed."""
    with forked_servers(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_link, "CLOSING_S", 0.5)
        yield


def arguments_and_environments(pid: int) -> bytes:
    """Return the arguments and environments of a process and its descendants."""
    folder = Path(f"/proc/{pid}")
    text = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
    children = (folder / f"task/{pid}/children").read_text().split()
    return text + b"".join(arguments_and_environments(int(child)) for child in children)


def play_at_random(client: SeatClient, seed: int) -> int:
    """Answer every question twice; return how many there were."""
    rng, count = Random(seed), 0
    for question in client.questions():
        index = rng.randrange(len(question["labels"]))
        assert client.choose(question["id"] - 1, index) == 409  # an older decision
        assert client.choose(question["id"], index) == 200
        with suppress(ConnectionError):  # the game is over, and the server with it
            assert client.choose(question["id"], index) in (200, 409)  # repeated, or over by now
        count += 1
    return count


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_person_plays_a_whole_game_whose_record_is_an_ordinary_one(tmp_path: Path) -> None:
    with RunningGame(RULESET, tmp_path, seed=4, max_turns=7, bots=[PLAIN, PLAIN]) as running:
        client = SeatClient(running.addresses[0])
        assert client.take() == 204
        assert SeatClient(running.addresses[0]).take() == 409
        secrets = [client.code.encode(), client._secret.encode()]
        public = arguments_and_environments(running.process.pid)
        assert not any(secret in public for secret in secrets)
        assert play_at_random(client, 1) >= 3
        assert running.finish() == 0
    assert verify(running.record).verdict == "fine"
    assert [player.hash == "human" for player in Record(running.record).header.players] == [
        True,
        False,
        False,
    ]

    # The game continues from its record, with clocks for people: one leaves, one is late.
    (tmp_path / "next").mkdir()
    more = ["--at", "3", "--human-clock", "--move-ms", "500", "--strikes", "1"]
    with RunningGame(
        RULESET, tmp_path / "next", people=2, bots=[PLAIN], origin=running.record, more=more
    ) as continued:
        clients = [SeatClient(address) for address in continued.addresses]
        assert [client.take() for client in clients] == [204, 204]
        clients[0].leave()
        assert list(clients[1].states())[-1]["ended"]
        assert continued.finish() == 0
    lines = [json.loads(line) for line in continued.record.read_text().splitlines()]
    faults = {line["seat"]: line["fault"] for line in lines if line["line"] == "fault"}
    assert faults in ({0: "crash", 1: "timeout"}, {0: "timeout", 1: "timeout"})
    assert verify(continued.record).verdict == "fine"


def test_the_server_gets_no_code_in_its_arguments_or_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public: list[str] = []

    def start(command: list[str], **options: Any) -> Fork:
        public.extend((*command, *options["env"].values()))
        return Fork(command, **options)

    monkeypatch.setattr(FORKING, "Popen", start)
    with game_server(tmp_path / "game.jsonl", {0: "ada"}, "127.0.0.1", 0) as server:
        assert public
        assert not any(server.codes[0] in text for text in public)


def test_a_lost_seat_is_taken_again_and_sigterm_leaves_no_files(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    bots = [PLAIN, PLAIN]
    with RunningGame(RULESET, tmp_path, bots=bots, terminal=theirs, temporary=tmp_path) as running:
        os.close(theirs)
        first = SeatClient(running.addresses[0])
        assert first.take() == 204
        states = first.states()
        assert next(states)["ended"] is False
        os.write(ours, b"\n")
        again = SeatClient(running.next_address())
        assert again.take() == 204
        assert not any(state["ended"] for state in states)  # the old page is disconnected
        assert first.choose(1, 0) == 403
        assert next(again.questions())["id"] == 1
        assert any(tmp_path.iterdir())
        running.process.terminate()
        assert running.finish() == 128 + signal.SIGTERM
    os.close(ours)
    assert not any(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_bot_at_limits_that_tries_every_address_gets_nothing(
    tmp_path: Path,
) -> None:
    report = tmp_path / "report.json"
    snoop = f"{sys.executable} {SNOOP} {report}"
    more = ["--sandbox", "limits", "--move-ms", "off", "--bank-ms", "off"]
    with RunningGame(RULESET, tmp_path, seed=4, max_turns=4, bots=[snoop, PLAIN], more=more) as running:  # fmt: skip
        client = SeatClient(running.addresses[0])
        assert client.take() == 204
        assert play_at_random(client, 1) >= 1
        assert running.finish() == 0
    ours = running.addresses[0].partition("/seat")[0]  # other tests may have servers as well
    every: dict[str, str] = json.loads(report.read_text())
    found = {address: answer for address, answer in every.items() if address.startswith(ours)}
    assert any("/seat/0/choose" in address for address in found), "it found the server"
    for address, answer in found.items():
        status = answer.split()[0]
        if "/take" in address or "/choose" in address or "/leave" in address:
            assert status in ("400", "403", "409"), address
        if address.endswith("/events") and "/seat/" in address:
            assert status == "403", address
        assert client._secret not in answer
        assert '"viewer_seat":0' not in answer
    assert verify(running.record).verdict == "fine"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--allow-host", "here"], "--allow-host and --human-clock belong to --browser or --serve"),
        (["--human-clock"], "--allow-host and --human-clock belong to --browser or --serve"),
        (["--serve", "0", "--record", "game.jsonl.gz"], "cannot be packed: name it .jsonl"),
        (["--serve", "elsewhere"], "is not [HOST:]PORT"),
        (["--serve", "99999"], "is not [HOST:]PORT"),
    ],
)
def test_options_that_cannot_work_are_refused(options: list[str], sentence: str) -> None:
    done = CliRunner().invoke(main, ["play", "human", "random", "random", *options])
    assert done.exit_code == 2
    assert sentence in done.stderr
