"""What an organiser says about a tournament: its title and an introduction for readers of its site."""

from __future__ import annotations

from typing import Final

import msgspec

from referee.errors import TournamentRefused
from referee.tournament.request import TournamentRequest
from referee.tournament.store import Store

_KEY: Final = "about"  # the name of the setting in the store


class About(msgspec.Struct, frozen=True):
    """The title and the introduction; None if the organiser gave none. No game depends on them."""

    title: str | None = None
    introduction: str | None = None  # Markdown


def stored_about(store: Store) -> About:
    """Return what is kept in a store; TournamentRefused if it cannot be read."""
    try:
        return msgspec.convert(store.get(_KEY) or {}, About)
    except msgspec.ValidationError as error:
        raise TournamentRefused(
            f"this referee cannot read the title in {store.folder}: {error}"
        ) from error


def store_about(store: Store, request: TournamentRequest) -> None:
    """Keep the title and the introduction of a request; what it does not give stays as it was."""
    if request.title is None and request.introduction is None:
        return
    before = stored_about(store)
    title = before.title if request.title is None else request.title
    introduction = before.introduction if request.introduction is None else request.introduction
    store.put(_KEY, About(title, introduction))
