"""What a build finds inside the strict sandbox: its folder, which it can write to, and compilers.

It sees the programs on the organiser's path, each with the installation that it belongs to, and the
toolchains that some of them need. Nothing else of the organiser's home is there: caches and settings
start empty, in the scratch folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from referee.bots.find import Bot
from referee.bots.sandbox.bubblewrap import (
    ENVIRONMENT,
    PATHS,
    User,
    readable,
    tree_of,
    tree_options,
    wrap_in,
)

# The variables that name a toolchain, with the folders that are meant if they are not set.
_TOOLCHAINS: Final = {"RUSTUP_HOME": "~/.rustup", "PYENV_ROOT": "~/.pyenv", "GOROOT": "", "JAVA_HOME": ""}  # fmt: skip
_SETTINGS: Final = ("/etc/maven", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/ca-trust")
_NETWORK_SETTINGS: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services")
_NETWORK_VARIABLES: Final = re.compile(
    r"(?i:https?|all|no)_(?i:proxy)|GOPROXY|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS"
)
_GO_TOOLS: Final = "pkg/tool"  # in a whole installation of Go


def wrap_build(
    builder: Bot, user: User, options: Iterable[str], hidden: Sequence[Path]
) -> list[str]:
    """The command that runs a build inside; it cannot read the `hidden` paths."""
    tree = _tree(builder, hidden)
    return wrap_in(tree, builder, user, options, network=builder.build_network)


def build_environment(builder: Bot, hidden: Sequence[Path]) -> dict[str, str]:
    """The whole environment of a build inside."""
    folders = [str(folder) for folder in _program_folders() if _is_shown(folder, builder, hidden)]
    network = os.environ if builder.build_network else {}
    return {
        **{name: value for name, value in network.items() if _NETWORK_VARIABLES.fullmatch(name)},
        **{name: str(path) for name, path in _toolchains() if _is_shown(path, builder, hidden)},
        **ENVIRONMENT,
        "PATH": os.pathsep.join([*folders, PATHS]),
    }


def _tree(builder: Bot, hidden: Sequence[Path]) -> list[str]:
    installed = [path for path in _installed() if _is_shown(path, builder, hidden)]
    words = (*_SETTINGS, *(_NETWORK_SETTINGS if builder.build_network else ()))
    settings = [path for path in map(Path, words) if path.exists()]
    folder = str(builder.folder)
    return [
        *tree_options(builder, [*readable(builder), *installed]),
        *(word for path in settings for word in ("--dir", str(path.parent))),
        *(word for path in settings for word in ("--ro-bind", str(path), str(path))),
        "--bind", folder, folder,
        *_own_git(builder.folder / ".git"),
    ]  # fmt: skip


def _own_git(path: Path) -> list[str]:
    """Makes the settings of git read-only: git runs programs that they name, outside the sandbox.

    A link is left as it is: it would show what it leads to.
    """
    is_there = path.exists() and not path.is_symlink()
    return ["--ro-bind", str(path), str(path)] if is_there else []


def _is_shown(path: Path, builder: Bot, hidden: Sequence[Path]) -> bool:
    """Whether a folder neither contains a hidden path nor lies in one."""
    places = [place.resolve() for place in hidden]
    return not any(
        place.is_relative_to(path) or path.is_relative_to(place)
        for place in places
        if place != builder.folder
    )


def _installed() -> Iterator[Path]:
    """The programs on the path, the installations that they belong to, and toolchains."""
    for folder in _program_folders():
        yield folder
        prefix = folder.parent
        if prefix != Path.home():  # what lies beside ~/bin is private
            yield from tree_of(folder / "any", is_own=False)
            yield from [prefix] if (prefix / _GO_TOOLS).is_dir() else []
    yield from (path for _, path in _toolchains())


def _program_folders() -> list[Path]:
    words = os.environ.get("PATH", "").split(os.pathsep)
    folders = [Path(word) for word in dict.fromkeys(words)]
    return list(filter(_is_folder, folders))


def _toolchains() -> Iterator[tuple[str, Path]]:
    for name, default in _TOOLCHAINS.items():
        path = Path(os.environ.get(name) or default).expanduser()
        if _is_folder(path):
            yield name, path


def _is_folder(path: Path) -> bool:
    return path.is_absolute() and os.access(path, os.R_OK | os.X_OK) and path.is_dir()
