"""How much CPU time your own bot needs for a decision, over whole games of four copies of it."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from protocol.messages import Detail, Encoding
from referee import atlas
from referee.adjudication.clock import NO_CLOCK
from referee.bench import match
from referee.bench.common import heading, one_core
from referee.bots.build import build_bot
from referee.bots.find import Bot, find_bot, is_bot_folder
from referee.bots.parameters import OPTION
from referee.encoder import Formats
from referee.engine.ruleset import make_ruleset
from referee.errors import BenchRefused
from referee.match.players import BotPlayer


@dataclass(frozen=True)
class OwnCost:
    """Microseconds per decision of the bot; medians of games."""

    bot: str
    detail: Detail
    encoding: Encoding
    own: float  # CPU time of the bot itself
    total: float  # with the referee's part, and the pipes between them


def bot_with_words(word: str) -> Bot:
    """Return the bot that a word names; a bot's folder may be followed by arguments of its command."""
    folder, *more = shlex.split(word) or [""]
    if not more or more[0] == OPTION or not is_bot_folder(Path(folder)):
        return find_bot(word)
    bot = find_bot(folder)
    return replace(bot, name=" ".join([bot.name, *more]), command=(*bot.command, *more))


def measure_bot(bot: Bot, folder: Path) -> OwnCost:
    """Play whole games with this bot in every seat, after one game to warm up."""
    build_bot(bot)
    board = atlas.load_board(match.BOARD)
    rules = make_ruleset(atlas.load_components(), board, match.SEATS, max_turns=match.MAX_TURNS)
    with one_core(), ExitStack() as seated:
        players = [BotPlayer(bot, folder / f"stderr-{seat}.txt") for seat in range(match.SEATS)]
        for player in players:
            seated.callback(player.close)
            _greet(player)
        formats = Formats(board)
        rounds = [
            match.play_round(formats, rules, players, folder, seed)
            for seed in range(match.ROUNDS + 1)
        ][1:]
        encoding, detail, _ = players[0].message_format
    return OwnCost(
        bot=bot.name,
        detail=detail,
        encoding=encoding,
        own=median(times.bot for times in rounds),
        total=median(times.total for times in rounds),
    )


def _greet(player: BotPlayer) -> None:
    fault = player.open(NO_CLOCK)
    if fault is not None:
        raise BenchRefused(f"bot {player.name} {fault.message}")


def to_dict(costs: list[OwnCost]) -> dict[str, object]:
    """Every figure, for JSON."""
    return {
        **heading("match"),
        "us_per_decision": [
            {**asdict(cost), "own": round(cost.own, 2), "total": round(cost.total, 2)}
            for cost in costs
        ],
    }
