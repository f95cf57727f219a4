"""Malformed requests: a small run of `python -m stress.web_requests`."""

from __future__ import annotations

import json
from random import Random

from stress.web_requests import request_bytes, run


def test_a_server_survives_malformed_requests() -> None:
    outcome = run(count=150, seed=3)
    assert outcome.problems == []
    assert outcome.requests == 150
    assert {"200", "400", "404", "421"} <= set(outcome.statuses)
    assert json.loads(json.dumps(outcome.to_dict()))["requests"] == 150


def test_the_same_seed_makes_the_same_requests() -> None:
    assert [request_bytes(Random(5)) for _ in range(3)] == [request_bytes(Random(5))] * 3
