"""The tokens of a database: kept as hashes, found by them, ended by name or by time."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fivehundred.storage.access import AccessToken, AccessTokens, Role, now_us
from fivehundred.storage.store import Store, open_store
from fivehundred.wire.errors import AlreadyExists, NotFound

HASH = bytes(range(32))
ADA = AccessToken("ada", Role.OWNER, ("careful", "bold"), 7, None, HASH)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "log.db") as opened:
        yield opened


def test_a_token_is_found_by_its_hash_also_after_a_restart(store: Store) -> None:
    tokens = AccessTokens(store.engine)
    assert not tokens.exist()

    tokens.create(ADA)

    for each in (tokens, AccessTokens(store.engine)):
        assert each.exist()
        assert each.valid(HASH) == ADA
        assert each.valid(bytes(32)) is None


def test_a_token_ends_with_its_time(store: Store) -> None:
    tokens = AccessTokens(store.engine)
    tokens.create(replace(ADA, expire_time_us=now_us()))
    later = replace(ADA, name="bea", token_hash=bytes(32), expire_time_us=now_us() + 60_000_000)

    tokens.create(later)

    assert tokens.valid(HASH) is None
    assert tokens.valid(bytes(32)) == later


def test_a_revoked_token_is_forgotten(store: Store) -> None:
    tokens = AccessTokens(store.engine)
    tokens.create(ADA)

    tokens.revoke("ada")

    assert tokens.valid(HASH) is None
    assert not AccessTokens(store.engine).exist()
    with pytest.raises(NotFound, match="no token 'ada'"):
        tokens.revoke("ada")


def test_a_name_belongs_to_one_token(store: Store) -> None:
    tokens = AccessTokens(store.engine)
    tokens.create(ADA)

    with pytest.raises(AlreadyExists, match="a token 'ada': take another name"):
        tokens.create(replace(ADA, token_hash=bytes(32)))


def test_tokens_are_listed_by_name_in_pages(store: Store) -> None:
    tokens = AccessTokens(store.engine)
    for number, name in enumerate(["c", "a", "b"]):
        tokens.create(replace(ADA, name=name, token_hash=bytes([number])))

    assert [each.name for each in tokens.page(2)] == ["a", "b"]
    assert [each.name for each in tokens.page(2, after="b")] == ["c"]
    assert [each.name for each in tokens.all()] == ["a", "b", "c"]


def test_admins_are_those_whose_token_is_valid(store: Store) -> None:
    tokens = AccessTokens(store.engine)
    for number, (role, ends) in enumerate(
        [(Role.ADMIN, 1), (Role.ADMIN, None), (Role.READER, None)]
    ):
        each = AccessToken(f"t{number}", role, (), 0, ends, bytes([number]))
        tokens.create(each)

    assert tokens.admins() == ["t1"]


def test_no_token_is_printed(store: Store) -> None:
    assert "token_hash" not in repr(ADA)
