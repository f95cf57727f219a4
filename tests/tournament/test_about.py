"""The title and the introduction of a tournament: from the file to the store."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from referee.errors import TournamentRefused
from referee.tournament.about import About, store_about, stored_about
from referee.tournament.opening import open_tournament
from referee.tournament.request import TournamentRequest, read_request
from referee.tournament.store import Store


def read(folder: Path, text: str) -> TournamentRequest:
    (folder / "t.toml").write_text(text, "utf-8")
    return read_request(folder / "t.toml")


def test_the_introduction_is_a_text_or_a_file_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "about.md").write_text("Über *uns*", "utf-8")
    assert read(tmp_path, 'introduction = "Hello."').introduction == "Hello."
    assert read(tmp_path, 'introduction = "about.md"').introduction == "Über *uns*"
    text = read(tmp_path, 'introduction = """\nSee\nabout.md"""').introduction
    assert text == "See\nabout.md"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('introduction = "gone.md"', "introduction: cannot read .*gone.md: No such file"),
        ('introduction = "binary.md"', "introduction: cannot read .*binary.md: it is not UTF-8"),
        ('introduction = "long.md"', "long.md has 20,001 characters; the most are 20,000"),
        ('title = ""', "title must be a text in quotes of 1 to 120 characters, not ''"),
        ("title = 5", "title must be a text in quotes of 1 to 120 characters, not 5"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "binary.md").write_bytes(b"\xff\xfe")
    (tmp_path / "long.md").write_text("x" * 20_001)
    with pytest.raises(TournamentRefused, match=sentence):
        read(tmp_path, text)


def test_each_run_may_change_what_is_said_and_keeps_the_rest(tmp_path: Path) -> None:
    first = TournamentRequest(bots=("random", "random"), max_turns=5)
    for title, introduction in (("Cup", "Welcome."), (None, None), ("Spring cup", None)):
        request = msgspec.structs.replace(first, title=title, introduction=introduction)
        open_tournament(tmp_path / "t", request).store.close()
    with Store.read(tmp_path / "t") as store:
        assert stored_about(store) == About("Spring cup", "Welcome.")


def test_a_tournament_without_a_title_has_none(tmp_path: Path) -> None:
    with Store.create(tmp_path / "t") as store:
        store_about(store, TournamentRequest())
        assert stored_about(store) == About(None, None)
