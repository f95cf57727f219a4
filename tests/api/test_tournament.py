"""`Tournament`: many games, with bots in processes and bots in this one."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee import Tournament, TournamentResult, chance
from referee.api.bots import find
from referee.bots.find import BUNDLED
from referee.bots.sandbox import levels
from referee.cli import main
from referee.errors import BotRefused, RefereeError, SandboxRefused, TournamentRefused
from referee.match.in_process import MARK
from referee.records.verify import verify
from referee.tournament.opening import open_tournament
from referee.tournament.request import TournamentRequest
from referee.tournament.results import Block
from referee.tournament.workers.messages import Played
from referee.tournament.workers.mixed import MixedWorkers

Words = dict[str, Any]


def first(view: Words, choices: list[Any]) -> int:
    return 0


def last(view: Words, choices: list[Any]) -> int:
    return len(choices) - 1


def any_one(view: Words, choices: list[Any]) -> Any:
    return chance(view).choice(choices)


def short(bots: Any, blocks: int = 1, **options: Any) -> TournamentResult:
    shortest = {"seats": 2, "max_turns": 4, "seed": 5, "workers": 1, "sandbox": "limits"}
    return Tournament(bots, blocks=blocks, **{**shortest, **options}).run()


def test_functions_are_rated_by_all_their_games() -> None:
    result = short([first, last, any_one], blocks=2)
    assert result.ending == "done"
    assert len(result.games) == 3 * 2 * 2
    assert {entry.bot for entry in result.standings} == {
        f"first{MARK}", f"last{MARK}", f"any_one{MARK}",
    }  # fmt: skip
    assert all(entry.games == 8 for entry in result.standings)
    assert result.faults == []
    assert result.folder is None


def test_processes_play_beside_functions_and_among_themselves() -> None:
    result = short({"mine": any_one, "a": "random", "b": "random"})
    assert sorted({bot for game in result.games for bot in game.bots}) == ["a", "b", f"mine{MARK}"]
    assert result["mine"] is result[f"mine{MARK}"]
    assert result["a"].games == 4


def test_the_same_seed_plays_the_same_tournament_again() -> None:
    one, other = short([first, any_one]), short([first, any_one])
    assert one.games == other.games
    assert one.ratings == other.ratings


def test_what_is_played_already_is_not_played_again(tmp_path: Path) -> None:
    asked = 0

    def counting(view: Words, choices: list[Any]) -> int:
        nonlocal asked
        asked += 1
        return 0

    out = tmp_path / "league"
    short([counting, last], out=out)
    before = asked
    again = short([counting, last], out=out)
    assert asked == before
    assert (len(again.games), again.folder) == (2, out)
    assert len(short([counting, last], out=out, blocks=2).games) == 4
    assert before < asked


def test_the_records_of_functions_can_be_verified(tmp_path: Path) -> None:
    short([first, any_one], out=tmp_path / "league")
    records = sorted((tmp_path / "league" / "records").rglob("*.jsonl.gz"))
    assert [verify(path).verdict for path in records] == ["fine", "fine"]


def test_a_tournament_of_functions_is_marked_in_every_table(tmp_path: Path) -> None:
    short([first, last], out=tmp_path / "league")
    result = CliRunner().invoke(main, ["standings", str(tmp_path / "league")])
    assert f"first{MARK}" in result.stdout
    assert f"last{MARK}" in result.stdout


def test_the_command_line_cannot_go_on_with_functions(tmp_path: Path) -> None:
    out = str(tmp_path / "league")
    short([first, last], out=out)
    result = CliRunner().invoke(main, ["tournament", "--resume", out, "--blocks", "2"])
    assert result.exit_code == 2
    assert "bot first is a function of a Python program" in result.stderr


def test_a_function_that_has_changed_is_not_mixed_in(tmp_path: Path) -> None:
    short({"mine": first, "other": any_one}, out=tmp_path)
    with pytest.raises(TournamentRefused, match=f"mine{MARK} has changed"):
        short({"mine": last, "other": any_one}, out=tmp_path)
    again = short({"mine": last, "other": any_one}, out=tmp_path, replay_changed=True)
    assert len(again.games) == 2


def test_a_function_cannot_play_on_a_cluster() -> None:
    with pytest.raises(TournamentRefused, match="cannot play on a cluster"):
        Tournament([first, "random"], cluster="tcp://127.0.0.1:1")


def test_a_fault_of_a_function_is_told_with_its_traceback() -> None:
    def broken(view: Words, choices: list[Any]) -> int:
        raise LookupError("no such city")

    result = short([broken, last])
    assert [(fault.bot, fault.fault) for fault in result.faults] == [
        (f"broken{MARK}", "crash"), (f"broken{MARK}", "crash"),
    ]  # fmt: skip
    assert b"LookupError: no such city" in result.faults[0].stderr


def test_copies_of_a_bot_are_told_apart() -> None:
    result = short([first, first])
    assert {entry.bot for entry in result.standings} == {f"first{MARK}", f"first{MARK}#2"}


def test_who_looks_on_is_told_how_it_goes() -> None:
    games: list[int] = []
    short([first, last], look=lambda progress: games.append(progress.games))
    assert games[-1] == 2


def test_a_tournament_can_be_played_in_another_thread() -> None:
    results: list[TournamentResult] = []
    thread = threading.Thread(target=lambda: results.append(short([first, last])))
    thread.start()
    thread.join()
    assert results[0].ending == "done"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"block": 3}, "unknown key 'block'; did you mean 'blocks'?"),
        ({"blocks": 0}, "must be 1 or more"),
        ({"format": "knock-out"}, "invalid enum value"),
        ({"workers": -1}, "the number of workers must be 1 or more, not -1"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(options: Words, said: str) -> None:
    with pytest.raises(TournamentRefused, match=said.replace("?", r"\?")):
        Tournament([first, last], **options).run()


def test_two_different_functions_of_one_name_are_refused() -> None:
    with pytest.raises(BotRefused, match="two different bots have the name"):
        Tournament({"mine": first, "mine ": last})


def of_depth(depth: int) -> Callable[[Words, list[Any]], int]:
    def bot(view: Words, choices: list[Any]) -> int:
        return depth

    return bot


def test_two_functions_of_one_source_are_two_bots_and_need_names() -> None:
    with pytest.raises(BotRefused, match=r"two different bots have the name 'bot@in-process'"):
        Tournament([of_depth(0), of_depth(1)])
    assert len(short({"flat": of_depth(0), "deep": of_depth(1)}).standings) == 2


def test_one_word_is_no_list_of_bots() -> None:
    with pytest.raises(BotRefused, match="bots must be a list"):
        Tournament("random")


def test_a_name_has_the_characters_of_a_name() -> None:
    result = short({"the best": first, "my bot": "random"})
    assert {entry.bot for entry in result.standings} == {f"the-best{MARK}", "my-bot"}


def test_standings_can_be_printed() -> None:
    lines = str(short([first, last])).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["1.", "2."]
    assert all(line.endswith("(2 games)") for line in lines)


def test_blocks_without_functions_go_to_workers(tmp_path: Path) -> None:
    bots = {"in-process:first": find(first)}

    def known(word: str) -> Any:
        return bots.get(word) or find(word)

    request = TournamentRequest(bots=("in-process:first", "random"), seats=2, max_turns=4, seed=1)
    opened = open_tournament(tmp_path, request, find=known)
    with opened.store:
        workers = MixedWorkers(opened.job(), [opened.bots[0]], workers=1)
        assert (workers.slots, workers.free) == (2, 2)
        table = opened.definition.tables[0].name
        workers.submit(Block("ours", table, (f"first{MARK}", "random"), 1))
        workers.submit(Block("theirs", table, ("random", "random"), 1))
        assert workers.free == 0
        try:
            (played,) = [result for result in workers.wait(0) if isinstance(result, Played)]
            assert played.block.id == "ours"
            assert [status.worker for status in workers.statuses()] == ["this process", "worker 1"]
            result: list[Played] = []
            while not result:
                result = [one for one in workers.wait(1) if isinstance(one, Played)]
            assert (result[0].block.id, workers.free) == ("theirs", 2)
            workers.close()
        finally:
            workers.kill()


def test_a_cluster_has_its_own_workers() -> None:
    with pytest.raises(TournamentRefused, match="a cluster has its own workers"):
        Tournament(["random", "random"], cluster="tcp://127.0.0.1:1", workers=2)


def test_limits_that_are_not_valid_are_refused() -> None:
    with pytest.raises(RefereeError, match="this tournament: limits"):
        Tournament([first, last], limits={"memori": "4G"})  # type: ignore[call-arg]


def test_a_missing_sandbox_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "missing_for_strict", lambda: "bubblewrap is not installed")
    with pytest.raises(SandboxRefused, match="bubblewrap is not installed"):
        Tournament([first, last], out=tmp_path / "league", sandbox="strict").run()
    assert not (tmp_path / "league").exists()


def test_a_bot_that_changed_while_it_played_is_reported(tmp_path: Path) -> None:
    shutil.copytree(BUNDLED / "random", tmp_path / "mine")

    def changing(view: Words, choices: list[Any]) -> int:
        (tmp_path / "mine" / "more.py").write_text("# another file")
        return 0

    assert short({"mine": str(tmp_path / "mine"), "other": changing}).changed == ["mine"]
    assert short({"mine": str(tmp_path / "mine"), "other": first}).changed == []


def test_a_second_interrupt_reaches_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupting(view: Words, choices: list[Any]) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        short([interrupting, last])
