"""The part of the build that is code: the hot path through mypyc, if REFEREE_COMPILE=1 asks for it.

All else is in pyproject.toml. A compiled build that fails, fails: it never falls back.
"""

import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup

from referee_build import compiles

ENGINE = Path("referee/engine")
# What a decision passes on its way from one bot to the next.
WALK = (
    "protocol/codec.py",
    "referee/encoder.py",
    "referee/adjudication/clock.py",
    "referee/adjudication/faults.py",
    "referee/bots/process.py",
    "referee/match/players.py",
    "referee/match/reask.py",  # its player is one of those
    "referee/match/runner.py",
    "referee/records/writer.py",
)


def extensions(folder: str) -> list[Extension]:
    """The engine and the walk of a decision as one compiled group, its C files in `folder`."""
    from mypyc.build import mypycify  # noqa: PLC0415  only a compiled build has mypyc

    modules = [*sorted(path.as_posix() for path in ENGINE.rglob("*.py")), *WALK]
    options = [
        f"--cache-dir={folder}/mypy", "--no-warn-unused-configs", "--always-true=COMPILING"
    ]  # fmt: skip
    made: list[Extension] = mypycify(
        [*options, *modules], target_dir=folder, group_name="referee_engine", debug_level="0"
    )
    return made


# setuptools runs this file for the metadata as well; only the wheel itself is compiled.
building = compiles() and "bdist_wheel" in sys.argv

# A build folder of its own: what an earlier build left in ./build would be packed again.
with tempfile.TemporaryDirectory(prefix="referee-build-") as folder:
    setup(
        ext_modules=extensions(folder) if building else [],
        options={"build": {"build_base": folder}},
    )
