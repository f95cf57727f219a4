"""Links between pages lead to existing files and headings, and the site shows every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages import ROOT, pages
from referee import __version__
from support.groups import each_of

_FENCED = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    return _FENCED.sub("", page.read_text("utf-8"))


def links() -> Iterator[tuple[Path, str]]:
    """Yield every link of every page to a file."""
    for page in [*pages(), ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
            if not re.match(r"https?://", target):
                yield page, target


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", heading.lower()) for heading in headings]
    return {re.sub(r"\s", "-", heading.strip()) for heading in plain}


@each_of(sorted(set(links())))
def test_a_link_leads_to_an_existing_file_or_heading(link: tuple[Path, str]) -> None:
    source, target = link
    name, _, anchor = target.partition("#")
    path = (source.parent / name).resolve() if name else source
    assert path.is_file()
    assert not anchor or anchor in anchors(path)


def test_the_site_shows_every_page() -> None:
    shown = re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert len(shown) == len(set(shown))
    there = {page.name for page in (ROOT / "docs").glob("*.md")}
    assert {"index.md", "CONTRIBUTING.md", "CHANGELOG.md", *there} == set(shown)


@pytest.mark.parametrize("picture", ["standings.svg", "replay.png"])
def test_a_picture_loads_nothing_from_the_network(picture: str) -> None:
    data = (ROOT / "docs" / "pictures" / picture).read_bytes()
    loaded = re.findall(rb"(?:url\(|href=)[\"']?(https?://[^\"')]+)", data)
    assert loaded == []
    assert f"docs/pictures/{picture}" in (ROOT / "README.md").read_text("utf-8")


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_author_and_publisher_of_the_game_are_named() -> None:
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert "Hansa Teutonica is a game by Andreas Steding, published by Pegasus Spiele." in text
    assert "It contains none of their artwork and none of their rule text." in text
