"""What this machine can do: each part of it is good or missing, with what to do about it."""

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
from referee.bots.sandbox.levels import strict_lacks
from referee.bots.starter_kits import LANGUAGES, lacking
from referee.system import can_pin, core_count
from referee.version import __version__, build_name

OLDEST_PYTHON: Final = (3, 11)
PACKAGES: Final = ("click", "msgpack", "msgspec", "numpy", "rich")
EXTRAS: Final = {  # the package that an extra brings, and what it is for
    "cluster": ("distributed", "tournaments on many machines"),
    "rl": ("pettingzoo", "learning environments"),
}
NARROWEST, LOWEST = 80, 24


class Terminal(NamedTuple):
    """What the console knows of the terminal."""

    is_terminal: bool
    colours: str | None
    columns: int
    rows: int
    unicode: bool


@dataclass(frozen=True)
class Finding:
    """One part of the machine."""

    part: str
    good: bool
    found: str
    advice: str = ""  # what to do about it, or what to know
    needed: bool = False

    @property
    def status(self) -> str:
        """In a word."""
        return "good" if self.good else "missing"


def judged(part: str, good: bool, found: str, advice: str, *, needed: bool = False) -> Finding:
    """A part with advice for the case that it is missing."""
    return Finding(part, good, found, "" if good else advice, needed)


def examine(terminal: Terminal) -> list[Finding]:
    """Every part, what is needed first."""
    return [
        python(sys.version_info[:3]),
        *packages(),
        shipped(),
        sqlite(),
        system(sys.platform),
        sandbox(strict_lacks()),
        engine(build_name()),
        cores(),
        memory(),
        *screen(terminal),
        *toolchains(),
        *extras(),
    ]


def is_ready(findings: Iterable[Finding]) -> bool:
    """Whether nothing is missing that is needed."""
    return all(finding.good or not finding.needed for finding in findings)


def as_words(findings: list[Finding]) -> dict[str, Any]:
    """All of it for programs."""
    told = [{"status": finding.status, **asdict(finding)} for finding in findings]
    return {"referee": __version__, "ok": is_ready(findings), "findings": told}


# -- what is needed


def python(found: tuple[int, ...]) -> Finding:
    """The interpreter."""
    said = f"{platform.python_implementation()} {'.'.join(map(str, found))}"
    advice = "install Python {}.{} or newer".format(*OLDEST_PYTHON)
    return judged("python", found >= OLDEST_PYTHON, said, advice, needed=True)


def packages() -> list[Finding]:
    """The libraries that every install has."""
    without = [name for name in PACKAGES if _version(name) is None]
    said = ", ".join(f"{name} {_version(name) or 'missing'}" for name in PACKAGES)
    advice = f"pip install {' '.join(without)}"
    return [judged("packages", not without, said, advice, needed=True)]


def shipped() -> Finding:
    """The boards and bots that come along."""
    boards, bots = len(atlas.board_names()), len(bundled_names())
    said = f"{boards} boards, {bots} bots"
    return judged("data", bool(boards and bots), said, "install the referee again", needed=True)


def sqlite() -> Finding:
    """Some Pythons are built without it."""
    good = find_spec("_sqlite3") is not None
    said = "sqlite3 keeps tournaments" if good else "this Python has no sqlite3"
    advice = "install a Python with sqlite3; without it there are no tournaments"
    return judged("store", good, said, advice, needed=True)


def system(name: str) -> Finding:
    """The kind of machine."""
    said = f"{platform.system()} {platform.release()}, {platform.machine()}"
    if name == "linux":
        return Finding("platform", good=True, found=said, needed=True)
    if name == "darwin":
        advice = "bots are not pinned to cores here, and the sandbox is not strict"
        return Finding("platform", good=True, found=said, advice=advice, needed=True)
    return judged("platform", False, said, "use Linux; on Windows, WSL", needed=True)


# -- what makes it safer and faster


def sandbox(lacks: str | None) -> Finding:
    """What keeps bots in."""
    memory = "memory by cgroup" if delegated() else "memory for each process"
    said = f"strict; {memory}" if lacks is None else f"limits only; {memory}"
    return judged("sandbox", lacks is None, said, f"not strict: {lacks}")


def engine(build: str) -> Finding:
    """The build in use."""
    if build == "compiled":
        return Finding("engine", good=True, found="compiled by mypyc")
    advice = "with a C compiler, REFEREE_COMPILE=1 pip install . makes it faster"
    return Finding("engine", good=True, found="interpreted", advice=advice)


def cores() -> Finding:
    """How many games go on at once."""
    pins = can_pin()
    how = "each game has one of its own" if pins else "games are not pinned to them"
    return Finding("cores", good=True, found=f"{core_count()}; {how}")


def memory() -> Finding:
    """The machine's memory."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return Finding("memory", good=True, found="unknown")
    return Finding("memory", good=True, found=f"{total / 2**30:.1f} GiB")


# -- what makes it nicer


def screen(terminal: Terminal) -> list[Finding]:
    """The terminal, if there is one."""
    if not terminal.is_terminal:
        advice = "output goes to a file or a pipe: lines are printed, nothing is drawn"
        return [Finding("terminal", good=True, found="none", advice=advice)]
    large = terminal.columns >= NARROWEST and terminal.rows >= LOWEST
    return [
        judged(
            "terminal",
            large,
            f"{terminal.columns} columns, {terminal.rows} rows",
            f"make it at least {NARROWEST} by {LOWEST} to see a whole board",
        ),
        judged(
            "colours",
            terminal.colours is not None,
            terminal.colours or "none",
            "set TERM, for instance to xterm-256color, and unset NO_COLOR",
        ),
        judged(
            "unicode",
            terminal.unicode,
            "UTF-8" if terminal.unicode else "ASCII only",
            "use a UTF-8 locale, for instance LANG=C.UTF-8",
        ),
    ]


def toolchains() -> list[Finding]:
    """What the bots and kits of each language need."""
    return [_toolchain(name) for name in LANGUAGES]


def _toolchain(name: str) -> Finding:
    language, without = LANGUAGES[name], lacking(name)
    found = ", ".join(filter(None, map(shutil.which, language.needs))) or "the referee's own Python"
    if without:
        found = f"no {', no '.join(without)}"
    advice = f"install {' and '.join(without)} to run bots in {language.title}"
    return judged(f"bots in {language.title}", not without, found, advice)


def extras() -> list[Finding]:
    """What `pip install '.[NAME]'` adds."""
    return [_extra(name, *what) for name, what in EXTRAS.items()]


def _extra(name: str, package: str, purpose: str) -> Finding:
    found = _version(package)
    said = f"{package} {found or 'is not installed'}"
    advice = f"pip install '.[{name}]' for {purpose}"
    return judged(f"extra {name}", found is not None, said, advice)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
