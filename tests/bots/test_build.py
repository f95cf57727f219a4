"""Building bots: once for each content, within limits, with one message if the build fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee.bots import build
from referee.bots.build import build_bot
from referee.bots.build_process import BuildResult
from referee.bots.find import Bot, bundled_names, find_bot
from referee.bots.sandbox.levels import put_in_sandbox
from referee.bots.sandbox.limits import (
    BUILD_LIMITS,
    GIB,
    Level,
    Limits,
    check_allowed_builds,
    limits_of_build,
)
from referee.errors import BotRefused
from support.match_setup import left_running

Make = Callable[..., Path]


BUILT = 'name = "mine"\ncommand = ["./program"]\nbuild = ["sh", "make.sh"]\n'
MAKE = "echo built >> log.txt; cp bot.py program; mkdir -p target; date > target/when\n"


@pytest.fixture
def built(make: Make) -> Path:
    place = make(BUILT)
    (place / "make.sh").write_text(MAKE)
    return place


def builds(place: Path) -> int:
    """Find and build the bot; return how often it has been built so far."""
    build_bot(find_bot("mine"))
    return (place / "log.txt").read_text().count("built")


def test_a_bot_is_built_once(built: Path) -> None:
    assert [builds(built) for _ in range(3)] == [1, 1, 1]


def test_other_values_of_its_parameters_need_no_other_build(built: Path) -> None:
    parameter = 'parameters = { post = { type = "int", default = 1, low = 1, high = 3 } }\n'
    (built / "bot.toml").write_text(BUILT + parameter)
    assert builds(built) == 1
    build_bot(find_bot("mine --set post=2"))
    assert builds(built) == 1


def test_a_bot_is_built_again_when_a_source_changes(built: Path) -> None:
    builds(built)
    (built / "bot.py").write_text("print(3)\n")
    assert [builds(built), builds(built)] == [2, 2]
    assert (built / "program").read_text() == "print(3)\n"


def test_a_bot_is_built_again_when_its_program_is_gone(built: Path) -> None:
    builds(built)
    (built / "program").unlink()
    assert builds(built) == 2


@pytest.mark.parametrize("product", ["target/release/bot", "build"])
def test_a_bot_is_built_again_when_what_its_command_uses_is_gone(make: Make, product: str) -> None:
    """Also in a folder for what builds make, which is never looked through."""
    command = f'["{product}"]' if "/" in product else f'["java", "-cp", "{product}", "Bot"]'
    place = make(f'name = "mine"\ncommand = {command}\nbuild = ["sh", "make.sh"]\n')
    (place / "make.sh").write_text(f"echo built >> log.txt; mkdir -p {product}\n")
    assert [builds(place), builds(place)] == [1, 1]
    (place / product).rmdir()
    assert [builds(place), builds(place)] == [2, 2]


def test_a_build_does_not_change_the_hash(built: Path) -> None:
    before = find_bot("mine").content
    builds(built)
    assert find_bot("mine").content == before


def test_a_build_is_announced(built: Path) -> None:
    announced: list[str] = []
    build_bot(find_bot("mine"), announced.append)
    build_bot(find_bot("mine"), announced.append)
    assert announced == ["building mine: sh make.sh"]


def test_a_failed_build_shows_its_output(built: Path) -> None:
    (built / "make.sh").write_text("echo out; echo err >&2; exit 3\n")
    with pytest.raises(BotRefused) as error:
        build_bot(find_bot("mine"))
    assert str(error.value) == (
        "bot mine cannot be built: sh make.sh ended with exit status 3:\nout\nerr"
    )


def test_the_output_of_a_build_cannot_control_the_terminal(make: Make) -> None:
    script = "\\u001b]0;x\\u0007\\u202e; printf '\\\\033]0;x\\\\007'; exit 3"
    make(f'name = "mine"\ncommand = "x"\nbuild = ["sh", "-c", "{script}"]\n')
    announced: list[str] = []
    with pytest.raises(BotRefused) as error:
        build_bot(find_bot("mine"), announced.append)
    lines = [*announced, *str(error.value).splitlines()]
    assert len(lines) > 2
    assert all(line.isprintable() for line in lines)


def test_a_build_may_make_files_with_any_name(make: Make) -> None:
    script = "printf x > $(printf '\\\\377')"
    make(f'name = "mine"\ncommand = "x"\nbuild = ["sh", "-c", "{script}"]\n')
    before = find_bot("mine").content
    build_bot(find_bot("mine"))
    assert find_bot("mine").content == before


def test_a_failed_build_is_tried_again(built: Path) -> None:
    (built / "make.sh").write_text("exit 3\n")
    with pytest.raises(BotRefused):
        build_bot(find_bot("mine"))
    with pytest.raises(BotRefused):
        build_bot(find_bot("mine"))


def test_a_build_with_a_missing_program_is_refused(make: Make) -> None:
    make('name = "mine"\ncommand = "x"\nbuild = "no-such-compiler -o x"\n')
    with pytest.raises(BotRefused) as error:
        build_bot(find_bot("mine"))
    sentence = "bot mine cannot be built: No such file or directory: no-such-compiler"
    assert str(error.value) == sentence


def test_a_build_with_a_program_that_cannot_be_executed_is_refused(make: Make) -> None:
    (make('name = "mine"\ncommand = "x"\nbuild = "./make.sh"\n') / "make.sh").write_text("true\n")
    with pytest.raises(BotRefused, match=r"cannot be built: Permission denied: .*/make\.sh$"):
        build_bot(find_bot("mine"))


def test_python_in_a_build_is_the_referees_python(make: Make) -> None:
    make('name = "mine"\ncommand = "x"\nbuild = "python make.py"\n')
    assert find_bot("mine").build == (sys.executable, "make.py")


def test_a_bot_without_a_build_command_is_not_built(make: Make) -> None:
    place = make()
    build_bot(find_bot("mine"))
    assert sorted(path.name for path in place.iterdir()) == ["bot.py", "bot.toml"]


def test_a_person_needs_no_build() -> None:
    build_bot(Bot("human", (), Path.cwd(), "human"))


# --- limits and levels ---------------------------------------------------------------------

FEW = Limits(build_seconds=1)


def script(place: Path, text: str) -> None:
    (place / "make.sh").write_text(text)


@pytest.mark.parametrize(("level", "is_limited"), [("limits", True), ("off", False)])
def test_a_build_has_limits_at_limits(built: Path, level: Level, is_limited: bool) -> None:
    script(built, "ulimit -f > target; ulimit -n >> target\n")
    build_bot(replace(find_bot("mine"), level=level))
    blocks, files = (built / "target").read_text().split()
    assert (blocks == str(BUILD_LIMITS.file_size // 512)) == is_limited
    assert (int(files) <= BUILD_LIMITS.open_files) or not is_limited


def test_a_build_gets_more_than_a_bot_and_what_the_bot_is_granted() -> None:
    limits = limits_of_build(Limits(memory=64 * GIB, processes=4, build_seconds=5))
    assert limits.memory == 64 * GIB
    assert limits.processes == BUILD_LIMITS.processes
    assert limits.build_seconds == 5


def test_a_build_that_takes_too_long_is_ended(built: Path) -> None:
    script(built, "echo begins; sleep 3600\n")
    with pytest.raises(BotRefused) as error:
        build_bot(replace(find_bot("mine"), limits=FEW))
    assert str(error.value) == (
        "bot mine cannot be built: sh make.sh took more than 1 second; to allow more, use"
        " --limit mine:build_seconds=N"
    )


@pytest.mark.parametrize("level", ["limits", "off"])
def test_a_build_leaves_no_process(built: Path, level: Level) -> None:
    script(built, "setsid sleep 3600 > /dev/null 2>&1 & sleep 3600 &\n")
    before = left_running()
    build_bot(replace(find_bot("mine"), level=level))
    assert left_running() == before


def test_a_build_that_closes_its_output_is_waited_for(built: Path) -> None:
    script(built, "exec > /dev/null 2>&1; sleep 0.1; cp bot.py program\n")
    build_bot(find_bot("mine"))
    assert (built / "program").exists()


def test_only_the_end_of_a_long_output_is_kept(built: Path) -> None:
    script(built, "yes | head -c 3000000; echo the end; exit 3\n")
    with pytest.raises(BotRefused) as error:
        build_bot(find_bot("mine"))
    assert str(error.value).endswith("y\nthe end")
    assert len(str(error.value)) < 3000


def test_a_build_does_not_see_the_secret_of_a_tournament(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", "5" * 32)
    script(built, "env > target\n")
    build_bot(find_bot("mine"))
    assert "5" * 32 not in (built / "target").read_text()


def test_the_folders_of_other_bots_are_hidden_from_a_build(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command has no folder of its own, and bundled bots are hidden in any case."""
    make(BUILT)
    bots = [find_bot("mine"), find_bot("random"), find_bot("cat")]
    seen: list[list[Path]] = []
    monkeypatch.setattr(build, "build_bot", lambda _bot, _announce, hidden: seen.append(hidden))
    build.build_bots(bots, None, [Path("league")])
    assert seen == [[Path("league"), bots[0].folder]] * 3


# --- what a build leaves in its folder -----------------------------------------------------


def test_a_link_that_a_build_makes_leads_the_referee_nowhere(built: Path, tmp_path: Path) -> None:
    mine = tmp_path / "organisers-file"
    mine.write_text("precious")
    script(built, f"ln -s {mine} .referee-build\n")
    build_bot(find_bot("mine"))
    assert mine.read_text() == "precious"
    assert not (built / ".referee-build").is_symlink()


def test_a_pipe_in_place_of_the_stamp_does_not_stop_the_referee(built: Path) -> None:
    os.mkfifo(built / ".referee-build")
    assert [builds(built), builds(built)] == [1, 1]


def test_a_stamp_that_is_too_large_is_not_read(built: Path) -> None:
    assert builds(built) == 1
    os.truncate(built / ".referee-build", 1 << 40)
    assert builds(built) == 2


def test_a_stamp_that_cannot_be_written_is_refused(built: Path) -> None:
    script(built, "mkdir .referee-build\n")
    with pytest.raises(BotRefused, match=r"\.referee-build cannot be written: "):
        build_bot(find_bot("mine"))


# --- the network ---------------------------------------------------------------------------

NETWORK = f"{BUILT}build_network = true\n"


def test_a_build_in_the_strict_sandbox_may_use_the_network_only_if_allowed(make: Make) -> None:
    make(NETWORK)
    bot = replace(find_bot("mine"), level="strict", name="mine#2")
    with pytest.raises(BotRefused) as error:
        build_bot(bot)
    assert str(error.value) == (
        "bot mine#2 wants the network for its build (build_network in its bot.toml), which must be"
        " allowed: --allow-build mine"
    )


@pytest.mark.parametrize(
    ("output", "is_advised"),
    [
        ("", True),
        (" \n", True),
        ("curl: (6) Could not resolve host: example.org", True),
        ("main.c:3: error: expected ';'", False),
    ],
)
def test_a_build_that_may_lack_the_network_says_how_to_get_it(
    built: Path, monkeypatch: pytest.MonkeyPatch, output: str, is_advised: bool
) -> None:
    monkeypatch.setattr(build, "run_build", lambda *_: BuildResult(1, output))
    bot = replace(find_bot("mine"), level="strict")
    with pytest.raises(BotRefused) as refusal:
        build_bot(bot)
    assert ("write build_network = true" in str(refusal.value)) == is_advised


def test_a_bot_that_is_built_already_needs_no_permission(built: Path) -> None:
    (built / "bot.toml").write_text(NETWORK)
    builds(built)
    build_bot(replace(find_bot("mine"), level="strict"))


def test_outside_the_strict_sandbox_every_build_has_the_network(built: Path) -> None:
    (built / "bot.toml").write_text(NETWORK)
    assert builds(built) == 1


def test_only_named_bots_and_bundled_ones_may_use_the_network(make: Make) -> None:
    make(NETWORK)
    bots = [find_bot("mine"), find_bot("x=mine"), find_bot("random-rust")]
    inside = put_in_sandbox(bots, "limits", allow_build=["x"]).bots
    assert [bot.allow_network for bot in inside] == [False, True, True]


def test_a_kit_that_downloads_packages_says_so() -> None:
    kits = {kit: find_bot(kit) for kit in bundled_names()}
    downloading = {kit for kit, bot in kits.items() if bot.build_network}
    assert downloading == {"random-go", "random-java", "random-js", "random-rust", "random-ts"}


def test_an_unknown_name_is_refused_with_a_suggestion() -> None:
    check_allowed_builds(["mine"], ["mine", "mine#2", "other@2"])
    with pytest.raises(BotRefused, match=r"no bot 'mien' whose build .*: did you mean 'mine'\?"):
        check_allowed_builds(["mien"], ["mine", "other"])
