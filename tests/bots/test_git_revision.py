"""Bots of the form FOLDER@REVISION: which files they are, and what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.bots.find import find_bot
from referee.bots.git_revision import export_revision, find_revision
from referee.errors import BotRefused
from support.git_bots import git, needs_git, write_bot, write_repository

pytestmark = needs_git


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two revisions of `my-bot`; no test changes it."""
    folder = tmp_path_factory.mktemp("repository")
    write_repository(folder)
    return folder


@pytest.fixture(autouse=True)
def work_folder(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)


@pytest.mark.parametrize("word", ["my-bot@v1", "./my-bot/@v2~1", "my-bot@HEAD^", "my-bot@main@{1}"])
def test_a_revision_has_the_files_that_it_had(tmp_path: Path, word: str) -> None:
    revision = find_revision(word)
    assert revision is not None
    export_revision(revision, tmp_path / "bot")
    assert (tmp_path / "bot" / "bot.py").read_text().endswith("# version 1\n")
    found = find_bot(str(tmp_path / "bot"))
    assert found.content != find_bot("my-bot").content
    assert find_bot(str(write_bot(tmp_path / "same", 1))).content == found.content


def test_a_bot_at_the_top_of_a_repository_has_revisions(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "top", 1)
    git(bot, "init", "--quiet")
    git(bot, "add", "--all")
    git(bot, "commit", "--quiet", "--message", "one")
    revision = find_revision(f"{bot}@HEAD")
    assert revision is not None
    export_revision(revision, tmp_path / "old")
    assert find_bot(str(tmp_path / "old")).content == find_bot(str(bot)).content


@pytest.mark.parametrize("word", ["my-bot", "nobody@v1", "python x@y.py", "@v1", "random@v1"])
def test_other_words_are_not_revisions(word: str) -> None:
    assert find_revision(word) is None


def test_a_folder_whose_name_contains_an_at_sign_is_not_a_revision(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "my-bot@v1", 3)
    write_bot(tmp_path / "my-bot", 4)
    assert find_revision(str(bot)) is None


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("my-bot@v9", "there is no revision 'v9' in the git repository of my-bot"),
        ("my-bot@--all", "there is no revision '--all' in the git repository of my-bot"),
        ("my-bot@", "'my-bot@' names no revision: write one after the @"),
        (".@v1", "[.] is not a bot in revision 'v1': it has no bot.toml there"),
    ],
)
def test_a_revision_that_does_not_exist_is_refused(word: str, message: str) -> None:
    with pytest.raises(BotRefused, match=f"^{message}$"):
        find_revision(word)


def test_a_folder_outside_of_a_repository_is_refused(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "alone", 1)
    with pytest.raises(BotRefused, match="alone has no revision 'v1': it is not in a git repo"):
        find_revision(f"{bot}@v1")


def test_without_git_a_revision_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(BotRefused, match="git is not installed"):
        find_revision("my-bot@v1")


def test_the_variables_of_a_git_hook_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    assert find_revision("my-bot@v1") is not None


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "top", 1)
    (bot / "shared").symlink_to("../../elsewhere")
    git(bot, "init", "--quiet")
    git(bot, "add", "--all")
    git(bot, "commit", "--quiet", "--message", "one")
    revision = find_revision(f"{bot}@HEAD")
    assert revision is not None
    with pytest.raises(BotRefused, match=r"top@HEAD cannot be exported: .*shared.* outside"):
        export_revision(revision, tmp_path / "old")
