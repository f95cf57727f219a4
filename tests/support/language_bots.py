"""The sample bots of every language, built once, in temporary folders.

If the tools of a language are missing or the build fails, its tests are skipped; with
REFEREE_NEED_LANGUAGES=1 they fail. REFEREE_NEED_LANGUAGES=0 skips all builds, which take minutes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from referee.bots.build import build_bot
from referee.bots.find import Bot, find_bot
from referee.bots.starter_kits import LANGUAGES, lacking
from referee.errors import BotRefused
from support.paths import ROOT

HEADERS = {"cpp": ("c++ -x c++", "nlohmann/json.hpp"), "c": ("cc -x c", "cjson/cJSON.h")}


class BotBuilder:
    """Builds each sample bot at most once, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bots: dict[str, Bot | str] = {}

    def bot(self, language: str, *flags: str) -> Bot:
        """Return the built bot of a language, with flags added to its command; may skip the test."""
        if language not in self._bots:
            self._bots[language] = self._build(language)
        found = self._bots[language]
        if isinstance(found, str):
            _skip_or_fail(f"{language}: {found}")
        return replace(found, command=(*found.command, *flags))

    def _build(self, language: str) -> Bot | str:
        """Return the bot, or the reason why it cannot be built."""
        if _needed() == "0" and language != "python":
            return "not needed"
        if missing := [*lacking(language), *_missing_header(language)]:
            return f"{' and '.join(missing)} not found"
        place = self._folder / LANGUAGES[language].kit
        shutil.copytree(ROOT / "sample_bots" / LANGUAGES[language].kit, place)
        bot = find_bot(str(place))
        try:
            build_bot(bot)
        except BotRefused as refusal:
            return str(refusal)
        return bot


def _missing_header(language: str) -> list[str]:
    if language not in HEADERS:
        return []
    compiler, header = HEADERS[language]
    words = [*compiler.split(), "-E", "-include", header, os.devnull]
    done = subprocess.run(words, capture_output=True, check=False)
    return [f"<{header}>"] if done.returncode else []


def _needed() -> str | None:
    return os.environ.get("REFEREE_NEED_LANGUAGES")


def _skip_or_fail(why: str) -> NoReturn:
    if _needed() == "1":
        pytest.fail(why)
    pytest.skip(why)
