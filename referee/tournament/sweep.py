"""A sweep enters variants of a bot: the same program with other values of its parameters.

BOT --set NAME=V,V,V lists values, and every combination is a variant. BOT --set NAME=LOW..HIGH, or only
NAME for the whole range, draws values; without any --set, all parameters are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from random import Random
from typing import Final

import msgspec

from referee.bots.find import Bot, split_name, split_place
from referee.bots.parameters import (
    LONGEST_NAME,
    Parameter,
    Value,
    Values,
    find_parameter,
    join_settings,
    name_with,
    other_values,
    settings_of,
)
from referee.errors import BotRefused, TournamentRefused
from referee.match.in_process import MARK
from referee.tournament.field import unlisted, with_absolute_folder
from referee.tournament.request import MOST_VARIANTS, TournamentRequest

DEFAULT_VARIANTS: Final = 8
DEFAULT_SEED: Final = 1  # fixed, so that the same command enters the same variants again
_TO: Final = ".."
_TRIES: Final = 100  # draws for each variant, before a sweep has no more variants that differ


@dataclass(frozen=True)
class _Axis:
    """A parameter of a sweep, and its listed values; if there are none, they are drawn."""

    parameter: Parameter  # with the range to draw from
    listed: tuple[Value, ...] = ()

    def draw(self, rng: Random) -> Value:
        return rng.choice(self.listed) if self.listed else self.parameter.draw(rng)


@dataclass(frozen=True)
class _Sweep:
    """A bot, and the parameters that its variants have other values of."""

    name: str | None  # that was given to the bot
    place: str
    bot: Bot
    axes: Sequence[_Axis]

    @property
    def is_drawn(self) -> bool:
        """Whether the variants are drawn, and not all combinations of listed values."""
        return any(not axis.listed for axis in self.axes)


def with_variants(request: TournamentRequest, find: Callable[[str], Bot]) -> TournamentRequest:
    """Return the request with the bots of its sweeps among its bots, and without the sweeps.

    The bot of a sweep enters with its default values, too. `find` finds a bot by its word. Raises
    BotRefused or TournamentRefused for a sweep that is not valid.
    """
    sweeps = [_read(word, find) for word in request.sweep or ()]
    if not any(sweep.is_drawn for sweep in sweeps) and (
        (request.variants, request.sweep_seed) != (None, None)
    ):
        raise TournamentRefused(
            "--variants and --sweep-seed belong to a sweep with drawn values: --sweep BOT"
        )
    if not sweeps:
        return request
    words = list(request.bots or ())
    for sweep in sweeps:
        base = sweep.place if sweep.name is None else f"{sweep.name}={sweep.place}"
        is_new = bool(unlisted([base], map(with_absolute_folder, words)))
        words += [*([base] if is_new else []), *_variant_words(sweep, request)]
    return msgspec.structs.replace(
        request, bots=tuple(words), sweep=None, variants=None, sweep_seed=None
    )


def _read(word: str, find: Callable[[str], Bot]) -> _Sweep:
    """Read a word of the option --sweep; BotRefused if it is not valid."""
    name, rest = split_name(word)
    place, settings = split_place(rest)
    try:
        bot = find(place)
        axes = [_axis(setting, bot) for setting in settings] or list(map(_Axis, bot.parameters))
    except BotRefused as error:
        raise BotRefused(f"--sweep: {error}") from error
    names = [axis.parameter.name for axis in axes]
    if not names:
        raise BotRefused(f"--sweep: bot {bot.name} declares no parameters")
    if len(set(names)) < len(names):
        raise BotRefused(f"--sweep: bot {bot.name}: a parameter is set twice")
    return _Sweep(name, place, bot, axes)


def _variant_words(sweep: _Sweep, request: TournamentRequest) -> Iterator[str]:
    """Yield the word for each variant: drawn ones are numbered, others named after their values."""
    name = sweep.name or sweep.bot.name.removesuffix(MARK)
    longest = LONGEST_NAME - (0 if sweep.bot.in_process is None else len(MARK))
    for number, values in enumerate(_variants(sweep, request), start=1):
        mark = f"-v{number}"
        numbered = f"{name[: longest - len(mark)]}{mark}"
        named = numbered if sweep.is_drawn else name_with(name, values, longest)
        yield f"{named}={join_settings(sweep.place, settings_of(values))}"


def _axis(setting: str, bot: Bot) -> _Axis:
    name, equals, text = setting.partition("=")
    parameter = find_parameter(bot.parameters, name, bot.name)
    if not equals:
        return _Axis(parameter)
    low, to, high = text.partition(_TO)
    if not to:
        return _Axis(parameter, tuple(map(parameter.parse, text.split(","))))
    ends = parameter.parse(low), parameter.parse(high)
    if not ends[0] < ends[1]:
        raise BotRefused(f"{name}: {low} must be less than {high}")
    return _Axis(msgspec.structs.replace(parameter, low=ends[0], high=ends[1]))


def _variants(sweep: _Sweep, request: TournamentRequest) -> Iterator[Values]:
    """Yield the values of each variant that are not the defaults; all variants differ."""
    if sweep.is_drawn:
        rng = Random(DEFAULT_SEED if request.sweep_seed is None else request.sweep_seed)
        wanted = request.variants or DEFAULT_VARIANTS
        draws = (tuple(axis.draw(rng) for axis in sweep.axes) for _ in range(wanted * _TRIES))
        return islice(_distinct(sweep, draws), wanted)
    count = prod(len(axis.listed) for axis in sweep.axes)
    if count > MOST_VARIANTS:
        raise TournamentRefused(
            f"--sweep: the listed values have {count} combinations; at most {MOST_VARIANTS} can enter"
        )
    return _distinct(sweep, product(*(axis.listed for axis in sweep.axes)))


def _distinct(sweep: _Sweep, combinations: Iterable[tuple[Value, ...]]) -> Iterator[Values]:
    """Yield the values that are not the defaults, each combination once, and never none."""
    names = [axis.parameter.name for axis in sweep.axes]
    seen: set[tuple[str, ...]] = {()}
    for combination in combinations:
        values = dict(zip(names, combination, strict=True))
        others = other_values(sweep.bot.parameters, values, sweep.bot.name)
        key = tuple(settings_of(others))
        if key not in seen:
            seen.add(key)
            yield others
