"""The seats of a game on its server: who holds each one, and what it is asked.

A seat is taken with a code that works once. The browser gets a secret for it as a cookie, and every
later request must show this secret. A further code, which only the terminal of the game can get, takes
the seat again: the browser that held it before loses it. The open question stays here until the game
closes it, so a page that is loaded again, or connects again, finds it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from referee.web.play.seat_messages import (
    Ask,
    AskHint,
    Chosen,
    End,
    FromGame,
    HintText,
    Left,
    NewCode,
    Notice,
    ToGame,
    Withdraw,
)

CODE_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"  # without those that look alike
CODE_LENGTH: Final = 16  # 79 bits
_GROUP: Final = 4

Taking: TypeAlias = Literal["taken", "used", "wrong"]
Choosing: TypeAlias = Literal["accepted", "repeated", "closed", "answered", "illegal"]


def new_code() -> str:
    """A code that takes a seat once, in groups that can be typed."""
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    return "-".join(letters[i : i + _GROUP] for i in range(0, CODE_LENGTH, _GROUP))


def plain_code(typed: str) -> str:
    """A code as it was typed, without spaces, dashes and upper case."""
    return "".join(typed.lower().replace("-", "").split())


def _contains(codes: Sequence[str], typed: str) -> bool:
    """Whether one of these codes was typed; how long this takes tells nothing about their letters."""
    plain = plain_code(typed).encode()
    return any(secrets.compare_digest(plain, code.encode()) for code in codes)


class Seat:
    """One seat: its codes, the secret of the browser that took it, and its open question."""

    def __init__(self, number: int, name: str, code: str) -> None:
        self.number = number
        self.name = name
        self._codes = [plain_code(code)]  # they take the seat; the first use of one ends all
        self._used: list[str] = []
        self._secret: str | None = None
        self._asked: Ask | None = None
        self._deadline: float | None = None
        self._answer: int | None = None
        self._notice = ""
        self._hint: str | None = None  # "" while it is being made
        self._ended = False
        self._changed: Callable[[], None] = lambda: None
        self._to_game: Callable[[ToGame], None] = lambda _: None

    def connect(self, to_game: Callable[[ToGame], None], changed: Callable[[], None]) -> None:
        """Set where answers go, and what is called when the page has something new to show."""
        self._to_game, self._changed = to_game, changed

    # -- who holds the seat

    def take(self, code: str) -> tuple[Taking, str]:
        """Take the seat with a code; returns the secret for the cookie, which is empty if it failed."""
        if _contains(self._used, code):
            return "used", ""
        if not _contains(self._codes, code):
            return "wrong", ""
        self._used += self._codes
        self._codes = []
        self._secret = secrets.token_urlsafe(32)
        return "taken", self._secret

    def is_held_by(self, secret: str) -> bool:
        """Whether this is the secret of the browser that took the seat."""
        held = self._secret
        return held is not None and secrets.compare_digest(secret.encode(), held.encode())

    # -- what it is asked

    def hear(self, message: FromGame) -> None:
        """Take in a message of the game for this seat."""
        if isinstance(message, Ask):
            left_ms = message.left_ms
            self._asked, self._answer, self._hint = message, None, None
            self._deadline = None if left_ms is None else time.monotonic() + left_ms / 1000
        elif isinstance(message, Withdraw):
            self._asked = None
        elif isinstance(message, NewCode):
            self._codes.append(plain_code(message.code))
        elif isinstance(message, Notice):
            self._notice = message.text
        elif isinstance(message, HintText):
            self._hint = message.text if self._is_open(message.id) else None
        elif isinstance(message, End):
            self._ended, self._asked = True, None
        self._changed()

    def choose(self, decision_id: int, choice: int) -> Choosing:
        """Answer the open question; only the first answer counts, whatever comes after it."""
        asked = self._asked
        if asked is None or not self._is_open(decision_id):
            return "closed"
        if not 0 <= choice < asked.choices:
            return "illegal"
        if self._answer is not None:
            return "repeated" if choice == self._answer else "answered"
        self._answer = choice
        self._notice = ""
        self._to_game(Chosen(self.number, decision_id, choice))
        self._changed()
        return "accepted"

    def _is_open(self, decision_id: int) -> bool:
        """Whether this is the decision that the seat is asked."""
        return self._asked is not None and self._asked.id == decision_id

    def ask_hint(self, decision_id: int) -> bool:
        """Ask the game for a hint, once for each decision; False if the decision is over."""
        if not self._is_open(decision_id) or self._answer is not None:
            return False
        if self._hint is None:
            self._hint = ""
            self._to_game(AskHint(self.number, decision_id))
            self._changed()
        return True

    def leave(self) -> None:
        """Leave the game for good."""
        if not self._ended:
            self._to_game(Left(self.number))

    def state(self) -> dict[str, object]:
        """What the page of this seat shows besides the game."""
        asked = self._asked
        left_ms = None
        if asked is not None and self._deadline is not None:
            left_ms = max(0, round(1000 * (self._deadline - time.monotonic())))
        return {
            "question": None if asked is None else msgspec.Raw(asked.question),
            "answered": self._answer is not None and asked is not None,
            "left_ms": left_ms,
            "notice": self._notice,
            "hint": None if asked is None else self._hint,
            "ended": self._ended,
        }
