"""A watch on what a bot's connections carry, so that a flood costs the daemon little.

A bot can send frames that no call ever sees: resets, windows, headers, crumbs of data, without end.
gRPC reads them all, and its threads pay. What the kernel has counted of a TCP connection tells: an
honest bot sends little more than it is sent. A connection that brings far more is shut, which is to
everybody else as if it had been lost. A bot that floods again and again is barred, longer each
time: it is not dialled, and its decisions are faults at once. What gRPC keeps open when nobody uses
it any more is shut too: a connection that floods does not end when its channel does.
"""

import asyncio
import contextlib
import os
import socket
import struct
import time
from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fivehundred.table.values import Fault, FaultKind

LOOK_S = 0.05
CLOSE_LOOK_S = 0.01
"""Between looks while a peer is suspect, as it brings more than its due or has flooded lately."""
SUSPECT_S = 2.0
"""How long a peer is suspect after it has flooded, or has not been barred any more."""
LOOKS_A_SEARCH = 4
"""Connections that have come anew are searched for after so many looks, or when one has gone."""
ALLOWANCE = 1 << 20
"""Bytes beyond its due that a bot may send at once; some 100 ms of a processor's time."""
REFILL_A_S = 1 << 20
"""How much of the allowance comes back in a second."""
DUE = 16
"""How many bytes may come for each that was sent: a note may be longer than its request."""
MOST_FLOODS = 3
"""So many floods, and the bot is barred for a time, which doubles with every flood after that."""
BARRED_S = 10.0
MOST_DOUBLINGS = 10
GRACE_S = 0.1
"""How long gRPC may take to end a connection that nobody uses any more."""

_OPEN = "/proc/self/fd"
_TCP_INFO: int | None = getattr(socket, "TCP_INFO", None)
_COUNTS = struct.Struct("=120xQQ")
"""Bytes acknowledged and bytes received, in the kernel's ``tcp_info``."""
_MOST_DROPPED = 1 << 20
_DROPS = 64


class _Counts(NamedTuple):
    """What a connection has carried."""

    sent: int = 0
    received: int = 0


NOTHING = _Counts()


class FloodWatch:
    """One session's part in the watch on its bot's address; unix sockets are not watched."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._peers: list[_Peer] = []

    @property
    def floods(self) -> int:
        """How often connections to the address have been shut."""
        return sum(peer.floods for peer in self._peers)

    @property
    def barred(self) -> Fault | None:
        """The fault of every decision while the bot is barred; None while it is not."""
        for peer in self._peers:
            if peer.floods >= MOST_FLOODS and peer.is_barred():
                reason = f"the bot has flooded {peer.floods} times: barred for {peer.barred_s:g} s"
                return Fault(FaultKind.DISCONNECTED, reason)
        return None

    async def begin(self) -> None:
        """Watch until it is stopped, unless that has begun or the name does not resolve."""
        host, _, port = self._target.rpartition(":")
        if _TCP_INFO is None or not host or host.startswith("unix:") or not port.isdecimal():
            return
        if self._peers:
            return
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError, ValueError, OverflowError):  # what is no name or port
            kind = socket.SOCK_STREAM
            found = await loop.getaddrinfo(host.strip("[]"), int(port), type=kind)
            names = {":".join(map(str, address[:2])) for *_, address in found}
            self._peers = [_lookout().watched(name) for name in names]

    def stop(self) -> None:
        """Watch no more; to be called when the channel is closed."""
        for peer in self._peers:
            peer.watchers -= 1
        if self._peers:
            _lookout().rest()
        self._peers = []


class _Peer:
    """An address that bots answer at, and what has come from there beyond its due."""

    def __init__(self) -> None:
        self.watchers = 0
        self.floods = 0
        self.connections: dict[int, _Counts] = {}
        self._excess = 0.0
        self._looked = time.monotonic()
        self._barred_until = 0.0
        self._suspect_until = 0.0

    @property
    def barred_s(self) -> float:
        """How long so many floods bar it."""
        doublings = min(self.floods - MOST_FLOODS, MOST_DOUBLINGS)
        return float(BARRED_S * 2**doublings) if doublings >= 0 else 0.0

    def note(self, connection: int, counts: _Counts) -> None:
        """Take what a connection has carried by now."""
        before = self.connections.get(connection, NOTHING)
        due = DUE * (counts.sent - before.sent)
        self._excess += max(counts.received - before.received - due, 0)
        self.connections[connection] = counts

    def is_flooding(self) -> bool:
        """Whether its connections are to be shut, as time has gone by again."""
        now = time.monotonic()
        self._excess = max(self._excess - REFILL_A_S * (now - self._looked), 0.0)
        self._looked = now
        if self._excess > ALLOWANCE:
            self._flood(now)
            return True
        return self.is_barred() and bool(self.connections)

    def is_barred(self) -> bool:
        """Whether it is not to be let in for now."""
        return time.monotonic() < self._barred_until

    def is_suspect(self) -> bool:
        """Whether it is to be looked at closely."""
        if self._excess:
            return True
        return bool(self.floods) and self._barred_until <= time.monotonic() < self._suspect_until

    def _flood(self, now: float) -> None:
        self._excess = 0.0
        self.floods += 1
        self._barred_until = now + self.barred_s
        self._suspect_until = self._barred_until + SUSPECT_S


class _Lookout:
    """Looks at the connections to all peers that are watched."""

    def __init__(self) -> None:
        self._peers: dict[str, _Peer] = {}
        self._looks = 0
        self._is_looking = False
        self._is_to_forget = False

    def watched(self, name: str) -> _Peer:
        """The peer of an address, with one more who watches it."""
        peer = self._peers.get(name)
        if peer is None or not peer.watchers:
            peer = self._peers[name] = _Peer()
        peer.watchers += 1
        self._looks = 0
        if not self._is_looking:
            self._look_later()
        return peer

    def rest(self) -> None:
        """Forget the peers that nobody watches, when gRPC has had time to end its connections."""
        if not self._is_to_forget:
            self._is_to_forget = True
            asyncio.get_running_loop().call_later(GRACE_S, self._forget)

    def _forget(self) -> None:
        self._is_to_forget = False
        self._search()
        for name in [name for name, peer in self._peers.items() if not peer.watchers]:
            _shut(self._peers.pop(name), name)

    def _look_later(self) -> None:
        """Look again, and soon where a peer is suspect; not at all when nobody is watched."""
        self._is_looking = bool(self._peers)
        if self._is_looking:
            close = any(peer.is_suspect() for peer in self._peers.values())
            asyncio.get_running_loop().call_later(CLOSE_LOOK_S if close else LOOK_S, self._look)

    def _look(self) -> None:
        lost = sum(_look_at(peer) for peer in self._peers.values())
        if lost or self._looks % LOOKS_A_SEARCH == 0 or self._awaits():
            self._search()
        self._looks += 1
        for name, peer in self._peers.items():
            if peer.is_flooding():
                _shut(peer, name)
        self._look_later()

    def _awaits(self) -> bool:
        """Whether a suspect may be connected again without its being known."""
        return any(not peer.connections and peer.is_suspect() for peer in self._peers.values())

    def _search(self) -> None:
        """Find the connections that are not known yet."""
        known = {number for peer in self._peers.values() for number in peer.connections}
        for number in _all_open() - known:
            with contextlib.suppress(OSError), _borrowed(number) as connection:
                if (peer := self._peers.get(_peer_of(connection))) is not None:
                    peer.note(number, _counts(connection))


_LOOKOUTS: WeakKeyDictionary[asyncio.AbstractEventLoop, _Lookout] = WeakKeyDictionary()
"""One for each event loop: a process has one loop."""


def _lookout() -> _Lookout:
    return _LOOKOUTS.setdefault(asyncio.get_running_loop(), _Lookout())


def _look_at(peer: _Peer) -> int:
    """Note what its known connections have carried; gives how many of them have gone."""
    lost = 0
    for number, before in list(peer.connections.items()):
        counts = NOTHING
        with contextlib.suppress(OSError), _borrowed(number) as connection:
            counts = _counts(connection)
        if counts.received < before.received or counts is NOTHING:
            lost += 1  # it has ended, or the number is another's now
            del peer.connections[number]
        else:
            peer.note(number, counts)
    return lost


def _shut(peer: _Peer, name: str) -> None:
    for number in peer.connections:
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(number)) as connection:
            if _peer_of(connection) == name:  # and stays it: gRPC may close what it has meanwhile
                connection.shutdown(socket.SHUT_RDWR)
                _drop(connection)
    peer.connections.clear()


def _drop(connection: socket.socket) -> None:
    """Throw away what has come and has not been read, so that gRPC need not read it."""
    room = bytearray(_MOST_DROPPED)
    for _ in range(_DROPS):
        if not connection.recv_into(room, 0, socket.MSG_DONTWAIT | socket.MSG_TRUNC):
            return


def _all_open() -> set[int]:
    """The numbers of what the process has open."""
    try:
        return {int(name) for name in os.listdir(_OPEN)}  # noqa: PTH208 - often; paths take longer
    except OSError:
        return set()


def _counts(connection: socket.socket) -> _Counts:
    assert _TCP_INFO is not None
    told = connection.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _COUNTS.size)
    return _Counts(*_COUNTS.unpack(told)) if len(told) == _COUNTS.size else NOTHING


@contextlib.contextmanager
def _borrowed(number: int) -> Iterator[socket.socket]:
    """An open file as a socket, which stays gRPC's; raises OSError where it is none."""
    borrowed = socket.socket(fileno=number)
    try:
        yield borrowed
    finally:
        borrowed.detach()


def _peer_of(connection: socket.socket) -> str:
    """Where a connection leads; empty for what is no TCP connection."""
    if connection.family not in (socket.AF_INET, socket.AF_INET6):
        return ""
    address = connection.getpeername()
    return f"{address[0].removeprefix('::ffff:')}:{address[1]}"
