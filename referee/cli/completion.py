"""Shell completion of bots, boards and files."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from referee import atlas
from referee.bots.find import bundled_names, is_bot_folder


def bots(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete bundled bots, `human` and folders of bots; if none match, any folder."""
    known = [*bundled_names(), "human", *_bot_folders(incomplete)]
    return _matching(known, incomplete) or [CompletionItem(incomplete, type="dir")]


def boards(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete bundled boards; if none match, files."""
    return _matching(atlas.board_names(), incomplete) or files(_, __, incomplete)


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete files by itself."""
    return [CompletionItem(incomplete, type="file")]


def _bot_folders(incomplete: str) -> list[str]:
    """Return the bots in the folder that is being typed, with the folder in front."""
    folder, slash, _ = incomplete.rpartition("/")
    try:
        found = sorted(Path(f"{folder}{slash}" or ".").iterdir())
    except (OSError, ValueError):
        return []
    return [f"{folder}{slash}{path.name}" for path in found if is_bot_folder(path)]


def _matching(words: list[str] | tuple[str, ...], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]
