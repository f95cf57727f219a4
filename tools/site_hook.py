"""A hook for mkdocs that adds the files of site_files.py to the site."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from site_files import FILES, PAGES, ROOT, page, with_links_inside


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add PAGES and FILES to those of docs/."""
    for name, place in PAGES.items():
        files.append(File.generated(config, place, content=page(name)))
    for name, place in FILES.items():
        files.append(File.generated(config, place, content=(ROOT / name).read_bytes()))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Change links to files outside docs/ to their place in the site."""
    return with_links_inside(markdown)
