"""`referee schema`: what it prints and writes, and what it refuses."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from referee import schema
from referee.cli import main


def referee(*words: str) -> Result:
    return CliRunner().invoke(main, ["schema", *words])


def test_all_schemas_are_one_object() -> None:
    done = referee()
    assert done.exit_code == 0
    assert list(json.loads(done.stdout)) == list(schema.NAMES)


def test_one_schema_is_printed_as_it_ships() -> None:
    done = referee("--message", "decide")
    assert done.stdout == schema.text("decide")


def test_schemas_are_written_to_a_new_folder(tmp_path: Path) -> None:
    done = referee("--out", str(tmp_path / "new" / "schemas"))
    assert done.exit_code == 0
    written = {path.name for path in (tmp_path / "new" / "schemas").iterdir()}
    assert written == {f"{name}.json" for name in schema.NAMES}


def test_one_schema_can_be_written(tmp_path: Path) -> None:
    referee("--message", "choose", "--out", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["choose.json"]


def test_a_page_gets_its_tables(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- codes: begin -->\nold\n<!-- codes: end -->\nafter\n", "utf-8")
    assert referee("--page", str(page)).exit_code == 0
    text = page.read_text("utf-8")
    assert text.startswith("before\n<!-- codes: begin -->\n")
    assert text.endswith("\n<!-- codes: end -->\nafter\n")
    assert "| 0 | `income` | `traders`, `merchants` |" in text
    assert "\nold\n" not in text


def refused(*words: str) -> str:
    done = referee(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


def test_an_error_is_one_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x", "utf-8")
    assert "cannot be written" in refused("--out", str(blocked / "inside"))
    assert "cannot be read" in refused("--page", str(tmp_path / "none.md"))
    assert "cannot be combined" in refused("--page", str(blocked), "--message", "decide")
    assert "'decidd' is not one of" in refused("--message", "decidd")
