"""What this machine can do: each part is good or missing, with advice on how to get it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from referee import atlas
from referee.bots.find import bundled_names
from referee.bots.sandbox.cgroup import delegated
from referee.bots.sandbox.levels import missing_for_strict
from referee.bots.starter_kits import LANGUAGES, lacking
from referee.system import can_pin, core_count
from referee.version import __version__, build_name

OLDEST_PYTHON: Final = (3, 11)
PACKAGES: Final = ("click", "markdown-it-py", "msgpack", "msgspec", "numpy", "rich")
EXTRAS: Final = {  # the package that an extra brings, and what it is for
    "cluster": ("distributed", "tournaments on many machines"),
    "rl": ("pettingzoo", "learning environments"),
}
NARROWEST, LOWEST = 80, 24


class TerminalFacts(NamedTuple):
    """Size and abilities of the terminal, from the package `terminal`."""

    is_terminal: bool
    colours: str | None
    columns: int
    rows: int
    unicode: bool


@dataclass(frozen=True)
class MachineFinding:
    """What was found about one part of the machine."""

    part: str
    good: bool
    found: str
    advice: str = ""  # how to get what is missing, or a note
    needed: bool = False

    @property
    def status(self) -> str:
        return "good" if self.good else "missing"


def finding(
    part: str, good: bool, found: str, advice: str, *, needed: bool = False
) -> MachineFinding:
    """Return a finding whose advice is shown only if the part is missing."""
    return MachineFinding(part, good, found, "" if good else advice, needed)


def examine(terminal: TerminalFacts) -> list[MachineFinding]:
    """Check every part of this machine; the parts that are needed come first."""
    return [
        python(sys.version_info[:3]),
        *packages(),
        shipped(),
        sqlite(),
        system(sys.platform),
        sandbox(missing_for_strict()),
        engine(build_name()),
        cores(),
        memory(),
        *screen(terminal),
        *toolchains(),
        *extras(),
    ]


def is_ready(findings: Iterable[MachineFinding]) -> bool:
    """Whether nothing that is needed is missing."""
    return all(part.good or not part.needed for part in findings)


def to_dict(findings: list[MachineFinding]) -> dict[str, Any]:
    """Return all findings, for `referee doctor --json`."""
    parts = [{"status": part.status, **asdict(part)} for part in findings]
    return {"referee": __version__, "ok": is_ready(findings), "findings": parts}


# -- what is needed


def python(found: tuple[int, ...]) -> MachineFinding:
    version_found = f"{platform.python_implementation()} {'.'.join(map(str, found))}"
    advice = "install Python {}.{} or newer".format(*OLDEST_PYTHON)
    return finding("python", found >= OLDEST_PYTHON, version_found, advice, needed=True)


def packages() -> list[MachineFinding]:
    """The libraries that every installation needs."""
    missing = [name for name in PACKAGES if _version(name) is None]
    found = ", ".join(f"{name} {_version(name) or 'missing'}" for name in PACKAGES)
    advice = f"pip install {' '.join(missing)}"
    return [finding("packages", not missing, found, advice, needed=True)]


def shipped() -> MachineFinding:
    """The boards and bots that are installed with the referee."""
    boards, bots = len(atlas.board_names()), len(bundled_names())
    found = f"{boards} boards, {bots} bots"
    return finding("data", bool(boards and bots), found, "install the referee again", needed=True)


def sqlite() -> MachineFinding:
    """The database of tournaments; some builds of Python lack it."""
    good = find_spec("_sqlite3") is not None
    found = "sqlite3" if good else "this Python has no sqlite3"
    advice = "install a Python with sqlite3; tournaments need it"
    return finding("store", good, found, advice, needed=True)


def system(name: str) -> MachineFinding:
    found = f"{platform.system()} {platform.release()}, {platform.machine()}"
    if name == "linux":
        return MachineFinding("platform", good=True, found=found, needed=True)
    if name == "darwin":
        advice = "bots are not pinned to cores here, and there is no strict sandbox"
        return MachineFinding("platform", good=True, found=found, advice=advice, needed=True)
    return finding("platform", False, found, "use Linux; on Windows, WSL", needed=True)


# -- what makes it safer and faster


def sandbox(lacks: str | None) -> MachineFinding:
    memory = "memory limit by cgroup" if delegated() else "memory limit for each process"
    found = f"strict; {memory}" if lacks is None else f"limits only; {memory}"
    return finding("sandbox", lacks is None, found, f"not strict: {lacks}")


def engine(build: str) -> MachineFinding:
    if build == "compiled":
        return MachineFinding("engine", good=True, found="compiled with mypyc")
    advice = "to make it faster, install a C compiler and run: REFEREE_COMPILE=1 pip install ."
    return MachineFinding("engine", good=True, found="interpreted", advice=advice)


def cores() -> MachineFinding:
    """The cores, and whether each game gets its own."""
    pins = can_pin()
    how = "each game runs on its own core" if pins else "games are not pinned to cores"
    return MachineFinding("cores", good=True, found=f"{core_count()}; {how}")


def memory() -> MachineFinding:
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return MachineFinding("memory", good=True, found="unknown")
    return MachineFinding("memory", good=True, found=f"{total / 2**30:.1f} GiB")


# -- what makes it nicer


def screen(terminal: TerminalFacts) -> list[MachineFinding]:
    """The terminal's size, colours and encoding; one finding if there is no terminal."""
    if not terminal.is_terminal:
        advice = "output goes to a file or a pipe: it is printed line by line, without colours"
        return [MachineFinding("terminal", good=True, found="none", advice=advice)]
    is_large = terminal.columns >= NARROWEST and terminal.rows >= LOWEST
    return [
        finding(
            "terminal",
            is_large,
            f"{terminal.columns} columns, {terminal.rows} rows",
            f"make it at least {NARROWEST} by {LOWEST} to see a whole board",
        ),
        finding(
            "colours",
            terminal.colours is not None,
            terminal.colours or "none",
            "set TERM, for instance to xterm-256color, and unset NO_COLOR",
        ),
        finding(
            "unicode",
            terminal.unicode,
            "UTF-8" if terminal.unicode else "ASCII only",
            "use a UTF-8 locale, for instance LANG=C.UTF-8",
        ),
    ]


def toolchains() -> list[MachineFinding]:
    """The tools that bots and starter kits in each language need."""
    return [_toolchain(name) for name in LANGUAGES]


def _toolchain(name: str) -> MachineFinding:
    language, missing = LANGUAGES[name], lacking(name)
    found = ", ".join(filter(None, map(shutil.which, language.needs))) or "the referee's own Python"
    if missing:
        found = f"no {', no '.join(missing)}"
    advice = f"install {' and '.join(missing)} to run bots in {language.title}"
    return finding(f"bots in {language.title}", not missing, found, advice)


def extras() -> list[MachineFinding]:
    """The optional packages that `pip install '.[NAME]'` adds."""
    return [_extra(name, *what) for name, what in EXTRAS.items()]


def _extra(name: str, package: str, purpose: str) -> MachineFinding:
    found = _version(package)
    version_found = f"{package} {found or 'is not installed'}"
    advice = f"pip install '.[{name}]' for {purpose}"
    return finding(f"extra {name}", found is not None, version_found, advice)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
