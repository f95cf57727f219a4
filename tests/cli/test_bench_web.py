"""`referee bench web`: spectators load pages and their files, and the server does not cut them off."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from referee.bench import web
from referee.bench.web_clients import Latency
from referee.cli import main
from support.command_runs import PLAIN
from support.forks import forked


def test_spectators_load_pages_with_their_files(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = PLAIN.partition("=")[2]
    monkeypatch.setattr(web, "BOTS", {f"{name}={plain}": () for name in ("ada", "bo", "cy")})
    monkeypatch.setattr(web, "MAX_TURNS", 6)
    arguments = ["bench", "web", "--games", "4", "--spectators", "4", "--workers", "1", "--json"]
    with forked(web):
        figures = json.loads(CliRunner().invoke(main, arguments).stdout)
    assert figures["games"] == 3  # whole blocks only
    assert (figures["lost"], figures["timeouts"]) == (0, 0)
    assert figures["pages"] > 0
    assert figures["files"] > 0
    assert figures["share"] > 0
    assert {"memory_tenth_mib", "memory_half_mib", "memory_end_mib"} <= figures.keys()


def test_memory_is_shown_after_a_tenth_and_half_of_the_time_and_at_the_end() -> None:
    gauge = web.MemoryGauge(pid=0)
    gauge.measured = [float(number) for number in range(101)]
    assert [gauge.after(share) for share in (0.1, 0.5, 1.0)] == [10.0, 50.0, 100.0]
    gauge.measured = []
    assert gauge.after(0.5) == 0.0


def test_a_step_that_arrives_before_the_look_is_not_late() -> None:
    latency = Latency()
    latency.written("game", [2, 3], now=10.0)
    latency.arrived("game", 4, now=10.25, since=0.0)
    latency.written("game", [4, 5], now=10.5)
    latency.arrived("game", 5, now=11.0, since=0.0)
    assert latency.measured_ms == [250.0, 250.0, 0.0, 500.0]


def test_steps_from_before_a_spectator_came_have_no_latency() -> None:
    latency = Latency()
    latency.written("game", [2], now=10.0)
    latency.written("game", [3], now=12.0)
    latency.arrived("game", 3, now=12.5, since=11.0)
    assert latency.measured_ms == [500.0]
