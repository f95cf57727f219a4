"""The files outside docs/ that belong to the site, because pages link to them.

A generator without hooks needs all files in one folder. This program writes them, and a mkdocs.yml
without the hook, to a new folder DIR:

    python tools/site_files.py DIR
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

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


def page(name: str) -> str:
    """Return the text of one of PAGES, with its links changed to be relative to docs/."""
    return re.sub(r"\]\(docs/", "](", (ROOT / name).read_text("utf-8"))


def with_links_inside(markdown: str) -> str:
    """Change links to files outside docs/ to their place in the site."""
    return re.sub(r"\]\(\.\./([\w./-]+)", _inside, markdown)


def _inside(link: re.Match[str]) -> str:
    place = {**PAGES, **FILES}.get(link[1])
    return link[0] if place is None else f"]({place}"


def write(folder: Path) -> None:
    """Write the sources of the whole site to a folder, which must not exist."""
    docs = folder / "docs"
    shutil.copytree(ROOT / "docs", docs)
    for name, place in PAGES.items():
        (docs / place).write_text(page(name), "utf-8")
    for name, place in FILES.items():
        (docs / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, docs / place)
    for path in docs.rglob("*.md"):
        path.write_text(with_links_inside(path.read_text("utf-8")), "utf-8")
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    (folder / "mkdocs.yml").write_text(settings.replace("- tools/site_hook.py", "[]"), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
