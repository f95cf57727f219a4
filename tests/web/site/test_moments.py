"""Analysed games on the site of a tournament: their pages, and the worst moments of each bot."""

from __future__ import annotations

import re
from pathlib import Path

from referee.web.site.build import make_site
from support.analysed_games import write_analysis
from support.sample_site import TURNS, write_tournament

LINK = re.compile(r'href="\.\./(games/[^"#]+)#(\d+)"')


def test_the_site_shows_the_analyses_of_its_games(tmp_path: Path) -> None:
    folder, site = write_tournament(tmp_path / "t", most=1, records=[0]), tmp_path / "site"
    make_site(folder, site)
    page = site / "games" / "b0000-1.html"
    assert '"analysis":' not in page.read_text("utf-8")
    assert "Worst moments" not in "".join(one.read_text() for one in site.glob("bots/*.html"))
    write_analysis(folder / "records" / "b0000" / "1.jsonl.gz", [2, 4])
    assert make_site(folder, site).pages.made == 1  # its analysis is newer than its page
    assert '"analysis":' in page.read_text("utf-8")
    assert make_site(folder, site).pages.made == 0


def test_the_page_of_a_bot_links_to_its_worst_moments(tmp_path: Path) -> None:
    folder, site = write_tournament(tmp_path / "t", most=1, records=[0]), tmp_path / "site"
    write_analysis(folder / "records" / "b0000" / "0.jsonl.gz", [2, 3, 6])
    write_analysis(folder / "records" / "b0000" / "2.jsonl.gz", [1])
    make_site(folder, site)
    found = []
    for bot in site.glob("bots/*.html"):
        _, _, rest = bot.read_text("utf-8").partition('id="moments"')
        moments = rest.partition("</section>")[0]
        found += LINK.findall(moments)
        assert moments.count("25.0 %") == len(LINK.findall(moments))
    assert len(found) == 4
    assert {page for page, _ in found} == {"games/b0000-0.html", "games/b0000-2.html"}
    assert TURNS == 6
