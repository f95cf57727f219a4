"""`Tournament`: many games, between bots in this process and bots in their own processes."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import protocol
from protocol import Choice, View
from referee import Tournament, TournamentResult, chance, play_match
from referee.api.bots import BotLike, find
from referee.bots.find import BUNDLED
from referee.bots.sandbox import levels
from referee.cli import main
from referee.errors import BotRefused, RefereeError, SandboxRefused, TournamentRefused
from referee.match.in_process import MARK
from referee.records.verify import verify
from referee.tournament.opening import open_tournament
from referee.tournament.request import TournamentRequest
from referee.tournament.results import Block
from referee.tournament.schedule import game_id
from referee.tournament.store import Store
from referee.tournament.workers.messages import Played
from referee.tournament.workers.mixed import MixedWorkers
from referee.tournament.workers.pool import WorkerEvent
from support.command_runs import PLAIN

Words = dict[str, Any]


def first(view: View, choices: list[Choice]) -> int:
    return 0


def last(view: View, choices: list[Choice]) -> int:
    return len(choices) - 1


def at_random(view: View, choices: list[Choice]) -> Any:
    return chance(view).choice(choices)


def short(bots: Any, blocks: int | None = 1, **options: Any) -> TournamentResult:
    shortest: Any = {"seats": 2, "max_turns": 4, "seed": 5, "workers": 1, "sandbox": "limits"}
    return Tournament(bots, **{"blocks": blocks, **shortest, **options}).run()


def test_functions_are_rated_by_all_their_games() -> None:
    result = short([first, last, at_random], blocks=2)
    assert result.ending == "done"
    assert len(result.games) == 3 * 2 * 2
    assert {entry.bot for entry in result.standings} == {
        f"first{MARK}", f"last{MARK}", f"at_random{MARK}",
    }  # fmt: skip
    assert all(entry.games == 8 for entry in result.standings)
    assert result["first"].bot == f"first{MARK}"
    with pytest.raises(KeyError, match="nobody"):
        result["nobody"]
    assert result.faults == []
    assert result.folder is None


def test_blocks_can_be_counted_by_bot_and_limited(tmp_path: Path) -> None:
    options: Words = {
        "seats": 2,
        "max_turns": 4,
        "seed": 5,
        "blocks_per_bot": 2,
        "out": tmp_path / "t",
    }
    bots = [first, last, at_random]
    limited = Tournament(bots, games=5, **options).run()
    assert (limited.ending, len(limited.games)) == ("budget", 4)
    assert Tournament(bots, hours=1e-9, **options).run().ending == "budget"
    result = Tournament(bots, **options).run()
    assert (result.ending, [entry.games for entry in result.standings]) == ("done", [4, 4, 4])


def test_processes_play_with_functions_and_with_each_other() -> None:
    program = PLAIN.removeprefix("plain=")
    result = short({"mine": at_random, "a": program, "b": program})
    assert sorted({bot for game in result.games for bot in game.bots}) == ["a", "b", f"mine{MARK}"]
    assert result["mine"] is result[f"mine{MARK}"]
    assert result["a"].games == 4


def test_the_same_seed_and_secret_play_the_same_tournament_again() -> None:
    once, again = (short([first, at_random], secret="5a" * 16, max_turns=40) for _ in range(2))
    assert once.games == again.games
    assert once.ratings == again.ratings


def test_a_secret_that_is_not_valid_is_refused() -> None:
    with pytest.raises(TournamentRefused, match="`secret` must be a secret of hexadecimal digits"):
        Tournament([first, last], secret="my secret")


def test_a_sequential_test_has_a_verdict() -> None:
    result = short({"new": first, "old": at_random}, None, sprt=(0.0, 600.0))
    assert result.ending == "tested"
    assert result.verdict is not None
    assert result.verdict.hero == f"new{MARK}"
    assert result.verdict.decision in ("pass", "fail")
    assert result.verdict.blocks >= 8
    assert short([first, last]).verdict is None


def test_a_closed_tournament_publishes_its_secret_and_takes_no_more_blocks(tmp_path: Path) -> None:
    tournament = Tournament([first, last], out=tmp_path, seats=2, max_turns=4, secret="5A" * 16)
    assert tournament.run().secret is None
    assert tournament.close() == "5a" * 16
    with pytest.raises(TournamentRefused, match="so it takes no more blocks or bots"):
        tournament.run()
    with pytest.raises(TournamentRefused, match="only a tournament that is kept in a folder"):
        Tournament([first, last]).close()


INSTANCES: list[list[str]] = []


class Rememberer(protocol.Bot):
    """Notes the games that each of its instances plays."""

    def __init__(self) -> None:
        self.number = len(INSTANCES)
        INSTANCES.append([])

    def __copy__(self) -> Rememberer:
        return Rememberer()

    def start(self, game: protocol.Game) -> None:
        INSTANCES[self.number].append(game.id)

    def decide(self, request: protocol.Request) -> int:
        return 0


@pytest.mark.parametrize("bot", [Rememberer, Rememberer()], ids=["class", "instance"])
def test_an_object_in_this_process_never_plays_two_games_of_a_block(
    bot: Any, tmp_path: Path
) -> None:
    INSTANCES[1:] = []
    short({"mine": bot, "other": last}, blocks=3, out=tmp_path)
    with Store.read(tmp_path) as store:
        blocks = [[game_id(one.block, number) for number in (0, 1)] for one in store.results()]
    played = [set(games) for games in INSTANCES if games]
    assert [len(games) for games in played] == [3, 3]
    assert all(len(games & set(block)) == 1 for games in played for block in blocks)


def test_finished_blocks_are_not_played_again(tmp_path: Path) -> None:
    asked = 0

    def counting(view: View, choices: list[Choice]) -> int:
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
    short([first, at_random], out=tmp_path / "league")
    records = sorted((tmp_path / "league" / "records").rglob("*.jsonl.gz"))
    assert [verify(path).verdict for path in records] == ["fine", "fine"]


def test_functions_are_marked_in_the_standings(tmp_path: Path) -> None:
    short([first, last], out=tmp_path / "league")
    result = CliRunner().invoke(main, ["standings", str(tmp_path / "league")])
    assert f"first{MARK}" in result.stdout
    assert f"last{MARK}" in result.stdout


def test_the_command_line_cannot_continue_with_functions(tmp_path: Path) -> None:
    out = str(tmp_path / "league")
    short([first, last], out=out)
    result = CliRunner().invoke(main, ["tournament", "--resume", out, "--blocks", "2"])
    assert result.exit_code == 2
    assert "bot first exists only inside a Python program" in result.stderr


def test_a_function_that_has_changed_is_refused(tmp_path: Path) -> None:
    short({"mine": first, "other": at_random}, out=tmp_path)
    with pytest.raises(TournamentRefused, match=f"mine{MARK} has changed"):
        short({"mine": last, "other": at_random}, out=tmp_path)
    again = short({"mine": last, "other": at_random}, out=tmp_path, replay_changed=True)
    assert len(again.games) == 2


def test_a_function_cannot_play_on_a_cluster() -> None:
    with pytest.raises(TournamentRefused, match="cannot play on a cluster"):
        Tournament([first, "random"], cluster="tcp://127.0.0.1:1")


def test_a_fault_of_a_function_has_its_traceback() -> None:
    def broken(view: View, choices: list[Choice]) -> int:
        raise LookupError("no such city")

    result = short([broken, last])
    assert [(fault.bot, fault.fault) for fault in result.faults] == [
        (f"broken{MARK}", "crash"), (f"broken{MARK}", "crash"),
    ]  # fmt: skip
    assert b"LookupError: no such city" in result.faults[0].stderr


def test_copies_of_a_bot_have_different_names() -> None:
    result = short([first, first])
    assert {entry.bot for entry in result.standings} == {f"first{MARK}", f"first{MARK}#2"}


def test_look_is_called_with_the_progress() -> None:
    games: list[int] = []
    short([first, last], look=lambda progress: games.append(progress.games))
    assert games[-1] == 2


def test_a_tournament_can_run_in_another_thread() -> None:
    results: list[TournamentResult] = []
    thread = threading.Thread(target=lambda: results.append(short([first, last])))
    thread.start()
    thread.join()
    assert results[0].ending == "done"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"block": 3}, "unknown key 'block'; did you mean 'blocks'?"),
        ({"blocks": 0}, "blocks must be a whole number of 1 or more"),
        ({"format": "knock-out"}, "not 'knock-out'"),
        ({"workers": -1}, "workers must be a whole number from 1 to 1024, not -1"),
    ],
)
def test_options_that_are_not_valid_are_refused(options: Words, message: str) -> None:
    with pytest.raises(TournamentRefused, match=message.replace("?", r"\?")):
        Tournament([first, last], **options).run()


def test_two_different_functions_of_one_name_are_refused() -> None:
    with pytest.raises(BotRefused, match="two different bots have the name"):
        Tournament({"mine": first, "mine ": last})


def constant(index: int) -> Callable[[View, list[Choice]], int]:
    def bot(view: View, choices: list[Choice]) -> int:
        return index

    return bot


def test_two_closures_of_one_function_are_two_bots() -> None:
    with pytest.raises(BotRefused, match=r"two different bots have the name 'bot@in-process'"):
        Tournament([constant(0), constant(1)])
    assert len(short({"first": constant(0), "second": constant(1)}).standings) == 2


def test_a_single_string_is_refused() -> None:
    with pytest.raises(BotRefused, match="bots must be a list"):
        Tournament("random")


def test_other_characters_of_a_name_are_replaced() -> None:
    result = short({"the best": first, "my bot": "random"})
    assert {entry.bot for entry in result.standings} == {f"the-best{MARK}", "my-bot"}


def test_the_text_of_a_result_has_a_line_per_bot() -> None:
    lines = str(short([first, last])).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["1.", "2."]
    assert all(line.endswith("(2 games)") for line in lines)


def finished_blocks(events: list[WorkerEvent]) -> list[str]:
    return [event.block.id for event in events if isinstance(event, Played)]


def test_blocks_without_functions_go_to_workers(tmp_path: Path) -> None:
    bots = {"in-process:first": find(first)}

    def known(word: str) -> Any:
        return bots.get(word) or find(word)

    request = TournamentRequest(bots=("in-process:first", PLAIN), seats=2, max_turns=4, seed=1)
    opened = open_tournament(tmp_path, request, find=known)
    with opened.store:
        workers = MixedWorkers(opened.job(), [opened.bots[0]], workers=1)
        assert (workers.slots, workers.free) == (2, 2)
        table = opened.definition.tables[0].name
        workers.submit(Block("ours", table, (f"first{MARK}", "plain"), 1))
        workers.submit(Block("theirs", table, ("plain", "plain"), 1))
        assert workers.free == 0
        try:
            events = workers.wait(0)  # plays our own block; the worker may be as fast
            assert "ours" in finished_blocks(events)
            assert [status.worker for status in workers.statuses()] == ["this process", "worker 1"]
            while len(finished_blocks(events)) < 2:
                events += workers.wait(1)
            assert sorted(finished_blocks(events)) == ["ours", "theirs"]
            assert workers.free == 2
            workers.close()
        finally:
            workers.kill()


def test_workers_and_a_cluster_are_mutually_exclusive() -> None:
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


def test_the_network_of_a_build_must_be_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "missing_for_strict", lambda: None)
    shutil.copytree(BUNDLED / "random", tmp_path / "mine")
    with (tmp_path / "mine" / "bot.toml").open("a") as toml:
        toml.write('build = "true"\nbuild_network = true\n')
    bots: list[BotLike] = [tmp_path / "mine", first]
    with pytest.raises(BotRefused, match="--allow-build random"):
        Tournament(bots).run()
    with pytest.raises(BotRefused, match="--allow-build random"):
        play_match(bots, sandbox="strict")
    with pytest.raises(BotRefused, match="there is no bot 'x' whose build could be allowed"):
        Tournament(bots, allow_build=["x"]).run()
    with pytest.raises(BotRefused, match="there is no bot 'x' whose build could be allowed"):
        play_match(bots, allow_build=["x"])


def test_a_bot_that_changed_while_it_played_is_reported(tmp_path: Path) -> None:
    shutil.copytree(BUNDLED / "random", tmp_path / "mine")

    def changing(view: View, choices: list[Choice]) -> int:
        (tmp_path / "mine" / "more.py").write_text("# another file")
        return 0

    assert short({"mine": str(tmp_path / "mine"), "other": changing}).changed == ["mine"]
    assert short({"mine": str(tmp_path / "mine"), "other": first}).changed == []


def test_a_second_interrupt_reaches_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupting(view: View, choices: list[Choice]) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        short([interrupting, last])
