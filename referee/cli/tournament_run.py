"""One run of a tournament, shown in the terminal: for `referee tournament` and `referee compare`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from referee import terminal
from referee.cli.serving import announce
from referee.cli.tournament_options import Given
from referee.errors import RefereeError
from referee.terminal import guarded
from referee.terminal.tournament.run import (
    JsonRunDisplay,
    LiveRunDisplay,
    PlainRunDisplay,
    QuietRunDisplay,
    RunDisplay,
    is_live,
    show_final_lines,
)
from referee.text import shell_word
from referee.tournament.coordinator import RunListener
from referee.tournament.live_ratings import LiveRatings, RatingOptions
from referee.tournament.opening import OpenTournament, changed_bots
from referee.tournament.run import RunResult, run_tournament
from referee.tournament.summary import RunOverview, Summary, make_summary
from referee.web.live.process import DEFAULT_HOST, ServerSettings, server_process


class TournamentRun:
    """One run of an open tournament, shown in the terminal."""

    def __init__(
        self,
        opened: OpenTournament,
        given: Given,
        *,
        is_demonstration: bool = False,
        is_comparison: bool = False,
    ) -> None:
        self._opened = opened
        self._given = given
        self._is_demonstration = is_demonstration
        self._is_comparison = is_comparison
        request = opened.planned.request
        options = RatingOptions(request.points, request.anchor)
        self._ratings = LiveRatings(opened.store, opened.names, options)
        self._display = _make_display(given, self._ratings)
        self._overview: RunOverview

    def play(self) -> Summary:
        """Play the blocks, and show the result."""
        with self._server():
            began = time.monotonic()
            finished = self._run()
            summary = self._summary(finished, time.monotonic() - began)
        guarded(self._display.ended)(self._overview, summary)
        self._note_changes(is_closed=summary.closing is not None)
        if self._given.serves:
            folder = shell_word(self._opened.store.folder)
            terminal.note(f"To see it in the browser again: referee serve {folder} --browser")
        return summary

    @contextmanager
    def _server(self) -> Iterator[None]:
        """Show the run in the browser, if that was asked for."""
        given = self._given
        if not given.serves:
            yield
            return
        settings = ServerSettings(
            tournament=str(self._opened.store.folder.resolve()),
            points=given.points,
            anchor=given.anchor,
            delay=given.delay,
            allowed_hosts=given.allowed_hosts,
        )
        with server_process(settings, *(given.place or (DEFAULT_HOST, 0))) as address:
            announce(address, opens=given.browser)
            yield

    def _run(self) -> RunResult:
        display, given = self._display, self._given
        listener = RunListener(
            guarded(display.progressed),
            lambda _, played: guarded(display.finished)(played),
            guarded(display.lost),
            guarded(display.disqualified),
            guarded(display.dropped),
        )
        try:
            return run_tournament(
                self._opened,
                listener,
                cluster=given.cluster,
                records=self._opened.planned.request.records is not False,
                started=self._started,
            )
        except RefereeError:
            display.closed()
            terminal.note(f"To continue it: {self._resume()}")
            raise
        finally:
            display.closed()

    def _started(self, overview: RunOverview) -> None:
        self._overview = replace(
            overview,
            is_demonstration=self._is_demonstration,
            is_comparison=self._is_comparison,
        )
        guarded(self._display.opened)(self._overview)

    def _summary(self, finished: RunResult, seconds: float) -> Summary:
        return make_summary(
            self._opened.store,
            self._ratings.final(),
            finished.ending,
            finished.verdict,
            finished.lack,
            games_before=self._overview.games_before,
            seconds=seconds,
        )

    def _resume(self) -> str:
        """Return how to continue the tournament."""
        if self._is_comparison:
            return "run the same command again"
        return f"referee tournament --resume {shell_word(self._opened.store.folder)}"

    def _note_changes(self, *, is_closed: bool) -> None:
        """Warn about bots whose files changed during the run: their games may mix two versions."""
        advice = f"To play its blocks again: {self._resume()} --replay-changed"
        if is_closed or self._is_comparison:
            advice = "To be sure of the result, begin again."
        for name in changed_bots(self._opened):
            terminal.note(
                f"The files of bot {name} changed during the run, so some games may have used the old"
                f" version and some the new one. {advice}"
            )


def show_result(given: Given, overview: RunOverview, summary: Summary) -> None:
    """Show the result of an earlier run in the way that the options ask for."""
    if given.as_json:
        show = JsonRunDisplay().ended
    elif given.quiet:
        show = QuietRunDisplay().ended
    else:
        show = show_final_lines
    guarded(show)(overview, summary)


def _make_display(given: Given, ratings: LiveRatings) -> RunDisplay:
    if given.as_json:
        return JsonRunDisplay()
    if given.quiet:
        return QuietRunDisplay()
    if is_live():
        return LiveRunDisplay(ratings)
    return PlainRunDisplay(ratings)
