"""Tests of the bot, with messages that were recorded in a real game."""

import json
import unittest
from pathlib import Path

from bot import MyBot

from protocol import Game, Request

RECORDED = Path(__file__).with_name("messages.jsonl").read_text("utf-8").splitlines()
MESSAGES = [json.loads(line) for line in RECORDED]


def play() -> list[tuple[Request, int]]:
    """Every recorded request, with the index of the choice that the bot makes."""
    bot, answers = MyBot(), []
    for message in MESSAGES:
        if message["type"] == "start":
            bot.game = Game(message)
            bot.seat = bot.game.seat
            bot.start(bot.game)
        elif message["type"] == "decide":
            request = Request(message)
            answers.append((request, request.index(bot.decide(request))))
    return answers


class TestMyBot(unittest.TestCase):
    def test_every_choice_is_legal(self) -> None:
        for request, index in play():
            self.assertIn(index, range(len(request.choices)))

    def test_the_same_game_is_played_the_same_way_again(self) -> None:
        first, again = ([index for _, index in play()] for _ in range(2))
        self.assertTrue(first)
        self.assertEqual(first, again)


if __name__ == "__main__":
    unittest.main()
