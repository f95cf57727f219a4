"""What all pages are made of: templates, style sheets, scripts, embedded data, and the content security policy."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from referee.text import visible

_POLICY: Final = (
    "default-src 'none'; style-src {styles}; script-src {scripts}; img-src {images}; base-uri 'none';"
    " form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
# Of a page with shared files: only files of its own site take effect, also from the disk.
SHARED_POLICY: Final = _POLICY.format(styles="'self'", scripts="'self'", images="'self' data:")
# Of a page that a server sends: it may also ask that server for what is new.
LIVE_POLICY: Final = f"{SHARED_POLICY}; connect-src 'self'"
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
# Characters that could end a block of JSON in a page, or a line of JavaScript.
_UNSAFE: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}  # fmt: skip


@cache
def asset(name: str) -> str:
    """The text of a file of this package, such as `game/page.css`."""
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def style_sheet(name: str) -> str:
    """A style sheet of this package, after the colours that all pages share."""
    return f"{asset('palette.css')}\n{asset(name)}"


def script(*names: str) -> str:
    """Files of this package as one script, after the functions that all pages share."""
    parts = "\n".join(asset(name) for name in ("common.js", *names))
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def policy(styles: tuple[str, ...], scripts: tuple[str, ...]) -> str:
    """A content security policy: only these styles and scripts take effect, and nothing is loaded."""
    return _POLICY.format(styles=_hashes(styles), scripts=_hashes(scripts), images="data:")


def filled(template: str, slots: Mapping[str, str]) -> str:
    """A template whose slots are filled in one pass, so that `{{name}}` inside a value stays as it is."""
    return _SLOT.sub(lambda slot: slots[slot[1]], asset(template))


def escaped(text: str) -> str:
    """Text as markup; control characters are made visible."""
    return html.escape(visible(text))


def embedded(data: object) -> str:
    """Data as JSON without any character that an HTML parser could act on."""
    text = msgspec.json.encode(data).decode()
    return re.sub("[<>&\u2028\u2029]", lambda found: _UNSAFE[found[0]], text)


def _hashes(texts: tuple[str, ...]) -> str:
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in texts)
    return " ".join(f"'sha256-{digest.decode()}'" for digest in digests)
