"""The hot path is either compiled as a whole or interpreted as a whole."""

import ast
import importlib
import pkgutil

import referee.engine
from referee.version import build_name, is_extension
from support.groups import together
from support.paths import ROOT


def compiled_modules() -> list[str]:
    """Return the modules outside the engine that setup.py compiles."""
    setup = (ROOT / "setup.py").read_text("utf-8")
    (found,) = [
        node.value
        for node in ast.parse(setup).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "COMPILED_MODULES"
    ]
    return [path.removesuffix(".py").replace("/", ".") for path in ast.literal_eval(found)]


@together("name", compiled_modules())
def test_the_other_modules_of_the_hot_path_belong_to_the_same_build(name: str) -> None:
    file = importlib.import_module(name).__file__
    assert is_extension(file) == (build_name() == "compiled")


def test_every_module_of_the_engine_belongs_to_the_same_build() -> None:
    names = [
        module.name
        for module in pkgutil.walk_packages(referee.engine.__path__, "referee.engine.")
        if not module.ispkg
    ]
    compiled = {name: is_extension(importlib.import_module(name).__file__) for name in names}
    assert names
    assert set(compiled.values()) == {build_name() == "compiled"}
