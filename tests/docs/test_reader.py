"""The reader of pages notices a result that differs from the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages import Block, Reader, blocks_of

PAGE = """
<!-- before:
echo first > one.txt
-->

<!-- file: sub/two.txt -->
```text
second
```

```sh
cat one.txt sub/two.txt   # both
```

<!-- prints -->
```text
first
sec…
```

<!-- exit: 3 -->
```python
raise SystemExit(3)
```

<!-- not run: it would never end -->
```sh
sleep inf
```

<!-- also: three -->
```sh
echo one \\
  two
```
"""


@pytest.fixture
def blocks(tmp_path: Path) -> list[Block]:
    (tmp_path / "page.md").write_text(PAGE, "utf-8")
    return blocks_of(tmp_path / "page.md")


def follow(reader: Reader, blocks: list[Block]) -> None:
    for block in blocks:
        reader.follow(block)


def test_blocks_are_run_in_their_order(blocks: list[Block], tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    follow(reader, blocks)
    assert [block.is_run for block in blocks] == [True, False, True, False, True, False, True]
    assert reader.printed == "one two three\n"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("raise SystemExit(3)", "raise SystemExit(0)"),
        ("sec…\n", "third\n"),
        ("cat one.txt", "cat no.txt"),
    ],
)
def test_a_different_result_is_noticed(text: str, wrong: str, tmp_path: Path) -> None:
    assert text in PAGE
    (tmp_path / "page.md").write_text(PAGE.replace(text, wrong), "utf-8")
    with pytest.raises(AssertionError, match=r"^page.md:\d+: "):
        follow(Reader(tmp_path), blocks_of(tmp_path / "page.md"))


def test_an_activated_environment_stays_active(tmp_path: Path) -> None:
    reader = Reader(tmp_path, {"PATH": "/usr/bin:/bin"})
    reader.install()
    reader.environment["PATH"] = "/usr/bin:/bin"
    (tmp_path / "page.md").write_text(
        "```sh\nsource .venv/bin/activate\n```\n\n```sh\nreferee --version\n```\n", "utf-8"
    )
    follow(reader, blocks_of(tmp_path / "page.md"))
    assert reader.printed.startswith("referee ")
