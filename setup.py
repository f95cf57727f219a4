"""The part of the build that is code: the engine through mypyc, if REFEREE_COMPILE=1 asks for it.

All else is in pyproject.toml. A compiled build that fails, fails: it never falls back.
"""

import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup

from referee_build import compiles

ENGINE = Path("referee/engine")


def engine_extensions(folder: str) -> list[Extension]:
    """Every module of the engine as one compiled group, its C files written to `folder`."""
    from mypyc.build import mypycify  # noqa: PLC0415  only a compiled build has mypyc

    modules = sorted(path.as_posix() for path in ENGINE.rglob("*.py"))
    options = [f"--cache-dir={folder}/mypy", "--no-warn-unused-configs"]
    extensions: list[Extension] = mypycify(
        [*options, *modules], target_dir=folder, group_name="referee_engine", debug_level="0"
    )
    return extensions


# setuptools runs this file for the metadata as well; only the wheel itself is compiled.
building = compiles() and "bdist_wheel" in sys.argv

# A build folder of its own: what an earlier build left in ./build would be packed again.
with tempfile.TemporaryDirectory(prefix="referee-build-") as folder:
    setup(
        ext_modules=engine_extensions(folder) if building else [],
        options={"build": {"build_base": folder}},
    )
