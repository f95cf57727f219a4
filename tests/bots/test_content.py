"""The content of a bot: which files are in its hash, and which are not."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from referee.bots import find as module
from referee.bots.content import hash_folder, sources
from referee.bots.find import find_bot
from referee.errors import BotRefused

Make = Callable[..., Path]


def test_the_same_files_in_another_folder_are_the_same_bot(make: Make) -> None:
    make()
    make(where="copy")
    assert find_bot("mine").content == find_bot("copy").content


def test_another_file_is_another_bot(make: Make) -> None:
    place = make()
    before = hash_folder(place)
    (place / "weights.bin").write_bytes(b"\0")
    assert hash_folder(place) != before


def test_another_name_of_a_file_is_another_bot(make: Make) -> None:
    place = make()
    before = hash_folder(place)
    (place / "bot.py").rename(place / "tob.py")
    assert hash_folder(place) != before


def test_bytes_moved_to_the_next_file_change_the_hash(make: Make) -> None:
    place = make()
    (place / "a").write_text("1")
    (place / "b").write_text("23")
    before = hash_folder(place)
    (place / "a").write_text("12")
    (place / "b").write_text("3")
    assert hash_folder(place) != before


@pytest.mark.parametrize("where", [".git/index", ".hidden", "__pycache__/bot.pyc"])
def test_hidden_files_and_caches_do_not_count(make: Make, where: str) -> None:
    place = make()
    before = hash_folder(place)
    (place / where).parent.mkdir(exist_ok=True)
    (place / where).write_text("x")
    assert hash_folder(place) == before


def test_a_program_in_bin_counts_if_there_is_no_build(make: Make) -> None:
    place = make()
    (place / "bin").mkdir()
    (place / "bin/bot").write_text("one")
    before = find_bot("mine").content
    (place / "bin/bot").write_text("two")
    assert find_bot("mine").content != before


def test_the_hash_of_a_command_has_its_words_and_files(make: Make, tmp_path: Path) -> None:
    (tmp_path / "one.sh").write_text("1")
    first = find_bot("sh one.sh").content
    assert find_bot("sh one.sh").content == first
    assert find_bot("sh one.sh -x").content != first
    (tmp_path / "one.sh").write_text("2")
    assert find_bot("sh one.sh").content != first


@pytest.fixture
def deep(make: Make) -> Iterator[Path]:
    """A bot with 1200 folders inside each other; pytest could not delete it."""
    place = make()
    with chdir(place):
        for _ in range(1200):  # the whole path would be too long for one call
            Path("d").mkdir()
            os.chdir("d")
    yield place
    subprocess.run(["rm", "-r", place / "d"], check=True)


def test_a_folder_of_any_depth_is_refused_in_a_sentence(deep: Path) -> None:
    with pytest.raises(BotRefused, match="has more than 100 folders inside each other"):
        hash_folder(deep)


def test_a_file_name_may_have_any_bytes(make: Make) -> None:
    place = make()
    before = hash_folder(place)
    os.close(os.open(os.fsencode(place) + b"/\xff.txt", os.O_CREAT | os.O_WRONLY))
    assert hash_folder(place) != before


@pytest.fixture
def linked(make: Make, tmp_path: Path) -> Path:
    """A bot's folder with a link to a file outside the folder."""
    (tmp_path / "secret.txt").write_text("a plan")
    place = make()
    (place / "link.txt").symlink_to(tmp_path / "secret.txt")
    return place


def test_a_link_out_of_the_folder_counts_by_its_target_path(linked: Path, tmp_path: Path) -> None:
    """The target is not the bot's, and may be any file that we can read."""
    before = hash_folder(linked)
    (tmp_path / "secret.txt").write_text("another plan")
    assert hash_folder(linked) == before
    (linked / "link.txt").unlink()
    (linked / "link.txt").symlink_to(tmp_path / "mine")
    assert hash_folder(linked) != before


def test_a_link_out_of_the_folder_is_not_a_source(linked: Path) -> None:
    (linked / "inside.txt").symlink_to("bot.py")
    names = {path.name for path in sources(linked, is_built=False)}
    assert names == {"bot.py", "bot.toml", "inside.txt"}


@pytest.fixture
def bundled(make: Make, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of bundled bots: one bot, and a folder that bots share."""
    place = make().parent
    (place / "shared").mkdir()
    (place / "shared" / "mind.py").write_text("1")
    monkeypatch.setattr(module, "BUNDLED", place)
    monkeypatch.setattr(module, "THINKING", place / "shared")
    return place


def test_a_shared_folder_counts_for_bundled_bots(bundled: Path) -> None:
    before = find_bot("mine").content
    (bundled / "shared" / "mind.py").write_text("2")
    assert find_bot("mine").content != before


def test_what_a_compiled_build_adds_does_not_count(bundled: Path) -> None:
    before = find_bot("mine").content
    (bundled / "shared" / "mind.so").write_bytes(b"2")
    assert find_bot("mine").content == before


def test_what_bundled_bots_share_does_not_count_for_another_bot(
    bundled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUNDLED", bundled / "elsewhere")
    before = find_bot("mine").content
    (bundled / "shared" / "mind.py").write_text("2")
    assert find_bot("mine").content == before


def test_the_house_bots_share_files_of_the_package() -> None:
    assert (module.THINKING / "plan.py").is_file()
