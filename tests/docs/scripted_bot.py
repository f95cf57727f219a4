"""A bot that makes the choices of its arguments, and writes all messages to a file."""

import json
import sys

name, log, *wanted = sys.argv[1:]
script = [json.loads(choice) for choice in wanted]

with open(log, "w", encoding="utf-8") as talk:  # noqa: PTH123  importing pathlib takes longer

    def say(text: str) -> None:
        """Send a line, and write it to the file."""
        print("←", text, file=talk)
        print(text, flush=True)  # noqa: T201  the referee reads it

    say(f'{{"type":"hello","name":"{name}","state":"none"}}')
    for line in sys.stdin:
        print("→", line.strip(), file=talk)
        message = json.loads(line)
        if message["type"] == "start":
            say('{"type":"ready"}')
        elif message["type"] == "decide":
            fields = script.pop(0)
            (index,) = [
                index
                for index, choice in enumerate(message["choices"])
                if all(choice.get(key) == value for key, value in fields.items())
            ]
            say(f'{{"type":"choose","id":{message["id"]},"choice":{index}}}')
