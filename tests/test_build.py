"""The build that runs is one build: all of the engine compiled, or all of it interpreted."""

import importlib
import pkgutil

import referee.engine
from referee.bench.build import build_name, is_extension


def test_every_module_of_the_engine_belongs_to_the_same_build() -> None:
    names = [
        module.name
        for module in pkgutil.walk_packages(referee.engine.__path__, "referee.engine.")
        if not module.ispkg
    ]
    compiled = {name: is_extension(importlib.import_module(name).__file__) for name in names}
    assert names
    assert set(compiled.values()) == {build_name() == "compiled"}
