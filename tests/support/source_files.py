"""The files of the project, and what their source contains."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from support.paths import ROOT

ENGINE = ROOT / "referee" / "engine"
TEXT = {
    "", ".c", ".cff", ".cfg", ".cpp", ".css", ".go", ".h", ".hpp", ".html", ".in", ".ini", ".java", ".jq",
    ".js", ".json", ".jsonl", ".lock", ".md", ".mod", ".py", ".rs", ".sh", ".svg", ".toml", ".ts", ".txt",
    ".xml", ".yml",
}  # fmt: skip
FOLDERS = (
    ".ci",
    "build_backend",
    "docs",
    "examples",
    "maps",
    "protocol",
    "referee",
    "sample_bots",
    "tests",
    "tools",
)


def modules(*under: str) -> list[Path]:
    """Return every Python module below these folders."""
    return sorted(path for folder in under for path in (ROOT / folder).rglob("*.py"))


# The names of folders that a build or a run creates.
GENERATED = frozenset({"__pycache__", "bin", "build", "dist", "node_modules", "target"})


@cache
def project_files() -> tuple[Path, ...]:
    """Return every text file that belongs to the project."""
    return tuple(_project_files())


def _project_files() -> Iterator[Path]:
    for path in sorted(ROOT.iterdir()):
        # The files of a coverage run have no suffix either, but they are not text.
        if path.is_file() and path.suffix in TEXT and not path.name.startswith(".coverage"):
            yield path
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in TEXT and GENERATED.isdisjoint(path.parts):
                yield path


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def text_of(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return every node of a module's tree, in the order of `ast.walk`."""
    return list(ast.walk(tree_of(path)))


def statements_of(path: Path) -> Iterator[ast.stmt]:
    """Yield every statement of a module; few of the nodes are statements, so this is fast."""
    left: list[ast.AST] = [tree_of(path)]
    while left:
        node = left.pop()
        if isinstance(node, ast.stmt):
            yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, field, ())
            left += inner if isinstance(inner, list) else ()


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the full names of all modules that a module imports, also those for types only."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    found: set[str] = set()
    for node in statements_of(path):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return frozenset(found)


def is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def spoken_strings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every string of a module with its line, except docstrings and other bare strings."""
    bare = {
        id(node.value)
        for node in nodes_of(path)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.lineno, node.value


def identifiers(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every name that a module defines, with its line."""
    for node in nodes_of(path):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def words_of(identifier: str) -> set[str]:
    """Return the words of an identifier, split at underscores and capital letters, in lower case."""
    return {word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", identifier)}


@cache
def names_on_maps() -> frozenset[str]:
    """Return the names of boards, cities and countries, which only map files may contain."""
    found: set[str] = set()
    for path in sorted((ROOT / "maps").glob("*.toml")):
        if path.stem == "components":
            continue
        words = tomllib.loads(path.read_text("utf-8"))
        found |= {path.stem, *words.get("countries", {})}
        for city in words["cities"]:
            found |= {city["id"], city["name"], *city.get("aliases", [])}
    return frozenset(name.casefold() for name in found)
