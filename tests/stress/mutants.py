"""`python -m stress.mutants`: change the engine in one place at a time; its tests must notice.

A mutant that no test notices either makes no difference or shows a missing test.
"""

from __future__ import annotations

import ast
import copy
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import click
import pytest

from referee.cli.lazy import examples
from referee.terminal import explain, show_json
from stress import program
from stress.program import StressRefused, heading

TESTS: Final = Path(__file__).resolve().parent.parent
ROOT: Final = TESTS.parent
PACKAGE: Final = Path("referee", "engine")
GOLDEN: Final = "engine/test_golden.py"  # recorded games, which notice most mutants
REST: Final = "engine"
NOTHING_RAN: Final = pytest.ExitCode.NO_TESTS_COLLECTED
LIMIT_S: Final = 3600  # the limit of a single test ends endless loops much earlier

OTHER_OPERATOR: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True)
class Mutant:
    """One changed line of the engine, and whether a test noticed it."""

    file: str
    line: int
    before: str
    after: str
    is_noticed: bool


@dataclass(frozen=True)
class Place:
    """A node of a module that can be changed, by its number in the order of `ast.walk`."""

    path: Path
    node: int


def places(root: Path) -> list[Place]:
    """Return every place of the engine that can be changed, in a fixed order."""
    return [
        Place(path.relative_to(root), number)
        for path in sorted((root / PACKAGE).rglob("*.py"))
        for number in _changeable(ast.parse(path.read_text("utf-8")))
    ]


def _changeable(tree: ast.Module) -> Iterator[int]:
    inside = _inside_functions(tree)
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in inside and _changed(node) is not None:
            yield number


def _inside_functions(tree: ast.Module) -> set[int]:
    """Return the nodes that run with the rules: function bodies without annotations and texts."""
    return {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        for node in _without_annotations(statement)
    }


def _without_annotations(statement: ast.AST) -> Iterator[ast.AST]:
    yield statement
    for name, field in ast.iter_fields(statement):
        if name in ("annotation", "returns"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST):
                yield from _without_annotations(child)


def _changed(node: ast.AST) -> ast.AST | None:
    """Return the node with another operator, number or condition; None if it has none of these."""
    new = copy.deepcopy(node)
    if isinstance(new, ast.Compare):
        new.ops[0] = _other(new.ops[0])
    elif isinstance(new, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(new.op) in OTHER_OPERATOR:
        new.op = _other(new.op)
    elif isinstance(new, ast.Constant) and type(new.value) is int:
        new.value += 1
    elif isinstance(new, ast.Constant) and type(new.value) is bool:
        new.value = not new.value
    elif isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.Not):
        return new.operand
    else:
        return None
    return new


def _other(operator: ast.AST) -> Any:
    return OTHER_OPERATOR[type(operator)]()


class _Replacement(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else super().generic_visit(node)


def write_mutant(root: Path, place: Place) -> tuple[int, str, str]:
    """Change one place below a folder; return its line, and what stood and stands there."""
    path = root / place.path
    tree = ast.parse(path.read_text("utf-8"))
    node = list(ast.walk(tree))[place.node]
    new = _changed(node)
    assert new is not None
    line, before, after = getattr(node, "lineno", 0), ast.unparse(node), ast.unparse(new)
    path.write_text(ast.unparse(_Replacement(node, new).visit(tree)), "utf-8")
    return line, before, after


def is_noticed(root: Path, tests: Path) -> bool:
    """Return whether a test of the engine fails with the packages below a folder.

    The recorded games run first, on their own: collecting the other tests takes longer.
    """
    golden = str(tests / GOLDEN)
    return _fails(root, tests, [golden]) or _fails(
        root, tests, [str(tests / REST), f"--ignore={golden}"]
    )


def _fails(root: Path, tests: Path, what: list[str]) -> bool:
    command = [
        sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist",
        "-p", "no:randomly", f"--rootdir={tests.parent}", *what,
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=tests.parent, env=_environment(root, tests), capture_output=True,
            timeout=LIMIT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    return done.returncode not in (0, NOTHING_RAN)


def _environment(root: Path, tests: Path) -> dict[str, str]:
    """Return the variables for pytest; all runs share compiled files, which are next to the packages."""
    settings = {
        "PYTHONPATH": os.pathsep.join([str(root), str(tests)]),
        "PYTHONSAFEPATH": "1",
        "PYTHONPYCACHEPREFIX": str(root / "compiled"),
    }
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **settings}


@contextmanager
def packages() -> Iterator[Path]:
    """Yield a temporary folder with the packages, in which the referee can be changed."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        root = Path(name)
        for package in ("protocol", "maps", "sample_bots"):
            (root / package).symlink_to(ROOT / package)
        shutil.copytree(ROOT / "referee", root / "referee")
        yield root


def try_mutant(root: Path, place: Place, tests: Path) -> Mutant:
    """Change one place below a folder, run the tests of the engine, and change it back."""
    line, before, after = write_mutant(root, place)
    try:
        return Mutant(place.path.as_posix(), line, before, after, is_noticed(root, tests))
    finally:
        shutil.copy2(ROOT / place.path, root / place.path)


def try_all(root: Path, chosen: Sequence[Place], tests: Path) -> list[Mutant]:
    """Try one place after the other, and show how many are done."""
    mutants = []
    with program.counting(len(chosen)) as progress:
        for done, place in enumerate(chosen, 1):
            mutants.append(try_mutant(root, place, tests))
            progress(done)
    return mutants


def show(mutants: Sequence[Mutant], *, as_json: bool) -> None:
    """Print how many mutants were noticed, and each one that was not."""
    noticed = sum(mutant.is_noticed for mutant in mutants)
    if as_json:
        words = {**heading("mutants"), "noticed": noticed, "mutants": [*map(asdict, mutants)]}
        show_json(words)
        return
    explain(f"{noticed} of {len(mutants)} mutants were noticed")
    for mutant in mutants:
        if not mutant.is_noticed:
            explain(f"{mutant.file}:{mutant.line}: {mutant.before} -> {mutant.after}")


@click.command(
    cls=program.StressProgram,
    epilog=examples(
        "python -m stress.mutants --count 20",
        "python -m stress.mutants --count 100 --seed 3 --json",
    ),
)
@click.option("--count", type=click.IntRange(min=1), default=100, show_default=True, metavar="N",
              help="How many places to change, one at a time.")  # fmt: skip
@click.option("--tests", type=click.Path(path_type=Path, exists=True), default=TESTS, metavar="DIR",
              help="The folder `tests` to run.  [default: this one]")  # fmt: skip
@program.seed
@program.as_json
def main(count: int, tests: Path, seed: int, as_json: bool) -> None:
    """Change the engine at random places, one at a time, and count how often its tests fail.

    It ends with status 0: some changes make no difference, so no number can be demanded.
    """
    if not (ROOT / PACKAGE).is_dir():
        raise StressRefused(f"there is no {PACKAGE} in {ROOT}; run it in a checkout")
    every = places(ROOT)
    chosen = Random(seed).sample(every, min(count, len(every)))
    with packages() as root:
        if is_noticed(root, tests.resolve()):
            raise StressRefused("the tests of the engine fail without a change")
        mutants = try_all(root, chosen, tests.resolve())
    show(mutants, as_json=as_json)


if __name__ == "__main__":
    main(prog_name="python -m stress.mutants")
