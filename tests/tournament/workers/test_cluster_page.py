"""docs/cluster.md: `tox -e cluster` runs its commands."""

from __future__ import annotations

import re

from support.paths import ROOT

DOC = (ROOT / "docs" / "cluster.md").read_text("utf-8")


def test_every_command_except_the_installation_is_run() -> None:
    blocks = re.findall(r"^```sh\n(.*?)\n```$", DOC, re.DOTALL | re.MULTILINE)
    run = re.findall(r"<!-- run: \w+ -->\n```sh\n(.*?)\n```$", DOC, re.DOTALL | re.MULTILINE)
    (left_out,) = set(blocks) - set(run)
    assert "pip install '.[cluster]'" in left_out
