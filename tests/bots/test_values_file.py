"""Files of values: `--set @FILE` wherever a bot is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.api.bots import find
from referee.bots.find import find_bot
from referee.bots.values_file import read_values, write_values
from referee.errors import BotRefused, OutputRefused
from referee.tournament.field import with_absolute_folder
from referee.tournament.request import read_request
from support.tuned_bot import write_tuned_bot


@pytest.fixture(autouse=True)
def bot_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder `tuned` with a bot, and a file of values, in the current folder."""
    monkeypatch.chdir(tmp_path)
    write_tuned_bot(tmp_path / "tuned")
    Path("values.toml").write_text("[values]\nsalt = 5\npepper = 4\n")


def refused(text: str, word: str = "tuned --set @bad.toml") -> str:
    """Return the sentence that refuses a file with this text."""
    Path("bad.toml").write_text(text)
    with pytest.raises(BotRefused) as refusal:
        find_bot(word)
    return str(refusal.value)


def test_a_file_sets_all_its_values() -> None:
    bot = find_bot("tuned --set @values.toml")
    assert bot.values == {"salt": 5, "pepper": 4.0}
    assert bot.command[-4:] == ("--set", "salt=5", "--set", "pepper=4.0")
    assert bot.content == find_bot("tuned --set pepper=4 --set salt=5").content


def test_a_value_overrides_the_file_and_a_file_the_one_before() -> None:
    Path("more.toml").write_text("[values]\nsalt = 6\n")
    assert find_bot("tuned --set salt=7 --set @values.toml").values["salt"] == 7
    assert find_bot("tuned --set @values.toml --set @more.toml").values["salt"] == 6


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    values = {"salt": 4, "pepper": 0.1 + 0.2}
    write_values(tmp_path / "new.toml", values, ["one line", "another"])
    assert (tmp_path / "new.toml").read_text().startswith("# one line\n# another\n[values]\n")
    assert read_values(tmp_path / "new.toml") == values


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OutputRefused, match=r"^cannot write .*none/new\.toml: No such file"):
        write_values(tmp_path / "none" / "new.toml", {})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("salt = 5", "bad.toml must have a table [values] with lines NAME = VALUE, and no more"),
        ("[values]\n[more]", "bad.toml must have a table [values] with lines NAME = VALUE"),
        ("[values", "bad.toml cannot be read: "),
        (f"[values]\nsalt = {'[' * 5000}", "bad.toml cannot be read: "),
        ("#" * (1 << 20) + "\n", "bad.toml is larger than 1024 KiB"),
        (
            "[values]\nsallt = 5",
            "bad.toml: bot tuned has no parameter 'sallt': did you mean 'salt'?",
        ),
        ("[values]\nsalt = 10", "bad.toml: salt must be a whole number from 1 to 9, not 10"),
        ("[values]\nsalt = '5'", "bad.toml: salt must be a whole number from 1 to 9, not 5"),
        ("[values]\npepper = true", "bad.toml: pepper must be a number from 0.5 to 8.0, not True"),
    ],
)
def test_a_file_that_is_not_valid_is_refused_with_its_name(text: str, why: str) -> None:
    assert refused(text).startswith(why)


def test_a_file_that_is_not_there_is_refused() -> None:
    assert (
        refused("", "tuned --set @no.toml") == "no.toml cannot be read: No such file or directory"
    )


def test_the_python_api_takes_a_file_for_imported_bots_too() -> None:
    Path("share.toml").write_text("[values]\nshare = 0.25\n")
    bot = find("support.importable_bots:at_share --set @share.toml")
    assert bot.values == {"share": 0.25}


def test_a_tournament_finds_the_file_from_every_folder(tmp_path: Path) -> None:
    here = with_absolute_folder("a=merchant --set @values.toml")
    assert here == f"a=merchant --set @{tmp_path.resolve()}/values.toml"
    command = "python bot.py --set @values.toml"
    assert with_absolute_folder(command) == command


def test_a_configuration_file_names_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text('bots = ["tuned --set @values.toml", "greedy"]')
    request = read_request(Path("..") / tmp_path.name / "league.toml")
    assert request.bots is not None
    assert find_bot(request.bots[0]).values["salt"] == 5
