"""What is durable when, what a crash leaves, and what a failed write does."""

import asyncio
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from time import time_ns

import pytest
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection

from fivehundred.storage.decisions import DecisionsFile, file_of, framed, worker_files
from fivehundred.storage.errors import JournalError
from fivehundred.storage.journal import Journal
from fivehundred.storage.rows import MACHINE
from fivehundred.storage.store import Store, open_store, read_store
from fivehundred.storage.values import HandStored
from fivehundred.table.values import Decided, Event, HandRecord

MakeRecord = Callable[..., HandRecord]


def test_decisions_are_kept_by_a_flush(store: Store, make_record: MakeRecord) -> None:
    record = make_record()
    journal = Journal(store)

    journal.append("cup", 0, [record.started, *record.decisions])
    journal.flush()

    assert store.journal_events("cup") == {0: [record.started, *record.decisions]}
    assert store.journal_events("league") == {}
    journal.close()


def test_events_under_way_are_given_by_match_in_order(
    store: Store, make_record: MakeRecord
) -> None:
    first, second = make_record(match=0), make_record(match=1)
    journal = Journal(store)

    journal.append("cup", 0, [first.started])
    journal.append("cup", 1, [second.started, second.decisions[0]])
    journal.append("cup", 0, first.decisions)
    journal.close()

    assert store.journal_events("cup") == {
        0: [first.started, *first.decisions],
        1: [second.started, second.decisions[0]],
    }


async def test_a_settled_journal_has_written_every_event(
    store: Store, make_record: MakeRecord
) -> None:
    record = make_record()
    journal = Journal(store)
    journal.append("cup", 0, [record.started, *record.decisions])

    await journal.settle()

    assert store.journal_events("cup") == {0: [record.started, *record.decisions]}
    journal.close()


@pytest.mark.parametrize("cut", [1, 2])
def test_what_a_worker_has_less_of_is_not_taken_over(
    cut: int, store: Store, make_record: MakeRecord
) -> None:
    record = make_record()
    events: list[Event] = [record.started, *record.decisions]
    journal = Journal(store)
    journal.append("cup", 0, events)
    path = file_of(store.decisions, 1)
    path.write_bytes(b"".join(framed(("cup", 0), events[:cut])))

    journal.adopt(path)

    assert store.journal_events("cup") == {0: events}
    assert not path.exists()
    journal.close()


async def test_hand_replaces_its_events(store: Store, make_record: MakeRecord) -> None:
    record, following = make_record(0), make_record(1)
    journal = Journal(store)
    journal.append("cup", 0, [record.started, *record.decisions])

    await journal.wait(journal.finish_hand("cup", 0, record))
    before = store.journal_events("cup")
    journal.append("cup", 0, [following.started])
    journal.flush()

    assert before == {}
    assert [stored.record for stored in store.hands("cup")] == [record]
    assert store.journal_events("cup") == {0: [following.started]}
    assert store.events_after("cup", 0) == [HandStored(1, 1)]
    journal.close()


def test_hands_keep_when_they_were_stored_and_who_played_them(
    store: Store, make_record: MakeRecord
) -> None:
    before, journal = time_ns() // 1000, Journal(store)
    for board, worker in enumerate((None, 0, 12)):
        journal.finish_hand("cup", 0, make_record(board), worker)
    journal.close()

    hands = list(store.hands("cup"))

    assert [each.player for each in hands] == [MACHINE, f"{MACHINE}/0", f"{MACHINE}/12"]
    times = [each.stored_time_us for each in hands]
    assert all(time is not None and before <= time <= time_ns() // 1000 for time in times)


async def test_when_and_by_whom_changes_no_digest(
    store: Store, tmp_path: Path, make_record: MakeRecord
) -> None:
    with open_store(tmp_path / "other.db") as other:
        for each, worker in ((store, None), (other, 1)):
            journal = Journal(each)
            await journal.wait(journal.finish_hand("cup", 0, make_record(), worker))
            journal.close()

        assert other.log_digest("cup") == store.log_digest("cup")
        assert other.hand(1) == store.hand(1)
        assert other.hand(1).player != store.hand(1).player


def test_hand_within_one_batch_leaves_no_events(store: Store, make_record: MakeRecord) -> None:
    journal = Journal(store)
    for board in range(20):
        record = make_record(board)
        journal.append("cup", 0, [record.started])
        journal.append("cup", 0, record.decisions)
        journal.finish_hand("cup", 0, record)
    journal.close()

    assert store.journal_events("cup") == {}
    assert store.hand_count("cup") == 20


async def test_new_attempt_replaces_the_events_of_an_earlier_one(
    store: Store, make_record: MakeRecord
) -> None:
    record = make_record()
    journal = Journal(store)

    journal.append("cup", 0, [record.started, *record.decisions])
    journal.append("cup", 0, [record.started])
    journal.flush()

    assert store.journal_events("cup") == {0: [record.started]}
    journal.close()


async def test_decisions_of_stored_hands_are_cleared_away(
    store: Store, make_record: MakeRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fivehundred.storage.decisions.FULL", 10_000)
    slow = make_record(match=1)
    journal = Journal(store)
    journal.append("cup", 1, [slow.started, slow.decisions[0]])

    for board in range(100):
        record = make_record(board)
        journal.append("cup", 0, [record.started, *record.decisions])
        journal.flush()
        await journal.wait(journal.finish_hand("cup", 0, record))

    assert store.decisions.stat().st_size < 11_000
    journal.append("cup", 1, slow.decisions[1:])
    journal.flush()
    assert store.journal_events("cup") == {1: [slow.started, *slow.decisions]}
    journal.close()


async def test_clearing_keeps_the_decisions_of_a_hand_not_stored_yet(
    store: Store, make_record: MakeRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fivehundred.storage.decisions.FULL", 0)
    first, second = make_record(match=0), make_record(match=1)
    journal = Journal(store)
    journal.append("cup", 0, [first.started, *first.decisions])
    with sqlite3.connect(str(store.engine.url.database), isolation_level=None) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        ticket = journal.finish_hand("cup", 0, first)

        journal.append("cup", 1, [second.started])
        journal.flush()

        under_way = store.journal_events("cup")
        blocker.execute("ROLLBACK")
    blocker.close()
    await journal.wait(ticket)

    assert under_way == {0: [first.started, *first.decisions], 1: [second.started]}
    assert store.journal_events("cup") == {1: [second.started]}
    journal.close()


def test_decisions_of_a_database_that_is_gone_are_forgotten(
    database: Path, make_record: MakeRecord
) -> None:
    with open_store(database) as store:
        journal = Journal(store)
        journal.append("cup", 0, [make_record().started])
        journal.close()
    database.unlink()

    with open_store(database) as store:
        assert store.journal_events("cup") == {}


def test_torn_end_is_ignored_and_cut_off(database: Path, make_record: MakeRecord) -> None:
    record = make_record()
    with open_store(database) as store:
        journal = Journal(store)
        journal.append("cup", 0, [record.started, *record.decisions[:2]])
        journal.close()
        store.decisions.write_bytes(store.decisions.read_bytes()[:-1])

    with open_store(database) as store:
        before = store.journal_events("cup")
        journal = Journal(store)
        journal.append("cup", 0, [record.decisions[2]])
        journal.close()

        assert before == {0: [record.started, record.decisions[0]]}
        assert store.journal_events("cup") == {0: [*before[0], record.decisions[2]]}


def test_readers_see_decisions(store: Store, database: Path, make_record: MakeRecord) -> None:
    journal = Journal(store)
    journal.append("cup", 0, [make_record().started])
    journal.flush()

    with read_store(database) as reader:
        assert reader.journal_events("cup") == {0: [make_record().started]}
    journal.close()


def test_journal_goes_on_where_an_earlier_one_ended(
    database: Path, make_record: MakeRecord
) -> None:
    record = make_record()
    with open_store(database) as store:
        journal = Journal(store)
        journal.append("cup", 0, [record.started, *record.decisions[:2]])
        journal.close()

    with open_store(database) as store:
        journal = Journal(store)
        journal.append("cup", 0, record.decisions[2:])
        journal.close()

        assert store.journal_events("cup") == {0: [record.started, *record.decisions]}


def test_ids_and_event_numbers_go_on(store: Store, make_record: MakeRecord) -> None:
    for board in range(3):
        journal = Journal(store)
        journal.finish_hand("cup", 0, make_record(board))
        journal.close()

    assert store.events_after("cup", 0) == [HandStored(n, n) for n in (1, 2, 3)]


async def test_hand_is_never_counted_twice(store: Store, make_record: MakeRecord) -> None:
    journal = Journal(store)
    await journal.wait(journal.finish_hand("cup", 0, make_record()))

    with pytest.raises(JournalError, match="UNIQUE"):
        await journal.wait(journal.finish_hand("cup", 0, make_record()))

    assert store.hand_count("cup") == 1
    with pytest.raises(JournalError):
        journal.close()


async def test_full_disk_ends_the_journal(store: Store, make_record: MakeRecord) -> None:
    """SQLite's own page limit stands for the disk."""

    def fill(connection: DBAPIConnection, _entry: object, _proxy: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA max_page_count = 1")
        cursor.close()

    record, large = make_record(0), make_record(1)
    large = replace(large, decisions=large.decisions * 500)
    journal = Journal(store)
    kept = journal.finish_hand("cup", 0, record)
    await journal.wait(kept)
    event.listen(store.engine, "checkout", fill)
    journal.append("cup", 0, [large.started])
    journal.flush()

    lost = journal.finish_hand("cup", 0, large)
    with pytest.raises(JournalError, match="disk is full"):
        await journal.wait(lost)

    assert journal.committed == kept
    assert journal.error is not None
    with pytest.raises(JournalError):
        journal.append("cup", 0, large.decisions)
    with pytest.raises(JournalError):
        journal.close()
    assert store.journal_events("cup") == {0: [large.started]}


async def test_decision_that_cannot_be_kept_ends_the_journal(
    store: Store, make_record: MakeRecord
) -> None:
    """A limit on the length of files stands for the disk."""
    first, second = make_record(match=0), make_record(match=1)
    journal = Journal(store)
    journal.append("cup", 0, [first.started])
    journal.flush()
    journal.append("cup", 0, first.decisions)

    limit = store.decisions.stat().st_size + 50
    with file_limit(limit), pytest.raises(JournalError, match="No space"):
        journal.flush()

    for _ in range(2):
        with pytest.raises(JournalError, match="No space"):
            journal.flush()
        with pytest.raises(JournalError, match="No space"):
            journal.finish_hand("cup", 1, second)
    with pytest.raises(JournalError, match="No space"):
        journal.close()
    assert store.journal_events("cup")[0][0] == first.started
    assert store.hand_count("cup") == 0


@contextmanager
def file_limit(length: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (length, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_every_waiter_is_told_and_nothing_follows(
    store: Store, make_record: MakeRecord
) -> None:
    journal = Journal(store)
    await journal.wait(journal.finish_hand("cup", 0, make_record(0)))

    tickets = [journal.finish_hand("cup", 0, make_record(board)) for board in (0, 1, 2)]
    waiters = [asyncio.create_task(journal.wait(ticket)) for ticket in tickets]
    told = await asyncio.gather(*waiters, return_exceptions=True)

    assert [type(each) for each in told] == [JournalError] * 3
    assert store.hand_count("cup") == 1
    with pytest.raises(JournalError):
        journal.close()


async def test_settled_journal_has_stored_every_hand(store: Store, make_record: MakeRecord) -> None:
    journal = Journal(store)
    for board in range(30):
        journal.finish_hand("cup", 0, make_record(board))

    await journal.settle()

    assert store.hand_count("cup") == 30
    journal.close()


async def test_closed_journal_takes_nothing(store: Store, make_record: MakeRecord) -> None:
    journal = Journal(store)
    ticket = journal.finish_hand("cup", 0, make_record())
    journal.close()
    journal.close()

    await journal.wait(ticket)
    with pytest.raises(JournalError, match="closed"):
        journal.append("cup", 0, [])


WRITER = """
import sys
from fivehundred.rules.actions import PASS
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import open_store
from fivehundred.table.values import Decided, Receipt

journal = Journal(open_store(sys.argv[1]))
for number in range(1_000_000):
    journal.append("cup", 0, [Decided(0, PASS, Receipt(number, 0, number, 0))])
    journal.flush()
    if number % 7 == 0:
        print(number + 1, flush=True)
"""


def test_killed_writer_has_lost_nothing_that_it_called_durable(database: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(database)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        promised = [int(next(writer.stdout)) for _ in range(40)]
        writer.kill()
        promised += map(int, writer.stdout)

    with open_store(database) as store:
        events = store.journal_events("cup")[0]

    assert len(events) >= promised[-1]
    receipts = [each.receipt.elapsed_us for each in events if isinstance(each, Decided)]
    assert receipts == list(range(len(events)))


def test_what_workers_have_left_is_the_daemons_from_its_start_on(
    store: Store, make_record: MakeRecord
) -> None:
    """The longer of two files is right about a hand that both have."""
    first, second = make_record(match=0), make_record(match=1)
    for path, records in (
        (store.decisions, [(first, 3), (second, 1)]),
        (file_of(store.decisions, 1), [(first, 1)]),
        (file_of(store.decisions, 2), [(second, 4)]),
    ):
        frames = (
            framed(("cup", record.started.key.match), [record.started, *record.decisions[:made]])
            for record, made in records
        )
        DecisionsFile(path, chain.from_iterable(frames)).close()
    logged = {0: [first.started, *first.decisions[:3]], 1: [second.started, *second.decisions]}
    assert store.journal_events("cup") == logged

    journal = Journal(store)

    assert worker_files(store.decisions) == []
    assert store.journal_events("cup") == logged
    journal.close()


async def test_the_hands_that_a_worker_leaves_under_way_are_taken_over(
    store: Store, make_record: MakeRecord
) -> None:
    over, left = make_record(match=0), make_record(match=1)
    journal = Journal(store)
    await journal.wait(journal.finish_hand("cup", 0, over))
    path = file_of(store.decisions, 1)
    file = DecisionsFile(path, framed(("cup", 0), [over.started, *over.decisions]))
    file.add(b"".join(framed(("cup", 1), [left.started, left.decisions[0]])))
    file.close()

    journal.adopt(path)

    assert not path.exists()
    assert store.journal_events("cup") == {1: [left.started, left.decisions[0]]}
    journal.close()
