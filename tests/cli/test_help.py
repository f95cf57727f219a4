"""Help pages with examples, suggestions for typos, and shell completion."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.cli.completion import bots as complete_bots
from referee.cli.help_sections import HEADINGS, SectionedOption
from support.command_lines import COMMANDS, parse_command_line
from support.groups import each_of


def examples_of(name: str) -> list[str]:
    _, _, below = (COMMANDS[name].epilog or "").partition("Examples:\n")
    return [line.strip() for line in below.splitlines()]


@each_of(list(COMMANDS))
def test_the_first_example_of_a_command_uses_that_command(name: str) -> None:
    shown = CliRunner().invoke(main, [*name.split()[1:], "--help"]).stdout.splitlines()
    assert examples_of(name)[0].startswith(name)
    assert [line for line in examples_of(name) if f"    {line}" not in shown] == []


@each_of(list(COMMANDS))
def test_every_command_says_what_it_does(name: str) -> None:
    assert COMMANDS[name].get_short_help_str()


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("group", [[], ["bench"], ["maps"]])
def test_no_command_is_described_in_half_a_sentence(group: list[str], width: int) -> None:
    result = CliRunner().invoke(main, [*group, "--help"], terminal_width=width)
    assert "..." not in result.stdout.partition("Commands:")[2]
    assert max(map(len, result.stdout.splitlines())) <= width


@each_of(list(COMMANDS))
def test_every_option_is_explained(name: str) -> None:
    options = [one for one in COMMANDS[name].params if isinstance(one, click.Option)]
    assert [option.name for option in options if not option.help] == []


# --- options under headings ----------------------------------------------------------------

SECTIONED = ("referee compare", "referee play", "referee tournament")


def sections_of(name: str, width: int = 80) -> dict[str, list[str]]:
    """The first words of the options under each heading of a help page."""
    arguments = [*name.split()[1:], "--help"]
    shown = CliRunner().invoke(main, arguments, terminal_width=width).stdout
    sections: dict[str, list[str]] = {}
    for line in shown.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            options = sections[line.removesuffix(":")] = []
        elif line.startswith("  -"):
            options.append(line.split()[0].rstrip(","))
    return sections


@pytest.mark.parametrize("name", SECTIONED)
def test_every_option_is_under_exactly_one_heading(name: str) -> None:
    shown = [option for options in sections_of(name).values() for option in options]
    options = [one for one in COMMANDS[name].params if isinstance(one, click.Option)]
    assert all(isinstance(option, SectionedOption) for option in options)
    assert sorted(shown) == sorted(["-h", *(option.opts[0] for option in options)])
    assert shown[-1] == "-h"


@pytest.mark.parametrize("name", SECTIONED)
def test_headings_come_in_a_fixed_order(name: str) -> None:
    sections = sections_of(name)
    assert list(sections) == [heading for heading in HEADINGS if heading in sections]
    assert all(sections.values())


@pytest.mark.parametrize("name", SECTIONED)
def test_sections_fit_the_width_and_begin_in_the_same_column(name: str) -> None:
    arguments = [*name.split()[1:], "--help"]
    shown = CliRunner().invoke(main, arguments, terminal_width=80).stdout
    lines = [line for line in shown.partition("Examples:")[0].splitlines() if line[:3] == "  -"]
    assert max(map(len, lines)) <= 80
    texts = [line[34:] for line in lines if len(line) > 32 and line[32:34] == "  "]
    assert all(text[0] != " " for text in texts)
    assert len(texts) >= len(lines) - 2  # two options are too long for their column


@each_of(sorted({line for name in COMMANDS for line in examples_of(name)}))
def test_every_example_is_understood(line: str) -> None:
    parse_command_line(line)


def test_a_wrong_example_would_be_noticed() -> None:
    with pytest.raises(click.NoSuchOption):
        parse_command_line("referee play random --bord east")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("tournamnt", "there is no command 'tournamnt'; did you mean 'tournament'?"),
        ("bench engne", "there is no command 'engne'; did you mean 'engine'?"),
        ("maps lst", "there is no command 'lst'; did you mean 'list'?"),
        ("play random --bord east", "there is no option '--bord'; did you mean '--board'?"),
        ("play randm random", "did you mean 'random'?"),
        ("maps show est", 'did you mean "east"?'),
        ("play random random --board hanse-3-4", 'did you mean "hanse-'),
        ("tournament random merchnt", "did you mean 'merchant'?"),
    ],
)
def test_a_typo_is_answered_with_a_suggestion(line: str, meant: str) -> None:
    result = CliRunner().invoke(main, line.split())
    assert result.exit_code == 2
    assert meant in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play random random --bots 3", "there is no option '--bots'; write the bots without it;"),
        ("tournament --bots 3", "there is no option '--bots'; write the bots without it;"),
        ("standings spring --bots", "there is no option '--bots'; see"),
        ("report spring --xyz", "there is no option '--xyz'; see"),
        ("play random --sede 7", "did you mean '--seed'?"),
        ("play random --recrod x", "did you mean '--record'?"),
        ("tournament --block-per-bot 3", "did you mean '--blocks-per-bot'?"),
    ],
)
def test_an_option_is_suggested_only_if_it_is_similar(line: str, said: str) -> None:
    assert said in CliRunner().invoke(main, line.split()).stderr


def test_an_unknown_word_gets_no_suggestion() -> None:
    result = CliRunner().invoke(main, ["xyzzy"], prog_name="referee")
    assert result.stderr == "referee: there is no command 'xyzzy'; see 'referee --help'\n"


# --- completion ----------------------------------------------------------------------------


def completed(line: str) -> list[str]:
    """Return what bash gets for a command line whose last word is being typed."""
    words = line.split(" ")
    variables = {
        "_REFEREE_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    result = CliRunner().invoke(main, [], env=variables, prog_name="referee")
    assert result.exit_code == 0, result.output
    return result.stdout.split()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("referee tourn", ["plain,tournament"]),
        ("referee bench eng", ["plain,engine"]),
        ("referee maps sh", ["plain,show"]),
        ("referee play --miss", ["plain,--missions"]),
        ("referee play random --board east", ["plain,east"]),
        ("referee play random --edition big", ["plain,bigbox"]),
        ("referee play gree", ["plain,greedy"]),
        ("referee tournament merchant nav", ["plain,navigator", "plain,navigator-1"]),
        ("referee check mer", ["plain,merchant"]),
        ("referee reask game.jsonl hum", ["plain,human"]),
        ("referee maps show britannia-2", ["plain,britannia-2-3"]),
        ("referee bench engine --board hanse-4", ["plain,hanse-4-5"]),
        ("referee verify gam", ["file,gam"]),
        ("referee play ../bo", ["dir,../bo"]),
    ],
)
def test_a_shell_completes(line: str, words: list[str]) -> None:
    assert completed(line) == words


def test_every_bundled_bot_is_offered() -> None:
    assert {"plain,greedy", "plain,human", "plain,random"} <= set(completed("referee play "))


@pytest.mark.parametrize("typed", ["my", "./my", "{place}/my"])
def test_a_bot_folder_is_completed_as_it_is_typed(
    typed: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path_factory.mktemp("bots")
    for name in ("my-bot", "my-notes"):
        (place / name).mkdir()
    (place / "my-bot" / "bot.toml").touch()
    monkeypatch.chdir(place)
    typed = typed.format(place=place)
    found = complete_bots(click.Context(main), main.params[0], typed)
    assert [item.value for item in found] == [f"{typed}-bot"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_completion_script(shell: str) -> None:
    variables = {"_REFEREE_COMPLETE": f"{shell}_source"}
    result = CliRunner().invoke(main, [], env=variables, prog_name="referee")
    assert "_REFEREE_COMPLETE" in result.stdout
