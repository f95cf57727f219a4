"""A person at the page of a seat, without a browser: takes the seat, reads questions, sends choices."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

PATIENCE_S = 60.0


class SeatClient:
    """The browser that holds a seat; `address` is the one that `referee play` prints."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._host, self.path, self.code = place.netloc, place.path, place.fragment
        self._secret = ""

    def take(self) -> int:
        """Take the seat with its code; return the status of the answer."""
        answer = self._send(f"{self.path}/take", {"code": self.code})
        if cookie := answer.getheader("set-cookie"):
            self._secret = SimpleCookie(cookie)["seat"].value
        return answer.status

    def choose(self, decision_id: int, choice: int) -> int:
        """Send a choice; return the status of the answer."""
        return self._send(f"{self.path}/choose", {"id": decision_id, "choice": choice}).status

    def leave(self) -> None:
        """Leave the game, as the button of the page does."""
        self._send(f"{self.path}/leave", {})

    def states(self) -> Iterator[dict[str, Any]]:
        """Yield the states of the seat as they come, until it has ended."""
        connection = http.client.HTTPConnection(self._host, timeout=PATIENCE_S)
        try:
            connection.request("GET", f"{self.path}/events", headers=self._headers())
            answer = connection.getresponse()
            while answer.status == http.client.SERVICE_UNAVAILABLE:  # the game begins soon
                answer.read()
                connection.request("GET", f"{self.path}/events", headers=self._headers())
                answer = connection.getresponse()
            assert answer.status == http.client.OK, answer.read()
            kind = b""
            for line in answer:
                if line.startswith(b"event: "):
                    kind = line[7:].strip()
                elif line.startswith(b"data: ") and kind == b"seat":
                    state: dict[str, Any] = json.loads(line[6:])
                    yield state
                    if state["ended"]:
                        return
        finally:
            connection.close()

    def questions(self) -> Iterator[dict[str, Any]]:
        """Yield each question once."""
        asked = 0
        for state in self.states():
            question = state["question"]
            if question is not None and question["id"] > asked:
                asked = question["id"]
                yield question

    def _headers(self) -> dict[str, str]:
        return {"Cookie": f"seat={self._secret}"} if self._secret else {}

    def _send(self, path: str, body: object) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self._host, timeout=PATIENCE_S)
        headers = {
            **self._headers(),
            "Content-Type": "application/json",
            "Origin": f"http://{self._host}",
        }
        try:
            connection.request("POST", path, json.dumps(body), headers)
            answer = connection.getresponse()
            answer.read()
            return answer
        finally:
            connection.close()
