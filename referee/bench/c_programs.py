"""Small C programs for measuring, compiled when they are needed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from referee.errors import BenchRefused

HERE = Path(__file__).resolve().parent


def compiler() -> str | None:
    """The machine's C compiler, if it has one."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def compile_program(name: str, folder: Path) -> Path:
    """Compile bench/NAME.c into the folder."""
    found = compiler()
    if found is None:
        raise BenchRefused(
            "there is no C compiler (cc, gcc or clang) to build the bench's programs"
        )
    made = folder / name
    done = subprocess.run(  # noqa: S603  our own program
        [found, "-O2", "-o", made, HERE / f"{name}.c"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BenchRefused(f"{found} could not compile {name}.c: {done.stderr.strip()}")
    return made
