"""The JSON Schemas: the shipped files are current, and every message of real games matches."""

from __future__ import annotations

import json
import typing
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import protocol
from protocol import choices, decode, encode, events, messages, parts, words
from referee import schema
from referee.adjudication.faults import Fault
from referee.encoder import Detail
from referee.engine import terms
from referee.engine.codes import ABOUT_FIELDS, CHOICE_FIELDS, EVENT_FIELDS, STATE_FIELDS
from referee.match.players import judge
from referee.schema import codes, docs_page
from referee.schema.codes import MEANINGS, WORDS, event_names, meaning
from support.combinations import representative
from support.dialogue import HELLO, QUIT, SeatMessages, Words, conversation, parsed
from support.paths import ROOT
from support.random_games import decisions, played

FOLDER = Path(protocol.__file__).parent / "schema"
SAMPLE = representative()[::6]


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((FOLDER / f"{name}.json").read_text("utf-8")))


def mistakes(name: str, message: object) -> list[str]:
    return [error.message[:300] for error in validator(name).iter_errors(message)]


@pytest.mark.parametrize("name", schema.NAMES)
def test_the_shipped_schemas_are_current(name: str) -> None:
    shipped = (FOLDER / f"{name}.json").read_text("utf-8")
    assert shipped == schema.text(name), "run: referee schema --out protocol/schema"


def test_no_other_schemas_are_shipped() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.json" for name in schema.NAMES}


def test_each_schema_is_valid() -> None:
    """The schemas share most definitions, and validators are slow: this checks each one once."""
    different: list[Words] = []
    for name in schema.NAMES:
        own = dict(schema.schema(name))
        definitions = own.pop("$defs", {}).values()
        different += [part for part in (own, *definitions) if part not in different]
    Draft202012Validator.check_schema({"allOf": different})


@pytest.mark.parametrize("detail", ["words", "codes"])
def test_the_messages_of_games_match_their_schemas(detail: Detail) -> None:
    """Validators are slow: this checks choices and events of another kind than before.

    Most of a message is its state, and only the first three and the last of a game are checked.
    """
    met: set[tuple[str, str]] = set()
    for name in SAMPLE:
        states = 0
        for data, _ in conversation(played(name), 0, detail=detail):
            message = parsed(data)
            kinds = kinds_in(message)
            if message["type"] in ("start", "end") or not kinds.keys() <= met:
                few = with_few_choices_and_events(message, met)
                if "state" in few and states == 3 and message["type"] != "end":
                    del few["state"]
                states += "state" in few
                assert mistakes(message["type"], few) == []
                met |= kinds.keys()


def kinds_in(message: Words) -> dict[tuple[str, str], list[typing.Any]]:
    """The choices and events of a message, in words or codes, by what they do or what happened."""
    found: dict[tuple[str, str], list[typing.Any]] = {}
    for key in ("choices", "events"):
        for part in message.get(key, ()):
            kind = part[0] if isinstance(part, list) else part.get("do") or part["event"]
            where = message["decision"] if key == "choices" else ""
            found.setdefault((where, f"{key} {kind}"), []).append(part)
    return found


def with_few_choices_and_events(message: Words, met: set[tuple[str, str]]) -> Words:
    """The message with two choices and events of each kind that was not met before.

    Its first two choices are always there: it must have as many.
    """
    few: Words = {key: message[key][:2] for key in ("choices", "events") if key in message}
    for (where, kind), parts_of_kind in kinds_in(message).items():
        if (where, kind) not in met:
            few[kind.split()[0]] += parts_of_kind[:2]
    return {**message, **few}


def test_the_other_messages_match_their_schemas() -> None:
    state = next(decisions(played(SAMPLE[0])))
    for data in (HELLO, QUIT, SeatMessages(state, 0).error()):
        assert mistakes(parsed(data)["type"], parsed(data)) == []
    replies: dict[str, messages.FromBot] = {
        "bot-hello": messages.BotHello("x"),
        "ready": messages.Ready(),
        "choose": messages.Choose(1, 2, "so"),
    }
    for name, reply in replies.items():
        assert mistakes(name, parsed(encode(reply))) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("choose", {"type": "choose", "id": 1, "choice": "1"}),
        ("choose", {"type": "choose", "id": 1}),
        ("ready", {"type": "steady"}),
        ("bot-hello", {"type": "hello", "name": "x", "encoding": "xml"}),
        ("codes", [1, 2]),
        ("codes", [99]),
    ],
)
def test_a_schema_refuses_invalid_messages(name: str, message: object) -> None:
    assert mistakes(name, message)


# --- The types are complete ----------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLE[::2])
def test_the_types_decode_and_encode_every_message_of_a_game(name: str) -> None:
    for data, _ in conversation(played(name), 0):
        message = decode(data)
        again = parsed(encode(message))
        assert again == parsed(data)


def unknown(found: Words, known: tuple[type, ...], tag: str) -> set[str]:
    """The keys of an object that are in no type of its kind."""
    return set(found) - fields_by_name(known, tag)[found[tag]]


@cache
def fields_by_name(known: tuple[type, ...], tag: str) -> dict[str, set[str]]:
    """The fields of all types that have this name as their tag."""
    found: dict[str, set[str]] = {}
    for kind in known:
        for name in typing.get_args(kind.__annotations__[tag]):
            found.setdefault(name, set()).update(kind.__annotations__)
    return found


@pytest.mark.parametrize("name", SAMPLE)
def test_every_field_of_a_message_is_in_the_types(name: str) -> None:
    for data, _ in conversation(played(name), 0):
        message = parsed(data)
        if message["type"] == "start":
            continue
        assert not set(message["state"]) - set(words.State.__annotations__)
        for event in message["events"]:
            assert unknown(event, events.EVENTS, "event") == set()
        for choice in message.get("choices", ()):
            assert unknown(choice, choices.CHOICES, "do") == set()
        if "about" in message:
            about: typing.Any = words.ABOUT[message["decision"]]
            fields = set(message["about"])
            assert about.__required_keys__ <= fields <= set(about.__annotations__)


def literals(alias: object) -> tuple[str, ...]:
    return typing.get_args(alias)


def test_the_types_have_the_words_of_the_rules() -> None:
    assert literals(words.Ability) == terms.ABILITIES
    assert literals(words.Colour) == terms.COLOURS
    assert literals(words.Kind) == terms.KINDS
    assert literals(words.Marker) == terms.MARKERS
    assert literals(words.Favour) == terms.FAVOURS
    assert literals(words.PermanentMarker) == terms.PERMANENT_MARKERS
    assert literals(words.Source) == terms.SOURCES
    assert literals(words.LiftReason) == terms.LIFT_REASONS
    assert literals(words.EndReason) == terms.END_REASONS[1:]
    assert literals(words.Fault) == terms.FAULTS
    assert literals(words.DecisionKind) == terms.DECISIONS


def named_by(types: typing.Iterable[type], tag: str) -> set[str]:
    return {name for kind in types for name in typing.get_args(kind.__annotations__[tag])}


def test_every_choice_and_event_has_a_type() -> None:
    assert named_by(choices.CHOICES, "do") == set(terms.DOINGS)
    assert named_by(events.EVENTS, "event") == set(event_names())


# --- The codes, and their page -------------------------------------------------------------


def test_every_number_is_explained() -> None:
    tables = schema.schema("codes")["tables"]
    rows = [*tables["choices"], *tables["events"], *[[k, *v] for k, v in tables["about"].items()]]
    for where, *fields in rows:
        for field in fields:
            assert meaning(where, field)
    explained = {field for _, *fields in rows for field in fields}
    assert set(MEANINGS) | set(WORDS) <= explained | {"do"}


def test_the_tables_have_a_row_for_everything() -> None:
    tables = schema.schema("codes")["tables"]
    assert len(tables["choices"]) == len(CHOICE_FIELDS) == len(terms.DOINGS)
    assert len(tables["events"]) == len(EVENT_FIELDS)
    assert set(tables["about"]) == {terms.DECISIONS[kind] for kind in ABOUT_FIELDS}
    assert list(tables["state"]) == [field for field, _ in STATE_FIELDS]


def test_the_tables_of_the_protocol_page_are_current() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    assert docs_page.BEGIN in page
    assert docs_page.update_page(page) == page, "run: referee schema --page docs/protocol.md"


def test_a_page_without_marks_is_not_changed() -> None:
    assert docs_page.update_page("# A page\n") == "# A page\n"


# --- What the page shows -------------------------------------------------------------------


def shown_lines() -> list[str]:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    return [line for line in page.splitlines() if line.startswith(('{"type"', "→ {", "← {"))]


def test_the_example_lines_of_the_page_are_messages() -> None:
    lines = shown_lines()
    assert len(lines) >= 9
    for line in lines:
        arrow, _, text = line.partition(" ")
        message = json.loads(text)
        from_bot = arrow == "←"
        name = "bot-hello" if from_bot and message["type"] == "hello" else message["type"]
        assert mistakes(name, message) == [], line


def test_the_error_on_the_page_is_what_the_referee_sends() -> None:
    (shown,) = [line for line in shown_lines() if '"type":"error"' in line]
    error = json.loads(shown.removeprefix("→ "))
    answer = json.dumps({"type": "choose", "id": error["id"], "choice": 99}).encode()
    judged = judge(answer, "json", error["id"], 31)
    assert isinstance(judged, Fault)
    assert (error["fault"], error["message"]) == (judged.fault, judged.message)


def test_the_page_names_every_word_of_the_protocol() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    used = {
        *terms.DOINGS, *terms.DECISIONS, *event_names(), *terms.MARKERS, *terms.FAVOURS,
        *terms.PERMANENT_MARKERS, *terms.FAULTS, *terms.END_REASONS[1:], *terms.ABILITIES,
        *words.State.__annotations__, *words.PlayerState.__annotations__,
        *[key for about in words.ABOUT.values() for key in about.__annotations__],
        *[key for event in events.EVENTS for key in event.__annotations__],
        *[key for choice in choices.CHOICES for key in choice.__annotations__],
        *[key for kind in schema.MESSAGES.values() for key in kind.__annotations__],
        *parts.Board.__annotations__, *parts.City.__annotations__,
        *parts.Route.__annotations__, *parts.Rules.__annotations__,
        *parts.Standing.__annotations__, *parts.Clock.__annotations__,
    }  # fmt: skip
    prose = page.partition(docs_page.BEGIN)[0]
    assert [word for word in sorted(used) if f"`{word}`" not in prose] == []


def test_special_meanings_are_of_fields_that_exist() -> None:
    names = codes.tables()
    fields = {name: set(row) for name, *row in [*names["choices"], *names["events"]]}
    assert [key for key in codes.SPECIAL_MEANINGS if key[1] not in fields[key[0]]] == []


def test_swapped_markers_and_gained_actions_are_explained_in_codes() -> None:
    assert "swap-marker" in codes.meaning("use", "seat")
    assert "swap-marker" in codes.meaning("use", "other")
    assert codes.meaning("actions-gained", "marker").endswith("-1 for the ability `actions`")
