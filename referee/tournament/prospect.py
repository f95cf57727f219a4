"""What a run would play, found out before anything is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import msgspec

from referee.bots.find import Bot, tell_apart
from referee.random_play import draw_seed
from referee.tournament.definition import SETTLED, Charter, Programme, TournamentRefused, plan_of
from referee.tournament.opening import CHARTER, Find, charter_in, find_elsewhere, lasting
from referee.tournament.request import Wishes, charter_of, merge, programme_of
from referee.tournament.run import PROGRAMME
from referee.tournament.schedule import Outline, Plan, describe
from referee.tournament.store.store import Store, StoredBot, exists


@dataclass(frozen=True)
class Prospect:
    """A run that can be planned; `wishes` are such that entering by them leads to it."""

    wishes: Wishes
    charter: Charter
    programme: Programme
    names: list[str]
    plan: Plan
    outline: Outline


def prospect(folder: Path, wishes: Wishes, find: Find = find_elsewhere) -> Prospect:
    """What would be played, or why it cannot be."""
    if exists(folder):
        with Store.read(folder) as store:
            if store.get(CHARTER) is not None:  # else it was killed before it began
                return _of_earlier(store, wishes, find)
    names = [bot.name for bot in tell_apart(map(find, wishes.bots or ()))]
    if len(names) < 2:
        raise TournamentRefused(f"a tournament needs two bots or more, and {len(names)} came")
    seed = draw_seed() if wishes.seed is None else wishes.seed
    return _planned(
        msgspec.structs.replace(wishes, seed=seed), charter_of(wishes, len(names), seed), names
    )


def _of_earlier(store: Store, wishes: Wishes, find: Find) -> Prospect:
    entered = store.bots()
    new = Counter(map(lasting, wishes.bots or ())) - Counter(bot.word for bot in entered)
    bots = tell_apart([*map(_stand_in, entered), *map(find, new.elements())])
    return _planned(as_before(store, wishes), charter_in(store), [bot.name for bot in bots])


def _stand_in(bot: StoredBot) -> Bot:
    """One that takes its name; it may lie elsewhere by now."""
    return Bot(bot.name.partition("#")[0], (bot.word,), Path(bot.folder), bot.content)


def _planned(wishes: Wishes, charter: Charter, names: list[str]) -> Prospect:
    programme = programme_of(wishes, names)
    plan = plan_of(charter, programme, names)
    return Prospect(wishes, charter, programme, names, plan, describe(plan))


def as_before(store: Store, wishes: Wishes) -> Wishes:
    """What is not said is as in the run before, unless it was of another format."""
    words = store.get(PROGRAMME)
    if words is None:
        return wishes
    before = wishes_of(msgspec.convert(words, Programme))
    is_other = wishes.format not in (None, before.format)
    return wishes if is_other else merge(wishes, before)


def wishes_of(programme: Programme) -> Wishes:
    """The wishes that lead to a programme."""
    test = programme.sprt
    return Wishes(
        format=programme.format,
        blocks=SETTLED if programme.blocks is None else programme.blocks,
        rounds=programme.rounds,
        hero=programme.hero,
        permutations="all" if programme.all_orders else "rotations",
        sprt=None if test is None else (test.low, test.high),
        alpha=None if test is None else test.alpha,
        beta=None if test is None else test.beta,
        disqualify_at=programme.out_at,
        disqualify_after=programme.out_after,
    )
