"""Whether the packages of the server are installed; they are optional."""

from __future__ import annotations

from importlib.util import find_spec

from referee.errors import ServerRefused


def check_installed() -> None:
    """Raise ServerRefused if the packages that the server needs are not installed."""
    needed = ("httptools", "starlette", "uvicorn")
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise ServerRefused(
            f"the server needs {', '.join(missing)}: pip install 'hansa-teutonica-referee[web]'"
        )
