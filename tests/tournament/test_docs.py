"""docs/tournaments.md: its example file is valid, and the page names every key."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from pages import ROOT, blocks_of
from referee.tournament.request import TournamentRequest, read_request

PAGE = ROOT / "docs" / "tournaments.md"


def test_the_example_file_is_valid(tmp_path: Path) -> None:
    (block,) = [one for one in blocks_of(PAGE) if one.notes.get("file") == "tournament.toml"]
    (tmp_path / "tournament.toml").write_text(block.text, "utf-8")
    request = read_request(tmp_path / "tournament.toml")
    assert request.bots is not None
    assert len(request.bots) == 4
    assert request.tables is not None
    assert [table.board for table in request.tables] == ["hanse-4-5", "east"]


def test_the_page_names_every_key() -> None:
    named = re.findall(r"`(\w+)`", PAGE.read_text("utf-8"))
    assert {field.name for field in msgspec.structs.fields(TournamentRequest)} <= set(named)
