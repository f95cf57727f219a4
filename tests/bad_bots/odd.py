"""Bots that are unusual but correct, one class per kind: `python -I -S odd.py KIND`."""

import os
import sys
import time

sys.path.append(os.path.dirname(__file__))
import quick_json as json

NEARLY_ALL = (1 << 20) - 200  # bytes; a message may have 200 more


def write(data):
    while data:
        data = data[os.write(1, data) :]


class Ordinary:
    """Sends each message as one line; the other kinds change that."""

    def run(self):
        for line in sys.stdin.buffer:
            message = json.loads(line)
            getattr(self, message["type"])(message)

    def send(self, **message):
        write(json.dumps(message).encode() + b"\n")

    def hello(self, message):
        self.send(type="hello", name="odd")

    def start(self, message):
        self.send(type="ready")

    def decide(self, message):
        self.send(type="choose", id=message["id"], choice=0)

    def error(self, message):
        pass

    def end(self, message):
        pass

    def quit(self, message):
        sys.exit()


class TwoWrites(Ordinary):
    def send(self, **message):
        data = json.dumps(message).encode() + b"\n"
        write(data[:9])
        time.sleep(0.001)
        write(data[9:])


class ByteByByte(Ordinary):
    def send(self, **message):
        for byte in json.dumps(message).encode() + b"\n":
            write(bytes((byte,)))


class Blanks(Ordinary):
    def send(self, **message):
        write(b" \t " + json.dumps(message).encode().replace(b" ", b"  ") + b"  \t\n")


class CarriageReturns(Ordinary):
    def send(self, **message):
        write(json.dumps(message).encode() + b"\r\n")


class BlankLines(Ordinary):
    def send(self, **message):
        write(b"\n\r\n  \n" + json.dumps(message).encode() + b"\n\n\n")


class UnknownFields(Ordinary):
    def send(self, **message):
        super().send(**message, mood="good", nested={"a": [1, {"b": None}]}, ids=[1.5, True])


class EscapedText(Ordinary):
    """Some characters are escaped, and others are sent as UTF-8."""

    def decide(self, message):
        remark = b'"say": "\\u00e4 \xc3\xa4 \xe2\x9a\x93 \\ud83d\\ude00"'
        write(b'{"type": "cho\\u006fse", "id": %d, "choice": 0, %s}\n' % (message["id"], remark))


class LongSay(Ordinary):
    def decide(self, message):
        self.send(type="choose", id=message["id"], choice=0, say="ä" * 20_000)


class HugeMessages(Ordinary):
    """Every message is almost as long as the limit allows."""

    def send(self, **message):
        super().send(**message, padding="x" * NEARLY_ALL)


class SaysEverythingTwice(Ordinary):
    """Sends each answer twice; the second one is late when it is read."""

    def decide(self, message):
        super().decide(message)
        super().decide(message)


class ManyLateOnes(Ordinary):
    """Sends exactly as many unasked messages as a game allows."""

    def start(self, message):
        self.left = 256
        super().start(message)

    def decide(self, message):
        while self.left:
            self.left -= 1
            self.send(type="choose", id=0, choice=99)
        super().decide(message)


class EarlyHello(Ordinary):
    """Sends its hello before it gets one."""

    def run(self):
        self.send(type="hello", name="odd")
        super().run()

    def hello(self, message):
        pass


class LongNames(Ordinary):
    def hello(self, message):
        self.send(type="hello", name="n" * 5000, version="v" * 5000, author="a" * 5000, protocol=1)


class EmptyName(Ordinary):
    def hello(self, message):
        self.send(type="hello", name="", version=None, author=None)


class ChattyOnStderr(Ordinary):
    def decide(self, message):
        sys.stderr.write("thinking...\n")
        super().decide(message)


class ReadsSlowly(Ordinary):
    """Reads a few bytes at a time; requests are larger than that."""

    def run(self):
        line = b""
        while piece := os.read(0, 700):
            line += piece
            while b"\n" in line:
                first, line = line.split(b"\n", 1)
                message = json.loads(first)
                getattr(self, message["type"])(message)


class MsgpackInPieces(Ordinary):
    """Encodes MessagePack without a library, and sends one byte at a time."""

    def hello(self, message):
        super().send(type="hello", name="odd", encoding="msgpack", detail="codes", state="none")

    def run(self):
        self.hello(json.loads(sys.stdin.buffer.readline()))
        while data := os.read(0, 1 << 20):
            if b"\xa4type\xa5start" in data[:20]:
                self._bytes(b"\x82\xa4type\xa5ready\xa4more\x93\x01\xc0\xcb" + bytes(8))
            if (found := data.find(b"\xa4type\xa6decide\xa2id")) >= 0:
                number = _integer(data[found + 15 : found + 20])
                self._bytes(b"\x83\xa6choice\x00\xa2id\xce%s\xa4type\xa6choose" % number)
            if b"\xa4type\xa4quit" in data:
                sys.exit()

    def _bytes(self, data):
        for byte in data:
            write(bytes((byte,)))


def _integer(data):
    """An unsigned MessagePack integer as four bytes."""
    width = {0xCC: 1, 0xCD: 2, 0xCE: 4}.get(data[0], 0)
    value = int.from_bytes(data[1 : 1 + width], "big") if width else data[0]
    return value.to_bytes(4, "big")


def kinds():
    found = [Ordinary]
    for kind in found:
        found += kind.__subclasses__()
    return {_dashed(kind.__name__): kind for kind in found}


def _dashed(name):
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


if __name__ == "__main__":
    kinds()[sys.argv[1]]().run()
