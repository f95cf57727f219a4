"""Golden games: whole games in files, which show where a change of the rules changes a game.

`golden/*.json` hold the ruleset, the seed, the index of every choice and the results: digests on
the way, the standings, and digests of every request and every event in words. Every build replays
them. After an intended change of the rules (raise RULES_VERSION too), write them again from the
folder tests, and look at the difference: games that the change does not concern stay the same.

    python -m support.golden_games --force
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from pathlib import Path
from typing import Any, TypeAlias

from referee.engine import game, view
from referee.engine.terms import END_REASONS
from support.combinations import named
from support.paths import TESTS
from support.random_games import Game, events_since, played

FOLDER = TESTS / "golden"
EVERY = 25  # decisions from one digest to the next

# The ruleset and the seed of each; chosen by trial, so that together they reach nearly every rule.
GAMES = (
    ("hanse-4-5:4:bigbox+missions+favours+promos", 13),
    ("hanse-4-5:5:bigbox", 11),
    ("hanse-4-5:5:original+missions+favours", 10),
    ("hanse-2-3:3:bigbox+favours+promos", 2),
    ("hanse-2-3:3:original+missions", 1),
    ("hanse-2-3:2:bigbox+missions+promos+neutral=britannia", 24),
    ("hanse-2-3:2:original+favours+neutral=2009", 12),
    ("east:5:bigbox+promos", 6),
    ("east:3:original", 1),
    ("east:2:bigbox+neutral=2009", 19),
    ("east:2:original+neutral=britannia", 11),
    ("britannia-4-5:4:bigbox+permits+promos", 11),
    ("britannia-4-5:5:original", 17),
    ("britannia-2-3:3:bigbox+permits", 3),
    ("britannia-2-3:2:original+permits+neutral=britannia", 17),
    ("britannia-2-3:2:bigbox+neutral=2009+max_turns=40", 24),
)

Record: TypeAlias = dict[str, Any]


def file_of(name: str) -> Path:
    """Return the path of the golden game of a ruleset."""
    return FOLDER / (re.sub("[^a-z0-9]+", "-", name) + ".json")


def read(name: str) -> Record:
    """Read the golden game of a ruleset."""
    record: Record = json.loads(file_of(name).read_text("utf-8"))
    return record


def game_of(record: Record) -> Game:
    """Return the game that a record describes."""
    return Game(*named(record["ruleset"]), record["seed"], tuple(record["indices"]))


def record_of(one: Game) -> Record:
    """Play a game and return its record."""
    state = game.new_game(one.board, one.rules, one.seed)
    digests = [state.digest()]
    asked = hashlib.sha256()
    for count, index in enumerate(one.indices, 1):
        asked.update(json.dumps(view.request(state)).encode())
        game.apply(state, index)
        if count % EVERY == 0:
            digests.append(state.digest())
    events = json.dumps(events_since(state))
    return {
        "rules_version": one.rules.version,
        "ruleset": one.rules.name,
        "seed": one.seed,
        "indices": list(one.indices),
        "digests": digests,
        "digest": state.digest(),
        "asked": asked.hexdigest()[:16],
        "told": hashlib.sha256(events.encode()).hexdigest()[:16],
        "reason": END_REASONS[state.over],
        "standings": [view.standing_words(state, one) for one in game.standings(state)],
    }


def write(path: Path, record: Record) -> None:
    """Write a record to a file: one line for each part."""
    lines = [f"{json.dumps(key)}: {json.dumps(part)}" for key, part in record.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def main() -> None:
    """Write the files; replace existing ones with --force only."""
    parser = argparse.ArgumentParser(description="Play the golden games and write them to files.")
    parser.add_argument("--force", action="store_true", help="overwrite files that exist")
    force = parser.parse_args().force
    existing = [file_of(name).name for name, _ in GAMES if file_of(name).exists()]
    if existing and not force:
        raise SystemExit(f"{', '.join(existing)}: files exist; use --force to write them again")
    FOLDER.mkdir(exist_ok=True)
    for name, seed in GAMES:
        write(file_of(name), record_of(played(name, seed)))


if __name__ == "__main__":
    main()
