"""The parameters that a bot declares, and the values that it plays with.

bot.toml declares them as tables [parameters.NAME]. A program gets the value of every parameter as two
arguments, `--set NAME=VALUE`, in the order of bot.toml; a bot in this process gets keywords.
People may also write `--set @FILE`, which stands for all values in a file (see values_file.py).
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from referee.bots.values_file import file_in, read_values
from referee.errors import BotRefused
from referee.text import did_you_mean, join_hint, visible

ParameterType: TypeAlias = Literal["int", "float"]
Scale: TypeAlias = Literal["linear", "log"]
Value: TypeAlias = int | float  # an int for a parameter of type "int", else a float
Values: TypeAlias = Mapping[str, Value]

OPTION: Final = "--set"
MOST_PARAMETERS: Final = 200
LONGEST_NAME: Final = 40  # characters, of a bot
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")  # a keyword in most languages
_LARGEST: Final = 2.0**53  # beyond it, a float skips whole numbers
_KEYS: Final = ("type", "default", "low", "high", "scale")
_NEEDED: Final = _KEYS[:4]
_OTHER_VALUES: Final = "+"  # in a content, begins the values that are not the defaults
_SETTING: Final = re.compile(rf"\s+{OPTION}\s+")
_DIGITS: Final = 4  # significant digits of a drawn value


class Parameter(msgspec.Struct, frozen=True):
    """A number that a bot lets others set, within a range."""

    name: str
    type: ParameterType
    default: Value
    low: Value
    high: Value
    scale: Scale = "linear"

    def check(self, value: object) -> Value:
        """Return a number as a value of this parameter; BotRefused if it is not in the range."""
        number = _number(value, self.type)
        if number is None or not self.low <= number <= self.high:
            shown = visible(value) if isinstance(value, str) else repr(value)
            raise BotRefused(f"{self.name} must be {self.describe()}, not {shown}")
        return number

    def parse(self, text: str) -> Value:
        """Return the value that a text such as `2.5` gives; BotRefused if it is not valid."""
        number = read_number(text)
        return self.check(text if number is None else number)

    def describe(self) -> str:
        """Say which values are allowed, such as `a number from 0.5 to 3.0`."""
        noun = "a whole number" if self.type == "int" else "a number"
        return f"{noun} from {self.low!r} to {self.high!r}"

    def at(self, share: float) -> Value:
        """Return the value at this share of the way from `low` (0) to `high` (1), on the scale.

        Shares that are drawn uniformly give every whole number its fair part.
        """
        margin = 0.5 if self.type == "int" else 0.0
        low, high = self.low - margin, self.high + margin
        if self.scale == "log":
            value = math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
        else:
            value = low + share * (high - low)
        return self._inside(round(value) if self.type == "int" else value)

    def share_of(self, value: Value) -> float:
        """The inverse of `at`: the share of the way from `low` to `high` at which a value is."""
        margin = 0.5 if self.type == "int" else 0.0
        ends = self.low - margin, self.high + margin
        if self.scale == "log":
            low, high, value = math.log(ends[0]), math.log(ends[1]), math.log(value)
        else:
            low, high = ends
        return (value - low) / (high - low)

    def short_at(self, share: float) -> Value:
        """Return the value at this share as `at` does; a float has few digits, to be read."""
        value = self.at(share)
        return self._inside(value if self.type == "int" else float(f"{value:.{_DIGITS}g}"))

    def draw(self, rng: Random) -> Value:
        """Draw a value from the range, uniformly on the scale."""
        return self.short_at(rng.random())

    def _inside(self, value: Value) -> Value:
        return min(max(value, self.low), self.high)


def read_number(text: str) -> Value | None:
    """Return the int or the float that a text means; None if it is not a number."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None


def _number(value: object, kind: ParameterType) -> Value | None:
    """Return the value as a number of this type; None if it is not one, or is too large."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _LARGEST:
        return None
    if kind == "float":
        return float(value)
    return value if isinstance(value, int) else None


# -- bot.toml


def read_parameters(tables: object, place: str) -> tuple[Parameter, ...]:
    """Read the parameters that a bot declares; `place` is where, such as a file.

    BotRefused if something is not valid; the sentence names the place and the key.
    """
    if not isinstance(tables, Mapping):
        raise BotRefused(f"{place}: parameters must be tables: [parameters.NAME]")
    if len(tables) > MOST_PARAMETERS:
        raise BotRefused(
            f"{place}: a bot has at most {MOST_PARAMETERS} parameters, not {len(tables)}"
        )
    return tuple(
        _read(name, table, f"{place}: parameters.{name}") for name, table in tables.items()
    )


def _read(name: object, table: object, where: str) -> Parameter:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BotRefused(
            f"{visible(where)}: the name of a parameter must be 1 to 40 characters from A-Z a-z 0-9 _,"
            " and not begin with a digit"
        )
    if not isinstance(table, Mapping):
        raise BotRefused(f"{where} must be a table with {', '.join(_NEEDED)} and perhaps scale")
    for key in table:
        if key not in _KEYS:
            hint = join_hint(did_you_mean(str(key), _KEYS), f"the keys are {', '.join(_KEYS)}")
            raise BotRefused(f"{where}: unknown key {key!r}: {hint}")
    for key in _NEEDED:
        if key not in table:
            raise BotRefused(f"{where}.{key} is missing")
    return _checked(name, table, where)


def _checked(name: str, table: Mapping[str, object], where: str) -> Parameter:
    kind = _one_of(table["type"], get_args(ParameterType), f"{where}.type")
    scale = _one_of(table.get("scale", "linear"), get_args(Scale), f"{where}.scale")
    numbers: dict[str, Value] = {}
    for key in ("default", "low", "high"):
        number = _number(table[key], "int" if kind == "int" else "float")
        if number is None:
            noun = "a whole number" if kind == "int" else "a number"
            raise BotRefused(f"{where}.{key} must be {noun}, not {table[key]!r:.60}")
        numbers[key] = number
    if not numbers["low"] < numbers["high"]:
        raise BotRefused(f"{where}.low must be less than high")
    if not numbers["low"] <= numbers["default"] <= numbers["high"]:
        raise BotRefused(f"{where}.default must be from low to high")
    if scale == "log" and numbers["low"] <= 0:
        raise BotRefused(f"{where}.low must be above 0, because the scale is log")
    return msgspec.convert({"name": name, "type": kind, "scale": scale, **numbers}, Parameter)


def _one_of(value: object, allowed: Sequence[str], where: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise BotRefused(f"{where} must be {' or '.join(map(repr, allowed))}, not {value!r:.60}")
    return value


# -- values


def split_settings(word: str) -> tuple[str, list[str]]:
    """Split `BOT --set NAME=VALUE --set NAME=VALUE` into the bot and the texts NAME=VALUE."""
    bot, *settings = _SETTING.split(word.strip())
    return bot, settings


def join_settings(bot: str, settings: Iterable[str]) -> str:
    """The inverse of `split_settings`."""
    return " ".join([bot, *(f"{OPTION} {setting}" for setting in settings)])


def parse_values(parameters: Sequence[Parameter], settings: Iterable[str], bot: str) -> Values:
    """Return the values that texts NAME=VALUE and @FILE give to a bot; BotRefused if one is not valid.

    NAME=VALUE overrides what a file says, and a file overrides the files before it.
    """
    settings = list(settings)
    files = [Path(file) for file in map(file_in, settings) if file is not None]
    values: dict[str, Value] = {}
    from_files: dict[str, Value] = {}
    for path in files:
        from_files |= _checked_values(parameters, read_values(path), path, bot)
    for setting in (one for one in settings if file_in(one) is None):
        name, equals, text = setting.partition("=")
        parameter = find_parameter(parameters, name, bot)
        if not equals:
            raise BotRefused(f"bot {bot}: {OPTION} needs NAME=VALUE, not {visible(setting)!r}")
        if name in values:
            raise BotRefused(f"bot {bot}: {name} is set twice")
        try:
            values[name] = parameter.parse(text)
        except BotRefused as error:
            raise BotRefused(f"bot {bot}: {error}") from error
    return from_files | values


def _checked_values(
    parameters: Sequence[Parameter], given: Mapping[str, object], path: Path, bot: str
) -> dict[str, Value]:
    """Return the values in a file as those of these parameters; BotRefused names the file."""
    try:
        return {name: find_parameter(parameters, name, bot).check(given[name]) for name in given}
    except BotRefused as error:
        raise BotRefused(f"{path}: {error}") from error


def find_parameter(parameters: Sequence[Parameter], name: str, bot: str) -> Parameter:
    """Return the parameter of this name; BotRefused if the bot does not declare it."""
    for parameter in parameters:
        if parameter.name == name:
            return parameter
    if not parameters:
        raise BotRefused(f"bot {bot} declares no parameters, so {visible(name)!r} cannot be set")
    names = [parameter.name for parameter in parameters]
    hint = did_you_mean(name, names) or f"its parameters are {', '.join(names)}"
    raise BotRefused(f"bot {bot} has no parameter {visible(name)!r}: {hint}")


def all_values(parameters: Sequence[Parameter], values: Values) -> dict[str, Value]:
    """Return the value of every parameter: the given one, or else the default."""
    return {one.name: values.get(one.name, one.default) for one in parameters}


def other_values(parameters: Sequence[Parameter], values: Values, bot: str) -> dict[str, Value]:
    """Return the values that are not the defaults, in the order of the parameters.

    BotRefused if the bot does not declare a parameter, or a value is not in its range.
    """
    given = {find_parameter(parameters, name, bot): value for name, value in values.items()}
    checked = {one: one.check(given[one]) for one in parameters if one in given}
    return {one.name: value for one, value in checked.items() if value != one.default}


def arguments(parameters: Sequence[Parameter], values: Values) -> tuple[str, ...]:
    """Return the arguments for a program: the value of every parameter."""
    settings = settings_of(all_values(parameters, values))
    return tuple(word for setting in settings for word in (OPTION, setting))


def settings_of(values: Values) -> list[str]:
    """Return values as texts NAME=VALUE; they give the same numbers when they are read again."""
    return [f"{name}={value!r}" for name, value in values.items()]


def content_with(files: str, values: Values) -> str:
    """Return what tells a bot from others: the hash of its files, and its values if it has others."""
    return f"{files}{_OTHER_VALUES}{','.join(settings_of(values))}" if values else files


def files_of(content: str) -> str:
    """Return the hash of a bot's files, which its values do not change."""
    return content.partition(_OTHER_VALUES)[0]


def values_of(content: str) -> dict[str, Value]:
    """Return the values of a bot that are not the defaults, as its content names them."""
    settings = content.partition(_OTHER_VALUES)[2].split(",")
    pairs = (setting.partition("=") for setting in settings)
    found = {name: read_number(text) for name, _, text in pairs}
    return {name: value for name, value in found.items() if value is not None}


def name_with(name: str, values: Values, longest: int = LONGEST_NAME) -> str:
    """Return the name of a bot with other values than the defaults, such as `ada-post-1.5`.

    If the values are too long for a name, digits that depend on them stand in their place.
    """
    if not values:
        return name
    texts = "-".join(setting.replace("=", "-") for setting in settings_of(values))
    short = f"{name}-{texts.replace('+', '')}"
    if len(short) <= longest:
        return short
    digest = hashlib.sha256(",".join(settings_of(values)).encode()).hexdigest()[:8]
    return f"{name[: longest - len(digest) - 1]}-{digest}"
