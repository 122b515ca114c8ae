"""What is logged of those who are refused: enough to see it, too little to fill a disk."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import structlog

BURST = 10
"""Lines that a peer may cause at once."""
REFILL_S = 6.0
"""Seconds after which a peer may cause one more."""
MOST_PEERS = 1000
"""Peers that are told apart; who has not been refused for the longest time is forgotten."""
BURST_OF_ALL = 200
REFILL_OF_ALL_S = 0.5
"""The same for all peers together, as one that has many addresses is many peers."""
MOST_CHARACTERS = 200
"""Of a reason."""
log = structlog.get_logger()


@dataclass(slots=True)
class _Allowance:
    """How many lines may be written still, and how many have been left out."""

    burst: int
    refill_s: float
    lines: float
    at: float
    left_out: int = 0

    def has_one(self, now: float) -> bool:
        self.lines = min(self.burst, self.lines + (now - self.at) / self.refill_s)
        self.at = now
        return self.lines >= 1


class Audit:
    """Logs refusals under a name; so many of each peer and of all together. Never a token."""

    def __init__(self, event: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._event = event
        self._clock = clock
        self._all = _Allowance(BURST_OF_ALL, REFILL_OF_ALL_S, BURST_OF_ALL, clock())
        self._peers: OrderedDict[str, _Allowance] = OrderedDict()

    def refused(self, peer: str, reason: str, **facts: str) -> None:
        """Log that a peer has been refused, with how many lines were left out before it."""
        allowance, now = self._of_peer(peer), self._clock()
        if not (allowance.has_one(now) and self._all.has_one(now)):
            allowance.left_out += 1
            return
        allowance.lines -= 1
        self._all.lines -= 1
        left_out, allowance.left_out = allowance.left_out, 0
        log.warning(
            self._event, peer=peer, reason=reason[:MOST_CHARACTERS], left_out=left_out, **facts
        )

    def _of_peer(self, peer: str) -> _Allowance:
        host = host_of(peer)
        if host not in self._peers:
            self._peers[host] = _Allowance(BURST, REFILL_S, BURST, self._clock())
        self._peers.move_to_end(host)
        if len(self._peers) > MOST_PEERS:
            self._peers.popitem(last=False)
        return self._peers[host]


def host_of(peer: str) -> str:
    """A peer as gRPC names it, without its port, which differs from connection to connection."""
    return peer if peer.startswith("unix:") else peer.rpartition(":")[0]
