"""The house rules: which room may import which, and what must not be said where."""

import ast
import fnmatch
import re
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import settings

from house import (
    ENGINE,
    ROOT,
    identifiers,
    imported,
    is_within,
    modules,
    name_of,
    names_on_maps,
    project_files,
    spoken_strings,
    tree_of,
)

LONGEST_MODULE = 400
SHIPPED = modules("referee", "protocol")
EVERYWHERE = modules("referee", "protocol", "build_backend", "tests")


def outside_imports(folder: str, *allowed: str) -> list[str]:
    """The imports of a folder that are neither the standard library's nor allowed."""
    return [
        f"{name_of(path)} imports {module}"
        for path in modules(folder)
        for module in sorted(imported(path))
        if module.partition(".")[0] not in sys.stdlib_module_names
        and not any(is_within(module, package) for package in allowed)
    ]


def importers(module: str) -> set[str]:
    return {
        name_of(path)
        for path in SHIPPED
        if any(is_within(found, module) for found in imported(path))
    }


# --- Imports point one way -----------------------------------------------------------------


def test_the_engine_imports_the_standard_library_and_itself_only() -> None:
    assert outside_imports("referee/engine", "referee.engine", "referee") == []
    beyond = [
        f"{name_of(path)} imports {module}"
        for path in modules("referee/engine")
        for module in sorted(imported(path))
        if is_within(module, "referee") and not is_within(module, "referee.engine")
    ]
    assert beyond == []


@pytest.mark.parametrize(
    "module", ["io", "os", "pathlib", "random", "secrets", "socket", "sys", "time", "datetime"]
)
def test_the_engine_knows_no_files_no_clock_and_no_chance_but_the_seed(module: str) -> None:
    assert [name for name in importers(module) if name.startswith("referee/engine/")] == []


def test_the_engine_opens_and_prints_nothing() -> None:
    calls = {
        f"{name_of(path)}:{node.lineno} {node.func.id}"
        for path in modules("referee/engine")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in {"open", "print", "input", "eval", "exec", "__import__"}
    }
    assert calls == set()


def test_protocol_imports_nothing_of_the_referee() -> None:
    assert [name for name in importers("referee") if name.startswith("protocol/")] == []


def test_bots_import_the_protocol_and_those_that_search_the_engine_and_the_atlas() -> None:
    own = {path.stem for path in modules("sample_bots")} | {"thinking"}
    rooms = ("referee.engine", "referee.atlas")
    assert outside_imports("sample_bots", "protocol", "referee", *own) == []
    beyond = [
        f"{name_of(path)} imports {module}"
        for path in modules("sample_bots")
        for module in sorted(imported(path))
        if module.startswith("referee.") and not any(is_within(module, room) for room in rooms)
    ]
    assert beyond == []


def test_a_game_and_its_record_know_nothing_of_what_is_built_on_them() -> None:
    rooms = ("api", "bench", "check", "cli", "console", "drawing", "replay", "rl", "tournament")
    above = tuple(f"referee.{room}" for room in (*rooms, "viewer"))
    turned = [
        f"{name_of(path)} imports {module}"
        for path in modules("referee/atlas", "referee/match", "referee/records")
        for module in sorted(imported(path))
        if module.startswith(above)
    ]
    assert turned == []


def test_one_game_knows_nothing_of_tournaments() -> None:
    rooms = ("api", "bench", "cli", "console", "tournament", "viewer")
    above = tuple(f"referee/{room}" for room in rooms)
    assert [name for name in importers("referee.tournament") if not name.startswith(above)] == []


def test_production_code_does_not_import_the_benchmarks() -> None:
    users = ("referee/bench/", "referee/cli/bench/", "referee/console_bench.py")
    assert [name for name in importers("referee.bench") if not name.startswith(users)] == []


def test_only_the_console_imports_rich() -> None:
    assert [name for name in importers("rich") if not name.startswith("referee/console")] == []


def test_only_the_command_line_imports_click() -> None:
    assert [name for name in importers("click") if not name.startswith("referee/cli/")] == []


def test_only_the_atlas_reads_map_files() -> None:
    assert importers("tomllib") == {
        "referee/atlas/__init__.py",
        "referee/match/bots.py",
        "referee/tournament/wishes.py",
    }


def test_nothing_imports_the_command_line_but_its_two_doors() -> None:
    inner = {name for name in importers("referee.cli") if not name.startswith("referee/cli/")}
    assert inner <= {"referee/__main__.py"}


# --- Number, place, moment: never a question about a name ----------------------------------

BOARD_WORDS = frozenset({"hanse", "east", "eastern", "britannia", "england", "wales", "scotland"})
NEUTRAL_MODES = frozenset({"2009", "britannia"})
COMMON_WORDS = re.compile("east[-_]west")


def place_names_in(text: str, forbidden: frozenset[str]) -> list[str]:
    said = COMMON_WORDS.sub("", text.casefold())
    return [name for name in sorted(forbidden) if re.search(rf"\b{re.escape(name)}\b", said)]


@pytest.mark.parametrize("path", modules("referee/engine"), ids=name_of)
def test_no_board_city_or_country_is_named_in_the_engine(path: Path) -> None:
    forbidden = BOARD_WORDS | names_on_maps()
    allowed = NEUTRAL_MODES if path == ENGINE / "ruleset.py" else frozenset()
    named = [
        f"line {line}: {text!r} names {name}"
        for line, text in spoken_strings(path)
        if text not in allowed
        for name in place_names_in(text, forbidden)
    ]
    assert named == []


@pytest.mark.parametrize("path", modules("referee/engine"), ids=name_of)
def test_the_neutral_modes_are_told_apart_in_the_ruleset_only(path: Path) -> None:
    said = [line for line, text in spoken_strings(path) if text in NEUTRAL_MODES]
    assert said == [] or path == ENGINE / "ruleset.py"


@pytest.mark.parametrize("path", modules("referee/engine"), ids=name_of)
def test_no_rule_asks_for_a_name(path: Path) -> None:
    """No comparison with the id, title or name of a board, edition or variant.

    That the rules were made for the board is no rule: it is refused before a game begins.
    """
    fits = "rules.board != board.id"
    name = re.compile(r"\b(board|edition|variant)(\.(id|title|name))?$")
    asked = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Compare)
        and any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)
        if any(name.search(ast.unparse(side)) for side in (node.left, *node.comparators))
        if ast.unparse(node) != fits
    ]
    assert asked == []


# --- Words ---------------------------------------------------------------------------------

SYNONYMS = frozenset(
    {
        "cube",
        "cubes",
        "disc",
        "edge",
        "edges",
        "hand",
        "node",
        "nodes",
        "office",
        "offices",
        "piece",
        "pieces",
        "prompt",
        "slot",
        "slots",
        "token",
        "tokens",
        "upgrade",
        "upgrades",
        "vp",
    }
)
KEPT_WORDS = frozenset({"__slots__", "in_hand"})  # Python's word, and the wire's


def words_of(identifier: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", identifier)}


@pytest.mark.parametrize("path", modules("referee/engine"), ids=name_of)
def test_the_engine_says_the_words_of_the_rulebook(path: Path) -> None:
    other = [
        f"line {line}: {identifier}"
        for line, identifier in identifiers(path)
        if identifier not in KEPT_WORDS and words_of(identifier) & SYNONYMS
    ]
    assert other == []


# Written so that this page does not match itself.
FORBIDDEN = {
    "a number of the tracker": re.compile(r"\bissu[e] ?#?\d|\bissu[e] #", re.IGNORECASE),
    "a path of one machine": re.compile(r"(?<![\w.}/])/(?:wor[k]|hom[e]|roo[t]|User[s])/"),
    "a page that is not here": re.compile(r"\.\./share[d]\b|\bsee[d] 00\d\b"),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_of_the_project_says(what: str) -> None:
    found = [
        f"{name_of(path)}:{number}: {line.strip()[:80]}"
        for path in project_files()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if FORBIDDEN[what].search(line)
    ]
    assert found == []


# --- Size and shape ------------------------------------------------------------------------


@pytest.mark.parametrize("path", EVERYWHERE, ids=name_of)
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(tree_of(path))


@pytest.mark.parametrize("path", SHIPPED, ids=name_of)
def test_no_module_is_longer_than_one_reads(path: Path) -> None:
    length = path.read_text("utf-8").count("\n")
    assert length < LONGEST_MODULE


def test_every_package_ships() -> None:
    words = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = set(words["tool"]["setuptools"]["packages"])
    folders = {path.parent for path in SHIPPED}
    data = {"referee.maps", "referee.sample_bots"}
    assert listed == {name_of(folder).replace("/", ".") for folder in folders} | data


def test_what_building_a_bot_leaves_never_ships() -> None:
    words = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    excluded = words["tool"]["setuptools"]["exclude-package-data"]["referee.sample_bots"]
    ignored = {
        line.strip("/")
        for path in (ROOT / "sample_bots").glob("*/.gitignore")
        for line in path.read_text("utf-8").split()
        if line.endswith("/")
    }
    assert set(excluded) == {f"*/{folder}/**" for folder in ignored}


def test_every_package_has_its_own_page() -> None:
    without = [
        name_of(path.parent) for path in SHIPPED if not (path.parent / "__init__.py").exists()
    ]
    assert without == []


def test_hypothesis_draws_the_same_in_every_run_and_has_time() -> None:
    assert (settings().derandomize, settings().deadline) == (True, None)


# --- What the pages say ---------------------------------------------------------------------


def rooms_named_on_the_page() -> list[str]:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    return re.findall(r"[a-z_*]+\.py|[a-z_]+/", page)


def test_the_page_about_the_house_names_nothing_that_is_not_there() -> None:
    paths = [path.relative_to(ROOT) for path in project_files()]
    folders = {f"{folder}/" for path in paths for folder in path.parts[:-1]}
    there = {path.name for path in paths} | folders
    assert [name for name in rooms_named_on_the_page() if not fnmatch.filter(there, name)] == []


@pytest.mark.parametrize("room", ["protocol", "referee", "referee/engine", "referee/tournament"])
def test_the_page_about_the_house_names_all_that_is_in(room: str) -> None:
    named = rooms_named_on_the_page()
    inside = [path.name for path in (ROOT / room).glob("[a-z]*.py")]
    inside += [f"{path.parent.name}/" for path in (ROOT / room).glob("*/__init__.py")]
    unnamed = {name for name in inside if not any(fnmatch.fnmatch(name, one) for one in named)}
    assert unnamed == set()


# --- What README says and .ci/run does -----------------------------------------------------


def readme_command(marker: str) -> str:
    text = (ROOT / "README.md").read_text("utf-8")
    (found,) = re.findall(rf"<!-- command: {marker} -->\n```sh\n(.*?)\n```\n", text, re.DOTALL)
    return str(found)


def test_the_readme_has_two_commands_and_each_is_one_line() -> None:
    for marker in ("tournament", "test"):
        assert "\n" not in readme_command(marker)
        assert readme_command(marker).startswith("python3 -m venv .venv && ")


def test_the_checks_run_the_test_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert 'bash -euo pipefail -c "$(readme test)"' in script
    assert "pytest" not in script
