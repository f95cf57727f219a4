"""Recorded games as data to learn from: what the arrays say, shards, and files."""

from __future__ import annotations

import json
import resource
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from referee.engine import game
from referee.errors import DatasetRefused, OutputRefused, RecordRefused
from referee.records.lines import DecisionLine
from referee.records.verify import RecordVerdict, Walk
from referee.rl import Dataset, Kind, NumberedGame, Shard, dataset, dataset_making
from referee.rl.dataset_making import write_dataset
from referee.rl.rewards import rank_rewards
from referee.rl.shards import DatasetWriter
from support.board_records import write_record
from support.combinations import representative
from support.random_games import final_of, played
from support.recorded_games import EVERY_BOARD, SOME_FAULTS, record, recorded

ONE = "hanse-4-5:4:bigbox+missions+favours+promos+max_turns=16"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    for number, name in enumerate(EVERY_BOARD):
        (folder / f"{number}.jsonl").write_bytes(recorded(name))
    return folder


def only(path: Path) -> Shard:
    (shard,) = dataset(path)
    return shard


# -- what the arrays say


@pytest.mark.parametrize("name", representative()[::6])
def test_a_decision_is_what_the_seat_saw_could_do_and_did(name: str, tmp_path: Path) -> None:
    shard = only(write_record(tmp_path / "game.jsonl", played(name)))
    masks = shard.masks()
    table = NumberedGame(Kind(played(name).board, played(name).rules))
    table.begin(played(name).seed)
    for at in range(len(shard)):
        assert shard.observation[at].tobytes() == bytes(table.row(table.seat))
        assert masks[at].tobytes() == bytes(table.mask(table.seat))
        assert (shard.seat[at], shard.turn[at]) == (table.seat, table.state.turn)
        assert shard.decision[at] == table.state.decision_id
        table.step(int(shard.action[at]))
    assert table.is_over
    assert table.state.digest() == final_of(name).digest()
    assert shard.outcome.tolist() == [
        pytest.approx(rank_rewards(table.state)[seat]) for seat in shard.seat
    ]
    totals = [standing.total for standing in game.standings(table.state)]
    assert shard.total.tolist() == [totals[seat] for seat in shard.seat]


def test_choices_of_the_referee_are_left_out(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", ONE, faults=SOME_FAULTS)
    by = Counter(line.by for line in Walk(path) if isinstance(line, DecisionLine))
    assert by["referee"] > 0
    assert len(set(only(path).decision.tolist())) == by["bot"]


def test_a_game_that_continues_another_has_only_its_own_decisions(tmp_path: Path) -> None:
    path = record(tmp_path / "game.jsonl", ONE)
    at = int(only(path).decision[10])
    assert only(record(tmp_path / "later.jsonl", ONE, origin=(path, at))).decision.min() >= at


def test_the_disqualified_are_last_in_the_outcome(tmp_path: Path) -> None:
    name, crash = "hanse-2-3:3:bigbox+max_turns=40", {0: {9: "crash"}}
    shard = only(record(tmp_path / "game.jsonl", name, faults=crash))
    assert set(shard.outcome[shard.seat == 0].tolist()) == {-1.0}
    assert shard.outcome.max() == 1.0


# -- shards


def test_a_shard_has_decisions_of_one_layout_and_games_are_numbered(records: Path) -> None:
    shards = list(dataset(records))
    assert [shard.layout.ruleset for shard in shards] == list(EVERY_BOARD)
    assert [set(shard.game.tolist()) for shard in shards] == [{n} for n in range(len(shards))]
    for shard in shards:
        assert shard.observation.shape == (len(shard), shard.layout.row)
        assert shard.masks().shape == (len(shard), shard.layout.actions)


def test_the_size_of_a_shard_is_limited_and_nothing_else_changes(records: Path) -> None:
    path = records / "0.jsonl"
    whole, parts = only(path), list(dataset(path, decisions=7))
    assert {len(part) for part in parts[:-1]} <= {7, 8}  # a choice of two numbers is never cut
    for name, array in whole.arrays.items():
        assert (np.concatenate([part.arrays[name] for part in parts]) == array).all()


def test_a_shard_has_at_least_one_decision(records: Path) -> None:
    with pytest.raises(RecordRefused, match="a shard must have at least 1 decision, not 0"):
        list(dataset(records, decisions=0))


def test_open_shards_together_have_a_limited_number_of_bytes(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset_making, "_MOST_BYTES", 100_000)
    monkeypatch.setattr(dataset_making, "_PIECE", 4)
    shards = list(dataset(records))
    assert max(shard.observation.nbytes for shard in shards) < 150_000
    assert sum(map(len, shards)) == sum(map(len, dataset(records)))


def test_layouts_are_closed_when_there_are_too_many(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [len(shard) for shard in dataset(records)]
    monkeypatch.setattr(dataset_making, "_MOST_LAYOUTS", 2)
    assert [len(shard) for shard in dataset(records)] == whole


# -- records that are not used


def test_incomplete_records_are_left_out_and_wrong_ones_are_reported(tmp_path: Path) -> None:
    lines = recorded(ONE).splitlines(keepends=True)
    for name, data in {"a": lines, "b": lines[:9], "c": [*lines[:5], b"{}\n"]}.items():
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(data))
    verdicts: list[RecordVerdict] = []
    shards = list(dataset(tmp_path, report=verdicts.append))
    assert [one.verdict for one in verdicts] == ["fine", "incomplete", "wrong"]
    assert [set(shard.game.tolist()) for shard in shards] == [{0}]
    with pytest.raises(RecordRefused, match=r"c\.jsonl, line 6: "):
        list(dataset(tmp_path))


# -- files


def test_what_is_written_is_read_again(records: Path, tmp_path: Path) -> None:
    index = write_dataset(sorted(records.iterdir()), tmp_path / "data", decisions=50)
    read, made = Dataset(tmp_path / "data"), list(dataset(records, decisions=50))
    assert len(read) == index.decisions == sum(map(len, made))
    for left, right in zip(read, made, strict=True):
        assert left.layout == right.layout
        assert all((left.arrays[name] == right.arrays[name]).all() for name in left.arrays)
    games = list(read.games())
    assert [one.index for one in games] == list(range(len(EVERY_BOARD)))
    assert [one.ruleset for one in games] == list(EVERY_BOARD)
    assert sum(one.decisions for one in games) == len(read)


def test_a_data_set_of_another_format_is_refused(records: Path, tmp_path: Path) -> None:
    write_dataset([records / "0.jsonl"], tmp_path / "data")
    index = tmp_path / "data" / "index.json"
    index.write_text(json.dumps({**json.loads(index.read_text()), "format": 2}))
    with pytest.raises(DatasetRefused, match="is a data set of format 2; this version reads"):
        Dataset(tmp_path / "data")


def test_a_damaged_or_missing_file_is_refused(records: Path, tmp_path: Path) -> None:
    with pytest.raises(DatasetRefused, match=r"index\.json cannot be read: No such file"):
        Dataset(tmp_path)
    write_dataset([records / "0.jsonl"], tmp_path / "data")
    (shard,) = (tmp_path / "data").glob("*.npz")
    shard.write_bytes(shard.read_bytes()[:-100])
    with pytest.raises(DatasetRefused, match="cannot be read as a shard"):
        list(Dataset(tmp_path / "data"))
    np.savez(shard, **only(records / "1.jsonl").arrays)  # type: ignore[arg-type]
    with pytest.raises(DatasetRefused, match="the array observation has shape"):
        list(Dataset(tmp_path / "data"))


def test_a_damaged_or_missing_list_of_games_is_refused(records: Path, tmp_path: Path) -> None:
    write_dataset([records / "0.jsonl"], tmp_path / "data")
    games = tmp_path / "data" / "games.jsonl"
    games.write_text("{}\n")
    with pytest.raises(DatasetRefused, match=r"games\.jsonl cannot be read: .*missing required"):
        list(Dataset(tmp_path / "data").games())
    games.unlink()
    with pytest.raises(DatasetRefused, match=r"games\.jsonl cannot be read: No such file"):
        list(Dataset(tmp_path / "data").games())


def test_a_failure_leaves_nothing(records: Path, tmp_path: Path) -> None:
    def interrupted(verdicts: object) -> list[RecordVerdict]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset([records / "0.jsonl"], tmp_path / "data", progress=interrupted)
    assert list(tmp_path.iterdir()) == []


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("decisions", [10, 10_000])  # not the last shard fails, or only the last
def test_a_shard_that_cannot_be_written_leaves_nothing(
    decisions: int, records: Path, tmp_path: Path
) -> None:
    with (
        files_of_at_most(500),
        pytest.raises(OutputRefused, match=r"cannot write the data set .*: File too large"),
    ):
        write_dataset([records / "0.jsonl"], tmp_path / "data", decisions=decisions)
    assert list(tmp_path.iterdir()) == []


def test_a_list_of_games_that_cannot_be_written_leaves_nothing(
    records: Path, tmp_path: Path
) -> None:
    write_dataset([records / "0.jsonl"], tmp_path / "data")
    (line,) = Dataset(tmp_path / "data").games()
    shutil.rmtree(tmp_path / "data")

    def write_many() -> None:
        with DatasetWriter(tmp_path / "data") as writer:
            for _ in range(1000):
                writer.add_game(line)

    refused = pytest.raises(OutputRefused, match=r"cannot write the data set .*: File too large")
    with files_of_at_most(500), refused:
        write_many()
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_becomes_the_data_set_and_a_file_does_not(
    records: Path, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    index = write_dataset([records / "0.jsonl"], tmp_path / "data")
    assert len(Dataset(tmp_path / "data")) == index.decisions > 0
    (tmp_path / "file").write_text("kept")
    with pytest.raises(OutputRefused, match=r"cannot write the data set .*: Not a directory"):
        write_dataset([records / "0.jsonl"], tmp_path / "file")
    assert (tmp_path / "file").read_text() == "kept"


def test_a_folder_that_is_not_empty_is_refused(records: Path, tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("kept")
    with pytest.raises(OutputRefused, match="is not empty; name a new one"):
        write_dataset([records / "0.jsonl"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
