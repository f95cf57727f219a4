"""Runs the checks one after the other, and reports what they found."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from referee.adjudication.clock import ClockRules
from referee.bots.find import Bot
from referee.check.conversation import Subject
from referee.check.registry import Check
from referee.check.verdict import (
    HINTS,
    STATUSES,
    Cause,
    CheckFailed,
    Figures,
    Verdict,
    cause_of,
)
from referee.errors import BotRefused
from referee.version import __version__


@dataclass(frozen=True)
class Finding:
    """A check, its verdict, and the seconds it took."""

    check: Check
    verdict: Verdict
    seconds: float


@contextmanager
def trial(bot: Bot, clock: ClockRules) -> Iterator[Subject]:
    """Prepare a bot for checks, with a temporary folder for its stderr.

    Raise BotRefused for a human player.
    """
    if bot.is_human:
        raise BotRefused("a human player cannot be checked")
    with tempfile.TemporaryDirectory(prefix="referee-check-") as folder:
        yield Subject(bot, clock, Path(folder))


def run(subject: Subject, checks: Iterable[Check]) -> Iterator[Finding]:
    """Run the checks and yield each finding; a check is skipped if one that it needs has failed.

    A check that fails for the same reason as an earlier one only names that one.
    """
    failed: list[str] = []
    causes: dict[Cause, Check] = {}
    for check in checks:
        started = time.monotonic()
        verdict = _skip_verdict(check, failed) or _judge(subject, check, causes)
        if verdict.status == "failed":
            failed.append(check.name)
        yield Finding(check, verdict, time.monotonic() - started)


def _skip_verdict(check: Check, failed: list[str]) -> Verdict | None:
    missing = [name for name in check.needs if name in failed]
    return Verdict("skipped", f"needs {missing[0]}") if missing else None


def _judge(subject: Subject, check: Check, causes: dict[Cause, Check]) -> Verdict:
    """Return the verdict of one check; a bot that breaks the protocol or does not start fails."""
    subject.begin(check.name)
    try:
        verdict = check.run(subject)
    except CheckFailed as failure:
        return _failed(check, failure, causes)
    except BotRefused as refusal:
        return Verdict(
            "failed", str(refusal), hint="The bot's command must be a program that exists."
        )
    if verdict.status == "failed" and verdict.hint is None:
        return replace(verdict, hint=check.remedy)
    return verdict


def _failed(check: Check, failure: CheckFailed, causes: dict[Cause, Check]) -> Verdict:
    """Return the verdict on a failure: everything about a new cause, else the earlier check."""
    figures: Figures = {"fault": failure.fault} if failure.fault else {}
    sentence = f"{failure.where}: {failure}" if failure.where else str(failure)
    cause = cause_of(failure)
    earlier = causes.setdefault(cause, check)
    # Without a word on stderr, two mistakes in handling unusual input look the same.
    if earlier is not check and (cause.stderr or not earlier.is_unusual):
        return Verdict("failed", sentence, figures=figures, same_as=earlier.name)
    hint = failure.hint or check.remedy or HINTS.get(failure.fault)
    return Verdict(
        "failed", sentence, failure.sent, failure.received, failure.stderr, hint, figures
    )


def is_clean(findings: Iterable[Finding]) -> bool:
    return all(finding.verdict.status != "failed" for finding in findings)


def report(subject: Subject, findings: list[Finding]) -> Figures:
    """Return everything that the checks found, for `--json`."""
    statuses = [finding.verdict.status for finding in findings]
    return {
        "referee": __version__,
        "bot": subject.bot.name,
        "command": list(subject.bot.command),
        "ok": is_clean(findings),
        "counts": {status: statuses.count(status) for status in STATUSES},
        "limits": {"start_ms": subject.clock.start_ms, "move_ms": subject.clock.move_ms},
        "seconds": round(sum(finding.seconds for finding in findings), 3),
        "checks": [_finding_to_dict(finding) for finding in findings],
    }


def _finding_to_dict(finding: Finding) -> Figures:
    return {
        "name": finding.check.name,
        "claim": finding.check.claim,
        **asdict(finding.verdict),
        "seconds": round(finding.seconds, 3),
    }
