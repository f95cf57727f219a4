"""A bot as it was in a git revision: `my-bot@v1.2` is the folder `my-bot` in revision v1.2."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.bots.content import exists
from referee.bots.find import as_name
from referee.errors import BotRefused
from referee.system import child_environment
from referee.text import reason_of, visible

# A git hook sets them; they would name the hook's repository instead of the bot's.
_HOOK_VARIABLES: Final = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


@dataclass(frozen=True)
class GitRevision:
    """The folder of a bot in a git work tree, and a revision in which it is a bot."""

    word: str  # as it was given, such as my-bot@v1.2
    revision: str
    top: Path  # of the work tree
    tree: str  # the commit and the folder in it

    def name_for(self, bot: str) -> str:
        """Return a name such as `my-bot-v1.2`; the name of a bot has no `@`."""
        return as_name(f"{bot}-{self.revision}")


def find_revision(word: str) -> GitRevision | None:
    """Return the revision that a word such as `my-bot@v1.2` means; None if it means something else.

    A folder whose name contains `@` is not a revision. Raises BotRefused if there is no such revision,
    or no bot in it.
    """
    folder, revision = _split(word)
    if folder is None:
        return None
    if not revision:
        raise BotRefused(f"{word!r} names no revision: write one after the @")
    top, prefix = _work_tree(folder, revision)
    commit = None if revision.startswith("-") else _commit(top, revision)
    if commit is None:
        raise BotRefused(f"there is no revision {revision!r} in the git repository of {folder}")
    if _git(top, "cat-file", "-e", f"{commit}:{prefix}bot.toml").returncode:
        raise BotRefused(
            f"{folder} is not a bot in revision {revision!r}: it has no bot.toml there"
        )
    return GitRevision(word, revision, top, f"{commit}:{prefix}")


def export_revision(revision: GitRevision, folder: Path) -> None:
    """Write the files of a revision to a new folder; BotRefused if that is not possible."""
    with tempfile.TemporaryDirectory(prefix="referee-archive-") as place:
        file = Path(place) / "bot.tar"
        done = _git(revision.top, "archive", "--format=tar", f"--output={file}", revision.tree)
        if done.returncode:
            raise BotRefused(f"{revision.word} cannot be exported: {_complaint(done)}")
        try:
            folder.mkdir(parents=True)
            _unpack(file, folder)
        except (OSError, tarfile.TarError) as error:
            raise BotRefused(
                f"{revision.word} cannot be exported: {visible(reason_of(error))}"
            ) from error


def _unpack(file: Path, folder: Path) -> None:
    with tarfile.open(file) as archive:
        # It refuses links that lead out of the folder; the first releases of Python 3.11 lack it.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        archive.extractall(folder)  # noqa: S202  the filter checks it


def _split(word: str) -> tuple[Path | None, str]:
    """Return the longest folder before an `@`, and the revision after it; both may contain `@`."""
    parts = [] if exists(Path(word)) else word.split("@")
    for count in range(len(parts) - 1, 0, -1):
        folder = Path("@".join(parts[:count]))
        if parts[0] and exists(folder) and folder.is_dir():
            return folder, "@".join(parts[count:])
    return None, ""


def _work_tree(folder: Path, revision: str) -> tuple[Path, str]:
    """Return the top of the work tree of a folder, and the folder in it ("" or "bots/my-bot/")."""
    done = _git(folder, "rev-parse", "--show-toplevel", "--show-prefix")
    if done.returncode:
        why = _complaint(done)
        is_outside = "not a git repository" in why
        raise BotRefused(
            f"{folder} has no revision {revision!r}:"
            f" {'it is not in a git repository' if is_outside else why}"
        )
    top, prefix = done.stdout.decode(errors="surrogateescape").removesuffix("\n").split("\n")
    return Path(top), prefix


def _commit(top: Path, revision: str) -> str | None:
    done = _git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    return None if done.returncode else done.stdout.decode().strip()


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the last line that git wrote to stderr."""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return visible(lines[-1].removeprefix("fatal: ")) if lines else f"status {done.returncode}"


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder; BotRefused if it is not installed."""
    program = shutil.which("git")
    if program is None:
        raise BotRefused("git is not installed, and a bot of the form FOLDER@REVISION needs it")
    environment = {**child_environment(), "LC_ALL": "C"}
    for name in _HOOK_VARIABLES:
        environment.pop(name, None)
    return subprocess.run(
        [program, "-C", str(folder), *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
