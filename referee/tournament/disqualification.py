"""Which bots are disqualified from a tournament: judged in the order of the plan.

With several workers, blocks finish in an order that depends on the speed of the machine. Bots are
judged as if the blocks had finished one after the other, so that neither the number of workers nor
an interruption changes who is disqualified, and after which block.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.text import plural
from referee.tournament.definition import RunOptions
from referee.tournament.results import Block, BlockResult


class FaultCounts:
    """Counts each bot's games, and the games in which it was at fault."""

    def __init__(self) -> None:
        self._games: Counter[str] = Counter()
        self._faulted: Counter[str] = Counter()

    def note(self, result: BlockResult) -> None:
        """Count the games of a block."""
        for game in result.games:
            self._games.update(set(game.bots))
            self._faulted.update(
                {bot for bot, faults in zip(game.bots, game.faults, strict=True) if faults}
            )

    def verdict(self, bot: str, options: RunOptions) -> str | None:
        """Return the reason to disqualify the bot; None if there is none."""
        games, faulted = self._games[bot], self._faulted[bot]
        if not faulted or games < options.out_after or faulted / games < options.out_at:
            return None
        return f"at fault in {faulted:,} of {plural(games, 'game')}"


@dataclass
class Judge:
    """Judges bots block by block, in the order of the plan.

    A block that finishes before an earlier block of the plan is *ahead*: it counts when the earlier
    ones are finished. If a bot is disqualified first, the rest of the plan changes, and blocks that
    are ahead may not be a part of it any more.
    """

    options: RunOptions
    out: dict[str, str]  # the disqualified bots, and why
    ahead: dict[str, BlockResult] = field(default_factory=dict)
    _counts: FaultCounts = field(default_factory=FaultCounts)
    _waiting: deque[str] = field(default_factory=deque)  # scheduled blocks, the next one first

    def begin(self, results: Iterable[BlockResult], ahead: Iterable[str]) -> None:
        """Start with the blocks that are finished already; `ahead` are the ids of those to judge later."""
        ids = frozenset(ahead)
        self.ahead, self._counts = {}, FaultCounts()
        self._waiting.clear()
        for result in results:
            if result.block.id in ids:
                self.ahead[result.block.id] = result
            else:
                self._counts.note(result)

    def verdicts(self, bots: Iterable[str]) -> dict[str, str]:
        """Return those of the bots that must be disqualified now, and why."""
        reasons = {
            bot: self._counts.verdict(bot, self.options)
            for bot in sorted(set(bots) - set(self.out))
        }
        return {bot: why for bot, why in reasons.items() if why is not None}

    def scheduled(self, block: Block) -> dict[str, str]:
        """Note the next block of the plan that is not judged yet; return who is disqualified."""
        self._waiting.append(block.id)
        return self._advance()

    def finished(self, result: BlockResult) -> dict[str, str]:
        """Note a block that was finished; return who is disqualified."""
        self.ahead[result.block.id] = result
        return self._advance()

    def _advance(self) -> dict[str, str]:
        """Judge the next blocks of the plan; stop at the first one that disqualifies a bot."""
        while self._waiting and self._waiting[0] in self.ahead:
            result = self.ahead.pop(self._waiting.popleft())
            self._counts.note(result)
            if found := self.verdicts(result.block.bots):
                return found
        return {}
