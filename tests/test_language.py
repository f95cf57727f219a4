"""The project's English: messages, docstrings and names in plain words."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

from support.paths import TESTS
from support.source_files import identifiers, modules, name_of, nodes_of, text_of, words_of

LONG_TEST_NAME = re.compile(r" *(?:async )?def (test_\w{66,})\(")  # more than 70 characters
SHORTEST_DOCSTRING = 23  # a shorter one only repeats the name
# Only a module with such a string can have a docstring that is too short; parsing all takes long.
SHORT_STRING = re.compile(r'"""(?:(?!""").){0,22}\s*"""|^ *r?"[^"\n]{0,22}"$', re.MULTILINE)
# The same for a string that says "is no", perhaps in two parts.
MAY_SAY_IS_NO = re.compile(r"""\bis[\s"'fr]*no\b""")
IS_NO = re.compile(r"(?<![Tt]here )\bis no (?!longer\b|(?:more|less|better) than\b)[\w{]")
PRIVATE_WORDS = frozenset(
    {
        "anew", "charter", "crew", "deed", "eyes", "gazetteer", "habits", "luggage", "manners", "outpost",
        "prospect", "scene", "tale", "teller", "told", "troupe", "trunk", "usual", "wishes",
    }
)  # fmt: skip

Finding = tuple[int, str]  # a line, and what is wrong there
DEFINITIONS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def sources(*folders: str) -> list[Path]:
    """Return the Python modules below these folders, except the fixtures of an earlier version."""
    return [path for path in modules(*folders) if TESTS / "fixtures" not in path.parents]


def found_in(paths: list[Path], find: Callable[[Path], Iterator[Finding]]) -> list[str]:
    return [f"{name_of(path)}:{line}: {what}" for path in paths for line, what in find(path)]


def is_no_phrases(path: Path) -> Iterator[Finding]:
    """Yield strings that contain "X is no Y"; in an f-string each field counts as "{}"."""
    nodes = nodes_of(path) if MAY_SAY_IS_NO.search(text_of(path)) else []
    inside = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if not isinstance(node, ast.Constant | ast.JoinedStr) or id(node) in inside:
            continue
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        texts = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts]
        text = "".join(texts)
        if IS_NO.search(text):
            yield node.lineno, text.strip()[:80]


def short_docstrings(path: Path) -> Iterator[Finding]:
    for node in nodes_of(path) if SHORT_STRING.search(text_of(path)) else ():
        if isinstance(node, DEFINITIONS):
            docstring = ast.get_docstring(node)
            if docstring is not None and len(docstring) < SHORTEST_DOCSTRING:
                yield getattr(node, "lineno", 1), repr(docstring)


def long_test_names(path: Path) -> Iterator[Finding]:
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if found := LONG_TEST_NAME.match(line):
            yield number, found[1]


def private_words(path: Path) -> Iterator[Finding]:
    text = text_of(path).casefold()
    names = identifiers(path) if any(word in text for word in PRIVATE_WORDS) else ()
    for line, name in [(1, path.stem), *names]:
        for word in sorted(words_of(name) & PRIVATE_WORDS):
            yield line, f"{word!r} in {name}"


def test_no_message_says_is_no() -> None:
    assert found_in(sources("referee", "protocol", "sample_bots"), is_no_phrases) == []


def test_no_docstring_is_too_short_to_say_anything() -> None:
    folders = ("referee", "protocol", "tests", "tools", "build_backend", "sample_bots")
    assert found_in(sources(*folders), short_docstrings) == []


def test_no_test_has_a_name_that_is_too_long() -> None:
    assert found_in(sources("tests"), long_test_names) == []


def test_no_name_contains_a_private_word() -> None:
    assert found_in(sources("referee", "protocol", "tests", "tools"), private_words) == []


@pytest.mark.parametrize(
    ("source", "find", "lines"),
    [
        (
            'x = "7 is no number"\ny = "there is no x, it is no longer, is no more than. There is no x"',
            is_no_phrases,
            [1],
        ),
        ('x = 1\nz = f"{x} is no {x}"', is_no_phrases, [2]),
        ('class A:\n    """Sits."""', short_docstrings, [1]),
        (f"def test_{'a' * 66}(): ...\ndef test_{'a' * 65}(): ...", long_test_names, [1]),
        ("def f(theTale):\n    trunk_call = retold = 1", private_words, [1, 2]),
    ],
)
def test_each_check_finds_what_it_looks_for(
    tmp_path: Path, source: str, find: Callable[[Path], Iterator[Finding]], lines: list[int]
) -> None:
    path = tmp_path / "module.py"
    path.write_text(source, "utf-8")
    assert sorted({line for line, _ in find(path)}) == lines


def raw_system_errors(path: Path) -> Iterator[Finding]:
    """Yield where a handler of OSError prints the error itself: "[Errno 13] Permission denied: 'x'"."""
    if "OSError" not in text_of(path):
        return
    for handler in nodes_of(path):
        if isinstance(handler, ast.ExceptHandler) and handler.name and handler.type is not None:
            caught = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
            if caught & {"OSError", "PermissionError", "FileNotFoundError"}:
                for node in ast.walk(handler):
                    if _prints(node, handler.name):
                        yield node.lineno, f"{handler.name} is printed with its number"


def _prints(node: ast.AST, name: str) -> TypeGuard[ast.expr]:
    """Return whether a node turns the variable `name` into text."""
    shown: list[ast.expr] = []
    if isinstance(node, ast.FormattedValue):
        shown = [node.value]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str":
        shown = node.args
    return any(isinstance(value, ast.Name) and value.id == name for value in shown)


def test_no_message_has_the_number_of_a_system_error() -> None:
    assert found_in(sources("referee", "protocol"), raw_system_errors) == []


def signs_of_zero(path: Path) -> Iterator[Finding]:
    """Yield figures with a sign that may print as -0; the format `z` prevents it."""
    for number, line in enumerate(text_of(path).splitlines(), start=1):
        if re.search(r":\+[,.\d]", line):
            yield number, line.strip()


def test_no_figure_is_minus_zero() -> None:
    assert found_in(sources("referee"), signs_of_zero) == []
