"""The architecture of docs/architecture.md: layers, who may import what, names, sizes, packaging."""

import ast
import re
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

from hypothesis import settings

from support.groups import together
from support.paths import ROOT
from support.source_files import (
    ENGINE,
    identifiers,
    imported,
    is_within,
    modules,
    name_of,
    names_on_maps,
    nodes_of,
    project_files,
    spoken_strings,
    text_of,
    words_of,
)

# Each line imports only from itself and from the lines below it.
# A dotted name is a part of a package that has a layer of its own.
LAYERS = (
    "cli",
    "terminal",
    "web",
    "bench",
    "check",
    "schema",
    "doctor",
    "thinking.engine_bot, thinking.planner_bot, thinking.search.bot",
    "api",
    "tuning",
    "rl",
    "terminal.board, terminal.ascii, terminal.seats",
    "analysis",
    "tournament",
    "replay",
    "match",
    "narration",
    "records",
    "bots",
    "encoder",
    "adjudication",
    "options",
    "random_play",
    "thinking",
    "atlas",
    "drawing",
    "system",
    "version",
    "errors",
    "text",
    "engine",
)
# The modules in the root of referee/ that are outside the layers: how the package is imported or run.
ENTRANCES = frozenset({"referee", "referee.__main__", "referee._deprecated"})
LONGEST_MODULE = 600
MOST_MODULES_IN_A_FOLDER = 25

SHIPPED = modules("referee", "protocol")
EVERYWHERE = modules("referee", "protocol", "build_backend", "tests")
RANKS = {f"referee.{name}": rank for rank, line in enumerate(LAYERS) for name in line.split(", ")}


def module_name(path: Path) -> str:
    return name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def rank_of(module: str) -> int | None:
    """Return the layer of a module: that of the longest name in the table that contains it."""
    while module:
        if module in RANKS:
            return RANKS[module]
        module = module.rpartition(".")[0]
    return None


def outside_imports(folder: str, *allowed: str) -> list[str]:
    """Return the imports of a folder that are neither from the standard library nor allowed."""
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


# --- Layers --------------------------------------------------------------------------------


def test_every_module_has_a_layer() -> None:
    names = {module_name(path) for path in modules("referee")} - ENTRANCES
    assert [name for name in sorted(names) if rank_of(name) is None] == []


def test_the_table_of_layers_names_only_what_exists() -> None:
    names = {module_name(path) for path in modules("referee")}
    assert [name for name in RANKS if name not in names] == []


def test_imports_point_down_the_layers() -> None:
    upward = [
        f"{name_of(path)} imports {module}"
        for path in modules("referee")
        if (own := rank_of(module_name(path))) is not None  # else an entrance: any import is right
        for module in sorted(imported(path))
        if (rank := rank_of(module)) is not None and rank < own
    ]
    assert upward == []


def test_no_module_imports_an_entrance() -> None:
    found = {
        f"{name_of(path)} imports {module}"
        for path in modules("referee")
        for module in imported(path) & {"referee.__main__", "referee._deprecated"}
        if module_name(path) != "referee"
    }
    assert found == set()


def package_of(module: str) -> str:
    """Return the first name below `referee`, such as `tournament`; "" for other modules."""
    return module.split(".")[1] if module.startswith("referee.") else ""


def test_no_two_packages_import_each_other() -> None:
    arrows = {
        (package_of(module_name(path)), package_of(module))
        for path in modules("referee")
        if module_name(path) not in ENTRANCES
        for module in imported(path)
    }
    mutual = {
        f"{user} <-> {used}"
        for user, used in arrows
        if user < used and user and (used, user) in arrows
    }
    assert mutual == set()


# --- Who may import what -------------------------------------------------------------------


def test_the_engine_imports_only_itself_and_the_standard_library() -> None:
    assert outside_imports("referee/engine", "referee.engine", "referee") == []


def test_the_engine_has_no_files_clock_or_outside_randomness() -> None:
    outside = {"datetime", "io", "os", "pathlib", "random", "secrets", "socket", "sys", "time"}
    found = {
        f"{name_of(path)} imports {module}"
        for path in modules("referee/engine")
        for module in imported(path)
        if module.partition(".")[0] in outside
    }
    assert found == set()


def test_the_engine_opens_and_prints_nothing() -> None:
    calls = {
        f"{name_of(path)}:{node.lineno} {node.func.id}"
        for path in modules("referee/engine")
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in {"open", "print", "input", "eval", "exec", "__import__"}
    }
    assert calls == set()


def test_protocol_does_not_import_the_referee() -> None:
    assert [name for name in importers("referee") if name.startswith("protocol/")] == []


def test_sample_bots_import_only_protocol_engine_thinking_and_game() -> None:
    own = {path.stem for path in modules("sample_bots")}
    assert outside_imports("sample_bots", "protocol", "referee", *own) == []
    beyond = [
        f"{name_of(path)} imports {module}"
        for path in modules("sample_bots")
        for module in sorted(imported(path))
        if module.startswith("referee.")
        and module != "referee.Game"
        and not is_within(module, "referee.engine")
        and not is_within(module, "referee.thinking")
    ]
    assert beyond == []


def test_only_the_terminal_imports_rich() -> None:
    assert [name for name in importers("rich") if not name.startswith("referee/terminal/")] == []


def test_only_the_command_line_imports_click() -> None:
    assert [name for name in importers("click") if not name.startswith("referee/cli/")] == []


def test_only_four_modules_read_toml() -> None:
    assert importers("tomllib") == {
        "referee/atlas/__init__.py",
        "referee/bots/find.py",
        "referee/bots/values_file.py",
        "referee/tournament/request.py",
    }


def test_only_the_command_line_imports_bench() -> None:
    users = {name for name in importers("referee.bench") if not name.startswith("referee/bench/")}
    assert [
        name for name in users if not name.startswith(("referee/cli/", "referee/terminal/"))
    ] == []


# --- Rules never ask for the name of a board, edition or variant ----------------------------

BOARD_WORDS = frozenset({"hanse", "east", "eastern", "britannia", "england", "wales", "scotland"})
NEUTRAL_MODES = frozenset({"2009", "britannia"})
COMMON_WORDS = re.compile("east[-_]west")


def place_names_in(text: str, forbidden: frozenset[str]) -> list[str]:
    rest = COMMON_WORDS.sub("", text.casefold())
    return [
        name
        for name in sorted(forbidden)
        if name in rest and re.search(rf"\b{re.escape(name)}\b", rest)
    ]


def test_the_engine_names_no_board_city_or_country() -> None:
    forbidden = BOARD_WORDS | names_on_maps()
    named = [
        f"{name_of(path)}:{line}: {text!r} names {name}"
        for path in modules("referee/engine")
        for line, text in spoken_strings(path)
        if path != ENGINE / "ruleset.py" or text not in NEUTRAL_MODES
        for name in place_names_in(text, forbidden)
    ]
    assert named == []


def test_only_the_ruleset_names_the_neutral_modes() -> None:
    named = {
        path
        for path in modules("referee/engine")
        for _, text in spoken_strings(path)
        if text in NEUTRAL_MODES
    }
    assert named == {ENGINE / "ruleset.py"}


def test_no_rule_compares_names() -> None:
    """No comparison with the id, title or name of a board, edition or variant.

    One comparison is allowed: when a game begins, its rules must be those of its board.
    """
    allowed = "rules.board != board.id"
    name = re.compile(r"\b(board|edition|variant)(\.(id|title|name))?$")
    compared = [
        f"{name_of(path)}:{node.lineno}: {ast.unparse(node)}"
        for path in modules("referee/engine")
        for node in nodes_of(path)
        if isinstance(node, ast.Compare)
        and any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)
        if any(name.search(ast.unparse(side)) for side in (node.left, *node.comparators))
        if ast.unparse(node) != allowed
    ]
    assert compared == []


# --- Vocabulary ----------------------------------------------------------------------------

SYNONYMS = frozenset(
    {
        "cube", "cubes", "disc", "edge", "edges", "hand", "node", "nodes", "office", "offices",
        "piece", "pieces", "prompt", "slot", "slots", "token", "tokens", "upgrade", "upgrades", "vp",
    }
)  # fmt: skip
KEPT_WORDS = frozenset({"__slots__", "in_hand"})  # a name of Python, and one of the protocol


def test_the_engine_uses_the_vocabulary_of_the_rulebook() -> None:
    other = [
        f"{name_of(path)}:{line}: {identifier}"
        for path in modules("referee/engine")
        for line, identifier in identifiers(path)
        if identifier not in KEPT_WORDS and words_of(identifier) & SYNONYMS
    ]
    assert other == []


# The brackets keep the patterns from matching this file.
FORBIDDEN = {
    "a number of the tracker": re.compile(r"\bissu[e] ?#?\d|\bissu[e] #", re.IGNORECASE),
    "a path of one machine": re.compile(r"(?<![\w.}/])/(?:wor[k]|hom[e]|roo[t]|User[s])/"),
    "a page that is not here": re.compile(r"\.\./share[d]\b|\bsee[d] 00\d\b"),
}


@together("what", FORBIDDEN)
def test_no_file_of_the_project_contains(what: str) -> None:
    found = [
        f"{name_of(path)}:{number}: {line.strip()[:80]}"
        for path in project_files()
        if FORBIDDEN[what].search(text_of(path))
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if FORBIDDEN[what].search(line)
    ]
    assert found == []


# --- Size and packaging ---------------------------------------------------------------------


def test_every_module_begins_with_a_docstring() -> None:
    begin = re.compile(r'(#!.*\n)?r?"""[^\s"]')
    assert [name_of(path) for path in EVERYWHERE if not begin.match(text_of(path))] == []


def test_no_module_is_too_long() -> None:
    lengths = {name_of(path): text_of(path).count("\n") for path in SHIPPED}
    assert {name: length for name, length in lengths.items() if length >= LONGEST_MODULE} == {}


def test_no_folder_has_too_many_modules() -> None:
    folders = {path.parent for path in SHIPPED}
    counts = {name_of(folder): len(list(folder.glob("*.py"))) for folder in folders}
    assert {name: n for name, n in counts.items() if n > MOST_MODULES_IN_A_FOLDER} == {}


def test_every_package_ships() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    folders = {path.parent for path in SHIPPED}
    data = {"referee.maps", "referee.sample_bots"}
    assert listed == {name_of(folder).replace("/", ".") for folder in folders} | data


def test_build_products_of_bots_never_ship() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    excluded = project["tool"]["setuptools"]["exclude-package-data"]["referee.sample_bots"]
    ignored = {
        line.strip("/")
        for path in (ROOT / "sample_bots").glob("*/.gitignore")
        for line in path.read_text("utf-8").split()
        if line.endswith("/")
    }
    assert set(excluded) == {f"*/{folder}/**" for folder in ignored}


def test_every_folder_of_modules_is_a_package() -> None:
    without = [
        name_of(path.parent) for path in SHIPPED if not (path.parent / "__init__.py").exists()
    ]
    assert without == []


def test_hypothesis_is_derandomized_and_has_no_deadline() -> None:
    assert (settings().derandomize, settings().deadline) == (True, None)


# --- The page on the architecture -------------------------------------------------------------


def page() -> str:
    return (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_the_page_shows_the_table_of_layers() -> None:
    assert "```\n" + "\n".join(LAYERS) + "\n```" in page()


def test_the_page_names_only_modules_and_folders_that_exist() -> None:
    named = re.findall(r"`([a-z_]+(?:/[a-z_.*]*)+)`", page())
    roots = (ROOT, ROOT / "referee")
    assert [
        name for name in named if not any(list(root.glob(name.rstrip("/"))) for root in roots)
    ] == []


@together("package", sorted({package_of(name) for name in RANKS}))
def test_the_page_explains_every_package(package: str) -> None:
    assert re.search(rf"^\| `{package}(\.py|/)` \|", page(), re.MULTILINE)


# --- The commands of README.md -------------------------------------------------------------


def readme_command(marker: str) -> str:
    text = (ROOT / "README.md").read_text("utf-8")
    (found,) = re.findall(rf"<!-- command: {marker} -->\n```sh\n(.*?)\n```\n", text, re.DOTALL)
    return str(found)


def test_the_readme_has_two_commands_of_one_line_each() -> None:
    for marker in ("tournament", "test"):
        assert "\n" not in readme_command(marker)
        assert readme_command(marker).startswith("python3 -m venv .venv && ")


@together("folder", [".venv", "build/", "hansa_teutonica_referee.egg-info/", "tournament-1/"])
def test_git_ignores_what_the_commands_of_the_readme_create(folder: str) -> None:
    patterns = (ROOT / ".gitignore").read_text("utf-8").split()
    assert any(fnmatchcase(folder, pattern.removeprefix("/")) for pattern in patterns)


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert 'bash -euo pipefail -c "$(readme test)"' in script
    assert "pytest" not in script
