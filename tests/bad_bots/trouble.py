"""Bots that misbehave, one class per kind: `python -I -S trouble.py KIND`.

With `KIND,KIND,...` a bot makes the mistake of another kind in each game.

Each plays correctly except for the one thing that its class is named after. They need only the
standard library, and no test depends on how fast they are.
"""

import _signal as signal  # the module `signal` takes longer to import than Python to start
import os
import select
import sys
import time

sys.path.append(os.path.dirname(__file__))
import quick_json as json

FOREVER = 3600
LIMIT = 1 << 20
CHILDREN = 3


def write(data):
    """Write all of it, even if the pipe takes it in pieces."""
    while data:
        data = data[os.write(1, data) :]


def say(**message):
    write(json.dumps(message).encode() + b"\n")


def choose(request, choice=0, **more):
    say(type="choose", id=request["id"], choice=choice, **more)


def note(message):
    """Write a message to stderr, where a test can read it."""
    sys.stderr.write(json.dumps(message) + "\n")
    sys.stderr.flush()


class Plain:
    """Causes no trouble; its answer depends on the request alone."""

    def run(self):
        for line in sys.stdin.buffer:
            message = json.loads(line)
            self.hear(message)
            getattr(self, message["type"])(message)

    def hear(self, message):
        if message["type"] == "error":
            note(message)

    def hello(self, message):
        say(type="hello", name="trouble")

    def start(self, message):
        self.asked = 0
        say(type="ready")

    def decide(self, message):
        self.asked += 1
        if self.asked == 2:
            self.trouble(message)
        else:
            self.answer(message)

    def answer(self, message):
        choose(message, message["id"] * 7919 % len(message["choices"]))

    def trouble(self, message):
        self.answer(message)

    def error(self, message):
        pass

    def end(self, message):
        pass

    def quit(self, message):
        sys.exit()


class Diary(Plain):
    """Causes no trouble; it writes every message to stderr."""

    def hear(self, message):
        note(message)


# --- at the start ----------------------------------------------------------------------


class CrashesAtOnce(Plain):
    def run(self):
        sys.exit("this bot has no luck")


class ExitsEarly(Plain):
    def run(self):
        sys.exit(0)


class NeverGreets(Plain):
    def hello(self, message):
        time.sleep(FOREVER)


class GreetsWithReady(Plain):
    def hello(self, message):
        say(type="ready")


class GreetsWithGarbage(Plain):
    def hello(self, message):
        write(b"Hello, I am a bot!\n")


class SpeaksProtocolTwo(Plain):
    def hello(self, message):
        say(type="hello", name="trouble", protocol=2)


class WantsUnknownEncoding(Plain):
    def hello(self, message):
        say(type="hello", name="trouble", encoding="xml")


class GreetsInMsgpack(Plain):
    def hello(self, message):
        write(b"\x82\xa4type\xa5hello\xa4name\xa7trouble\n")


class WantsMsgpackAndSendsJson(Plain):
    def run(self):
        os.read(0, LIMIT)
        say(type="hello", name="trouble", encoding="msgpack")
        os.read(0, LIMIT)
        say(type="ready")
        time.sleep(FOREVER)


class WantsUnknownDetail(Plain):
    def hello(self, message):
        say(type="hello", name="trouble", detail="poems")


class GreetsWithoutName(Plain):
    def hello(self, message):
        say(type="hello")


class NeverReady(Plain):
    def start(self, message):
        time.sleep(FOREVER)


class GreetsTwice(Plain):
    def start(self, message):
        say(type="hello", name="again")


class CrashesAtStart(Plain):
    def start(self, message):
        sys.exit(7)


# --- too late, or never --------------------------------------------------------------------


class Silent(Plain):
    def decide(self, message):
        pass


class SilentDiary(Diary):
    def decide(self, message):
        pass


class HalfALine(Plain):
    def decide(self, message):
        write(b'{"type": "choose", "id":')


class NeverReads(Plain):
    """Stops reading after the handshake."""

    def start(self, message):
        say(type="ready")
        time.sleep(FOREVER)


class AnswersAfterTheError(Plain):
    """Sends each answer only after the error that says it is too late."""

    def decide(self, message):
        self.missed = message

    def error(self, message):
        choose(self.missed)


class AnswersTheQuestionBefore(Plain):
    """Sends its first answer only after the error that says it is too late."""

    missed = None

    def decide(self, message):
        if self.missed is None:
            self.missed = message
        else:
            self.answer(message)

    def error(self, message):
        choose(self.missed)


class TooLateForTheGame(Plain):
    """Sends its last answer after the end of the game."""

    missed = None

    def decide(self, message):
        self.missed = message

    def end(self, message):
        choose(self.missed)


# --- exits in mid-game --------------------------------------------------------------------


class Crashes(Plain):
    def trouble(self, message):
        sys.stderr.write("about to divide\n")
        1 / 0  # noqa: B018  the trouble


class CrashesAtTheEnd(Plain):
    def end(self, message):
        os._exit(9)


class KillsItself(Plain):
    def trouble(self, message):
        os.kill(os.getpid(), signal.SIGSEGV)


class KillsItselfOddly(Plain):
    """Kills itself by a signal that has a number but no name."""

    def trouble(self, message):
        os.kill(os.getpid(), signal.SIGRTMIN + 5)


class ClosesStdin(Plain):
    def trouble(self, message):
        self.answer(message)
        os.close(0)
        time.sleep(FOREVER)


class ClosesStdinUnread(Plain):
    """Closes its input when the next request is already in the pipe."""

    def trouble(self, message):
        self.answer(message)
        select.select([0], [], [])
        os.close(0)
        time.sleep(FOREVER)


class ClosesStdinAndAnswers(Plain):
    """Reads the request, closes its input, and then answers."""

    def trouble(self, message):
        os.close(0)
        time.sleep(0.05)
        self.answer(message)
        time.sleep(FOREVER)


class ClosesStdout(Plain):
    def trouble(self, message):
        os.close(1)
        time.sleep(FOREVER)


class AnswersAndLeaves(Plain):
    def trouble(self, message):
        self.answer(message)
        os._exit(0)


class LeavesStdoutToAChild(Plain):
    """Exits, but a child holds its output open."""

    def trouble(self, message):
        if os.fork() == 0:
            time.sleep(FOREVER)
        os._exit(3)


# --- not a message -------------------------------------------------------------------------


class Garbage(Plain):
    def trouble(self, message):
        write(b"\x00\x01\x02 what? \x1b[31m\n")


class InvalidUtf8(Plain):
    def trouble(self, message):
        write(b'{"type": "choose", "id": %d, "choice": 0, "say": "\xff\xfe"}\n' % message["id"])


class LoneSurrogate(Plain):
    def trouble(self, message):
        write(b'{"type": "choose", "id": %d, "choice": 0, "say": "\\ud800"}\n' % message["id"])


class NotAnObject(Plain):
    def trouble(self, message):
        write(b"[1, 2, 3]\n")


class WrongType(Plain):
    def trouble(self, message):
        say(type="ready")


class UnknownType(Plain):
    def trouble(self, message):
        say(type="think", id=message["id"], choice=0)


class WithoutId(Plain):
    def trouble(self, message):
        say(type="choose", choice=0)


class FutureId(Plain):
    def trouble(self, message):
        say(type="choose", id=message["id"] + 1, choice=0)


class DeepNesting(Plain):
    def trouble(self, message):
        write(b'{"type": "choose", "x": ' + b"[" * 200_000 + b"\n")


class Float(Plain):
    def trouble(self, message):
        choose(message, 0.5)


class WholeFloat(Plain):
    def trouble(self, message):
        choose(message, 0.0)


class String(Plain):
    def trouble(self, message):
        choose(message, "0")


class Bool(Plain):
    def trouble(self, message):
        choose(message, choice=False)


class Null(Plain):
    def trouble(self, message):
        choose(message, None)


class ThousandDigits(Plain):
    def trouble(self, message):
        write(b'{"type": "choose", "id": %d, "choice": %s}\n' % (message["id"], b"9" * 1000))


class TalksMsgpackUnasked(Plain):
    def trouble(self, message):
        write(b"\x83\xa4type\xa6choose\xa2id\x01\xa6choice\x00\n")


class MsgpackNonsense(Plain):
    """Asks for MessagePack, sends `ready`, and then bytes that are not MessagePack."""

    nonsense = b"\xc1" * 10

    def run(self):
        os.read(0, LIMIT)
        say(type="hello", name="trouble", encoding="msgpack", detail="codes", state="none")
        self.wait_for(b"\xa5start")
        write(b"\x81\xa4type\xa5ready")
        self.wait_for(b"\xa6decide")
        write(self.nonsense)
        time.sleep(FOREVER)

    def wait_for(self, kind):
        seen = b""
        while kind not in seen:
            seen = seen[-10:] + os.read(0, LIMIT)


class MsgpackThenJson(MsgpackNonsense):
    nonsense = b'{"type":"choose","id":1,"choice":0}\n'


class MsgpackNested(MsgpackNonsense):
    nonsense = b"\x91" * 60_000


class MsgpackNoMap(MsgpackNonsense):
    nonsense = b"\x93\x01\x02\x03"


class MsgpackFloat(MsgpackNonsense):
    nonsense = b"\x83\xa4type\xa6choose\xa2id\x01\xa6choice\xcb" + bytes(8)


# --- not a valid index ---------------------------------------------------------------------


class OutOfRange(Plain):
    def trouble(self, message):
        choose(message, len(message["choices"]))


class Negative(Plain):
    def trouble(self, message):
        choose(message, -1)


class HugeNumber(Plain):
    def trouble(self, message):
        choose(message, 2**62)


class AlwaysIllegal(Plain):
    def decide(self, message):
        choose(message, -1)


class IllegalTwice(Plain):
    """Gets two strikes in every game: one less than disqualifies it."""

    def decide(self, message):
        self.asked += 1
        choose(message, -1 if self.asked <= 2 else 0)


class IllegalDiary(Diary):
    def trouble(self, message):
        choose(message, -1)


# --- too much ------------------------------------------------------------------------------


class HugeLine(Plain):
    def trouble(self, message):
        write(b"x" * (2 * LIMIT))
        time.sleep(FOREVER)


class BlankFlood(Plain):
    def trouble(self, message):
        write((b" " * 1023 + b"\n") * (2 * LIMIT // 1024))
        time.sleep(FOREVER)


class ThousandsUnasked(Plain):
    def trouble(self, message):
        for _ in range(5000):
            say(type="choose", id=0, choice=0)


class StderrFlood(Plain):
    """Writes more to stderr than the limit allows, and plays on."""

    def trouble(self, message):
        for _ in range(40):
            try:
                os.write(2, b"x" * LIMIT)
            except OSError:
                break
        self.answer(message)


# --- hard to kill ---------------------------------------------------------------------------


class IgnoresSigterm(Plain):
    def run(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        super().run()

    def quit(self, message):
        time.sleep(FOREVER)


class Forks(Plain):
    """Starts children that outlive it and hold its pipes."""

    def trouble(self, message):
        for _ in range(CHILDREN):
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(FOREVER)
        self.answer(message)


class LeavesADaemon(Plain):
    """Leaves a daemon: forked twice, with its own session and environment."""

    def trouble(self, message):
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            os.closerange(0, 3)
            time.sleep(FOREVER)
        os.waitpid(child, 0)
        self.answer(message)


class DaemonAndCrash(LeavesADaemon):
    def answer(self, message):
        if self.asked == 2:
            os._exit(1)
        super().answer(message)


# --- time ----------------------------------------------------------------------------------


class Sleeps(Plain):
    """Sleeps before every answer."""

    def answer(self, message):
        time.sleep(0.03)
        super().answer(message)


class Spins(Plain):
    """Computes without end, and never answers."""

    def decide(self, message):
        while True:
            pass


def burn(seconds):
    """Use that much CPU time."""
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass


class Computes(Plain):
    """Uses some CPU time for its second answer."""

    def trouble(self, message):
        burn(0.15)
        self.answer(message)


class Ponders(Plain):
    """Answers at once, then computes while the others decide."""

    def trouble(self, message):
        self.answer(message)
        burn(0.15)


class OneByOne(Plain):
    """Makes the mistakes of other kinds: in its first game that of the first, and so on."""

    def __init__(self, names):
        self.left = [kinds()[name] for name in names]

    def start(self, message):
        self.now = self.left.pop(0)
        super().start(message)

    def trouble(self, message):
        self.now.trouble(self, message)


def kinds():
    """Return every kind by its name on the command line: `never-reads` for NeverReads."""
    found = [Plain]
    for kind in found:
        found += kind.__subclasses__()
    return {_dashed(kind.__name__): kind for kind in found}


def _dashed(name):
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


if __name__ == "__main__":
    kind, *names = sys.argv[1].split(",")
    (OneByOne([kind, *names]) if names else kinds()[kind]()).run()
