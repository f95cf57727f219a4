"""The secret of a tournament: who has it, which seeds follow from it, and when it is published."""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from protocol import Choice, View
from referee.api.bots import find
from referee.bots.find import find_bot
from referee.errors import TournamentRefused
from referee.tournament.coordinator import Coordinator
from referee.tournament.live_ratings import RatingOptions
from referee.tournament.opening import OpenTournament, open_tournament, plan_tournament
from referee.tournament.request import TournamentRequest
from referee.tournament.results import Block
from referee.tournament.run import play
from referee.tournament.schedule import game_id
from referee.tournament.secret import (
    SECRET_KEY,
    BlockSeeds,
    close_tournament,
    closing_of,
    draw_secret,
    game_seed,
    parse_secret,
    read_secret,
    stored_secret,
)
from referee.tournament.standings import make_standings
from referee.tournament.store.export import export
from referee.tournament.store.store import Store
from referee.tournament.workers import bundle, messages
from referee.tournament.workers.mixed import MixedWorkers
from referee.web.site.build import make_site
from stress.hostile.guesser import found
from support.seed_facts import facts_of

SECRET = "0123456789abcdef" * 2
OTHER = "fedcba9876543210" * 2
PUBLIC = 2026
GUESSES = 20_000


def first(view: View, choices: list[Choice]) -> int:
    return 0


IN_PROCESS = {f"in-process:{name}": find(first, name) for name in ("a", "b", "c")}


def opened(folder: Path, secret: str | None = SECRET, **options: Any) -> OpenTournament:
    """Open a tournament of three functions, two at a table."""
    shortest = {"seats": 2, "max_turns": 1, "seed": PUBLIC, "blocks": 2}
    request = TournamentRequest(bots=tuple(IN_PROCESS), **{**shortest, **options})
    return open_tournament(folder, request, find=IN_PROCESS.__getitem__, secret=secret)


def play_all(folder: Path, secret: str | None = SECRET, **options: Any) -> list[Block]:
    """Play it, and return its blocks in the order of their ids."""
    tournament = opened(folder, secret, **options)
    with tournament.store as store:
        play(tournament, lambda: MixedWorkers(tournament.job(), tournament.bots, 1))
        return sorted(result.block for result in store.results())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament; no test changes it."""
    folder = tmp_path_factory.mktemp("played") / "t"
    play_all(folder)
    return folder


# -- seeds


def test_a_seed_is_the_top_53_bits_of_an_hmac_of_the_block_id() -> None:
    digest = hmac.new(bytes.fromhex(SECRET), b"b-0123456789abcdef", hashlib.sha256).hexdigest()
    assert game_seed(SECRET, "b-0123456789abcdef") == int(digest, 16) >> 203
    assert game_seed(SECRET, "b-0123456789abcdef") == 6260353003500670


def test_two_secrets_give_the_same_schedule_and_different_games(tmp_path: Path) -> None:
    one, two = play_all(tmp_path / "one"), play_all(tmp_path / "two", OTHER)
    assert len(one) == 6
    assert [block._replace(seed=0) for block in one] == [block._replace(seed=0) for block in two]
    assert [game_id(block, 1) for block in one] == [game_id(block, 1) for block in two]
    assert not {block.seed for block in one} & {block.seed for block in two}


def test_games_are_played_with_the_secret_seeds(played: Path) -> None:
    for record in (played / "records").rglob("*.gz"):
        header = json.loads(gzip.decompress(record.read_bytes()).partition(b"\n")[0])
        assert header["seed"] == game_seed(SECRET, record.parent.name)


def test_every_tournament_draws_its_own_secret(tmp_path: Path) -> None:
    secrets = set()
    for name in ("one", "two"):
        with opened(tmp_path / name, None).store as store:
            secrets.add(stored_secret(store))
    assert len(secrets) == 2
    assert all(secret is not None and len(bytes.fromhex(secret)) >= 16 for secret in secrets)


def test_a_resumed_tournament_keeps_its_secret(tmp_path: Path) -> None:
    play_all(tmp_path / "t", blocks=1)
    assert {block.seed for block in play_all(tmp_path / "t", None)} == {
        block.seed for block in play_all(tmp_path / "whole")
    }
    with pytest.raises(TournamentRefused, match="the secret of a tournament cannot change"):
        opened(tmp_path / "t", OTHER)
    opened(tmp_path / "t", SECRET).store.close()


def test_the_old_derivations_find_no_seed(played: Path) -> None:
    with Store.read(played) as store:
        blocks = sorted(result.block for result in store.results())
    facts = facts_of(blocks[0], PUBLIC, 0) | {"ids": [block.id for block in blocks]}
    assert found(facts, GUESSES) is None


def test_the_old_derivations_find_the_seeds_without_a_secret(
    tmp_path: Path,
) -> None:
    tournament = opened(tmp_path, blocks=1)
    tournament.store.close()
    with closing(sqlite3.connect(tmp_path / "tournament.sqlite")) as sql, sql:
        sql.execute("DELETE FROM settings WHERE name = ?", [SECRET_KEY])
    sql.close()
    for block in play_all(tmp_path, None, blocks=1):
        assert found(facts_of(block, 0, 0), PUBLIC + 1) == block.seed


# -- who has the secret


def test_workers_and_clusters_get_the_seed_of_a_block_and_not_the_secret(tmp_path: Path) -> None:
    bot = find_bot("random")
    request = TournamentRequest(bots=("random", "random"), seed=PUBLIC)
    tournament = open_tournament(tmp_path, request, find=lambda _: bot, secret=SECRET)
    sent: list[bytes] = []

    class Workers(MixedWorkers):
        def submit(self, block: Block) -> None:
            sent.append(messages.encode(block))
            coordinator.stop()

        def wait(self, _: float) -> list[Any]:
            return [
                messages.Played(messages.decode_block(sent[0]), ()),
            ]

    job = tournament.job()
    with tournament.store as store:
        coordinator = Coordinator(
            store, tournament.planned.plan, tournament.planned.options, Workers(job, (), 1)
        )
        coordinator.run()
    (block,) = map(messages.decode_block, sent)
    assert block.seed == game_seed(SECRET, block.id)
    packed = bundle.encode(bundle.pack(job))
    for data in (*sent, packed, messages.encode(job)):
        assert SECRET.encode() not in data
        assert bytes.fromhex(SECRET) not in data
        assert str(PUBLIC).encode() not in data


def test_only_the_owner_can_read_the_store(played: Path) -> None:
    assert (played / "tournament.sqlite").stat().st_mode & 0o777 == 0o600


def texts_of(folder: Path) -> str:
    """Return the text of all files in a folder."""
    return "".join(path.read_text("utf-8") for path in folder.rglob("*.*") if path.is_file())


def publish(tournament: Path, out: Path) -> str:
    """Return everything that is exported and shown of a tournament."""
    with Store.read(tournament) as store:
        standings = make_standings(store, RatingOptions(None, None))
        export(store, standings, out / "files")
    make_site(tournament, out / "site", games="none")
    return texts_of(out) + json.dumps(standings.to_dict())


def test_the_secret_is_published_when_the_tournament_is_closed(tmp_path: Path) -> None:
    play_all(tmp_path / "t", blocks=1)
    assert SECRET not in publish(tmp_path / "t", tmp_path / "before")
    with Store.resume(tmp_path / "t") as store:
        assert closing_of(store) is None
        closing = close_tournament(store)
        assert close_tournament(store) == closing
    published = publish(tmp_path / "t", tmp_path / "after")
    for name in ("files/tournament.json", "site/data/figures.json", "site/index.html"):
        assert SECRET in (tmp_path / "after" / name).read_text("utf-8"), name
    assert SECRET in published.rpartition("}")[0]


def test_a_closed_tournament_takes_no_more_blocks(tmp_path: Path) -> None:
    with opened(tmp_path).store as store:
        close_tournament(store)
    request = TournamentRequest(blocks=4)
    for attempt in (lambda: opened(tmp_path), lambda: plan_tournament(tmp_path, request)):
        with pytest.raises(TournamentRefused, match="so it takes no more blocks or bots"):
            attempt()


def test_a_decided_test_closes_the_tournament(tmp_path: Path) -> None:
    play_all(tmp_path, format="gauntlet", sprt=(0.0, 100.0), blocks=None, max_turns=8)
    with Store.read(tmp_path) as store:
        closing = closing_of(store)
    assert closing is not None
    assert closing.secret == SECRET


def test_a_tournament_that_never_started_cannot_be_closed(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store, pytest.raises(TournamentRefused, match="never started"):
        close_tournament(store)


def test_a_store_without_a_secret_keeps_the_planned_seeds(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store:
        block = Block("b-1", "t", ("a", "b"), 7)
        assert BlockSeeds(store).seeded(block) == block


# -- a secret that is given


def test_a_secret_is_hexadecimal_and_has_128_bits_or_more() -> None:
    assert parse_secret(" AB" * 16 + "\n", "x") == "ab" * 16
    assert parse_secret(draw_secret(), "x") != parse_secret(draw_secret(), "x")
    for text, message in (
        ("ab" * 15, "the secret in x has 120 bits; it needs 128 or more"),
        ("", "the secret in x has 0 bits"),
        ("correct horse battery staple, and so on", "x must be a secret of hexadecimal digits"),
    ):
        with pytest.raises(TournamentRefused, match=message) as refused:
            parse_secret(text, "x")
        assert not text or text not in str(refused.value)


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_secret_file_is_read(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "secret.txt"
    file.write_text(f"{SECRET}\n")
    file.chmod(mode)
    assert read_secret(file) == SECRET


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_a_secret_file_of_others_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "secret.txt"
    file.write_text(SECRET)
    file.chmod(mode)
    with pytest.raises(TournamentRefused, match=f"has mode {mode:o}.*chmod 600 {file}"):
        read_secret(file)


def test_a_missing_secret_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TournamentRefused, match=r"cannot read the secret file .*No such file"):
        read_secret(tmp_path / "secret.txt")
