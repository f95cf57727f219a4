"""The build backend: setuptools, and mypy as a build requirement only for a compiled build.

Set REFEREE_COMPILE=1 when installing to compile the hot path with mypyc; see setup.py.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NoReturn, TypeAlias

from setuptools import build_meta

Settings: TypeAlias = Mapping[str, str | list[str] | None] | None

SWITCH = "REFEREE_COMPILE"
COMPILER = ("mypy[mypyc]>=1.14", "msgspec>=0.19")  # the compiled code relies on msgspec's types

build_sdist = build_meta.build_sdist
build_wheel = build_meta.build_wheel
prepare_metadata_for_build_wheel = build_meta.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = build_meta.prepare_metadata_for_build_editable
get_requires_for_build_sdist = build_meta.get_requires_for_build_sdist


def compiles() -> bool:
    """Return whether to compile this build; exit if the environment variable has another value."""
    value = os.environ.get(SWITCH, "")
    if value not in ("", "0", "1"):
        raise SystemExit(f"{SWITCH} is {value!r}; it must be 1 (compile), 0 or unset")
    return value == "1"


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return the requirements of setuptools, and the compiler for a compiled build."""
    requires: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    return [*requires, *COMPILER] if compiles() else requires


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Return the requirements of setuptools for an editable build; exit if it would be compiled."""
    if compiles():
        _refuse_editable()
    requires: list[str] = build_meta.get_requires_for_build_editable(config_settings)
    return requires


def build_editable(
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: str | None = None,
) -> str:
    """Build an editable wheel, which is always interpreted; exit if it would be compiled."""
    if compiles():
        _refuse_editable()
    name: str = build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
    return name


def _refuse_editable() -> NoReturn:
    # Compiled modules beside the sources would go stale and still be imported first.
    raise SystemExit(
        f"an editable install cannot be compiled: install without -e, or unset {SWITCH}"
    )
