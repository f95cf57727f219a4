"""A bot that makes the choices it is given beforehand, and keeps every line of the talk in a file."""

import json
import sys

name, log, *wanted = sys.argv[1:]
wishes = [json.loads(wish) for wish in wanted]

with open(log, "w", encoding="utf-8") as talk:  # noqa: PTH123  a bot, and quick to start

    def say(text: str) -> None:
        """Write a line, and what it was."""
        print("←", text, file=talk)
        print(text, flush=True)  # noqa: T201  the referee reads it

    say(f'{{"type":"hello","name":"{name}","state":"none"}}')
    for line in sys.stdin:
        print("→", line.strip(), file=talk)
        message = json.loads(line)
        if message["type"] == "start":
            say('{"type":"ready"}')
        elif message["type"] == "decide":
            wish = wishes.pop(0)
            (index,) = [
                index
                for index, choice in enumerate(message["choices"])
                if all(choice.get(key) == value for key, value in wish.items())
            ]
            say(f'{{"type":"choose","id":{message["id"]},"choice":{index}}}')
