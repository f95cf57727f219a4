"""Pods of a Swiss round: bots of similar standing that have not met, as far as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import TypeAlias

Pod: TypeAlias = list[str]


class Meetings:
    """Counts how often two bots were in the same block."""

    def __init__(self, blocks: Iterable[Sequence[str]]) -> None:
        self._count = Counter(
            pair for bots in blocks for pair in combinations(sorted(set(bots)), 2)
        )

    def between(self, bot: str, others: Iterable[str]) -> int:
        """Return how often a bot met these others."""
        return sum(self._count[min(bot, other), max(bot, other)] for other in others)

    def within(self, pod: Sequence[str]) -> int:
        """Return how often the bots of a pod have met each other."""
        return sum(self.between(bot, [other]) for bot, other in combinations(pod, 2))


def pods_of(ranked: Sequence[str], seats: int, met: Meetings) -> list[tuple[str, ...]]:
    """Return pods from ranked bots: the best bot left, and the best of those that met the pod least.

    The last pods have few bots to choose from. So two bots of different pods change places as long
    as that avoids a rematch.
    """
    left, pods = list(ranked), []
    while left:
        pod = [left.pop(0)]
        while len(pod) < seats:
            pod.append(left.pop(_least_met(left, pod, met)))
        pods.append(pod)
    while any(_exchange(pod, other, met) for pod, other in _with_rematches(pods, met)):
        pass
    return [tuple(sorted(pod)) for pod in pods]


def _least_met(left: Sequence[str], pod: Sequence[str], met: Meetings) -> int:
    return min(range(len(left)), key=lambda index: met.between(left[index], pod))


def _with_rematches(pods: Sequence[Pod], met: Meetings) -> Iterator[tuple[Pod, Pod]]:
    """Yield each pod with a rematch together with each other pod, the nearest in standing first."""
    for place, pod in enumerate(pods):
        if met.within(pod):
            near = sorted((abs(other - place), other) for other in range(len(pods)))
            yield from ((pod, pods[other]) for _, other in near[1:])


def _exchange(pod: Pod, other: Pod, met: Meetings) -> bool:
    """Exchange two bots of these pods if that avoids a rematch; return whether it did."""
    before = met.within(pod) + met.within(other)
    for here, there in product(range(len(pod)), range(len(other))):
        pod[here], other[there] = other[there], pod[here]
        if met.within(pod) + met.within(other) < before:
            return True
        pod[here], other[there] = other[there], pod[here]
    return False
