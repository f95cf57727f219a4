"""The rounds of a Swiss tournament: who met whom with which result, and who sat out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.tournament.results import BlockResult
from referee.tournament.schedule.swiss import SwissRound, rounds_of
from referee.web.site.html import Child, Html, intro, joined, number, section, table, tag
from referee.web.site.paths import Links
from referee.web.site.snapshot import Snapshot
from referee.web.site.statistics import by_seat, summed


def swiss_rounds(snapshot: Snapshot, links: Links) -> Iterator[Html]:
    """The section about the rounds; nothing in other formats."""
    if snapshot.options is None or snapshot.options.format != "swiss":
        return
    playing = [
        bot.name for bot in snapshot.bots if not bot.out and bot.name not in snapshot.retired
    ]
    rounds = rounds_of(snapshot.results, playing, is_over=not snapshot.may_continue)
    rows = [_round(snapshot.results, one, links) for one in rounds]
    text = (
        "The bots of each table, with their mean rank in this round, best first. A bot for which"
        " there is no seat sits out the round."
    )
    made = table(["round", "tables", "sat out"], rows, "rounds")
    yield section("rounds", "Rounds", intro(text), made)


def _round(results: Sequence[BlockResult], one: SwissRound, links: Links) -> list[Child]:
    own = [result for result in results if result.block.stage == one.number]
    pods = (tag("li", _pod(own, pod, links)) for pod in one.pods)
    byes = joined(_separated([links.bot(bot) for bot in one.byes])) if one.byes else "–"
    return [
        f"Round {1 + one.number}",
        tag("td", tag("ul", *pods), class_="text"),
        tag("td", byes, class_="text"),
    ]


def _pod(results: Sequence[BlockResult], pod: tuple[str, ...], links: Links) -> Html:
    sums = by_seat([result for result in results if tuple(sorted(result.block.bots)) == pod])
    ranks = {bot: sum_.ranks / sum_.games for bot in pod if (sum_ := summed(sums, bot=bot)).games}
    order = sorted(pod, key=lambda bot: ranks.get(bot, len(pod)))
    return joined(_separated([_ranked(bot, ranks.get(bot), links) for bot in order]))


def _ranked(bot: str, rank: float | None, links: Links) -> Html:
    return joined([links.bot(bot), " ", tag("small", number(rank, 2))])


def _separated(parts: Sequence[Html]) -> Iterator[Child]:
    for at, part in enumerate(parts):
        yield from ([", ", part] if at else [part])
