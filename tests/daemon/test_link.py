"""The line between a daemon and a worker, and how a worker's failure arrives."""

import socket

import pytest

from fivehundred.daemon.causes import WorkerError, error_of, failure_of
from fivehundred.daemon.link import LENGTH, open_link
from fivehundred.storage.errors import JournalError
from fivehundred.table.table import ReplayError
from fivehundred.v1 import worker_pb2
from fivehundred.wire.errors import FailedPrecondition


async def test_messages_arrive_whole_and_in_order_until_the_other_end_closes() -> None:
    ours, theirs = socket.socketpair()
    here, there = await open_link(ours), await open_link(theirs)
    orders = [
        worker_pb2.WorkerOrder(durable=worker_pb2.WorkerDurable(ticket=ticket))
        for ticket in (1, 1 << 40)
    ]
    large = worker_pb2.WorkerOrder(match=worker_pb2.WorkerMatch(events=[bytes(1 << 20)]))

    for order in [*orders, large]:
        here.send(order)
    arrived = [await there.receive() for _ in range(3)]
    await here.close()

    assert arrived == [order.SerializeToString() for order in [*orders, large]]
    assert await there.receive() is None
    there.send(large)
    await there.close()


async def test_half_a_message_is_none() -> None:
    ours, theirs = socket.socketpair()
    link = await open_link(ours)
    with theirs:
        theirs.sendall(LENGTH.pack(10) + b"half")

    assert await link.receive() is None
    await link.close()


@pytest.mark.parametrize(
    ("raised", "arrives"),
    [
        (FailedPrecondition("entrant 'a' did not come up"), FailedPrecondition),
        (JournalError("the log cannot be written"), JournalError),
        (ReplayError("a decision stands where it should not"), WorkerError),
        (KeyError("9H"), WorkerError),
    ],
)
def test_a_failure_means_the_same_on_the_other_side(
    raised: Exception, arrives: type[Exception]
) -> None:
    failed = failure_of(ExceptionGroup("tasks", [raised]))

    assert type(error_of(failed)) is arrives
    assert "9H" not in failed.reason
