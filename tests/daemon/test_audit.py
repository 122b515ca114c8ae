"""Refusals are logged, but nobody fills a disk with them."""

from collections.abc import Iterator

import pytest
import structlog
from structlog.testing import LogCapture

from fivehundred.daemon.audit import BURST, BURST_OF_ALL, MOST_CHARACTERS, REFILL_S, Audit


class Clock:
    """A clock that stands still unless it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def logged() -> Iterator[LogCapture]:
    """What has been logged."""
    before, capture = structlog.get_config(), LogCapture()
    structlog.configure(processors=[capture], cache_logger_on_first_use=False)
    yield capture
    structlog.configure(**before)


def test_a_peer_is_heard_so_often_whatever_its_port(logged: LogCapture) -> None:
    audit = Audit("refused", Clock())

    for port in range(1000):
        audit.refused(f"ipv4:10.0.0.1:{port}", "wrong token")

    assert len(logged.entries) == BURST
    assert logged.entries[0] == {
        "event": "refused",
        "log_level": "warning",
        "peer": "ipv4:10.0.0.1:0",
        "reason": "wrong token",
        "left_out": 0,
    }


def test_what_was_left_out_is_counted(logged: LogCapture) -> None:
    clock = Clock()
    audit = Audit("refused", clock)
    for _ in range(BURST + 7):
        audit.refused("unix:", "x")

    clock.now += REFILL_S
    audit.refused("unix:", "x")

    assert logged.entries[-1]["left_out"] == 7


def test_another_peer_is_heard_still(logged: LogCapture) -> None:
    audit = Audit("refused", Clock())
    for _ in range(100):
        audit.refused("ipv4:10.0.0.1:1", "x")

    audit.refused("ipv4:10.0.0.2:1", "x")

    assert logged.entries[-1]["peer"] == "ipv4:10.0.0.2:1"


def test_many_peers_together_are_bounded(logged: LogCapture) -> None:
    audit = Audit("refused", Clock())

    for number in range(5000):
        audit.refused(f"ipv6:[2001::{number:x}]:1", "x")

    assert len(logged.entries) == BURST_OF_ALL


def test_a_long_reason_is_cut(logged: LogCapture) -> None:
    Audit("refused", Clock()).refused("unix:", "x" * 10_000)

    assert len(logged.entries[0]["reason"]) == MOST_CHARACTERS
