"""Whether Starlette and uvicorn are installed; they are optional."""

from __future__ import annotations

from importlib.util import find_spec

from referee.errors import ServerRefused


def check_installed() -> None:
    """Raise ServerRefused if the packages that the server needs are not installed."""
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise ServerRefused(
            f"the server needs {' and '.join(missing)}: pip install 'hansa-teutonica-referee[web]'"
        )
