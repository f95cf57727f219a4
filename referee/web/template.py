"""What all pages share: templates, assets, and the content security policy."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

_POLICY: Final = (
    "default-src 'none'; style-src {styles}; script-src {scripts}; img-src data:; base-uri 'none';"
    " form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")


@cache
def asset(name: str) -> str:
    """The text of a file of this package, such as `game/page.css`."""
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def styled(name: str) -> str:
    """A style sheet of this package, after the colours that all pages share."""
    return f"{asset('palette.css')}\n{asset(name)}"


def policy(styles: tuple[str, ...], scripts: tuple[str, ...]) -> str:
    """A content security policy: only these styles and scripts take effect, and nothing is loaded."""
    return _POLICY.format(styles=_hashes(styles), scripts=_hashes(scripts))


def filled(template: str, slots: Mapping[str, str]) -> str:
    """A template whose slots are filled in one pass, so that `{{name}}` inside a value stays as it is."""
    return _SLOT.sub(lambda slot: slots[slot[1]], asset(template))


def _hashes(texts: tuple[str, ...]) -> str:
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in texts)
    return " ".join(f"'sha256-{digest.decode()}'" for digest in digests)
