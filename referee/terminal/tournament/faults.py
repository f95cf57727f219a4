"""What `referee faults` shows: counts by bot, and each fault with the request and the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rich.text import Text

from referee.terminal import Output
from referee.text import plural, shell_word, visible, visible_lines
from referee.tournament.faults import FaultCase, bot_text

_LONGEST: Final = 300  # characters of an answer
_INDENT: Final = " " * 10


def show_faults(
    tally: Mapping[str, Counter[str]],
    cases: Iterable[FaultCase],
    hidden: int,
    out: Output | None = None,
) -> None:
    """Print the counts, then each fault as soon as its record is read."""
    out = out or Output(highlight=False)
    out.print()
    for line in _counts(tally):
        out.print(line, soft_wrap=True)
    for number, case in enumerate(cases, start=1):
        out.print()
        for line in case_lines(number, case):
            out.print(line, soft_wrap=True)
    if hidden:
        out.print()
        out.print(Text(f"and {hidden:,} more; --all shows all of them", style="dim"))
    out.print()


def _counts(tally: Mapping[str, Counter[str]]) -> Iterator[Text]:
    total = sum(counts.total() for counts in tally.values())
    yield Text(plural(total, "fault") if total else "No bot committed a fault.", style="bold")
    for bot, counts in sorted(tally.items(), key=lambda item: (-item[1].total(), item[0])):
        kinds = ", ".join(f"{fault} {count:,}" for fault, count in counts.most_common())
        yield Text(visible(f"  {bot or 'in void games'}: {counts.total():,} ({kinds})"))


def case_lines(number: int, case: FaultCase) -> Iterator[Text]:
    """Yield the lines of one fault: bot, game, mistake, request and answer, and the command to watch it."""
    fault = case.fault
    moment = "at the start" if fault.fault == "start" else f"decision {fault.decision}"
    who = f"{fault.bot or 'a bot'}, seat {fault.seat}, {moment}"
    yield Text.assemble((f"{number}. ", "dim"), (visible(who), "bold"))
    yield _line("game", f"{fault.game}, game {fault.number} of block {fault.block}")
    outcome = "disqualified" if fault.disqualified else f"strike {fault.strikes}"
    yield _line("fault", f"{fault.message} ({fault.fault}): {outcome}", "red")
    if case.asked is not None:
        yield _line("asked", f"{case.asked.decision}, {plural(case.asked.choices, 'choice')}")
    yield _line("answer", _shortened(bot_text(fault.data)) or "nothing")
    yield from _stderr(bot_text(fault.stderr))
    if case.stderr_file is not None:
        yield _line("file", f"{case.stderr_file}, all that its process wrote to stderr")
    if case.record is not None:
        turn = "" if case.turn is None else f" --turn {case.turn}"
        yield _line("watch", f"referee replay {shell_word(case.record)}{turn}")


def _line(label: str, text: str, style: str = "") -> Text:
    return Text.assemble((f"   {label}".ljust(len(_INDENT)), "dim"), (visible(text), style))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"


def _stderr(text: str) -> Iterator[Text]:
    """Yield the lines that the bot wrote to stderr."""
    for place, line in enumerate(visible_lines(text)):
        yield _line("stderr" if place == 0 else "", _shortened(line.expandtabs()))
