"""Pods: bots of like standing who have not met, as far as that can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import TypeAlias

Pod: TypeAlias = list[str]


class Meetings:
    """How often two bots sat in one block."""

    def __init__(self, blocks: Iterable[Sequence[str]]) -> None:
        self._count = Counter(
            pair for bots in blocks for pair in combinations(sorted(set(bots)), 2)
        )

    def of(self, bot: str, others: Iterable[str]) -> int:
        """How often a bot met these others."""
        return sum(self._count[min(bot, other), max(bot, other)] for other in others)

    def within(self, pod: Sequence[str]) -> int:
        """How often those of a pod have met."""
        return sum(self.of(one, [other]) for one, other in combinations(pod, 2))


def pods_of(ranked: Sequence[str], seats: int, met: Meetings) -> list[tuple[str, ...]]:
    """Pods from the top: the best one left, and those who met the pod least, the best first.

    The last pods have little to choose from. So bots change places with others, as long as that
    saves a meeting: no exchange of two bots is left that would.
    """
    left, pods = list(ranked), []
    while left:
        pod = [left.pop(0)]
        while len(pod) < seats:
            pod.append(left.pop(_least_met(left, pod, met)))
        pods.append(pod)
    while any(_exchanged(one, other, met) for one, other in _tangled(pods, met)):
        pass
    return [tuple(sorted(pod)) for pod in pods]


def _least_met(left: Sequence[str], pod: Sequence[str], met: Meetings) -> int:
    return min(range(len(left)), key=lambda index: met.of(left[index], pod))


def _tangled(pods: Sequence[Pod], met: Meetings) -> Iterator[tuple[Pod, Pod]]:
    """Every pod in which bots meet again, with all others, the nearest in standing first."""
    for place, pod in enumerate(pods):
        if met.within(pod):
            near = sorted((abs(other - place), other) for other in range(len(pods)))
            yield from ((pod, pods[other]) for _, other in near[1:])


def _exchanged(one: Pod, other: Pod, met: Meetings) -> bool:
    """Exchange two bots of these pods, if that saves a meeting."""
    before = met.within(one) + met.within(other)
    for here, there in product(range(len(one)), range(len(other))):
        one[here], other[there] = other[there], one[here]
        if met.within(one) + met.within(other) < before:
            return True
        one[here], other[there] = other[there], one[here]
    return False
