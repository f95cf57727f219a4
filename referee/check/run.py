"""The run: one check after the other, each in conversations of its own, and the report of all."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from referee import __version__
from referee.adjudication.clock import ClockRules
from referee.bots.find import Bot
from referee.check.conversation import Subject
from referee.check.registry import Check
from referee.check.verdict import HINTS, STATUSES, Failed, Figures, Verdict
from referee.errors import BotRefused


@dataclass(frozen=True)
class Finding:
    """A check, its verdict, and how long it took."""

    check: Check
    verdict: Verdict
    seconds: float


@contextmanager
def trial(bot: Bot, clock: ClockRules) -> Iterator[Subject]:
    """A bot on trial; what it writes to stderr is gone afterwards."""
    if bot.is_human:
        raise BotRefused("a person cannot be checked")
    with tempfile.TemporaryDirectory(prefix="referee-check-") as folder:
        yield Subject(bot, clock, Path(folder))


def run(subject: Subject, checks: Iterable[Check]) -> Iterator[Finding]:
    """The checks one after the other; those whose needs have failed are skipped."""
    failed: list[str] = []
    for check in checks:
        begun = time.monotonic()
        verdict = _skipped(check, failed) or _judge(subject, check)
        if verdict.status == "failed":
            failed.append(check.name)
        yield Finding(check, verdict, time.monotonic() - begun)


def _skipped(check: Check, failed: list[str]) -> Verdict | None:
    lacking = [name for name in check.needs if name in failed]
    return Verdict("skipped", f"needs {lacking[0]}") if lacking else None


def _judge(subject: Subject, check: Check) -> Verdict:
    """The verdict of one check; whatever the bot does, there is one."""
    subject.begin(check.name)
    try:
        verdict = check.find(subject)
    except Failed as failure:
        hint = failure.hint or check.mend or HINTS.get(failure.fault)
        return Verdict(
            "failed",
            str(failure),
            failure.sent,
            failure.received,
            failure.stderr,
            hint,
            {"fault": failure.fault} if failure.fault else {},
        )
    except BotRefused as refusal:
        return Verdict("failed", str(refusal), hint="The command of the bot must be a program.")
    if verdict.status == "failed" and verdict.hint is None:
        return replace(verdict, hint=check.mend)
    return verdict


def is_clean(findings: Iterable[Finding]) -> bool:
    """Whether no check has failed."""
    return all(finding.verdict.status != "failed" for finding in findings)


def report(subject: Subject, findings: list[Finding]) -> Figures:
    """All there is to say, as one object."""
    statuses = [finding.verdict.status for finding in findings]
    return {
        "referee": __version__,
        "bot": subject.bot.name,
        "command": list(subject.bot.command),
        "ok": is_clean(findings),
        "counts": {status: statuses.count(status) for status in STATUSES},
        "limits": {"start_ms": subject.clock.start_ms, "move_ms": subject.clock.move_ms},
        "seconds": round(sum(finding.seconds for finding in findings), 3),
        "checks": [_words(finding) for finding in findings],
    }


def _words(finding: Finding) -> Figures:
    return {
        "name": finding.check.name,
        "claim": finding.check.claim,
        **asdict(finding.verdict),
        "seconds": round(finding.seconds, 3),
    }
