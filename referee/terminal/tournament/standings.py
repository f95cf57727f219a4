"""What `referee standings` shows: the tables with their intervals, seat effects, and who is above whom."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from referee.bots.parameters import Values, settings_of
from referee.terminal import Output
from referee.terminal.seats import DOT, seat_style
from referee.text import plural, shell_word, visible
from referee.tournament.ratings import Entry, Ratings, SeatEffect
from referee.tournament.ratings.scale import RatingRange, interval_of
from referee.tournament.secret import Closing
from referee.tournament.sprt import Verdict
from referee.tournament.standings import StandingsReport

WIDE: Final = 110  # columns from which on wider tables fit
MATRIX_CAPTION: Final = (
    "In percent: how likely the bot of the row is stronger than the bot of the column."
)
_ABSENT: Final = Text("–", style="dim")
_SURE: Final = 0.975
_SHORTEST_NAME: Final = 8
_SHORTEST_BAR: Final = 6
_LONGEST_BAR: Final = 44
_ALL: Final = slice(None)

# -- the whole output


def show_standings(
    folder: Path, report: StandingsReport, *, matrix: bool, console: Output | None = None
) -> None:
    """Print every table of the report, each under its title; with `matrix` also who is above whom."""
    out = console or Output(highlight=False)
    ratings = report.ratings
    _standings_section(out, visible(str(folder)), ratings, report)
    out.print()
    for line in seat_lines(ratings.seats):
        out.print(line)
    for name, at_table in report.by_table.items():
        _standings_section(out, visible(name), at_table, report)
    if report.without_faults is not None:
        title = "Without the games in which a bot committed a fault"
        _standings_section(out, title, report.without_faults, report)
    if matrix:
        _section(
            out,
            "How likely each bot is stronger than each other bot",
            matrix_table(ratings, out.width),
        )
        out.print(Text(MATRIX_CAPTION, style="dim"))
    out.print()
    out.print(Text(caption(ratings), style="dim"))
    for line in values_lines(ratings, report.values):
        out.print(line, soft_wrap=True)
    if report.verdict is not None:
        out.print(verdict_text(report.verdict), soft_wrap=True)
    for bot, why in report.out.items():
        out.print(Text(visible(f"{bot} is disqualified: {why}"), style="red"))
    for bot in report.retired:
        out.print(Text(visible(f"{bot} is retired"), style="dim"))
    if report.closing is not None:
        closed = f"Closed at {report.closing.at}. {secret_line(report.closing)}"
        out.print(Text(closed, style="dim"), soft_wrap=True)
    if report.faults:
        command = f"referee faults {shell_word(folder)}"
        out.print(Text(f"{plural(report.faults, 'fault')}: {command}", style="red"), soft_wrap=True)
    out.print()


def verdict_text(verdict: Verdict) -> Text:
    """Return the sentence of a sequential test: green if it passed, red if it failed."""
    style = {None: "bold", "pass": "bold green", "fail": "bold red"}[verdict.decision]
    return Text(f"{visible(verdict.sentence)}.", style=style)


def secret_line(closing: Closing) -> str:
    """Return a sentence with the secret of a closed tournament."""
    if closing.secret is None:
        return "It has no secret, because it began with an earlier version of the referee."
    return f"Its secret: {closing.secret}"


def _standings_section(out: Output, name: str, ratings: Ratings, report: StandingsReport) -> None:
    title = f"{name}: {plural(ratings.blocks, 'block')}, {plural(ratings.games, 'game')}"
    _section(out, title, standings_table(ratings, out.width, out=report.out))


def _section(out: Output, title: str, table: RenderableType) -> None:
    out.print()
    out.print(Text(title, style="bold"), soft_wrap=True)
    out.print(table)


# -- one table


def standings_table(
    ratings: Ratings, columns: int, *, out: Collection[str] = (), shown: slice = _ALL
) -> Table:
    """Return a row for each bot, the best first, or only the rows `shown`.

    The rows of disqualified bots, which are in `out`, say so in place of their number.
    """
    with_points = any(entry.points is not None for entry in ratings.entries)
    heads = ["", "bot", "rating", "games", "first", "rank", "total", "faults", "> next"]
    heads += ["points"] * with_points
    entries = list(enumerate(ratings.entries, start=1))[shown]
    rows = [_row(place, entry, is_out=entry.bot in out) for place, entry in entries]
    widths = ColumnWidths.within(columns, heads, rows)
    span = RatingRange.of(interval_of(entry) for entry in ratings.entries if entry.games)
    table = _figures_table(heads, widths)
    for (_, entry), (place, name, rating, *figures) in zip(entries, rows, strict=True):
        bar = [interval_bar(entry, span, widths.bar)] if widths.bar else []
        table.add_row(place, name, rating, *bar, *figures)
    return table


class ColumnWidths(NamedTuple):
    """The widths of name, bar and padding, which can shrink."""

    name: int
    bar: int
    padding: int

    @classmethod
    def within(
        cls, columns: int, heads: Sequence[str], rows: Sequence[Sequence[Text]]
    ) -> ColumnWidths:
        """Return the widths that fit beside the columns of numbers."""
        needed = [
            max([len(head), *(row[at].cell_len for row in rows)]) for at, head in enumerate(heads)
        ]
        padding = 1 if columns >= WIDE else 0
        others = sum(needed) - needed[1] + len(needed) * (2 * padding + 1)
        name = min(needed[1], max(columns - others, _SHORTEST_NAME))
        bar = min(columns - others - name, _LONGEST_BAR)
        return cls(name, bar if bar >= _SHORTEST_BAR else 0, padding)


def _figures_table(heads: Sequence[str], widths: ColumnWidths) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, widths.padding),
        header_style="dim",
    )  # fmt: skip
    table.add_column(heads[0], justify="right", no_wrap=True)
    table.add_column(heads[1], no_wrap=True, overflow="ellipsis", max_width=widths.name)
    table.add_column(heads[2], no_wrap=True)
    if widths.bar:
        table.add_column("", no_wrap=True, width=widths.bar)
    for head in heads[3:]:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _row(place: int, entry: Entry, *, is_out: bool) -> list[Text]:
    points = [] if entry.points is None else [_points(entry.points)]
    head = [Text("out", style="bold red") if is_out else Text(str(place), style="dim")]
    head.append(Text(visible(entry.bot), style="red strike" if is_out else "bold"))
    if not entry.games:
        return [*head, *[_ABSENT] * 7, *[_ABSENT] * len(points)]
    return [
        *head,
        rating_text(entry),
        Text(f"{entry.games:,}"),
        Text(_percent(entry.first_places / entry.games)),
        _figure(entry.mean_rank, ".2f"),
        _figure(entry.mean_total, ".1f"),
        Text(f"{entry.faults:,}", style="red" if entry.faults else "dim"),
        superiority_text(entry.superiority_over_next),
        *points,
    ]


def _points(points: float) -> Text:
    return Text(f"{points:,.1f}".removesuffix(".0"))


def rating_text(entry: Entry) -> Text:
    """Return the rating and half the width of its interval."""
    half = half_interval(entry.low, entry.high)
    width = "" if half is None else f"±{half:4.0f}"
    return Text.assemble(f"{entry.rating:4.0f} ", (width.rjust(5), "dim"))


def half_interval(low: float | None, high: float | None) -> float | None:
    """Return half the width of an interval; None if there is none."""
    return None if low is None or high is None else (high - low) / 2


def interval_bar(entry: Entry, span: RatingRange, cells: int) -> Text:
    """Return a bar: a dot at the rating, and a line from end to end of its interval.

    What is outside the range is at its end, with an arrow instead of a dot for the rating.
    """
    if not entry.games:
        return Text("")
    low, high = interval_of(entry).ends
    line = range(_cell(low, span, cells), _cell(high, span, cells) + 1)
    marks = ["─" if low < high and cell in line else " " for cell in range(cells)]
    at = _cell(entry.rating, span, cells)
    dot = "<" if entry.rating < span.low else ">" if entry.rating > span.high else DOT
    return Text.assemble(
        ("".join(marks[:at]), "cyan"), (dot, "bold cyan"), ("".join(marks[at + 1 :]), "cyan")
    )


def _cell(rating: float, span: RatingRange, cells: int) -> int:
    """Return the cell of a bar in which a rating is."""
    if span.high <= span.low:
        return cells // 2
    inside = min(max(rating, span.low), span.high)
    return round((inside - span.low) / (span.high - span.low) * (cells - 1))


def superiority_text(chance: float | None) -> Text:
    """Return how likely the bot is stronger than the next; bold if it is nearly certain."""
    if chance is None:
        return _ABSENT
    return Text(_chance(chance), style="bold green" if chance >= _SURE else "")


def _chance(chance: float) -> str:
    """Format a probability; it never shows 0 or 100 %."""
    percent = 100 * chance
    if percent > 99.9:
        return ">99.9 %"
    if percent < 0.1:
        return "<0.1 %"
    return f"{percent:.1f} %" if percent > 99 or percent < 1 else f"{percent:.0f} %"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _figure(value: float | None, form: str) -> Text:
    return _ABSENT if value is None else Text(format(value, form))


# -- seats


def seat_lines(effects: Sequence[SeatEffect]) -> Iterator[Text]:
    """Yield the advantage of each seat in Elo, two lines for each kind of table."""
    for name in dict.fromkeys(effect.table for effect in effects if effect.games):
        own = [effect for effect in effects if effect.table == name]
        yield Text.assemble(
            f"Seats at {visible(name)}", (f"  {plural(own[0].games, 'game')}", "dim")
        )
        yield Text("   ").join([_seat_text(effect) for effect in own])


def _seat_text(effect: SeatEffect) -> Text:
    half = half_interval(effect.low, effect.high)
    return Text.assemble(
        (f"{DOT} ", seat_style(effect.seat)),
        (f"{effect.seat} ", "dim"),
        f"{effect.elo:+z.0f}",
        ("" if half is None else f" ±{half:.0f}", "dim"),
    )


# -- who is above whom


def matrix_table(ratings: Ratings, columns: int) -> Table:
    """Return how likely the bot of the row is stronger than the bot of the column, in percent."""
    played = [place for place, entry in enumerate(ratings.entries) if entry.games]
    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0), header_style="dim"
    )
    table.add_column("", justify="right")
    table.add_column("", no_wrap=True, overflow="ellipsis", max_width=columns // 4)
    for place in played:
        table.add_column(str(place + 1), justify="right", no_wrap=True)
    for row in played:
        name = Text(visible(ratings.entries[row].bot), style="bold")
        cells = [_matrix_cell(ratings.superiority[row][at], row == at) for at in played]
        table.add_row(Text(str(row + 1), style="dim"), name, *cells)
    return table


def _matrix_cell(chance: float, is_itself: bool) -> Text:
    if is_itself:
        return _ABSENT
    style = "green" if chance >= _SURE else "red" if chance <= 1 - _SURE else ""
    return Text(f"{100 * min(max(chance, 0.001), 0.999):.1f}", style=style)


# -- the values of parameters


def values_lines(ratings: Ratings, values: Mapping[str, Values]) -> Iterator[Text]:
    """Yield the values of the bots that have others than the defaults, the best bot first."""
    ranked = [entry.bot for entry in ratings.entries if entry.bot in values]
    if not ranked:
        return
    yield Text("")
    yield Text("Values of parameters that are not the defaults")
    for bot in ranked:
        yield values_line(bot, values[bot])


def values_line(bot: str, values: Values) -> Text:
    """Return the values of one bot, such as `ada-v1  post=1.5 depth=3`."""
    return Text.assemble(f"  {visible(bot)}  ", (" ".join(settings_of(values)), "dim"))


# -- the explanation below the tables


def caption(ratings: Ratings) -> str:
    """Explain the columns of the table."""
    fixed = f"{visible(ratings.anchor)} is" if ratings.anchor else "the mean of all bots is"
    text = (
        f"rating: Elo ({fixed} {ratings.anchor_at:.0f}) ± half of the 95 % confidence interval ·"
        " first: share of games won (shared in a tie) · rank, total: averages of all games ·"
        " > next: how likely the bot is stronger than the one below"
    )
    if len(ratings.groups) > 1:
        text += (
            f" · {len(ratings.groups)} groups of bots never played each other:"
            " do not compare ratings between groups"
        )
    return text
