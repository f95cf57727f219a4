"""The meaning of the codes, from the tables of `engine.codes`, and their JSON Schema."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from referee.engine import terms
from referee.engine.codes import ABOUT_FIELDS, CHOICE_FIELDS, EVENT_FIELDS, STATE_FIELDS
from referee.engine.terms import (
    ABILITIES,
    DECISIONS,
    DOINGS,
    END_REASONS,
    FAULTS,
    FAVOURS,
    KINDS,
    LIFT_REASONS,
    MARKERS,
    PAY_REASONS,
    PERMANENT_MARKERS,
    POST_PLACES,
    PRESTIGE_REASONS,
    SOURCES,
)

Schema: TypeAlias = dict[str, Any]

REWARDS: Final = ("none", "post", "additional", "develop", "special")

# Fields that are an index into a list of words.
WORDS: Final[dict[str, tuple[str, ...]]] = {
    "do": DOINGS,
    "kind": KINDS,
    "with": KINDS,
    "source": SOURCES,
    "reward": REWARDS,
    "ability": ABILITIES,
    "marker": MARKERS,
    "other": MARKERS,
    "takes": MARKERS,
    "markers": MARKERS,
    "tile": FAVOURS,
    "where": POST_PLACES,
    "fault": FAULTS,
    "reason": END_REASONS,
}

# The field `why`, by the event or decision that has it.
WHY: Final[dict[str, tuple[str, ...]]] = {
    "paid": PAY_REASONS,
    "prestige": PRESTIGE_REASONS,
    "lifted": LIFT_REASONS,
    "put": LIFT_REASONS,
    "removed": LIFT_REASONS,
    "lift": LIFT_REASONS,
    "permanent": PERMANENT_MARKERS,
}

PARTS: Final = ("total", "track", "abilities", "cities", "network", "missions")

# Every other field (complete: test_every_number_is_explained).
MEANINGS: Final[dict[str, str]] = {
    "actions": "number of actions",
    "by": "the seat whose action caused this",
    "city": "number of the city, -1 for none",
    "count": "number of cities completed so far",
    "countries...": "one number for each country that gives prestige, in the board's order",
    "created": "number of the route whose permanent marker is used now or next, -1 for none",
    "held": "the tradesmen that are off the board, as a list",
    "id": "id of the decision",
    "left": "how many are left, of what the event or decision is about",
    "merchants": "number of merchants",
    "origin": "the point that the tradesman leaves, -1 unless its source is a point",
    "origins": "the points that the tradesmen in `held` were lifted from, as a list",
    "owner": "a seat; with two players the neutral colour is 2",
    "placed": "the points where tradesmen were placed so far, as a list",
    "point": "number of the point; -1 if a displaced tradesman went to the stock instead",
    "points": "amount of prestige",
    "route": "number of the route, -1 for none",
    "seat": "a seat; with two players the neutral colour is 2; -1 is nobody",
    "space": "number of the space, or of the left one of two spaces; -1 for none",
    "special": "index of the special prestige space, -1 for none",
    "stays": "1 if a neutral trader stays on the route, else 0",
    "steps": "number of steps developed so far",
    "traders": "number of traders",
    "turn": "number of the turn",
    "unbound": "1 if a bought permit lets the move cross borders, else 0",
}
# Fields that mean something else, or less, in one choice or event.
SPECIAL_MEANINGS: Final[dict[tuple[str, str], str]] = {
    ("use", "space"): "with `exchange-posts` the left one of the two spaces, else -1",
    ("use", "ability"): "with `develop-ability` the ability to develop, else -1",
    ("use", "seat"): "with `swap-marker` the seat whose used marker you take, else -1",
    ("use", "other"): "with `swap-marker` the marker that you take, else -1",
    ("marker-used", "owner"): "with `swap-marker` the seat whose used marker was taken, else -1",
    ("marker-used", "takes"): "with `swap-marker` the marker that was taken, else -1",
    ("actions-gained", "marker"): "the marker that was used, -1 for the ability `actions`",
}
LISTS: Final = frozenset({"held", "origins", "placed", "markers"})  # of `about`
ABOUT: Final = frozenset([DECISIONS[kind] for kind in ABOUT_FIELDS])


def event_names() -> list[str]:
    """Return the names of the events; the index of each is its code."""
    numbers = {number: name for name, number in vars(terms).items() if name.startswith("EV_")}
    return [numbers[at][3:].lower().replace("_", "-") for at in sorted(numbers)]


def tables() -> Schema:
    """Return everything that is needed to read codes, as lists and objects of names."""
    return {
        "decisions": list(DECISIONS),
        "choices": [[do, *fields] for do, fields in zip(DOINGS, CHOICE_FIELDS, strict=True)],
        "events": [
            [event, *fields] for event, fields in zip(event_names(), EVENT_FIELDS, strict=True)
        ],
        "about": {DECISIONS[kind]: list(fields) for kind, fields in ABOUT_FIELDS.items()},
        "state": dict(STATE_FIELDS),
        "words": {field: list(words) for field, words in WORDS.items()},
        "why": {where: list(words) for where, words in WHY.items()},
    }


def codes_defs() -> dict[str, Schema]:
    """Return the schemas of a choice, an event, `about` and the state in codes."""
    names = tables()
    return {
        "choice": {"anyOf": [_array(at, row) for at, row in enumerate(names["choices"])]},
        "event": {"anyOf": [_array(at, row) for at, row in enumerate(names["events"])]},
        "about": {"anyOf": [_object(name, fields) for name, fields in names["about"].items()]},
        "state": {
            "type": "object",
            "properties": {field: _held(field, holds) for field, holds in STATE_FIELDS},
            "required": [field for field, _ in STATE_FIELDS],
        },
    }


def _array(number: int, row: list[str]) -> Schema:
    """Return the schema of a code: its number, then its fields; `name...` means any number of them."""
    name, *fields = row
    plain = [field for field in fields if not field.endswith("...")]
    items = [{"const": number, "title": name}, *[_field(name, field) for field in plain]]
    rest: Schema = {"items": False} if plain == fields else {"items": {"type": "integer"}}
    return {"type": "array", "title": name, "prefixItems": items, "minItems": len(items), **rest}


def _object(decision: str, fields: list[str]) -> Schema:
    properties = {field: _field(decision, field) for field in fields}
    return {"type": "object", "title": decision, "properties": properties, "required": fields}


def _field(where: str, field: str) -> Schema:
    number: Schema = {"type": "integer"}
    if field in LISTS and where in ABOUT:
        number = {"type": "array", "items": number}
    return {"title": field, "description": meaning(where, field), **number}


def _held(field: str, holds: str) -> Schema:
    numbers: Schema = {"type": "array", "items": {"type": "integer"}}
    by_seat = field in {"markers", "used_markers"}
    return {"description": holds, **({"type": "array", "items": numbers} if by_seat else numbers)}


def meaning(where: str, field: str) -> str:
    """Return what a field means in the choice, event or decision `where`."""
    if field == "why":
        return _listed(WHY.get(where, LIFT_REASONS))
    if where == "scored" and field in (*PARTS, "markers", "special"):
        return "a part of the total, or the total"
    if (where, field) in SPECIAL_MEANINGS:
        return SPECIAL_MEANINGS[where, field]
    return _listed(WORDS[field]) if field in WORDS else MEANINGS[field]


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"{number} {word}" for number, word in enumerate(words) if word)
