"""Bots that a worker can import: functions and a class, with and without parameters."""

from __future__ import annotations

import os
from typing import ClassVar

import protocol
from protocol import Answer, Choice, View
from referee import chance

CALLER = "PROCESS_OF_THE_TEST"  # a variable of the environment
SHARE = {"type": "float", "default": 0.5, "low": 0.0, "high": 1.0}


def at_random(view: View, choices: list[Choice]) -> Answer:
    return chance(view).choice(choices)


def elsewhere(view: View, choices: list[Choice]) -> int:
    """Plays only in another process than that of the test."""
    if os.environ[CALLER] == str(os.getpid()):
        raise RuntimeError("it is called in the process of the test")
    return 0


def at_share(view: View, choices: list[Choice], *, share: float = 0.9) -> int:
    """Takes the choice at this share of the list."""
    return round(share * (len(choices) - 1))


at_share.parameters = {"share": SHARE}  # type: ignore[attr-defined]


class Sharer(protocol.Bot):
    """Takes the choice at this share of the list, as a class."""

    parameters: ClassVar = {"share": SHARE}

    def __init__(self, share: float = 0.9) -> None:
        self.share = share

    def decide(self, request: protocol.Request) -> int:
        return round(self.share * (len(request.choices) - 1))
