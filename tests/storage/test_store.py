"""Tournaments, hands, events and bots, put away and found again."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from fivehundred.rules.ruleset import CallRules, RuleSet, SideModel
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import Store, open_store
from fivehundred.storage.values import (
    HandStored,
    NewTournament,
    RegisteredBot,
    StateChanged,
    TournamentState,
)
from fivehundred.table.values import HandKey, HandRecord
from fivehundred.wire.errors import AlreadyExists, NotFound

MakeTournament = Callable[..., NewTournament]
MakeRecord = Callable[..., HandRecord]

CAREFUL = RegisteredBot("careful", "127.0.0.1:5001", "careful@1", 7)


def _write(store: Store, *records: HandRecord) -> None:
    journal = Journal(store)
    for record in records:
        journal.finish_hand(record.started.key.tournament, record.started.key.match, record)
    journal.close()


def test_tournament_outlives_the_store(
    store: Store, database: Path, make_tournament: MakeTournament
) -> None:
    new = make_tournament(request_id="r1")
    stored = store.create_tournament(new)
    store.close()

    with open_store(database) as again:
        assert again.tournament("cup") == stored
    assert (stored.spec, stored.seed, stored.bots) == (new.spec, new.seed, ("left@1", "right@2"))
    assert stored.commitment == hashlib.sha256(new.seed).digest()
    assert (stored.state, stored.log_digest) == (TournamentState.CREATED, b"")


@pytest.mark.parametrize(
    "rules",
    [
        RuleSet(special_bids=(), floor=None),
        RuleSet(players=5, side_model=SideModel.CALLED, call=CallRules()),
    ],
    ids=["no special bids", "called partner"],
)
def test_rule_set_is_kept_in_full(
    store: Store, make_tournament: MakeTournament, rules: RuleSet
) -> None:
    store.create_tournament(make_tournament(rules=rules))

    assert store.tournament("cup").rules == rules


def test_name_that_is_taken_is_refused(store: Store, make_tournament: MakeTournament) -> None:
    store.create_tournament(make_tournament())

    with pytest.raises(AlreadyExists, match="'cup': take another name"):
        store.create_tournament(make_tournament())


def test_repeated_request_gives_the_first_answer(
    store: Store, make_tournament: MakeTournament
) -> None:
    first = store.create_tournament(make_tournament(request_id="r1"))

    again = store.create_tournament(make_tournament(request_id="r1", at=2, seed=b"x" * 32))

    assert again == first


def test_request_id_of_another_definition_is_refused(
    store: Store, make_tournament: MakeTournament
) -> None:
    store.create_tournament(make_tournament(request_id="r1"))

    with pytest.raises(AlreadyExists, match="take another request id"):
        store.create_tournament(make_tournament("cup-2", request_id="r1"))


def test_tournaments_are_listed_newest_first_in_pages(
    store: Store, make_tournament: MakeTournament
) -> None:
    for name, at in [("a", 1), ("b", 3), ("c", 2), ("d", 2)]:
        store.create_tournament(make_tournament(name, at=at))

    first = store.tournaments(limit=2)
    second = store.tournaments(limit=3, after=first[-1].name)

    assert [each.name for each in first + second] == ["b", "d", "c", "a"]
    assert list(store.all_tournaments()) == first + second
    assert list(store.all_tournaments(after="d")) == second


def test_state_changes_are_kept_and_told(store: Store, make_tournament: MakeTournament) -> None:
    store.create_tournament(make_tournament())

    store.set_state("cup", TournamentState.RUNNING)
    store.set_state("cup", TournamentState.FAILED, "the disk is full")

    assert store.tournament("cup").reason == "the disk is full"
    assert store.events_after("cup", 1) == [
        StateChanged(2, TournamentState.RUNNING, ""),
        StateChanged(3, TournamentState.FAILED, "the disk is full"),
    ]


def test_bots_are_kept(store: Store, make_tournament: MakeTournament) -> None:
    store.create_tournament(make_tournament())

    store.set_bots("cup", ["a@1", "b@2"])

    assert store.tournament("cup").bots == ("a@1", "b@2")


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.tournament("none"),
        lambda store: store.tournaments(after="none"),
        lambda store: store.set_state("none", TournamentState.RUNNING),
        lambda store: store.set_bots("none", []),
        lambda store: store.finish("none"),
        lambda store: store.hand(1),
        lambda store: store.bot("none"),
        lambda store: store.delete_bot("none"),
    ],
)
def test_what_is_not_there_is_not_found(store: Store, ask: Callable[[Store], object]) -> None:
    with pytest.raises(NotFound):
        ask(store)


def test_hands_come_in_the_order_of_their_keys(
    store: Store, make_record: MakeRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [(3, 1), (0, 0), (2, 1), (3, 0), (0, 1)]
    _write(store, *(make_record(board, seating) for board, seating in places))
    _write(store, make_record(7, tournament="cup-2"))
    monkeypatch.setattr("fivehundred.storage.store.BATCH", 2)

    keys = [stored.key for stored in store.hands("cup")]

    assert keys == [HandKey("cup", 0, board, seating) for board, seating in sorted(places)]
    assert store.hand_keys("cup") == keys
    assert store.hand_count("cup") == 5


def test_pages_of_hands_join(store: Store, make_record: MakeRecord) -> None:
    _write(store, *(make_record(board) for board in range(5)))

    first = store.hands_page("cup", limit=2)
    second = store.hands_page("cup", limit=9, after=first[-1].key)

    assert [stored.key.board for stored in first + second] == [0, 1, 2, 3, 4]


def test_hand_comes_back_as_it_was(store: Store, make_record: MakeRecord) -> None:
    record = make_record(4)
    _write(store, make_record(1), record)

    stored = store.hand(2)

    assert (stored.id, stored.record, len(stored.digest)) == (2, record, 32)


def test_log_digest_does_not_depend_on_the_order_of_writing(
    store: Store, tmp_path: Path, make_record: MakeRecord
) -> None:
    _write(store, make_record(0), make_record(1))
    with open_store(tmp_path / "other.db") as other:
        _write(other, make_record(1), make_record(0))

        assert other.log_digest("cup") == store.log_digest("cup")
    digests = [stored.digest for stored in store.hands("cup")]
    assert store.log_digest("cup") == hashlib.sha256(b"".join(digests)).digest()


def test_finished_tournament_keeps_its_log_digest(
    store: Store,
    make_tournament: MakeTournament,
    make_record: MakeRecord,
) -> None:
    store.create_tournament(make_tournament())
    _write(store, make_record())

    digest = store.finish("cup")

    assert digest == store.log_digest("cup") == store.tournament("cup").log_digest
    assert store.tournament("cup").state is TournamentState.FINISHED
    assert store.events_after("cup", 0) == [
        StateChanged(1, TournamentState.CREATED, ""),
        HandStored(2, 1),
        StateChanged(3, TournamentState.FINISHED, ""),
    ]


def test_events_are_given_from_a_number_on(store: Store, make_record: MakeRecord) -> None:
    _write(store, *(make_record(board) for board in range(5)))

    assert store.events_after("cup", 2, limit=2) == [HandStored(3, 3), HandStored(4, 4)]


def test_bot_is_registered_replaced_and_forgotten(store: Store) -> None:
    moved = RegisteredBot("careful", "127.0.0.1:5002", "careful@2", 8)
    store.register_bot(CAREFUL)
    store.register_bot(moved)

    assert store.bot("careful") == moved
    store.delete_bot("careful")
    assert store.bots() == []


def test_bots_are_listed_by_name_in_pages(store: Store) -> None:
    for name in "cab":
        store.register_bot(RegisteredBot(name, "unix:/run/bot", "", 1))

    first = store.bots(limit=2)
    second = store.bots(limit=2, after=first[-1].name)

    assert [bot.name for bot in first + second] == ["a", "b", "c"]


def test_a_token_and_an_identity_replace_those_before(store: Store) -> None:
    store.register_bot(RegisteredBot("far", "", "", 7, b"old"))

    store.set_token("far", b"new")
    store.set_identity("far", "careful@2")

    assert store.bot("far") == RegisteredBot("far", "", "careful@2", 7, b"new")
    assert store.bot("far").dials_in
    assert not CAREFUL.dials_in
    assert "new" not in repr(store.bot("far"))


def test_nobody_gets_no_token(store: Store) -> None:
    with pytest.raises(NotFound):
        store.set_token("nobody", b"")
    with pytest.raises(NotFound):
        store.set_identity("nobody", "x@1")
