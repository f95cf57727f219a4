"""The check of the parameters that a bot declares."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from referee.check.run import Finding

Examine: TypeAlias = Callable[..., dict[str, Finding]]

CHECKED = ("handshake", "parameters")
DECLARED = """
name = "mine"
command = ["python", "-I", "-S", "bot.py"]
[parameters.post]
type = "int"
default = 1
low = 0
high = 2
"""
# Says hello and plays its first choice, unless the parameter has its highest value.
BOT = """
import json, sys
assert sys.argv[1] == "--set"
if sys.argv[2] == "post=2":
    raise ValueError("too high")
print('{"type":"hello","name":"mine","state":"none"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "choose", "id": message["id"], "choice": 0}), flush=True)
"""


def test_a_bot_must_play_with_its_lowest_and_its_highest_values(
    examine: Examine, tmp_path: Path
) -> None:
    (tmp_path / "bot.toml").write_text(DECLARED)
    (tmp_path / "bot.py").write_text(BOT)
    found = examine(f"{tmp_path}", *CHECKED)
    assert found["handshake"].verdict.status == "passed"
    assert found["parameters"].verdict.status == "failed"
    assert "too high" in (found["parameters"].verdict.stderr or "")
    (tmp_path / "bot.toml").write_text(DECLARED.replace("high = 2", "high = 3"))
    verdict = examine(f"other={tmp_path}", *CHECKED)["parameters"].verdict  # not the run before
    assert verdict.sentence == "played with the lowest and the highest values of 1 parameter"


def test_a_bot_without_parameters_passes(examine: Examine) -> None:
    verdict = examine("random", *CHECKED)["parameters"].verdict
    assert (verdict.status, verdict.sentence) == ("passed", "declares no parameters")
