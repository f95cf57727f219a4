"""JSON Schemas of all messages, from the types of `protocol` and the tables of `engine.codes`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from protocol import choices, events, messages, words
from referee.schema.codes import codes_defs, tables

Schema: TypeAlias = dict[str, Any]

SCHEMA_VERSION: Final = "https://json-schema.org/draft/2020-12/schema"
REF: Final = "#/$defs/{name}"

MESSAGES: Final[dict[str, type]] = {
    "hello": messages.Hello,
    "start": messages.Start,
    "decide": messages.Decide,
    "error": messages.Error,
    "end": messages.End,
    "quit": messages.Quit,
    "bot-hello": messages.BotHello,
    "ready": messages.Ready,
    "choose": messages.Choose,
}
CODES: Final = "codes"
NAMES: Final = (*MESSAGES, CODES)


def schema(name: str) -> Schema:
    """Return the self-contained schema of a message, or of the codes; `name` is one of NAMES."""
    if name == CODES:
        return _codes_schema()
    found, defs = _components([MESSAGES[name]])
    own = defs.pop(found[0]["$ref"].rpartition("/")[2])
    if name in _EXTENDED:
        own, more = _EXTENDED[name](own)
        defs |= more
    head: Schema = {
        "$schema": SCHEMA_VERSION,
        "title": name,
        **{k: own[k] for k in own if k != "title"},
    }
    return {**head, "$defs": defs} if defs else head


def text(name: str) -> str:
    """Return a schema as the text of its file in `protocol/schema`."""
    return json.dumps(schema(name), indent=1, ensure_ascii=False) + "\n"


def _components(types: Sequence[object]) -> tuple[list[Schema], dict[str, Schema]]:
    found, defs = msgspec.json.schema_components(types, ref_template=REF)
    return list(found), {name: _with_plain_description(one) for name, one in defs.items()}


def _with_plain_description(one: Schema) -> Schema:
    """Return a schema whose description is not indented: docstrings are, before Python 3.13."""
    if "description" not in one:
        return one
    return {**one, "description": inspect.cleandoc(one["description"])}


def _union(types: Sequence[object], description: str) -> tuple[Schema, dict[str, Schema]]:
    found, defs = _components(types)
    return {"description": description, "anyOf": found}, defs


def _codes_schema() -> Schema:
    defs = codes_defs()
    return {
        "$schema": SCHEMA_VERSION,
        "title": "codes",
        "description": "Choices, events, about and state for a bot that asked for detail `codes`;"
        " `tables` gives the names of the numbers.",
        "anyOf": [_ref(name) for name in defs],
        "$defs": defs,
        "tables": tables(),
    }


def _ref(name: str) -> Schema:
    return {"$ref": REF.format(name=name)}


def _either(name: str) -> Schema:
    return {"anyOf": [_ref(name), _ref(f"{name}-code")]}


def _with_events_and_state(own: Schema) -> tuple[Schema, dict[str, Schema]]:
    """Add the events and the state, which come in words or in codes."""
    event, defs = _union(events.EVENTS, "What happened; the field `event` says which kind it is.")
    _, state_defs = _components([words.State])
    codes = codes_defs()
    defs |= state_defs
    defs |= {"event": event, "event-code": codes["event"]}
    defs |= {"state": defs.pop("State"), "state-code": codes["state"]}
    properties: Schema = {**own["properties"]}
    properties["events"] = {"type": "array", "items": _either("event")}
    properties["state"] = _either("state")
    return {**own, "properties": properties}, defs


def _with_choices(own: Schema) -> tuple[Schema, dict[str, Schema]]:
    own, defs = _with_events_and_state(own)
    codes = codes_defs()
    choice, choice_defs = _union(
        choices.CHOICES, "What can be chosen; the field `do` says which kind it is."
    )
    about, about_defs = _union(list(words.ABOUT.values()), "What the decision concerns.")
    defs |= choice_defs | about_defs
    defs |= {"choice": choice, "choice-code": codes["choice"]}
    defs |= {"about": about, "about-code": codes["about"]}
    properties = own["properties"]
    properties["decision"] = _kinds()
    properties["choices"] = {"type": "array", "minItems": 2, "items": _either("choice")}
    properties["about"] = _either("about")
    return own, defs


def _kinds() -> Schema:
    return msgspec.json.schema(words.DecisionKind)


_EXTENDED: Final[dict[str, Callable[[Schema], tuple[Schema, dict[str, Schema]]]]] = {
    "decide": _with_choices,
    "end": _with_events_and_state,
}
