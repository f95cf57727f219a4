"""`referee bench web`: spectators load pages and their files, and the server does not cut them off."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from referee.bench import web
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
    assert figures["start_cpu_s"] > 0
    share = figures["server_cpu_s"] / figures["tournament_cpu_s"]
    assert figures["share"] == pytest.approx(share, abs=1e-3)
    assert {"memory_tenth_mib", "memory_half_mib", "memory_end_mib"} <= figures.keys()


def test_memory_is_shown_after_a_tenth_and_half_of_the_time_and_at_the_end() -> None:
    gauge = web.MemoryGauge(pid=0)
    gauge.measured = [float(number) for number in range(101)]
    assert [gauge.after(share) for share in (0.1, 0.5, 1.0)] == [10.0, 50.0, 100.0]
    gauge.measured = []
    assert gauge.after(0.5) == 0.0
