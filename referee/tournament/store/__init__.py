"""A tournament on disk: one SQLite file with one writer, and exports of it."""

from referee.errors import StoreRefused
from referee.tournament.store.database import FILE, exists
from referee.tournament.store.store import (
    RECORDS,
    STDERR,
    Judgement,
    Store,
    StoredBot,
    StoredFault,
)

__all__ = [
    "FILE",
    "RECORDS",
    "STDERR",
    "Judgement",
    "Store",
    "StoreRefused",
    "StoredBot",
    "StoredFault",
    "exists",
]
