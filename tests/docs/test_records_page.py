"""The page about records: its example has the fields of a written record, and its programs run."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee import atlas
from referee.records.verify import verify
from support.parts import only_in
from support.paths import ROOT
from support.recorded_games import SOME_FAULTS, Words, lines_of, record, record_bytes

PAGE = (ROOT / "docs" / "records.md").read_text("utf-8")
NAME = "hanse-2-3:3:bigbox+missions+max_turns=20"


def example(name: str) -> str:
    (found,) = re.findall(rf"<!-- example: {name} -->\n```\w+\n(.*?)\n```\n", PAGE, re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "game.jsonl"
    return record(file, NAME, faults=SOME_FAULTS, remark="well")


def shown() -> list[Words]:
    """Return the lines of the example, with what it leaves out."""
    text = example("record").replace(",…]", "]").replace("{…}", "{}").replace("03cfe824…", "0")
    return [json.loads(line) for line in text.splitlines() if line != "…"]


def keys(line: Words) -> list[str]:
    return sorted(key for key in line if key not in ("say", "from"))


@pytest.mark.parametrize("kind", ["game", "decision", "fault", "turn", "end"])
def test_the_example_has_the_fields_of_a_written_record(kind: str, path: Path) -> None:
    written = [keys(line) for line in lines_of(path) if line["line"] == kind]
    in_page = [keys(line) for line in shown() if line["line"] == kind]
    assert in_page
    assert all(fields == written[0] for fields in (*written, *in_page))


def test_the_inner_fields_are_those_of_a_written_record(path: Path) -> None:
    game, *_, end = lines_of(path)
    like, *_, finish = shown()
    for name in ("rules", "clock"):
        assert keys(like[name]) == keys(game[name])
    assert keys(like["players"][0]) == keys(game["players"][0])
    assert keys(finish["standings"][0]) == keys(end["standings"][0])


def test_the_example_is_a_game_that_can_be_played(tmp_path: Path) -> None:
    game, *lines, end = shown()
    game["board"] = atlas.load_board("hanse-2-3").words
    game["players"] = [{**game["players"][0], "seat": seat} for seat in range(3)]
    (tmp_path / "game.jsonl").write_bytes(record_bytes([game, *lines]))
    verdict = verify(tmp_path / "game.jsonl")
    assert (verdict.verdict, verdict.why) == ("incomplete", "it breaks off at decision 6")
    assert end["line"] == "end"


@pytest.mark.parametrize("kind", ["game", "decision", "fault"])
def test_every_field_is_explained(kind: str, path: Path) -> None:
    section = PAGE.split(f"### `{kind}`")[1].split("###")[0]
    named = set(re.findall(r"`(\w+)`", section))
    for line in lines_of(path):
        if line["line"] == kind:
            assert set(line) - {"line"} <= named


# --- the programs --------------------------------------------------------------------------


def run(*command: str, **variables: str) -> str:
    environment = {**os.environ, **variables}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("programs") / "read.py"
    file.write_text(example("python"), "utf-8")
    return file


def test_the_python_program_reads_a_record(path: Path, program: Path) -> None:
    printed = run(sys.executable, str(program), str(path)).splitlines()
    lines = lines_of(path)
    assert printed[0] == f"{NAME} seed 7"
    asked = sum(line.get("by") == "bot" for line in lines)
    assert sum(int(line.split()[1]) for line in printed[1:4]) == asked
    totals = {one["name"]: one["total"] for one in lines[-1]["standings"]}
    assert {line.split()[1]: int(line.split()[2]) for line in printed[4:]} == totals


def test_the_python_program_reads_packed_and_broken_records(
    path: Path, program: Path, tmp_path: Path
) -> None:
    packed, cut = tmp_path / "game.jsonl.gz", tmp_path / "cut.jsonl"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    cut.write_bytes(path.read_bytes()[:-100])
    whole = run(sys.executable, str(program), str(path))
    assert run(sys.executable, str(program), str(packed)) == whole
    assert run(sys.executable, str(program), str(cut)).splitlines() == whole.splitlines()[:4]


@only_in("languages")
def test_the_javascript_program_prints_the_same(path: Path, program: Path, tmp_path: Path) -> None:
    (tmp_path / "read.mjs").write_text(example("javascript"), "utf-8")
    printed = run("node", str(tmp_path / "read.mjs"), str(path))
    assert printed == run(sys.executable, str(program), str(path))


@only_in("languages")
@pytest.mark.timeout(400)  # without a cache it compiles the library first
def test_the_go_program_prints_the_same(path: Path, program: Path, tmp_path: Path) -> None:
    (tmp_path / "read.go").write_text(example("go"), "utf-8")
    printed = run("go", "run", str(tmp_path / "read.go"), str(path), GOFLAGS="-mod=mod")
    assert printed == run(sys.executable, str(program), str(path))


def test_the_program_with_the_engine_replays_a_record(path: Path, tmp_path: Path) -> None:
    (tmp_path / "walk.py").write_text(example("engine"), "utf-8")
    printed = run(sys.executable, str(tmp_path / "walk.py"), str(path), PYTHONPATH=str(ROOT))
    *relocations, verdict = printed.splitlines()
    asked = [line["id"] for line in lines_of(path) if line.get("decision") == "relocate"]
    assert [int(line.split()[1].rstrip(",")) for line in relocations] == asked
    assert verdict == "fine"
