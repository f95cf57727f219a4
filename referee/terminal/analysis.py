"""What `referee analyse` prints: the turns of a game, its mistakes, the summary of a bot, or CSV rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TextIO

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from referee import text
from referee.analysis.lines import GameAnalysis, TurnAnalysis
from referee.analysis.run import RecordResult
from referee.analysis.sentences import as_said
from referee.analysis.summary import BotSummary, Losses, describe_game, show
from referee.terminal import OUT
from referee.terminal.game.score_tables import plain_table
from referee.terminal.seats import seat_text
from referee.text import plural, visible

COLUMNS: Final = (
    "record", "board", "turn", "seat", "name", "phase", "kind", "played",
    "chance_before", "chance_after", "rank_before", "rank_after", "total_before", "total_after",
    "loss", "loss_low", "loss_high", "is_mistake", "first_step", "last_step", "better", "why",
)  # fmt: skip
_WIDEST_NAME: Final = 14
_OTHER_COLUMNS: Final = 55  # the width of all but `played`
_NARROWEST: Final = 16
_INDENT: Final = 4
_NO_LOSS: Final = 0.005  # less is shown as nothing


# -- one game


def show_analysis(result: RecordResult) -> None:
    """Print the turns of a game, its mistakes with the better turns, and how it was decided."""
    game = result.analysis
    if game is None:
        return
    OUT.print()
    OUT.print(Text(_headline(result, game), style="bold"))
    if not game.turns:
        OUT.print(Text("No turn is played to its end.", style="dim"))
        return
    OUT.print(_turns(game))
    OUT.print(Text("chance: to come first, before and after the turn", style="dim"))
    mistakes = [turn for turn in game.turns if turn.is_mistake]
    if mistakes:
        OUT.print()
        OUT.print(Text(plural(len(mistakes), "mistake"), style="bold"))
    for turn in mistakes:
        _show_mistake(result.record, game, turn)
    OUT.print()
    OUT.print(Text(describe_game(game)))


def _headline(result: RecordResult, game: GameAnalysis) -> str:
    players = ", ".join(visible(name) for name in game.names)
    return f"{visible(Path(result.record).name)}: {visible(game.board)}, {players}"


def _turns(game: GameAnalysis) -> Table:
    table = plain_table()
    table.add_column("turn", justify="right", no_wrap=True)
    table.add_column("seat", no_wrap=True)
    played = max(_NARROWEST, OUT.width - _OTHER_COLUMNS)
    table.add_column("played", overflow="ellipsis", no_wrap=True, max_width=played)
    table.add_column("chance", justify="right", no_wrap=True)
    table.add_column("loss", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for turn in game.turns:
        table.add_row(
            str(turn.turn),
            seat_text(turn.seat, game.names, most=_WIDEST_NAME, style=""),
            Text(turn.played.replace("the trade route ", "")),
            _change(turn),
            _loss(turn),
            Text("?", style="bold red") if turn.is_mistake else Text(),
        )
    return table


def _change(turn: TurnAnalysis) -> Text:
    before, after = turn.chances[turn.seat], turn.chances_after[turn.seat]
    return Text.assemble((f"{100 * before:.0f} → ", "dim"), f"{100 * after:3.0f} %")


def _loss(turn: TurnAnalysis) -> Text:
    if turn.loss < _NO_LOSS:
        return Text("–", style="dim")
    return Text(f"{100 * turn.loss:.0f} %", style="bold red" if turn.is_mistake else "")


def _show_mistake(record: str, game: GameAnalysis, turn: TurnAnalysis) -> None:
    low, high = turn.loss_interval
    OUT.print()
    OUT.print(
        Text.assemble(
            (f"Turn {turn.turn}", "bold"),
            "  ",
            seat_text(turn.seat, game.names, style=""),
            f"  loses {100 * turn.loss:.0f} %",
            (f"  ({100 * low:.0f} to {100 * high:.0f} %)", "dim"),
        )
    )
    name = game.names[turn.seat]
    _list("played", turn.text, name, "dim")
    if turn.best is not None:
        _list("better", turn.best.text, name, "")
    if turn.why:
        OUT.print(Padding(Text(turn.why, style="italic"), (0, 0, 0, _INDENT)))
    OUT.print(Padding(Text(show(record, turn), style="dim"), (0, 0, 0, _INDENT)))


def _list(title: str, sentences: Sequence[str], name: str, style: str) -> None:
    """Print the choices of a turn, without the name of the seat in front of each."""
    line = Text.assemble((f"{title}: ", "bold"), (as_said(sentences, name), style))
    OUT.print(Padding(line, (0, 0, 0, _INDENT)))


# -- many games of one bot


def show_bot(name: str, summary: BotSummary) -> None:
    """Print where a bot loses its chances: by kind of decision, phase and board; its worst turns."""
    every = summary.all
    OUT.print()
    games = plural(summary.games, "game")
    OUT.print(Text(f"{visible(name)}: {plural(every.turns, 'turn')} in {games}", style="bold"))
    if not every.turns:
        return
    OUT.print(
        Text(
            f"A turn loses {_precise(every.mean_loss)} of the chance to come first on average;"
            f" {plural(every.mistakes, 'turn')} ({_share(every)}) are mistakes."
        )
    )
    for title, groups in (
        ("kind of decision", summary.kinds),
        ("phase", summary.phases),
        ("board", summary.boards),
    ):
        OUT.print()
        OUT.print(_groups(title, groups))
    if summary.worst:
        OUT.print()
        OUT.print(Text("The worst turns", style="bold"))
    for moment in summary.worst:
        turn = moment.turn
        OUT.print(Text(f"{100 * turn.loss:3.0f} %  {turn.played}"))
        if turn.why:
            OUT.print(Padding(Text(turn.why, style="italic"), (0, 0, 0, 7)))
        OUT.print(Text(f"       {moment.command}", style="dim"), soft_wrap=True)


def _groups(title: str, groups: Sequence[Losses]) -> Table:
    table = plain_table()
    table.add_column(title, overflow="fold", min_width=18, max_width=40)
    for header in ("turns", "mean loss", "mistakes"):
        table.add_column(header, justify="right", no_wrap=True)
    for one in groups:
        loss = _precise(one.mean_loss)
        table.add_row(Text(visible(one.name)), f"{one.turns:,}", loss, f"{one.mistakes:,}")
    return table


def _precise(share: float) -> str:
    return f"{100 * share:.1f} %"


def _share(losses: Losses) -> str:
    return f"{100 * losses.mistakes / losses.turns:.0f} %"


# -- CSV


def write_csv(file: TextIO, results: Iterable[RecordResult]) -> None:
    """Write a heading, then a row for each turn."""
    text.write_csv(file, COLUMNS, (row for result in results for row in _rows(result)))


def _rows(result: RecordResult) -> Iterator[list[object]]:
    game = result.analysis
    for turn in game.turns if game is not None else ():
        assert game is not None
        seat = turn.seat
        yield [
            result.record, game.board, turn.turn, seat, game.names[seat], turn.phase, turn.kind,
            turn.played, turn.chances[seat], turn.chances_after[seat], turn.ranks[seat],
            turn.ranks_after[seat], turn.totals[seat], turn.totals_after[seat], turn.loss,
            *turn.loss_interval, turn.is_mistake, turn.first_step, turn.last_step,
            "; ".join(turn.best.text) if turn.best else None, turn.why or None,
        ]  # fmt: skip
