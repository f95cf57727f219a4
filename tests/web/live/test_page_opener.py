"""Opening a page: the browser is not our child, and no secret is an argument."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from referee.web.live.page_opener import has_display, open_page, opening_file
from support.waiting import wait_until

ADDRESS = "http://127.0.0.1:1234/seat/0"


@pytest.mark.skipif(sys.platform != "linux", reason="it looks at processes in /proc")
def test_the_browser_gets_the_address_and_is_not_our_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    browser, report = tmp_path / "browser", tmp_path / "report"
    browser.write_text(f'#!/bin/sh\necho "$1 $PPID" > {report}.new\nmv {report}.new {report}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    open_page(ADDRESS)
    wait_until(report.exists, "the browser starts")
    address, parent = report.read_text().split()
    assert address == ADDRESS
    assert int(parent) != os.getpid()


def test_only_this_user_can_read_the_file_that_leads_to_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with opening_file(f"{ADDRESS}#code") as path:
        assert path.parent == tmp_path
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert f"url={ADDRESS}#code" in path.read_text()
    assert not path.exists()


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there is always a display")
def test_without_a_display_no_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_display()
