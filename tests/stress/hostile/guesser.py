"""A bot that guesses the seed of its game: `python -I -S guesser.py FACTS GUESSES`.

It knows everything that is public, and how the first version derived the seeds of games. FACTS also
has the low bits and a digest of the seed, so that the bot recognises a right guess; a real attacker
does not have them. It writes what it found to stderr.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator

SEED_BITS = 53


def candidates(guess: int, facts: dict[str, object]) -> Iterator[int]:
    """Yield the seeds that a block could have if `guess` were all that must be guessed.

    `facts` has the id of the block and the words of it that are hashed after the tournament's seed.
    """
    name = str(facts["id"]).encode()
    content = f"{guess}\0{facts['words']}".encode()
    for label in (b"seed", b"id", b"order"):  # the first is the derivation of version 0.1.0
        yield top_bits(hashlib.sha256(label + b"\0" + content).digest())
    yield top_bits(hashlib.sha256(b"%d\0%b" % (guess, name)).digest())
    yield top_bits(hmac.digest(b"%d" % guess, name, "sha256"))
    yield top_bits(hmac.digest(guess.to_bytes(16, "big"), name, "sha256"))


def top_bits(digest: bytes) -> int:
    return int.from_bytes(digest, "big") >> (len(digest) * 8 - SEED_BITS)


def digest_of(seed: int) -> str:
    return hashlib.sha256(b"a seed: %d" % seed).hexdigest()


def found(facts: dict[str, object], guesses: int) -> int | None:
    """Return the seed of the block if it is among the candidates of the first guesses."""
    own_guesses = (int(str(facts["public"])), *range(guesses))
    for guess in own_guesses:
        for seed in candidates(guess, facts):
            if seed & 0xFFFF == facts["low"] and digest_of(seed) == facts["digest"]:
                return seed
    return None


def say(**message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main(path: str, guesses: int) -> None:
    """Guess before a game begins, then play the first choices."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123  without `site`, imports are slow
        facts = json.load(file)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", name="guesser", state="none", detail="codes")
        elif message["type"] == "start":
            if message["seat"] == 0:  # once in a block of two games
                sys.stderr.write(f"found {found(facts, guesses)}\n")
                sys.stderr.flush()
            say(type="ready")
        elif message["type"] == "decide":
            say(type="choose", id=message["id"], choice=0)
        elif message["type"] == "quit":
            return


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
