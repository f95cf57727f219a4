"""What an author says about a bot in bot.toml; people read it, and no game depends on it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from referee.errors import BotRefused
from referee.text import is_printable

LONGEST: Final = {"author": 100, "description": 1000, "link": 300}  # characters


class Profile(msgspec.Struct, frozen=True, omit_defaults=True):
    """The author, a description and the web page of a bot; "" if bot.toml does not say."""

    author: str = ""
    description: str = ""
    link: str = ""


NO_PROFILE: Final = Profile()


def read_profile(words: Mapping[str, Any], place: Path) -> Profile:
    """Return the profile in the words of a bot.toml; BotRefused if a value is not valid."""
    for key, most in LONGEST.items():
        value = words.get(key, "")
        if not isinstance(value, str):
            raise BotRefused(f"{place}: {key} must be a string")
        if len(value) > most:
            raise BotRefused(f"{place}: {key} has {len(value)} characters; the most are {most}")
    link = words.get("link", "")
    if link and not is_web_address(link):
        raise BotRefused(
            f"{place}: link must be an address that begins with https:// or http:// (not {link!r})"
        )
    return Profile(**{key: words.get(key, "") for key in LONGEST})


def is_web_address(text: str) -> bool:
    """Whether a text is the address of a web page that a site may link to."""
    if not all(is_printable(character) and character != " " for character in text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:  # such as brackets that are not closed
        return False
