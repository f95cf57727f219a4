"""What a shell may complete where click cannot know it: bots, boards and records."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from referee import atlas
from referee.bots.find import bundled_names, is_bot_folder


def bots(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Bundled bots, `human`, and folders that are bots; else any folder, as a way to one."""
    known = [*bundled_names(), "human", *_bot_folders(incomplete)]
    return _known(known, incomplete) or [CompletionItem(incomplete, type="dir")]


def boards(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Bundled boards; else files."""
    return _known(atlas.board_names(), incomplete) or files(_, __, incomplete)


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files, as the shell completes them itself."""
    return [CompletionItem(incomplete, type="file")]


def _bot_folders(incomplete: str) -> list[str]:
    """The bots in the folder that is being typed, as they would be typed."""
    folder, slash, _ = incomplete.rpartition("/")
    try:
        found = sorted(Path(f"{folder}{slash}" or ".").iterdir())
    except (OSError, ValueError):
        return []
    return [f"{folder}{slash}{path.name}" for path in found if is_bot_folder(path)]


def _known(words: list[str] | tuple[str, ...], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]
