"""What one bot may use: the defaults, what its author requests and what the organiser grants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, TypeAlias

from referee.errors import BotRefused
from referee.text import did_you_mean, join_hint

KIB: Final = 1 << 10
MIB: Final = 1 << 20
GIB: Final = 1 << 30

Level: TypeAlias = Literal["off", "limits", "strict"]  # of the sandbox
LEVELS: Final[tuple[Level, ...]] = ("off", "limits", "strict")
Amounts: TypeAlias = Mapping[str, int]  # by the names of Limits
Grants: TypeAlias = Mapping[str, Any]  # amounts for all bots; a bot's name has amounts of its own

_AMOUNT: Final = re.compile(r"(\d{1,15}) ?(?:([KMG])(?:i?B)?)?")
_UNITS: Final = {None: 1, "K": KIB, "M": MIB, "G": GIB}
_LARGEST: Final = 1 << 50


@dataclass(frozen=True)
class Limits:
    """What a bot may use; sizes are in bytes."""

    memory: int = 2 * GIB  # of one process; with a memory cgroup, of the whole bot
    processes: int = 128  # threads count as well
    scratch: int = 64 * MIB  # files in its scratch folder, all together
    scratch_files: int = 10_000  # the number of these files; folders and links count as well
    open_files: int = 256
    file_size: int = 16 * MIB  # of one file that it writes, its stderr among them
    build_seconds: int = 600  # for its build


DEFAULT_LIMITS: Final = Limits()
# What a build may use at least: compilers need more than bots.
BUILD_LIMITS: Final = Limits(
    memory=8 * GIB,
    processes=1024,
    scratch=GIB,
    scratch_files=100_000,
    open_files=4096,
    file_size=GIB,
)
NAMES: Final = tuple(field.name for field in fields(Limits))
_SIZES: Final = {"memory", "scratch", "file_size"}
_LEAST_SIZE: Final = 4 * KIB  # some systems take a size of 0 for no limit


def read_amounts(words: Mapping[str, Any], where: str) -> dict[str, int]:
    """Amounts from a TOML table: numbers, or sizes such as "512 MiB"; BotRefused for a mistake."""
    for name in words:
        if name not in NAMES:
            hint = did_you_mean(name, NAMES) or f"there are {', '.join(NAMES)}"
            raise BotRefused(f"{where}: unknown limit {name!r}; {hint}")
    return {name: _amount(name, value, where) for name, value in words.items()}


def _amount(name: str, value: object, where: str) -> int:
    amount = None if isinstance(value, bool) else value
    if isinstance(amount, str):
        parts = _AMOUNT.fullmatch(amount.strip())
        amount = None if parts is None else int(parts[1]) * _UNITS[parts[2]]
    least = _LEAST_SIZE if name in _SIZES else 1
    if not isinstance(amount, int) or not least <= amount <= _LARGEST:
        example = '"512 MiB"' if name in _SIZES else "64"
        raise BotRefused(
            f"{where}: {name} must be an amount of at least {least}, such as {example}, not {value!r}"
        )
    return amount


def read_grants(words: Mapping[str, Any], where: str) -> dict[str, Any]:
    """An organiser's grants: amounts for all bots, and tables of amounts by the names of bots."""
    bots = {name: value for name, value in words.items() if isinstance(value, Mapping)}
    general = {name: value for name, value in words.items() if name not in bots}
    return {
        **read_amounts(general, where),
        **{name: read_amounts(value, f"{where} of {name}") for name, value in bots.items()},
    }


def parse_grants(texts: Iterable[str], names: Iterable[str] | None = None) -> dict[str, Any]:
    """The same from options: `memory=4G` for all bots, `NAME:memory=4G` for one.

    With the names of all bots, BotRefused for a grant to any other bot.
    """
    words: dict[str, Any] = {}
    for text in texts:
        target, equals, amount = text.partition("=")
        bot, colon, name = target.rpartition(":")
        if not equals:
            raise BotRefused(f"a limit must look like memory=4G or NAME:memory=4G, not {text!r}")
        if colon:
            words.setdefault(bot, {})[name] = amount
        else:
            words[name] = amount
    grants = read_grants(words, "--limit")
    if names is not None:
        check_granted_names(grants, names)
    return grants


def merge_grants(first: Grants, second: Grants) -> dict[str, Any]:
    """Both grants together; the first wins where they differ."""
    merged: dict[str, Any] = {**second, **first}
    for name in set(first) & set(second):
        if isinstance(first[name], Mapping) and isinstance(second[name], Mapping):
            merged[name] = {**second[name], **first[name]}
    return merged


def check_granted_names(grants: Grants, names: Iterable[str]) -> None:
    """Raise BotRefused for a grant to a bot that is not one of these."""
    granted = [name for name, value in grants.items() if isinstance(value, Mapping)]
    _check_names(granted, names, "limits could be set")


def check_allowed_builds(allowed: Iterable[str], names: Iterable[str]) -> None:
    """Raise BotRefused if the build of a bot is allowed that is not one of these."""
    _check_names(allowed, names, "build could be allowed")


def _check_names(given: Iterable[str], names: Iterable[str], what: str) -> None:
    known = sorted({plain_name(name) for name in names})
    for name in given:
        if name not in known:
            hint = join_hint(did_you_mean(name, known), f"the bots are {', '.join(known)}")
            raise BotRefused(f"there is no bot {name!r} whose {what}: {hint}")


def plain_name(name: str) -> str:
    """The name without the number of a copy (`random#2`) or of a version (`ada@2`)."""
    return name.partition("#")[0].partition("@")[0]


def limits_of(name: str, asked: Amounts, grants: Grants) -> Limits:
    """The limits of one bot: it may request less than the default, and more only if granted.

    BotRefused if it requests more than it was granted.
    """
    general = {key: value for key, value in grants.items() if key in NAMES}
    own = grants.get(plain_name(name), {})
    default = replace(DEFAULT_LIMITS, **general)
    for key, amount in asked.items():
        if key not in own and amount > getattr(default, key):
            raise BotRefused(
                f"bot {name} asks for {key} {show(key, amount)}, but only"
                f" {show(key, getattr(default, key))} is allowed; to grant it, use --limit {name}:{key}={show(key, amount, '')}"
            )
    return replace(default, **{**asked, **own})


def limits_of_build(limits: Limits) -> Limits:
    """The limits for the build of a bot that has these limits."""
    least = {name: max(getattr(BUILD_LIMITS, name), getattr(limits, name)) for name in NAMES}
    return replace(limits, **{**least, "build_seconds": limits.build_seconds})


def show(name: str, amount: int, gap: str = " ") -> str:
    """An amount in its largest exact unit, such as 512 MiB."""
    if name not in _SIZES:
        return str(amount)
    for unit, size in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if amount % size == 0:
            return f"{amount // size}{gap}{unit}"
    return str(amount)
