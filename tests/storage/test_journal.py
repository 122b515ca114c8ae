"""What is durable when, what a crash leaves, and what a failed write does."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection

from fivehundred.storage.errors import JournalError
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import Store, open_store
from fivehundred.storage.values import HandStored
from fivehundred.table.values import Decided, HandRecord

MakeRecord = Callable[..., HandRecord]


async def test_committed_decisions_are_in_the_database(
    store: Store, database: Path, make_record: MakeRecord
) -> None:
    record = make_record()
    journal = Journal(store)

    ticket = journal.append("cup", 0, [record.started, *record.decisions])
    await journal.wait(ticket)

    assert journal.committed >= ticket
    other = sqlite3.connect(database)
    assert other.execute("SELECT count(*) FROM journal").fetchone() == (5,)
    other.close()
    journal.close()


async def test_events_under_way_are_given_by_match_in_order(
    store: Store, make_record: MakeRecord
) -> None:
    first, second = make_record(match=0), make_record(match=1)
    journal = Journal(store)

    journal.append("cup", 0, [first.started])
    await journal.wait(journal.append("cup", 1, [second.started, second.decisions[0]]))
    journal.append("cup", 0, first.decisions)
    journal.close()

    assert store.journal_events("cup") == {
        0: [first.started, *first.decisions],
        1: [second.started, second.decisions[0]],
    }


async def test_hand_replaces_its_events(store: Store, make_record: MakeRecord) -> None:
    record, following = make_record(0), make_record(1)
    journal = Journal(store)
    await journal.wait(journal.append("cup", 0, [record.started, *record.decisions]))

    journal.finish_hand("cup", 0, record)
    await journal.wait(journal.append("cup", 0, [following.started]))

    assert [stored.record for stored in store.hands("cup")] == [record]
    assert store.journal_events("cup") == {0: [following.started]}
    assert store.events_after("cup", 0) == [HandStored(1, 1)]
    journal.close()


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


async def test_dropped_hand_leaves_nothing(store: Store, make_record: MakeRecord) -> None:
    journal = Journal(store)
    await journal.wait(journal.append("cup", 0, [make_record().started]))

    await journal.wait(journal.drop_hand("cup", 0))

    assert store.journal_events("cup") == {}
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

    journal = Journal(store)
    kept = journal.append("cup", 0, [make_record().started])
    await journal.wait(kept)
    event.listen(store.engine, "checkout", fill)
    events = make_record().decisions * 500

    lost = journal.append("cup", 0, events)
    with pytest.raises(JournalError, match="disk is full"):
        await journal.wait(lost)

    assert journal.committed == kept
    assert journal.error is not None
    with pytest.raises(JournalError):
        journal.append("cup", 0, events)
    with pytest.raises(JournalError):
        journal.close()
    assert store.journal_events("cup") == {0: [make_record().started]}


async def test_failed_batch_is_lost_as_a_whole(store: Store, make_record: MakeRecord) -> None:
    first, second = make_record(0), make_record(1)
    journal = Journal(store)
    await journal.wait(journal.append("cup", 0, [first.started]))
    await journal.wait(journal.finish_hand("cup", 1, second))

    journal.finish_hand("cup", 1, second)
    with pytest.raises(JournalError):
        await journal.wait(journal.append("cup", 0, first.decisions))

    assert store.journal_events("cup") == {0: [first.started]}
    with pytest.raises(JournalError):
        journal.close()


async def test_closed_journal_takes_nothing(store: Store, make_record: MakeRecord) -> None:
    journal = Journal(store)
    ticket = journal.append("cup", 0, [make_record().started])
    journal.close()
    journal.close()

    await journal.wait(ticket)
    with pytest.raises(JournalError, match="closed"):
        journal.append("cup", 0, [])


WRITER = """
import asyncio, sys
from fivehundred.rules.actions import PASS
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import open_store
from fivehundred.table.values import Decided, Receipt

async def write(journal):
    for number in range(1_000_000):
        ticket = journal.append("cup", 0, [Decided(0, PASS, Receipt(number, 0, number, 0))])
        if number % 7 == 0:
            await journal.wait(ticket)
            print(journal.committed, flush=True)

asyncio.run(write(Journal(open_store(sys.argv[1]))))
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
