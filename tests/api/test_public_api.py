"""The public API is as listed, and every public signature has precise types."""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
from typing import get_args

import api_source
import public_api
from api_source import Named
from protocol import choices, incoming, messages
from protocol.request import Choice
from support.groups import together

ACCEPT = (
    "The public API differs from tests/api/public_api.txt. If you meant to change it, run"
    " `python tools/public_api.py --write` and tell users about it in CHANGELOG.md:"
)


def test_the_public_api_is_as_listed() -> None:
    listed = public_api.LIST.read_text("utf-8").splitlines()
    now = public_api.text().splitlines()
    assert listed == now, "\n".join([ACCEPT, *difflib.unified_diff(listed, now, n=0, lineterm="")])


def test_every_public_signature_has_precise_types() -> None:
    public = [named for module in public_api.MODULES for named in public_api.public_names(module)]
    named = api_source.with_data_types(public)
    assert [mistake for one in named for mistake in api_source.imprecise(one)] == []


def test_the_list_names_what_a_module_really_offers() -> None:
    """The list is read from the source; here the modules are imported."""
    for module in ("referee", "referee.errors", "protocol"):
        imported = importlib.import_module(module)
        assert api_source.exported(module) == imported.__all__
        for name in imported.__all__:
            found = api_source.resolve(module, name)
            assert found is not None
            assert inspect.isclass(getattr(imported, name)) == is_class(found), name


def is_class(named: Named) -> bool:
    """Return whether a definition is a class, or another name for one."""
    if isinstance(named.node, ast.Assign) and isinstance(named.node.value, ast.Name):
        return named.node.value.id[0].isupper()
    return isinstance(named.node, ast.ClassDef)


# --- How the list is made --------------------------------------------------------------------


def defined(source: str) -> Named:
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Assign | ast.AnnAssign)
    return Named("a_module", getattr(node, "name", "Name"), node)


A_CLASS = '''
class Desk(Base, frozen=True):
    """A docstring."""
    steps: int = 0
    _hidden: int
    def __init__(self, seat: int, *, name="x", _own: int = 1):
        self.seat = seat
        self.rest: list[str] = []
        self.desk = Desk(1)
        self.odd, self._odd = make()
    def _private(self): ...
    @property
    def total(self) -> int: ...
    @classmethod
    def load(cls, path: str) -> "Desk": ...
    if TYPE_CHECKING:
        def checked(self) -> bytes: ...
    if not TYPE_CHECKING:
        def unchecked(self): ...
'''


def test_a_class_is_listed_with_its_public_members() -> None:
    assert api_source.lines_of(defined(A_CLASS)) == [
        "class Desk(Base, frozen=True)",
        "    steps: int = 0",
        "    __init__(seat: int, *, name='x', _own: int=1)",
        "    seat: int",
        "    rest: list[str]",
        "    desk: Desk",
        "    odd: no_type",
        "    property total -> int",
        "    classmethod load(path: str) -> 'Desk'",
        "    checked() -> bytes",
    ]


@together(
    ("source", "found"),
    [
        ("def f(x: Any) -> None: ...", ["Any"]),
        ("def f(*x: int, **y: 'list[Any]') -> None: ...", ["Any"]),
        ("def f() -> dict: ...", ["dict"]),
        ("def f(g: Callable) -> list[tuple]: ...", ["Callable", "tuple"]),
        ("def f(x: dict[str, list[int]], y: Literal['Any']) -> type[int]: ...", []),
        ("Name: TypeAlias = dict[str, Any]", ["Any"]),
        ("Name = TypedDict('Name', {'from': Any})", ["Any"]),
        ("class C:\n  x: list", ["list"]),
        ("class C:\n  def __init__(self): self.x = f()", ["no_type"]),
        ("class C:\n  def _private(self, x: Any): ...", []),
    ],
)
def test_types_that_are_not_precise_are_found(source: str, found: list[str]) -> None:
    names = [mistake.rpartition(" ")[2] for mistake in api_source.imprecise(defined(source))]
    assert names == found


def test_a_changed_option_changes_the_list() -> None:
    before = public_api.command_section(
        "referee doctor", dict(public_api.commands())["referee doctor"]
    )
    assert before == "## referee doctor\n--json: flag"


# --- Types of the same fact -----------------------------------------------------------------


def test_a_message_has_the_same_fields_for_bots_and_for_tools() -> None:
    for name in ("Start", "Decide", "Error", "End"):
        fields = getattr(incoming, f"{name}Message").__annotations__
        assert set(fields) == {"type", *getattr(messages, name).__struct_fields__}


def test_the_types_of_a_choice_are_those_of_all_choices() -> None:
    known: dict[str, set[str]] = {}
    for choice in choices.CHOICES:
        for field, kind in choice.__annotations__.items():
            known.setdefault(field, set()).add(str(kind))
    found = api_source.resolve("protocol", Choice.__name__)
    assert found is not None
    fields = {
        field
        for member in api_source.members(found.node)  # type: ignore[arg-type]  # a class
        if isinstance(member, ast.FunctionDef) and member.decorator_list
        for argument in member.args.posonlyargs[1:]
        if isinstance(argument.annotation, ast.Subscript)
        for field in _literals(argument.annotation)
    }
    assert fields == set(known)
    doings = {
        value for choice in choices.CHOICES for value in get_args(choice.__annotations__["do"])
    }
    assert set(get_args(choices.Doing)) == doings


def _literals(annotation: ast.Subscript) -> list[str]:
    values = (
        annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
    )
    return [ast.literal_eval(value) for value in values]
