"""`referee analyse`: who was winning, which turns were mistakes, and what was better."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
import msgspec

from referee.analysis.lines import DEFAULT_MS
from referee.analysis.run import OpenRecord, RecordResult, Verdict, Wanted, analyse_records
from referee.analysis.summary import describe_game, summarise
from referee.cli import completion
from referee.cli.analyse.judging import judging, rounds_option, time_option
from referee.cli.lazy import examples
from referee.cli.verify import ALL_FINE, SOMETHING_WRONG, workers_option
from referee.errors import OutputRefused, RecordRefused
from referee.records.find import find_records
from referee.records.resume import Record
from referee.records.stats import bot_name
from referee.system import core_count
from referee.terminal import complain, guarded, note, show_json
from referee.terminal.analysis import show_analysis, show_bot, write_csv
from referee.terminal.records import with_progress
from referee.text import no_such_bot, printable


@click.command(
    epilog=examples(
        "referee analyse game.jsonl",
        "referee analyse game.jsonl --seat 2 --time 5000",
        "referee analyse game.jsonl --rounds 100 --json",
        "referee analyse tournament-1/records --bot my-bot",
        "referee analyse records/ --csv turns.csv",
    )
)
@click.argument(
    "records", nargs=-1, required=True, metavar="RECORD...", shell_complete=completion.files
)
@click.option(
    "--seat", type=click.IntRange(0), metavar="N", help="Analyse only the turns of this seat."
)
@click.option(
    "--bot", metavar="BOT", help="Analyse only the turns of this bot, and print a summary of it."
)
@time_option("each turn", DEFAULT_MS)
@rounds_option("each turn")
@click.option(
    "--omniscient",
    is_flag=True,
    help="Judge by the whole truth instead of by what the seat knew.",
)
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per record.")
@click.option(
    "--csv",
    "csv_file",
    metavar="FILE",
    help="Write one row for each turn to this file instead; - means standard output.",
)
@click.option(
    "--no-cache", is_flag=True, help="Neither read nor write the analysis file beside the record."
)
def analyse(
    records: tuple[str, ...],
    seat: int | None,
    bot: str | None,
    time_ms: float | None,
    rounds: int | None,
    omniscient: bool,
    workers: int | None,
    as_json: bool,
    csv_file: str | None,
    no_cache: bool,
) -> int:
    """Show who was winning, which turns were mistakes, and what was better.

    A RECORD is a file, a folder that contains records at any depth, or a pattern in quotes. For each
    turn, the output shows the chance to come first before and after it, and its loss: how much
    higher the chance would be after the best other turn that was found. A turn is a mistake if it
    loses 5 percentage points or more, and if this is hardly by chance.

    A turn is judged by what its seat knew, unless --omniscient is given. The result is kept in a file
    beside the record (NAME.analysis.jsonl): a run that was stopped continues where it was.

    The exit status is 1 if a record is wrong, 2 if no record is found, else 0.
    """
    if as_json and csv_file is not None:
        raise click.UsageError("--json and --csv are mutually exclusive")
    settings = judging(time_ms, rounds, DEFAULT_MS, omniscient=omniscient)
    paths = _records_with(seat, bot, find_records(records))
    wanted = Wanted(settings, seat, bot, not no_cache)
    verdicts: set[Verdict] = set()
    results = reported(results_of(paths, wanted, workers or core_count()), verdicts)
    if csv_file is not None:
        _write_csv(csv_file, results)
    elif as_json:
        for result in results:
            guarded(show_json)(_words(result))
    else:
        _show(results, bot, is_each_shown=bot is None or len(paths) == 1)
    return SOMETHING_WRONG if "wrong" in verdicts else ALL_FINE


def _records_with(seat: int | None, bot: str | None, paths: list[Path]) -> list[Path]:
    """The records that have this seat and this bot; RecordRefused if none has.

    Records that cannot be read are among them, so that they are reported.
    """
    if seat is None and bot is None:
        return paths
    players = {path: _players(path) for path in paths}
    known = [names for names in players.values() if names is not None]
    _check_seat(seat, known)
    _check_bot(bot, known)
    wanted = Wanted(seat=seat, bot=bot)
    return [path for path, names in players.items() if names is None or wanted.seats(names)]


def _players(path: Path) -> list[str] | None:
    """The names of the players; None if the record cannot be read."""
    try:
        return [player.name for player in Record(path).header.players]
    except RecordRefused:
        return None


def _check_seat(seat: int | None, known: Sequence[Sequence[str]]) -> None:
    most = max(map(len, known), default=0)
    if seat is not None and known and seat >= most:
        raise RecordRefused(f"no record has a seat {seat}: seats are numbered from 0 to {most - 1}")


def _check_bot(bot: str | None, known: Sequence[Sequence[str]]) -> None:
    names = [name for players in known for name in (*players, *map(bot_name, players))]
    if bot is not None and known and bot not in names:
        shown = [printable(name) for name in dict.fromkeys(names)]
        raise RecordRefused(no_such_bot(printable(bot), shown))


def results_of(paths: Sequence[Path], wanted: Wanted, workers: int) -> Iterator[RecordResult]:
    """The results as they come: with few records the turns are divided among the workers."""
    if len(paths) >= 2 * workers:
        yield from with_progress(analyse_records(paths, wanted, workers), len(paths), "analysing")
        return
    for path in paths:
        try:
            opened = OpenRecord(path, wanted)
        except RecordRefused as error:
            yield RecordResult(str(path), "wrong", why=str(error))
            continue
        with opened:
            for _ in with_progress(opened.judged(workers), len(opened.missing), "analysing"):
                pass
            yield opened.result()


def reported(results: Iterable[RecordResult], verdicts: set[Verdict]) -> Iterator[RecordResult]:
    """The same results, which are not kept: there may be many. Collect the verdicts."""
    for result in results:
        verdicts.add(result.verdict)
        _complain(result)
        yield result


def _complain(result: RecordResult) -> None:
    """Say on stderr what is wrong with a record, where it breaks off, and that nothing is kept."""
    where = printable(result.record)
    if result.verdict == "wrong":
        complain(result.why if result.why and where in result.why else f"{where}: {result.why}")
    elif result.why is not None:
        note(f"{where}: {result.why}")
    if result.note is not None:
        note(result.note)


def _show(results: Iterable[RecordResult], bot: str | None, *, is_each_shown: bool) -> None:
    def shown() -> Iterator[RecordResult]:
        for result in results:
            if is_each_shown:
                guarded(show_analysis)(result)
            yield result

    summary = summarise(shown())
    if bot is not None:
        guarded(show_bot)(bot, summary)


def _words(result: RecordResult) -> dict[str, object]:
    """The object that `--json` prints."""
    words: dict[str, object] = {
        "record": result.record, "verdict": result.verdict, "why": result.why,
    }  # fmt: skip
    if result.analysis is None:
        return words
    analysis: dict[str, object] = msgspec.to_builtins(result.analysis)
    return words | analysis | {"summary": describe_game(result.analysis)}


def _write_csv(name: str, results: Iterable[RecordResult]) -> None:
    if name == "-":
        guarded(write_csv)(sys.stdout, results)
        return
    try:
        with Path(name).open("w", encoding="utf-8", newline="") as file:
            write_csv(file, results)
    except OSError as error:
        raise OutputRefused(f"cannot write {printable(name)}: {error.strerror}") from error
