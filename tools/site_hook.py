"""A hook for mkdocs that adds files outside docs/ to the site, because pages link to them."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
}
FILES = {
    "LICENSE": "LICENSE",
    "CITATION.cff": "CITATION.cff",
    "examples/learn.py": "examples/learn.py",
    "tests/api/public_api.txt": "tests/api/public_api.txt",
    **{
        f"protocol/schema/{path.name}": f"schema/{path.name}"
        for path in sorted((ROOT / "protocol" / "schema").glob("*.json"))
    },
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add PAGES, with their links changed to be relative to docs/, and FILES."""
    for name, place in PAGES.items():
        text = re.sub(r"\]\(docs/", "](", (ROOT / name).read_text("utf-8"))
        files.append(File.generated(config, place, content=text))
    for name, place in FILES.items():
        files.append(File.generated(config, place, content=(ROOT / name).read_bytes()))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Change links to files outside docs/ to their place in the site."""
    return re.sub(r"\]\(\.\./([\w./-]+)", _inside, markdown)


def _inside(link: re.Match[str]) -> str:
    place = {**PAGES, **FILES}.get(link[1])
    return link[0] if place is None else f"]({place}"
