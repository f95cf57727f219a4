"""The weights of each board, tuned by games; `tools/learning` makes the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Final

from referee.thinking.weights import DEFAULT_WEIGHTS, Weights

ANY_BOARD: Final = "any"  # the weights for boards without some of their own
WEIGHTS_FILE: Final = Path(__file__).with_name("values") / "weights.json"
_DIGITS: Final = 4


def tuned_weights(board: str) -> Weights:
    """The weights for a board."""
    known = _shipped()
    return known.get(board, known[ANY_BOARD])


@cache
def _shipped() -> dict[str, Weights]:
    return read_weights(WEIGHTS_FILE)


def read_weights(path: Path) -> dict[str, Weights]:
    """The weights by board; ValueError if a weight is missing, unknown, or not a number."""
    boards = json.loads(path.read_text("utf-8"))
    if ANY_BOARD not in boards:
        raise ValueError(f'{path.name} has no weights for "{ANY_BOARD}", the other boards')
    return {board: _weights(values, f"{path.name}, {board}") for board, values in boards.items()}


def _weights(values: Mapping[str, Any], where: str) -> Weights:
    first = {**asdict(DEFAULT_WEIGHTS), "uses": list(DEFAULT_WEIGHTS.uses)}
    if wrong := sorted(first.keys() ^ values.keys()):
        raise ValueError(f"{where}: missing or unknown weights: {', '.join(wrong)}")
    for name, value in values.items():
        if _types(value) != _types(first[name]):
            raise ValueError(f"{where}: {name} is {value!r}, not something like {first[name]!r}")
    return Weights(**{**values, "uses": tuple(values["uses"])})


def _types(value: Any) -> list[type]:
    return [type(one) for one in value] if isinstance(value, list) else [type(value)]


def write_weights(path: Path, weights: Mapping[str, Weights]) -> None:
    """Write a file that `read_weights` reads; the numbers are rounded to four digits."""
    boards = {board: _rounded(one) for board, one in weights.items()}
    path.write_text(json.dumps(boards, indent=1) + "\n", "utf-8")


def _rounded(weights: Weights) -> dict[str, Any]:
    uses = [round(one, _DIGITS) for one in weights.uses]
    named = {name: one for name, one in asdict(weights).items() if name != "uses"}
    return {name: round(one, _DIGITS) for name, one in named.items()} | {"uses": uses}
