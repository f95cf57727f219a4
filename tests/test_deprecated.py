"""Old module names still import, and the warning names the new place."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from referee import _deprecated
from referee._deprecated import MOVED


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_an_old_module_name_gives_the_new_module(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, old, raising=False)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new}") as caught:
        assert import_module(old) is import_module(new)
    assert len(caught) == 1


def test_names_in_an_old_module_are_the_same_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "referee.tournament.terms", raising=False)
    with pytest.warns(DeprecationWarning, match="terms is now") as caught:
        from referee.tournament.terms import Block  # type: ignore[import-not-found]
    from referee.tournament import results

    assert Block is results.Block
    assert caught[0].filename == __file__  # the warning points to the line with the old name


@pytest.mark.parametrize("new", MOVED.values())
def test_a_new_module_keeps_its_own_spec(new: str) -> None:
    module = import_module(new)
    assert module.__spec__ is not None
    assert module.__spec__.name == module.__name__ == new


def test_an_unknown_module_is_still_an_error() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"referee\.tournament\.nothing"):
        import_module("referee.tournament.nothing")


def test_installing_twice_adds_one_finder() -> None:
    before = list(sys.meta_path)
    _deprecated.install()
    assert sys.meta_path == before
