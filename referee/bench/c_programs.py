"""Compiles the small C programs that some benchmarks run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from referee.errors import BenchRefused

HERE = Path(__file__).resolve().parent


def compiler() -> str | None:
    """Return the path of a C compiler, or None if there is none."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def compile_program(name: str, folder: Path) -> Path:
    """Compile bench/NAME.c into the folder and return the program; BenchRefused if that fails."""
    found = compiler()
    if found is None:
        raise BenchRefused(
            "there is no C compiler (cc, gcc or clang) for the programs of the benchmark"
        )
    made = folder / name
    done = subprocess.run(  # noqa: S603  our own program
        [found, "-O2", "-o", made, HERE / f"{name}.c"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BenchRefused(f"{found} could not compile {name}.c: {done.stderr.strip()}")
    return made
