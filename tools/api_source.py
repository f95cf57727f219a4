"""Public names as lines of text, read from the source: no module is imported.

So the result does not depend on the Python version, on extras or on the build.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("referee", "protocol")
ENGINE: Final = "referee.engine"  # its classes are not public, even where a signature names them
SPECIAL_METHODS: Final = ("__init__", "__call__", "__getitem__", "__iter__")
NO_TYPE: Final = "no_type"  # stands for the type of an attribute without an annotation
DATA_BASES: Final = ("TypedDict", "NamedTuple", "Struct")
GENERICS: Final = frozenset(
    [
        "Callable",
        "Collection",
        "Generator",
        "Iterable",
        "Iterator",
        "Mapping",
        "MutableMapping",
        "NDArray",
        "Sequence",
        "dict",
        "frozenset",
        "list",
        "set",
        "tuple",
        "type",
    ]
)

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Named:
    """A name in a module, and the statement that defines it."""

    module: str
    name: str
    node: ast.ClassDef | Function | ast.Assign | ast.AnnAssign


# -- finding names


@cache
def tree_of(module: str) -> ast.Module:
    """Return the syntax tree of a module of the project."""
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text("utf-8"))


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that a type checker sees, also those below `if TYPE_CHECKING`."""
    for statement in body:
        if not isinstance(statement, ast.If):
            yield statement
        elif "TYPE_CHECKING" in ast.unparse(statement.test):
            is_negative = isinstance(statement.test, ast.UnaryOp)
            yield from statements(statement.orelse if is_negative else statement.body)


def exported(module: str) -> list[str]:
    """Return the names in `__all__` of a module."""
    for statement in tree_of(module).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(statement.value)
            return names
    raise LookupError(f"{module} has no __all__")


@cache
def resolve(module: str, name: str) -> Named | None:
    """Find where a name that a module uses is defined; None if that is outside the project."""
    for statement in statements(tree_of(module).body):
        if isinstance(statement, ast.ClassDef | Function) and statement.name == name:
            return Named(module, name, statement)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and name in _targets(statement):
            return Named(module, name, statement)
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                source = _source(module, statement)
                if (alias.asname or alias.name) == name and _is_own(source):
                    return resolve(source, alias.name)
    return None


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _source(module: str, statement: ast.ImportFrom) -> str:
    if not statement.level:
        return statement.module or ""
    package = module.split(".", maxsplit=1)[
        0
    ]  # relative imports occur only in `protocol`, which is flat
    return f"{package}.{statement.module}" if statement.module else package


def _is_own(module: str) -> bool:
    return module.split(".", maxsplit=1)[0] in PACKAGES


# -- annotations


def types_in(node: ast.AST) -> Iterator[ast.expr]:
    """Yield every annotation in the public part of a definition."""
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        for member in members(node):
            if not isinstance(member, ast.Assign):  # a value without a type
                yield from types_in(member)
    elif isinstance(node, Function):
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
        yield from [argument.annotation for argument in every if argument.annotation]
        if node.returns:
            yield node.returns
    elif isinstance(node, ast.AnnAssign):
        is_alias = ast.unparse(node.annotation) == "TypeAlias" and node.value is not None
        yield node.value if is_alias and node.value else node.annotation
    elif isinstance(node, ast.Assign):
        yield node.value


def names_in(annotation: ast.expr) -> Iterator[tuple[str, bool]]:
    """Yield the names in an annotation, each with whether it has parameters: `dict[str, int]`."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        yield from names_in(ast.parse(annotation.value, mode="eval").body)
    elif isinstance(annotation, ast.Name):
        yield annotation.id, False
    elif isinstance(annotation, ast.Subscript) and isinstance(annotation.value, ast.Name):
        yield annotation.value.id, True
        if annotation.value.id != "Literal":
            yield from names_in(annotation.slice)
    else:
        for child in _parts(annotation):
            yield from names_in(child)


def _parts(annotation: ast.expr) -> list[ast.expr]:
    if isinstance(annotation, ast.Call):  # TypedDict("Name", {"key": type})
        return annotation.args[1:]
    if isinstance(annotation, ast.Dict):
        return annotation.values
    return [part for part in ast.iter_child_nodes(annotation) if isinstance(part, ast.expr)]


def imprecise(named: Named) -> list[str]:
    """Return what is not a precise type in the public annotations of a definition.

    That is `Any`, a generic without parameters, and an attribute without an annotation.
    """
    found = [
        name
        for annotation in types_in(named.node)
        for name, has_parameters in names_in(annotation)
        if name in ("Any", NO_TYPE) or (name in GENERICS and not has_parameters)
    ]
    return [f"{named.module}.{named.name}: {name}" for name in found]


def with_data_types(names: list[Named]) -> list[Named]:
    """Return the names, and the aliases and data classes of the project that their types consist of."""
    found = dict.fromkeys(names)
    queue = list(found)
    for named in queue:
        for annotation in types_in(named.node):
            for name, _ in names_in(annotation):
                used = resolve(named.module, name)
                if used and used not in found and _is_data(used):
                    found[used] = None
                    queue.append(used)
    return list(found)


def _is_data(named: Named) -> bool:
    if named.module.startswith(ENGINE):
        return False
    if not isinstance(named.node, ast.ClassDef):
        return not isinstance(named.node, Function)
    if any("dataclass" in ast.unparse(decorator) for decorator in named.node.decorator_list):
        return True
    for base in named.node.bases:
        used = resolve(named.module, ast.unparse(base))
        if ast.unparse(base).endswith(DATA_BASES) or (used and _is_data(used)):
            return True
    return False


# -- lines of text


def lines_of(named: Named) -> list[str]:
    """Return a definition as lines: its signature, and those of its public members."""
    node = named.node
    if isinstance(node, Function):
        return [f"{named.name}{signature(node)}"]
    if not isinstance(node, ast.ClassDef):
        return [f"{named.name} = {ast.unparse(next(types_in(node)))}"]
    bases = [ast.unparse(base) for base in [*node.bases, *node.keywords]]
    head = f"class {named.name}({', '.join(bases)})" if bases else f"class {named.name}"
    return [head, *[f"    {line}" for member in members(node) for line in _member_lines(member)]]


def members(node: ast.ClassDef) -> list[ast.stmt]:
    """Return the public members of a class, including the attributes that `__init__` sets."""
    found: list[ast.stmt] = []
    for statement in statements(node.body):
        if isinstance(statement, Function) and _is_public(statement.name):
            found.append(statement)
            if statement.name == "__init__":
                found += _attributes(statement)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            found += [statement] * any(_is_public(name) for name in _targets(statement))
    return found


def _is_public(name: str) -> bool:
    return not name.startswith("_") or name in SPECIAL_METHODS


def _attributes(init: Function) -> Iterator[ast.AnnAssign]:
    """Yield the public attributes that `__init__` sets, each with its type if the source says it."""
    types = {
        argument.arg: argument.annotation for argument in [*init.args.args, *init.args.kwonlyargs]
    }
    for statement in init.body:
        if isinstance(statement, ast.AnnAssign):
            pairs: list[tuple[ast.expr, ast.expr | None]] = [
                (statement.target, statement.annotation)
            ]
        elif isinstance(statement, ast.Assign):
            value = types.get(ast.unparse(statement.value)) or _made(statement.value)
            pairs = [(target, value) for target in _flat(statement.targets)]
        else:
            continue
        for target, annotation in pairs:
            if isinstance(target, ast.Attribute) and _is_public(target.attr):
                yield ast.AnnAssign(ast.Name(target.attr), annotation or ast.Name(NO_TYPE), None, 1)


def _made(value: ast.expr) -> ast.expr | None:
    """Return the class of an object that is made here: `Numbering(board)`."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func if value.func.id[0].isupper() else None
    return None


def _flat(targets: list[ast.expr]) -> Iterator[ast.expr]:
    for target in targets:
        yield from target.elts if isinstance(target, ast.Tuple) else [target]


def _member_lines(member: ast.stmt) -> list[str]:
    if isinstance(member, Function):
        kinds = [ast.unparse(decorator) for decorator in member.decorator_list]
        head = "".join(f"{kind} " for kind in kinds) + member.name
        shown = signature(member, is_method="staticmethod" not in kinds)
        return [head + (shown.removeprefix("()") if "property" in kinds else shown)]
    return [ast.unparse(member)]


def signature(function: Function, *, is_method: bool = False) -> str:
    """Return the parameters with their types and defaults, and what comes back."""
    shown = ast.parse(ast.unparse(function.args).join(("def _(", "): pass"))).body[0]
    assert isinstance(shown, ast.FunctionDef)
    first = shown.args.posonlyargs or shown.args.args
    if is_method and first:
        del first[0]
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(shown.args)}){returns}"
