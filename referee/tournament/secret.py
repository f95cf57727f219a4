"""The secret of a tournament: every block's game seed follows from it, and closing publishes it.

What bots can see (sets of bots, seats, ids of games) follows from the public seed. The secret is in
the store only: workers get the seed of each block that they play.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from pathlib import Path
from typing import Final

import msgspec

from referee.errors import TournamentRefused
from referee.system import SECRET_VARIABLE
from referee.tournament.results import Block
from referee.tournament.schedule.draws import SEED_BITS
from referee.tournament.store.store import Store, now

# The names of the two settings in the store; they are part of its format.
SECRET_KEY: Final = "secret"  # noqa: S105  a name
CLOSED_KEY: Final = "closed"

FEWEST_BITS: Final = 128
DRAWN_BYTES: Final = 32
MOST_FILE_BYTES: Final = 4096
_PRIVATE_MODE: Final = 0o600

EARLIER_SEEDS: Final = (
    "This tournament began with an earlier version of the referee, so it has no secret: a bot that"
    " guesses its seed can compute the marker supply of every game. It keeps its seeds; a new"
    " tournament has a secret."
)


# -- a secret as text: hexadecimal digits


def draw_secret() -> str:
    """Return a new secret of 256 random bits."""
    return secrets.token_hex(DRAWN_BYTES)


def parse_secret(text: str, where: str) -> str:
    """Return a secret in lower case and without spaces; no error message contains it.

    Raises TournamentRefused, with `where` in the sentence, if it is not a valid secret.
    """
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        raise TournamentRefused(
            f"{where} must be a secret of hexadecimal digits, two for each byte"
        ) from None
    if len(secret) * 8 < FEWEST_BITS:
        raise TournamentRefused(
            f"the secret in {where} has {len(secret) * 8} bits; it needs {FEWEST_BITS} or more, which"
            f" are {FEWEST_BITS // 4} hexadecimal digits"
        )
    return secret.hex()


def given_secret(file: Path | None) -> str | None:
    """Return the secret in a file, else the one in REFEREE_SECRET, else None.

    Raises TournamentRefused if it is not a valid secret, or if others may read the file.
    """
    if file is not None:
        return read_secret(file)
    text = os.environ.get(SECRET_VARIABLE)
    return None if text is None else parse_secret(text, f"the variable {SECRET_VARIABLE}")


def read_secret(path: Path) -> str:
    """Read a secret from a file that only its owner can read; TournamentRefused if that fails."""
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            content = file.read(MOST_FILE_BYTES)
    except OSError as error:
        raise TournamentRefused(f"cannot read the secret file {path}: {error.strerror}") from error
    if mode & ~_PRIVATE_MODE:
        raise TournamentRefused(
            f"the secret file {path} has mode {mode:o}, so others may use it: chmod 600 {path}"
        )
    return parse_secret(content.decode("ascii", "replace"), f"the file {path}")


# -- the seeds of games


def game_seed(secret: str, block: str) -> int:
    """Return the seed of all games of a block: the top 53 bits of HMAC-SHA256(secret, block id)."""
    digest = hmac.digest(bytes.fromhex(secret), block.encode(), "sha256")
    return int.from_bytes(digest) >> (len(digest) * 8 - SEED_BITS)


class BlockSeeds:
    """Gives every block of a plan the seed that its games are played with."""

    def __init__(self, store: Store) -> None:
        self._secret = stored_secret(store)

    def seeded(self, block: Block) -> Block:
        """Return the block with its secret seed; a tournament without a secret keeps the planned one."""
        if self._secret is None:
            return block
        return block._replace(seed=game_seed(self._secret, block.id))


def stored_secret(store: Store) -> str | None:
    """Return the secret in a store; None in the store of an earlier version, which has none."""
    secret: str | None = store.get(SECRET_KEY)
    return secret


def check_same_secret(store: Store, secret: str) -> None:
    """Raise TournamentRefused if this is not the secret of the tournament."""
    stored = stored_secret(store)
    if stored is None:
        raise TournamentRefused(
            f"the tournament in {store.folder} began without a secret and cannot get one: leave out"
            f" --secret-file and {SECRET_VARIABLE}, or begin a new tournament"
        )
    if not hmac.compare_digest(stored, secret):
        raise TournamentRefused(
            "the secret of a tournament cannot change: leave out --secret-file and"
            f" {SECRET_VARIABLE} to continue it, or begin a new tournament"
        )


# -- closing


class Closing(msgspec.Struct, frozen=True):
    """The end of a tournament: nothing more is played, so its secret is public."""

    at: str  # such as 2026-05-17T20:15:00+00:00
    secret: str | None  # None: a tournament of an earlier version has none


def close_tournament(store: Store) -> Closing:
    """Close a tournament and return its secret; closing it again changes nothing.

    The store must be open for writing. Raises TournamentRefused if the tournament never started.
    """
    closing = closing_of(store)
    if closing is not None:
        return closing
    if not store.bots():
        raise TournamentRefused(
            f"the tournament in {store.folder} never started; delete the folder"
        )
    at = now()
    store.put(CLOSED_KEY, at)
    return Closing(at, stored_secret(store))


def closing_of(store: Store) -> Closing | None:
    """Return when a tournament was closed, and its secret; None while it may continue."""
    at = store.get(CLOSED_KEY)
    return None if at is None else Closing(at, stored_secret(store))


def refuse_closed(store: Store) -> None:
    """Raise TournamentRefused if the tournament is closed."""
    closing = closing_of(store)
    if closing is not None:
        raise TournamentRefused(
            f"the tournament in {store.folder} was closed at {closing.at}, so it takes no more blocks"
            " or bots; begin a new one"
        )
