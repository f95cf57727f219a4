"""Small programs for the tests of processes, one function per kind: `python -I -S small_programs.py KIND`.

They do not use the protocol; each does one thing to its pipes, its signals or its children.
"""

import os
import signal
import sys
import time

FOREVER = 3600


def write(text):
    os.write(1, text.encode() + b"\n")


def wait():
    time.sleep(FOREVER)


def echo():
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


def describes_itself():
    """Prints its process, group, session, open files and folder."""
    files = sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1]  # the list itself is one
    write(repr([os.getpid(), os.getpgrp(), os.getsid(0), files, os.getcwd()]))
    wait()


def exits_politely():
    sys.stdin.buffer.read()
    os.write(2, b"bye\n")


def counts_its_input():
    """Reads all input slowly, and prints its size on stderr."""
    total = 0
    while data := os.read(0, 5000):
        total += len(data)
    os.write(2, b"%d" % total)


def answers_and_exits():
    write("one")
    write("two")
    os._exit(5)


def ends_as_asked():
    """Reads `exit STATUS` or `signal NUMBER`, and ends so."""
    write("waiting")
    how, number = sys.stdin.readline().split()
    if how == "exit":
        os._exit(int(number))
    if int(number) != signal.SIGKILL:
        signal.signal(int(number), signal.SIG_DFL)  # `nohup` makes programs ignore SIGHUP
    os.kill(os.getpid(), int(number))


def closes_its_input():
    os.close(0)
    write("closed")
    wait()


def writes_half_a_line():
    os.write(1, b"half of a li")
    wait()


def writes_forever():
    """Prints one line after another, for ever."""
    while True:
        write("more")


def writes_to_stderr():
    os.write(2, b"x" * 5000 + b"the end")
    write("done")
    wait()


def repeats_on_stderr():
    os.write(2, b"started\n")
    for line in sys.stdin.buffer:
        os.write(2, line)
        write("done")


def floods_stderr():
    """For each line of input, writes to stderr until that fails."""
    while sys.stdin.buffer.readline():
        try:
            while True:
                os.write(2, b"x" * (1 << 20))
        except OSError as error:
            write(error.strerror)


def hides_its_stderr():
    """Replaces its stderr file by a named pipe, which would block a reader that opens it."""
    os.write(2, b"before")
    place = os.readlink("/proc/self/fd/2")
    os.unlink(place)
    os.mkfifo(place)
    write("hidden")
    wait()


def spins():
    write("off")
    while True:
        pass


def burns():
    """Uses a little CPU time, then exits."""
    while time.process_time() < 0.05:
        pass


def daemons():
    """Leaves orphans, each in a session of its own and with an empty environment."""
    for _ in range(4):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", _SLEEP], {})
            os._exit(0)
        os.wait()
    write("left")
    wait()


_SLEEP = f"import time; time.sleep({FOREVER})"


def orphan_in_session():
    """Leaves a grandchild in its session whose parent has exited."""
    child = os.fork()
    if child == 0:
        orphan = os.fork()
        if orphan == 0:
            wait()
        write(str(orphan))
        os._exit(0)
    os.waitpid(child, 0)
    wait()


def tree():
    """Starts children and grandchildren, each in a group of its own."""
    for _ in range(3):
        if os.fork() == 0:
            os.setpgid(0, 0)
            for _ in range(3):
                if os.fork() == 0:
                    os.setsid()
                    wait()
            wait()
    write("grown")
    wait()


if __name__ == "__main__":
    globals()[sys.argv[1].replace("-", "_")]()
