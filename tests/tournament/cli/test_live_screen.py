"""The live screen: it fits every terminal, shows the progress, and ends with the final table."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from referee.terminal import Output
from referee.terminal.full_screen.raw_terminal import LEAVE, RawTerminal
from referee.terminal.full_screen.rows import RowRenderer
from referee.terminal.tournament import run
from referee.terminal.tournament.lines import describe_progress, duration, final_lines, sprt_text
from referee.terminal.tournament.live import STOPPING, LiveFrame, Result, Size, draw_frame
from referee.terminal.tournament.live_view import STOP_HINT, LiveView
from referee.terminal.tournament.run import JsonRunDisplay, LiveRunDisplay, PlainRunDisplay
from referee.terminal.tournament.standings import caption, matrix_table, seat_lines, standings_table
from referee.tournament.coordinator import Progress
from referee.tournament.live_ratings import LiveRatings, RatingOptions
from referee.tournament.opening import plan_tournament
from referee.tournament.ratings import Entry, Ratings, SeatEffect, rate
from referee.tournament.request import TournamentRequest
from referee.tournament.schedule import Outline
from referee.tournament.secret import Closing
from referee.tournament.sprt import SprtState
from referee.tournament.store.store import Store
from referee.tournament.summary import RunOverview, Summary
from referee.tournament.workers.messages import (
    GameReport,
    Playing,
    SeatReport,
    WorkerStatus,
)
from referee.tournament.workers.pool import Lost
from support.command_runs import PLAIN, trouble
from support.groups import together
from support.pseudo_terminal import PseudoTerminal, read_all
from support.rating_results import block, game, rotated
from support.sample_store import blocks_with_faults, write_store

SIZES = [Size(80, 24), Size(160, 50), Size(60, 20)]
HOSTILE_NAME = "\x1b[31m[bold]x"


def entry(bot: str, rating: float, half: float | None, games: int, **more: object) -> Entry:
    fields = {
        "blocks": games // 3, "first_places": games / 4, "mean_rank": 2.25, "mean_total": 31.5,
        "faults": 0, "faulted_games": 0, "disqualified": 0, "points": None,
        "superiority_over_next": 0.5, **more,
    }  # fmt: skip
    low, high = (None, None) if half is None else (rating - half, rating + half)
    return Entry(bot, rating, low, high, games=games, **fields)  # type: ignore[arg-type]


def some_ratings(points: float | None = None) -> Ratings:
    """Four bots after eight blocks; the last has not played."""
    given = {"points": points}
    ranked = (
        entry("ada", 1729, 84.4, 1224, superiority_over_next=0.99961, **given),
        entry("bo", 1484, 108.2, 1224, superiority_over_next=0.93, faults=12, **given),
        entry("cy", 1287, None, 3, first_places=0.0, **given),
        entry("dee", 1500, None, 0, mean_rank=None, mean_total=None, **given),
    )
    square = ((0.5,) * 4,) * 4
    names = ("ada", "bo", "cy")
    seats = tuple(SeatEffect("small", seat, 10.0 - 10 * seat, None, None, 24) for seat in range(3))
    return Ratings(ranked, seats, square, square, 8, 24, None, 1500.0, (names,))


def many_ratings(bots: int) -> Ratings:
    names = [f"a-bot-with-quite-a-long-name-{number:02}" for number in range(bots)]
    return rate([rotated(number, names, range(1, bots + 1)) for number in range(3)])


def progress(workers: int = 2, **more: object) -> Progress:
    bots = ("ada", "bo", "cy")
    statuses = [
        WorkerStatus(f"worker {n + 1}", Playing(f"b{n}", n % 3, bots)) for n in range(workers)
    ]
    fields = {"blocks": 8, "done": 8, "games": 24, "new_games": 24, "new_blocks": 8, **more}
    fields = {"statuses": statuses, **fields}
    return Progress(Outline(1, 20, 60), 100.0, 200.0, **fields)  # type: ignore[arg-type]


def drawn(live: LiveFrame, size: Size) -> list[str]:
    """The rows of the screen, without styles."""
    renderer = RowRenderer(Console(file=io.StringIO(), color_system=None))
    rows = draw_frame(live, size, renderer)
    return [re.sub(r"\x1b\[[\d;]*m", "", row).rstrip() for row in rows]


def printed(renderable: object, columns: int) -> str:
    console = Console(file=io.StringIO(), width=columns, highlight=False)
    console.print(renderable)
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


# --- The table


TABLE_80 = """\
  bot rating                               games first rank total faults  > next
────────────────────────────────────────────────────────────────────────────────
1 ada 1729 ±  84                 ────●──── 1,224  25 % 2.25  31.5      0 >99.9 %
2 bo  1484 ± 108     ─────●─────           1,224  25 % 2.25  31.5     12    93 %
3 cy  1287       ●                             3   0 % 2.25  31.5      0    50 %
4 dee –                                        –     –    –     –      –       –"""

TABLE_160 = """\
    bot   rating                                                      games   first   rank   total   faults    > next   points
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
1   ada   1729 ±  84                                ───────●───────   1,224    25 %   2.25    31.5        0   >99.9 %      108
2   bo    1484 ± 108          ─────────●─────────                     1,224    25 %   2.25    31.5       12      93 %      108
3   cy    1287         ●                                                  3     0 %   2.25    31.5        0      50 %      108
4   dee   –                                                               –       –      –       –        –         –        –"""


def test_the_table_at_eighty_columns() -> None:
    assert printed(standings_table(some_ratings(), 80), 80) == TABLE_80


def test_the_table_at_a_hundred_and_sixty_columns() -> None:
    assert printed(standings_table(some_ratings(108.0), 160), 160) == TABLE_160


def test_a_disqualified_bot_stays_in_the_table() -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
    console.print(standings_table(some_ratings(), 80, out={"bo"}))
    assert isinstance(console.file, io.StringIO)
    assert re.search(r"\x1b\[9;31mbo", console.file.getvalue())


@pytest.mark.parametrize("columns", [60, 80, 120, 160])
def test_long_names_are_shortened_before_numbers_are(columns: int) -> None:
    shown = printed(standings_table(many_ratings(5), columns), columns)
    assert "…" in shown or columns > 80
    assert shown.count("15 ") >= 5
    assert max(map(len, shown.splitlines())) <= columns


def test_the_name_of_a_bot_is_neither_markup_nor_a_command() -> None:
    ratings = rate([block(0, game((HOSTILE_NAME, "b"), (1, 2)))])
    for table in (standings_table(ratings, 100), matrix_table(ratings, 100)):
        assert "\\u001b[31m[bold]x" in printed(table, 100)
        assert "\x1b" not in printed(table, 100)


def test_the_caption_explains_the_numbers() -> None:
    assert "the mean of all bots is 1500" in caption(some_ratings())
    apart = rate([block(0, game("ab", (1, 2))), block(1, game("cd", (1, 2)))])
    assert "2 groups of bots never played each other" in caption(apart)


# --- The live screen


KEYS = "s standings  t by table  r results  g games  ↑↓ scroll  Ctrl-C stop"


def pressed(*keys: str) -> LiveView:
    view = LiveView()
    for key in keys:
        view.press(key)
    return view


def some_results(count: int, names: tuple[str, ...] = ("ada", "bo", "cy")) -> list[Result]:
    seats = tuple(
        SeatReport(name, name, rank, 30 - rank, 0, None) for rank, name in enumerate(names, 1)
    )
    reports = [
        GameReport(number % 3, "g", seats, (), "turns", 31, 200, 1.0, None)
        for number in range(count)
    ]
    return [Result("small", f"b{place // 3}", game) for place, game in enumerate(reports)]


@together("size", SIZES)
@together(("bots", "workers"), [(4, 2), (5, 64), (5, 0)])
@together("key", "strg")
def test_a_frame_fits_its_terminal(size: Size, bots: int, workers: int, key: str) -> None:
    out = {f"bot-{number}": "at fault in 7 of 12 games" for number in range(5)}
    test = SprtState(8, 0.5, 12.0, 0.3, -2.94, 2.94, None)
    live = LiveFrame(
        progress(workers, out=out, faults=3, stopping=True), many_ratings(bots), 200.0,
        last_fault="x" * 500, test=test, view=pressed(key, "end"), results=some_results(80),
        by_table={"small": many_ratings(bots)}, records=Path("t/records"),
    )  # fmt: skip
    lines = drawn(live, size)
    assert len(lines) == size.rows
    assert max(map(len, lines)) <= size.columns
    assert lines[-2:-1] == [STOPPING[: size.columns - 1] + "…" if size.columns < 65 else STOPPING]
    assert lines[-1].startswith("s standings")


@together("key", "strg")
def test_a_frame_fits_a_tiny_terminal(key: str) -> None:
    size = Size(20, 4)
    live = LiveFrame(
        progress(8), many_ratings(5), 200.0, view=pressed(key, "end"), results=some_results(80),
        by_table={"small": many_ratings(5)}, records=Path("t/records"),
    )  # fmt: skip
    lines = drawn(live, size)
    assert len(lines) == size.rows
    assert max(map(len, lines)) <= size.columns


def test_a_frame_shows_the_progress_and_running_games_with_records() -> None:
    live = LiveFrame(progress(), some_ratings(), 200.0, records=Path("t/records"))
    lines = drawn(live, Size(80, 24))
    assert lines[0].endswith("8 of 20 blocks · 24 games · 0.2 games/s · 2:30 left")
    assert lines[9:11] == [
        "worker 1  ● ada ● bo ● cy" + "b0/0.jsonl".rjust(55),
        "worker 2  ● ada ● bo ● cy" + "b1/1.jsonl".rjust(55),
    ]
    assert lines[-1] == KEYS


def test_the_games_view_has_a_command_to_watch_each_running_game() -> None:
    live = LiveFrame(
        progress(), some_ratings(), 200.0, view=pressed("g"), records=Path("my league/records")
    )
    lines = drawn(live, Size(80, 24))
    assert lines[2] == "Running games"
    assert lines[4] == "  referee replay 'my league/records/b0/0.jsonl'"
    assert lines[6] == "  referee replay 'my league/records/b1/1.jsonl'"


def test_the_last_fault_and_the_request_to_stop_are_on_the_screen() -> None:
    live = LiveFrame(
        progress(faults=1, stopping=True), some_ratings(), 200.0, last_fault=f"ada, {HOSTILE_NAME}"
    )
    lines = drawn(live, Size(80, 24))
    assert lines[-3:] == ["1 fault; the last: ada, \\u001b[31m[bold]x", STOPPING, KEYS]


def test_who_is_out_is_marked_in_its_row() -> None:
    live = LiveFrame(progress(out={"bo": "at fault in 7 of 12 games"}), some_ratings(), 200.0)
    lines = drawn(live, Size(80, 24))
    assert [line[:7] for line in lines[4:8]] == ["  1 ada", "out bo ", "  3 cy ", "  4 dee"]


def test_all_bots_can_be_seen_by_scrolling() -> None:
    size, ratings, seen = Size(80, 10), many_ratings(5), set[str]()
    view = LiveView()
    for key in ("", "down", "down", "page-down", "end"):
        view.press(key)
        lines = drawn(LiveFrame(progress(0), ratings, 200.0, view=view), size)
        rows = [line for line in lines if "a-bot-with" in line]
        seen |= {line.split()[0] for line in rows}
        position = f"{rows[0].split()[0]} to {rows[-1].split()[0]} of 5 bots"
        assert position in lines
    assert seen == set("12345")
    view.press("home")
    assert "1 to 2 of 5 bots" in drawn(LiveFrame(progress(0), ratings, 200.0, view=view), size)


def test_a_view_shows_one_table_after_the_other() -> None:
    by_table = {"large": many_ratings(3), "small": some_ratings()}
    for keys, name, number in (("t", "large", 1), ("tt", "small", 2), ("ttt", "large", 1)):
        live = LiveFrame(progress(), many_ratings(5), 200.0, view=pressed(*keys), by_table=by_table)
        title = drawn(live, Size(80, 24))[2]
        assert title.startswith(f"{name}  ")
        assert title.endswith(f"table {number} of 2; t shows the next")
    empty = LiveFrame(progress(), some_ratings(), 200.0, view=pressed("t"))
    assert "No block is finished yet." in drawn(empty, Size(80, 24))


def test_the_latest_results_are_below_the_standings_and_in_a_view() -> None:
    line = "b0/0  1 ada 29  2 bo 28  3 cy 27  31 turns, small"
    below = drawn(
        LiveFrame(progress(), some_ratings(), 200.0, results=some_results(30)), Size(80, 24)
    )
    assert below[12] == line
    view = pressed("r")
    own = LiveFrame(progress(), some_ratings(), 200.0, results=some_results(30), view=view)
    lines = drawn(own, Size(80, 24))
    assert lines[2:4] == ["Latest results", line]
    assert "1 to 18 of 30 games" in lines
    view.press("page-down")
    assert "13 to 30 of 30 games" in drawn(own, Size(80, 24))


def test_a_result_names_faults_disqualifications_and_what_made_a_game_void() -> None:
    seats = (
        SeatReport("ada", "ada", 1, 30, 2, None),
        SeatReport("bo", "bo", 2, 0, 1, "crash"),
    )
    reports = [
        GameReport(0, "g", seats, (), "turns", 31, 200, 1.0, None),
        GameReport(1, "g", (), (), "", 0, 0, 0.1, None, f"a bug {HOSTILE_NAME}"),
    ]
    live = LiveFrame(
        progress(), some_ratings(), 200.0, view=pressed("r"),
        results=[Result("small", "b0", report) for report in reports],
    )  # fmt: skip
    assert drawn(live, Size(80, 24))[3:5] == [
        "b0/0  1 ada 30  2 faults  2 bo 0  out: crash  31 turns, small",
        "b0/1  void: a bug \\u001b[31m[bold]x",
    ]


def test_a_worker_without_a_game_is_idle() -> None:
    idle = progress(0, statuses=[WorkerStatus("worker 1", None)])
    for key in "sg":
        live = LiveFrame(idle, some_ratings(), 200.0, view=pressed(key), records=Path("t/records"))
        lines = drawn(live, Size(80, 24))
        assert "worker 1  idle" in lines
        assert not any("referee replay" in line for line in lines)


def test_tab_goes_through_the_views_and_q_says_how_to_stop() -> None:
    assert [pressed(*["tab"] * times).view for times in range(5)] == [
        "standings", "tables", "results", "games", "standings",
    ]  # fmt: skip
    live = LiveFrame(progress(), some_ratings(), 200.0, view=pressed("q"))
    assert drawn(live, Size(80, 24))[-1] == STOP_HINT


@pytest.mark.parametrize(
    ("llr", "verdict", "label"),
    [(0.0, None, "LLR +0.00"), (-3.0, "fail", "failed"), (9.0, "pass", "passed")],
)
def test_a_sequential_test_is_drawn_between_its_bounds(
    llr: float, verdict: str | None, label: str
) -> None:
    state = SprtState(8, 0.5, 12.0, llr, -2.94, 2.94, verdict)  # type: ignore[arg-type]
    text = sprt_text(state, 80).plain
    assert label in text
    assert text.count("●") == 1
    assert len(text) <= 80


# --- A run


class FakeClock:
    """A clock that only a test moves forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.1  # the time of a computation
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.read(write_store(tmp_path / "t", blocks_with_faults())) as opened:
        yield opened


def test_ratings_pause_fifty_times_as_long_as_they_took(store: Store) -> None:
    clock = FakeClock()
    standings = LiveRatings(store, "abcd", RatingOptions(), clock)
    first = standings.latest()
    clock.now += 4.7
    assert standings.latest() is first
    clock.now += 0.3
    assert standings.latest() is not first


def test_an_anchor_that_has_not_played_yet_is_ignored(tmp_path: Path) -> None:
    with Store.read(write_store(tmp_path / "t", [])) as empty:
        assert LiveRatings(empty, "abcd", RatingOptions(anchor="a")).final().anchor is None


class Shown:
    """A live screen on a terminal of its own, and what is printed beside it."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.terminal, self._slave = pty.openpty()
        console = Output(file=io.StringIO(), width=80, height=24)
        standings = LiveRatings(store, "abcd", RatingOptions())
        self.display = LiveRunDisplay(
            standings, console, terminal=RawTerminal(self._slave, self._slave)
        )
        assert isinstance(console.file, io.StringIO)
        self.printed = console.file.getvalue
        planned = plan_tournament(folder / "new", TournamentRequest(bots=("random", "random")))
        self.display.opened(RunOverview(folder / "t", planned, "2 workers"))

    def close(self) -> None:
        self.display.closed()
        os.close(self.terminal)
        os.close(self._slave)


@pytest.fixture
def shown(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shown]:
    monkeypatch.setenv("TERM", "xterm")
    made = Shown(store, tmp_path)
    yield made
    made.close()


LOST = Lost(block(7, game("ab", (1, 2))).block, "a worker ended with signal 9\nits stderr")


def test_a_lost_block_is_printed_after_the_screen(shown: Shown) -> None:
    shown.display.progressed(progress())
    shown.display.lost(LOST)
    before = shown.printed()
    shown.display.closed()
    shown.display.closed()  # it is closed once
    assert shown.printed() == (
        f"{before}block {LOST.block.id} is played again: a worker ended with signal 9\n"
    )
    screen = read_all(shown.terminal)
    assert "8 of 20 blocks" in screen
    assert screen.endswith(LEAVE)


def test_a_frame_is_drawn_at_a_key_or_after_a_pause(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "FRAME_EVERY_S", 3600.0)
    shown.display.progressed(progress())
    assert "8 of 20 blocks" in read_all(shown.terminal)
    shown.display.progressed(progress(done=9))
    assert read_all(shown.terminal) == ""
    os.write(shown.terminal, b"t")
    shown.display.progressed(progress(done=10))
    screen = read_all(shown.terminal)
    assert "10 of 20 blocks" in screen
    assert blocks_with_faults()[0].block.table in screen  # the ratings of this table


def test_the_screen_shows_finished_games_and_the_last_fault(shown: Shown) -> None:
    first, *_ = blocks_with_faults()
    shown.display.finished(first)
    os.write(shown.terminal, b"r")
    shown.display.disqualified("a", "too many faults")
    shown.display.dropped(["b1"])
    shown.display.progressed(progress(faults=2))
    screen = read_all(shown.terminal)
    assert f"{first.block.id}/{first.games[0].number}" in screen
    assert "2 faults; the last: c, said " in screen
    assert "(malformed)" in screen


# --- A run without a screen


def test_a_run_prints_what_happens_a_line_each(store: Store) -> None:
    console = Output(file=io.StringIO(), width=80, height=24)
    show = PlainRunDisplay(LiveRatings(store, "abcd", RatingOptions()), console)
    show.lost(LOST)
    show.dropped(["b1", "b2"])
    show.disqualified("a", "too many faults")
    for _ in range(2):
        show.progressed(progress(new_games=0, stopping=True))  # it is printed once
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().splitlines() == [
        f"block {LOST.block.id} is played again: a worker ended with signal 9",
        "not counted, because not in the new schedule: 2 blocks",
        "a is disqualified: too many faults",
        STOPPING,
    ]


def test_a_run_prints_an_object_for_what_happens(capsys: pytest.CaptureFixture[str]) -> None:
    show = JsonRunDisplay()
    show.lost(LOST)
    show.dropped(["b1", "b2"])
    show.disqualified("a", "too many faults")
    for _ in range(2):
        show.progressed(progress(stopping=True))
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"event": "lost", "block": LOST.block.id, "message": LOST.message},
        {"event": "dropped", "blocks": ["b1", "b2"]},
        {"event": "disqualified", "bot": "a", "why": "too many faults"},
        {"event": "stopping"},
    ]


SLOW = trouble("sleeps").replace("sleeps=", "plain=")  # so that the screen shows each of its games


def running(tmp_path: Path, bot: str = PLAIN) -> PseudoTerminal:
    words = [bot, bot, "--blocks", "2000", "--max-turns", "4", "--workers", "1"]
    words += ["--sandbox", "limits", "--out", str(tmp_path / "t")]
    return PseudoTerminal(["tournament", *words])


def test_keys_and_ctrl_c_in_a_real_run(tmp_path: Path) -> None:
    with running(tmp_path, SLOW) as terminal:
        terminal.see("Ctrl-C stop", "worker 1")
        terminal.press("g")
        screen = terminal.see("Running games", "referee replay ", "0.jsonl")
        (record,) = re.findall(r"(b-\w+/\d)\.jsonl$", screen, re.MULTILINE)
        terminal.press("r")
        terminal.see("1 plain", "turns, ")
        terminal.resize(60, 20)
        terminal.see("Latest results", "Ctrl-C stop")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.leave() == 130
        assert "referee tournament --resume" in terminal.written.rpartition(LEAVE)[2]
        assert terminal.settings == terminal.before
    assert (tmp_path / "t" / "records" / f"{record}.jsonl.gz").exists()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGHUP, 129), (signal.SIGTERM, 130)])
def test_the_terminal_is_restored_after_a_signal(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    with running(tmp_path) as terminal:
        terminal.see("Ctrl-C stop")
        assert terminal.settings != terminal.before
        terminal.process.send_signal(number)
        assert terminal.leave() == status
        assert terminal.settings == terminal.before
        assert terminal.modes == {1049: False, 25: True, 7: True}


def test_a_run_in_the_background_prints_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "can_be_watched", lambda: True)
    monkeypatch.setattr(run, "can_be_taken", lambda: False)
    assert not run.is_live()


def summary(ending: str, **more: object) -> Summary:
    fields = {"blocks": 8, "games": 24, "faults": 0, "new_games": 24, "seconds": 65.0, "out": {}}
    return Summary(ending, some_ratings(), **{**fields, **more})  # type: ignore[arg-type]


@pytest.fixture
def final_text(tmp_path: Path) -> Callable[[Summary], str]:
    """Prints the summary of a run in a folder whose name has a space."""
    planned = plan_tournament(tmp_path / "new", TournamentRequest(bots=("random", "random")))
    overview = RunOverview(Path("my league"), planned, "2 workers")

    def print_summary(made: Summary) -> str:
        return "\n".join(printed(part, 200) for part in final_lines(overview, made, 200))

    return print_summary


def test_a_stopped_run_prints_how_to_continue(final_text: Callable[[Summary], str]) -> None:
    text = final_text(summary("stopped"))
    assert "Stopped before all blocks were finished: 24 games in 1:05" in text
    assert "referee tournament --resume 'my league'  # continue it" in text


def test_a_finished_run_prints_its_folder_and_the_next_commands(
    final_text: Callable[[Summary], str],
) -> None:
    text = final_text(
        summary("done", new_games=4, faults=2, out={"bo": "at fault in 2 of 2 games"})
    )
    assert "All blocks are finished: 24 games, 4 of them new, in 1:05" in text
    assert "2 faults: referee faults 'my league'" in text
    assert "bo is disqualified: at fault in 2 of 2 games" in text
    assert "referee report 'my league' --out site" in text
    assert "referee tournament --close 'my league'" in text


def test_a_decided_test_prints_its_secret_and_no_way_to_continue(
    final_text: Callable[[Summary], str],
) -> None:
    text = final_text(summary("tested", closing=Closing("2026-05-17T20:15:00+00:00", "5a" * 32)))
    assert f"It is closed now. Its secret: {'5a' * 32}" in text
    assert "--resume" not in text
    assert "--close" not in text


def test_one_is_singular() -> None:
    one = progress(done=1, games=1, new_games=0)
    assert describe_progress(one, 200.0).startswith("1 of 20 blocks · 1 game · ")
    one.outline = Outline(1, 1, 3)
    assert describe_progress(one, 200.0).startswith("1 of 1 block · 1 game")
    one.outline = Outline(1, None, None)
    assert describe_progress(one, 200.0).startswith("1 block · 1 game")
    assert next(seat_lines([SeatEffect("small", 0, 1.0, None, None, 1)])).plain.endswith("  1 game")


def test_a_seat_without_an_effect_is_not_minus_zero() -> None:
    _, figures = seat_lines([SeatEffect("small", 0, -0.3, -8.0, 8.0, 24)])
    assert figures.plain == "● 0 +0 ±8"


def test_durations_have_hours_only_if_needed() -> None:
    assert [duration(seconds) for seconds in (0.4, 65, 3600 + 125)] == ["0:00", "1:05", "1:02:05"]
