"""A lesson as one page of text: at most 60 lines of 80 characters, in Markdown."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from referee.analysis.lesson import Lesson, Place, Position, Share
from referee.text import plural, shell_word, visible

WIDTH: Final = 80
_LINES: Final = 3  # of a paragraph
_FEW: Final = 2  # lines of a shorter one
_MOST: Final = 5  # tables, opponents or kinds in a paragraph
_LARGE: Final = 0.4  # share of the losses that is worth a piece of advice
_WEAK: Final = 30.0  # Elo below its own rating: a table where the bot is weak
_MOST_ADVICE: Final = 4

_KINDS: Final = {
    "create": "which route it creates, and what it takes for it: the post, an ability, or nothing",
    "favour": "when a favour is worth its two markers",
    "permit": "when a permit is worth its marker",
    "use": "when it uses its markers, and for what",
    "displace": "whether the displaced tradesmen help the opponent more than the point helps it",
    "move": "which tradesmen it moves, and whether the route can then be created",
    "place": "on which routes it places tradesmen, and which abilities and cities they lead to",
    "income": "when it takes income: too early wastes actions, too late stops its plans",
    "end-turn": "why it ends its turn with actions left",
}
_PHASES: Final = {
    "first": "The first third of its games costs most: look at which abilities it develops first.",
    "middle": "The middle of its games costs most: look at how it turns abilities into posts.",
    "last": "The last third of its games costs most: look at how it counts the final score, and at"
    " who can end the game.",
}


def lesson_lines(lesson: Lesson) -> list[str]:
    """The page, line by line."""
    return [
        _cut(f"# What {visible(lesson.bot)} can learn from {_folder(lesson)}", WIDTH),
        "",
        *_paragraph(_standing(lesson)),
        "",
        "## Where the Elo goes",
        *_losses(lesson),
        "",
        *_positions(lesson),
        "## What to try next",
        *(line for one in _advice(lesson) for line in _paragraph(one, _FEW, first="- ", rest="  ")),
    ]


def _folder(lesson: Lesson) -> str:
    return visible(lesson.folder)


def _paragraph(text: str, most: int = _LINES, *, first: str = "", rest: str = "") -> list[str]:
    """The text in at most this many lines; what does not fit is cut."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        max_lines=most,
        placeholder=" …",
        break_on_hyphens=False,
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _standing(lesson: Lesson) -> str:
    place = lesson.rating
    out = [f"{lesson.left_out} others with a record were left out (--games)"] * bool(
        lesson.left_out
    )
    out += [f"{lesson.without_record} have no record"] * bool(lesson.without_record)
    others = f"; {', '.join(out)}" if out else ""
    return (
        f"Place {lesson.place} of {lesson.of}, {place.elo:.0f} Elo{_interval(place)} in"
        f" {plural(place.games, 'game')}. Analysed: {plural(lesson.analysed, 'game')}, lost ones"
        f" first{others}."
    )


def _interval(place: Place) -> str:
    if place.low is None or place.high is None:
        return ""
    return f" ({place.low:.0f} to {place.high:.0f})"


# -- where the Elo goes


def _losses(lesson: Lesson) -> Iterator[str]:
    if lesson.faults:
        yield from _bullet("Faults", _faults(lesson))
    if lesson.tables:
        yield from _bullet("Tables (rating)", _joined(map(_table, lesson.tables)))
    if lesson.opponents:
        title = "Opponents (Elo above them, finished ahead in)"
        yield from _bullet(title, _joined(map(_opponent, lesson.opponents)))
    if lesson.kinds:
        lost = f"Its turns lose {100 * lesson.loss:.0f} points of winning chance in a game"
        yield from _bullet(lost, _joined(map(_share, lesson.phases)), _FEW)
        yield from _bullet("Turns by kind", _joined(map(_share, lesson.kinds)))


def _bullet(title: str, text: str, most: int = _LINES) -> list[str]:
    return _paragraph(f"{title}: {text}.", most, first="- ", rest="  ")


def _joined(parts: Iterable[str]) -> str:
    parts = list(parts)
    more = f"; {len(parts) - _MOST} more" if len(parts) > _MOST else ""
    return "; ".join(parts[:_MOST]) + more


def _faults(lesson: Lesson) -> str:
    text = ", ".join(f"{visible(kind)} ×{count}" for kind, count in lesson.faults.items())
    if lesson.disqualified:
        text += f"; disqualified in {plural(lesson.disqualified, 'game')}"
    clean = lesson.rating_without_faults
    if clean is not None:
        text += f"; {clean:.0f} Elo if only games without faults count"
    return text


def _table(place: Place) -> str:
    return f"{visible(place.name)} {place.elo:.0f}{_interval(place)}, {plural(place.games, 'game')}"


def _opponent(place: Place) -> str:
    ahead = "" if place.ahead is None else f", {100 * place.ahead:.0f} %"
    return f"{visible(place.name)} {place.elo:+z.0f}{ahead}"


def _share(one: Share) -> str:
    return (
        f"{one.name} {100 * one.share:.0f} % ({plural(one.turns, 'turn')},"
        f" {plural(one.mistakes, 'mistake')})"
    )


# -- the positions


def _positions(lesson: Lesson) -> Iterator[str]:
    if not lesson.positions:
        return
    yield _cut(f"## Positions (run the commands in {_folder(lesson)})", WIDTH)
    for number, one in enumerate(lesson.positions, 1):
        yield from _position(number, one)
    yield ""


def _position(number: int, one: Position) -> Iterator[str]:
    where = f"{visible(one.board)}, turn {one.turn}, {one.phase} third"
    yield _cut(f"{number}. {where}: {one.kind} loses {100 * one.loss:.0f} points", WIDTH)
    for title, text in (("played", one.played), ("better", one.better), ("why", one.why)):
        if text:
            yield from _paragraph(f"{title}: {text}", _FEW, first="   ", rest="     ")
    yield f"   `{one.replay}`"


# -- advice


def _advice(lesson: Lesson) -> Sequence[str]:
    found = [*_about_faults(lesson), *_about_turns(lesson), *_about_tables(lesson)]
    last = (
        "Look at more decisions with `referee hint --from RECORD --at ID`, change one thing, and"
        " measure it with `referee compare NEW OLD`."
    )
    return [*found[: _MOST_ADVICE - 1], last]


def _about_faults(lesson: Lesson) -> Iterator[str]:
    if not lesson.faults:
        return
    command = f"`referee faults {shell_word(Path(lesson.folder))} --bot {shlex.quote(visible(lesson.bot))}`"
    what = "make it answer in time" if "timeout" in lesson.faults else "fix the faults"
    yield f"First of all, {what}: {command} shows each fault."


def _about_turns(lesson: Lesson) -> Iterator[str]:
    costly = [one for one in lesson.kinds if one.loss > 0][:1]
    for one in costly:
        yield (
            f"{100 * one.share:.0f} % of the losses are in turns of the kind {one.name}: look at"
            f" {_KINDS[one.name]}."
        )
    for one in lesson.phases[:1]:
        if one.share >= _LARGE:
            yield _PHASES[one.name]


def _about_tables(lesson: Lesson) -> Iterator[str]:
    for place in lesson.tables[:1]:
        if place.elo < lesson.rating.elo - _WEAK:
            yield f"It is weakest at the table {visible(place.name)}: test changes there, too."
