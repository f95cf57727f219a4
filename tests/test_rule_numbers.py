"""A test names every rule of docs/rules.md, and no test names a rule that is not on that page."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from support.paths import TESTS
from support.source_files import modules, nodes_of, text_of

RULES = TESTS.parent / "docs" / "rules.md"

LAST_NUMBERS = {
    "SET": 6,
    "TURN": 4,
    "INC": 1,
    "PLA": 1,
    "DIS": 5,
    "MOV": 2,
    "CRE": 12,
    "BON": 9,
    "END": 1,
    "SCO": 4,
    "FAV": 2,
    "EAST": 8,
    "BRI": 9,
    "TWO": 7,
}
EXPECTED = {f"{head}-{n}" for head, last in LAST_NUMBERS.items() for n in range(1, last + 1)}


def stated_rules() -> list[str]:
    return re.findall(r"^- \*\*([A-Z]+-\d+)\*\* ", RULES.read_text("utf-8"), re.MULTILINE)


@cache
def ruled_by_tests() -> dict[str, list[str]]:
    """Return the rule numbers that tests name, with their files."""
    found: dict[str, list[str]] = {}
    for path in modules("tests"):
        if "rule(" in text_of(path):
            for number in numbers_in(path):
                found.setdefault(number, []).append(path.relative_to(TESTS).as_posix())
    return found


def numbers_in(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and is_rule_marker(node.func):
            for argument in node.args:
                yield ast.unparse(argument).strip("'")


def is_rule_marker(node: ast.expr) -> bool:
    """Return whether this is `rule(...)`, `pytest.mark.rule(...)` or `mark.rule(...)`."""
    if isinstance(node, ast.Attribute):
        return node.attr == "rule" and ast.unparse(node.value).endswith("mark")
    return isinstance(node, ast.Name) and node.id == "rule"


def test_the_rules_page_has_every_number_once() -> None:
    assert Counter(stated_rules()) == Counter(EXPECTED)


def test_every_rule_that_the_page_refers_to_is_one_of_its_own() -> None:
    heads = "|".join(LAST_NUMBERS)
    named = set(re.findall(rf"\b(?:{heads})-\d+\b", RULES.read_text("utf-8")))
    assert named - EXPECTED == set()


def test_every_rule_is_named_by_a_test() -> None:
    assert sorted(EXPECTED - ruled_by_tests().keys()) == []


def test_no_test_names_an_unknown_rule() -> None:
    unknown = {
        number: places for number, places in ruled_by_tests().items() if number not in EXPECTED
    }
    assert unknown == {}
