"""The build: compiles the hot path with mypyc if REFEREE_COMPILE=1 is set.

All other settings are in pyproject.toml. If compiling fails, the build fails: it never falls back
to an interpreted build.
"""

import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup

from referee_build import compiles

ENGINE = Path("referee/engine")
# The modules outside the engine that run for every decision, or in every search.
COMPILED_MODULES = (
    "protocol/codec.py",
    "referee/encoder.py",
    "referee/adjudication/clock.py",
    "referee/adjudication/faults.py",
    "referee/bots/process.py",
    "referee/match/players.py",
    "referee/match/reask.py",  # its player is a subclass of one in players.py
    "referee/match/runner.py",
    "referee/records/writer.py",
    "referee/rl/actions.py",
    "referee/rl/game.py",
    "referee/rl/many.py",
    "referee/rl/observation.py",
    "referee/rl/observation_layout.py",
    "referee/rl/recorded.py",
    "referee/rl/rewards.py",
    "referee/thinking/cache.py",
    "referee/thinking/candidates.py",
    "referee/thinking/cities.py",
    "referee/thinking/decisions.py",
    "referee/thinking/desk.py",
    "referee/thinking/evaluation.py",
    "referee/thinking/features.py",
    "referee/thinking/game_length.py",
    "referee/thinking/moving.py",
    "referee/thinking/network.py",
    "referee/thinking/places.py",
    "referee/thinking/plan.py",
    "referee/thinking/quick.py",
    "referee/thinking/seat_value.py",
    "referee/thinking/weights.py",
)


def extensions(folder: str) -> list[Extension]:
    """Return the engine and COMPILED_MODULES as one compiled group, with its C files in `folder`."""
    from mypyc.build import mypycify  # noqa: PLC0415  only a compiled build has mypyc

    modules = [*sorted(path.as_posix() for path in ENGINE.rglob("*.py")), *COMPILED_MODULES]
    options = [
        f"--cache-dir={folder}/mypy",
        "--no-warn-unused-configs",
        "--always-true=COMPILING",
        "--follow-imports=silent",  # the rest of `referee.rl` imports packages that a build lacks
    ]
    compiled: list[Extension] = mypycify(
        [*options, *modules], target_dir=folder, group_name="referee_engine", debug_level="0"
    )
    return compiled


# setuptools also runs this file for the metadata; only the wheel itself is compiled.
building = compiles() and "bdist_wheel" in sys.argv

# A temporary build folder: files of an earlier build in ./build would be packed again.
with tempfile.TemporaryDirectory(prefix="referee-build-") as folder:
    setup(
        ext_modules=extensions(folder) if building else [],
        options={"build": {"build_base": folder}},
    )
