"""Bots with one mistake each, one class for each kind: `python -I -S faulty.py KIND`."""

import os
import sys
import time

sys.path.append(__file__.rpartition("/check/")[0] + "/bad_bots")
import quick_json as json

FOREVER = 3600
KNOWN = {"type", "id", "decision", "about", "choices", "events", "state", "clock_ms"}


def write(data):
    while data:
        data = data[os.write(1, data) :]


def say(**message):
    write(json.dumps(message).encode() + b"\n")


class Plain:
    """A bot without a mistake; `requests` are the fields that it adds to its hello."""

    requests = ()

    def run(self):
        for line in sys.stdin.buffer:
            self.hear(json.loads(line))

    def hear(self, message):
        handler = getattr(self, message["type"], None)
        if handler is not None:
            handler(message)

    def hello(self, message):
        say(type="hello", name="faulty", **dict(self.requests))

    def start(self, message):
        say(type="ready")

    def decide(self, message):
        say(type="choose", id=message["id"], choice=self.choice(message))

    def choice(self, message):
        return message["id"] * 7919 % len(message["choices"])

    def quit(self, message):
        sys.exit()


class Codes(Plain):
    """Asks for little, so that its messages are small."""

    requests = (("detail", "codes"), ("state", "none"))


# --- fails the handshake -------------------------------------------------------------------


class NoHello(Plain):
    def hello(self, message):
        pass


class OtherProtocol(Plain):
    requests = (("protocol", 2),)


class NeverReady(Plain):
    def start(self, message):
        pass


class DiesAtOnce(Plain):
    def run(self):
        sys.exit("no \x1b[31mluck\x1b[0m today")


class GreetsWithWords(Plain):
    def hello(self, message):
        write(b"hello \x1b[31mreferee\n")


# --- fails to answer -----------------------------------------------------------------------


class ChoosesTooFar(Plain):
    def choice(self, message):
        return len(message["choices"])


class ChoosesText(Plain):
    def choice(self, message):
        return "0"


class WrongId(Plain):
    def decide(self, message):
        say(type="choose", id=message["id"] + 1, choice=0)


class DiesAnswering(Plain):
    def choice(self, message):
        return message["no such field"]


class DiesSilently(Plain):
    def decide(self, message):
        os._exit(1)


class DiesSilentlyAtTheUnknown(Plain):
    def hear(self, message):
        if "x_unknown" in message:
            os._exit(1)
        super().hear(message)


class NeverFlushes(Plain):
    def decide(self, message):
        pass


class MsgpackNonsense(Plain):
    """Asks for MessagePack and sends bytes that are not MessagePack."""

    requests = (("encoding", "msgpack"),)

    def run(self):
        self.hello(json.loads(sys.stdin.buffer.readline()))
        os.read(0, 1 << 20)
        write(b"\x81\xa4type\xa5ready")
        os.read(0, 1 << 20)
        write(b"\xc1\xc1")
        time.sleep(FOREVER)


class AnswersInMsgpack(Plain):
    """Asks for JSON and answers in MessagePack."""

    def decide(self, message):
        write(b"\x83\xa4type\xa6choose\xa2id\x01\xa6choice\x00\n")


class ReadyAgain(Plain):
    def decide(self, message):
        say(type="ready")


class Floods(Plain):
    def decide(self, message):
        write(b"thinking\n" * 5000)


# --- fails one thing -----------------------------------------------------------------------


class StrictFields(Plain):
    def decide(self, message):
        if set(message) - KNOWN:
            sys.exit("unexpected field")
        super().decide(message)


class StrictMessages(Plain):
    def hear(self, message):
        if message["type"] not in {"hello", "start", "decide", "error", "end", "quit"}:
            sys.exit("unexpected message")
        super().hear(message)


class AnswersTheUnknown(Plain):
    def hear(self, message):
        if message["type"].startswith("x-"):
            say(type="complaint", about=message["type"])
        super().hear(message)


class SmallLines(Plain):
    """Reads lines of at most 100,000 bytes."""

    def run(self):
        while line := sys.stdin.buffer.readline(100_000):
            self.hear(json.loads(line))


class OneReadOneMessage(Codes):
    """Expects that each read returns whole messages."""

    def run(self):
        while data := os.read(0, 1 << 20):
            for line in data.splitlines():
                self.hear(json.loads(line))


class DiesAtAnError(Plain):
    def error(self, message):
        sys.exit("how dare you")


class AnswersErrors(Plain):
    """Answers again when its answer is refused, which is too late."""

    def error(self, message):
        say(type="choose", id=message["id"], choice=0)


class AnswersTwice(Plain):
    """The second answer is late when it is read."""

    def decide(self, message):
        super().decide(message)
        super().decide(message)


class NeedsAClock(Plain):
    def choice(self, message):
        return int(message["clock_ms"] / 1000) % len(message["choices"])


class OneGame(Plain):
    def end(self, message):
        sys.exit()


class DiesAtLevies(Plain):
    def choice(self, message):
        assert message["decision"] != "levy"
        return super().choice(message)


class NotForTwo(Codes):
    def start(self, message):
        if len(message["players"]) == 2:
            sys.exit("two are too few")
        super().start(message)


class StaysAtTheEnd(Plain):
    def run(self):
        super().run()
        time.sleep(FOREVER)


class StaysAtQuit(Plain):
    def quit(self, message):
        time.sleep(FOREVER)


class LeavesADaemon(Plain):
    """Exits in time, but leaves a grandchild running in a session of its own."""

    def start(self, message):
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            os.closerange(0, 3)
            time.sleep(FOREVER)
        os.waitpid(child, 0)
        super().start(message)


class PrintsAlong(Plain):
    def decide(self, message):
        write(b"thinking\x1b[1m hard...\n")
        super().decide(message)


class PrintsAtTheEnd(Plain):
    def end(self, message):
        write(b"good game\n")


class SlowHello(Plain):
    def hello(self, message):
        time.sleep(0.2)
        super().hello(message)


class SlowAnswer(Plain):
    """Only its first answer is slow."""

    def choice(self, message):
        if message["id"] == 1:
            time.sleep(0.5)
        return super().choice(message)


# --- warnings ------------------------------------------------------------------------------


class LeavesBadly(Plain):
    def run(self):
        super().run()
        sys.exit(3)


class Whimsical(Plain):
    def choice(self, message):
        return int.from_bytes(os.urandom(4), "big") % len(message["choices"])


class StderrFlood(Plain):
    def start(self, message):
        os.write(2, b"x" * 400_000)
        super().start(message)


def kinds():
    """Return every kind by its name on the command line: `one-game` for OneGame."""
    found = [Plain]
    for kind in found:
        found += kind.__subclasses__()
    return {_dashed(kind.__name__): kind for kind in found}


def _dashed(name):
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


if __name__ == "__main__":
    kinds()[sys.argv[1]]().run()
