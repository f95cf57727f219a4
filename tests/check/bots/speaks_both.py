"""A bot that asks for MessagePack if it is offered, else for JSON; `broken` makes its JSON answers wrong."""

import json
import os
import sys

import msgpack


def answers(message):
    if message["type"] == "start":
        return {"type": "ready"}
    if message["type"] == "decide":
        return {"type": "choose", "id": message["id"], "choice": 0}
    return None


def main():
    offered = json.loads(sys.stdin.buffer.readline())["encodings"]
    packed = "msgpack" in offered
    hello = {"type": "hello", "name": "both", "encoding": "msgpack" if packed else "json"}
    os.write(1, json.dumps(hello).encode() + b"\n")
    messages = msgpack.Unpacker(sys.stdin.buffer, read_size=1) if packed else None
    for message in messages or map(json.loads, sys.stdin.buffer):
        if message["type"] == "quit":
            return
        answer = answers(message)
        if answer is not None:
            if not packed and "broken" in sys.argv and "id" in answer:
                answer["choice"] = -1
            os.write(1, msgpack.packb(answer) if packed else json.dumps(answer).encode() + b"\n")


main()
