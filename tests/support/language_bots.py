"""The sample bots of every language, built once, in temporary folders.

Building takes minutes, so `tox -e languages` does it; elsewhere only the bot in Python is tested.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from referee.bots.build import build_bot
from referee.bots.find import Bot, find_bot
from referee.bots.starter_kits import LANGUAGES, lacking
from referee.errors import BotRefused
from support.parts import is_wanted, reason
from support.paths import ROOT

HEADERS = {"cpp": ("c++ -x c++", "nlohmann/json.hpp"), "c": ("cc -x c", "cjson/cJSON.h")}


class BotBuilder:
    """Builds each sample bot at most once, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bots: dict[str, Bot | str] = {}

    def bot(self, language: str, *flags: str) -> Bot:
        """Return the built bot of a language, with flags added to its command.

        Skip the test if the languages are not wanted; fail it if this one cannot be built.
        """
        if language != "python" and not is_wanted("languages"):
            pytest.skip(reason("languages"))
        if language not in self._bots:
            self._bots[language] = self._build(language)
        found = self._bots[language]
        if isinstance(found, str):
            pytest.fail(f"{language}: {found}")
        return replace(found, command=(*found.command, *flags))

    def _build(self, language: str) -> Bot | str:
        """Return the bot, or the reason why it cannot be built."""
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
