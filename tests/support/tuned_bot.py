"""A bot with two parameters that starts fast; its choices depend on both."""

from __future__ import annotations

from pathlib import Path

from support.paths import PLAIN

TOML = """
name = "tuned"
command = ["python", "-I", "-S", "bot.py"]

[parameters]
salt = { type = "int", default = 3, low = 1, high = 9 }
pepper = { type = "float", default = 2.0, low = 0.5, high = 8, scale = "log" }
"""
_READ = """
values = dict(word.split("=") for word in sys.argv[2::2])
salt = int(values["salt"]) + int(100 * float(values["pepper"]))
"""


def write_tuned_bot(folder: Path) -> Path:
    """Write the bot to this folder, and return the folder."""
    program = PLAIN.read_text()
    assert program.count("asked * 7919") == program.count("import sys\n") == 1
    program = program.replace("import sys\n", f"import sys\n{_READ}")
    folder.mkdir()
    (folder / "bot.py").write_text(program.replace("asked * 7919", "asked * salt"))
    (folder / "bot.toml").write_text(TOML)
    return folder
