"""What the database keeps, as values."""

from dataclasses import dataclass, field
from enum import IntEnum

from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.dealing import deal_secret
from fivehundred.table.values import HandKey, HandRecord


class TournamentState(IntEnum):
    """Where a tournament stands; the numbers are the contract's."""

    CREATED = 1
    RUNNING = 2
    DRAINING = 3
    PAUSED = 4
    FINISHED = 5
    ABORTED = 6
    FAILED = 7


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A tournament to be stored.

    ``spec`` is the serialised TournamentSpec as its operator gave it; ``rules`` is what it chooses,
    kept in full so that a log replays whatever becomes of the presets.
    """

    name: str
    spec: bytes
    rules: RuleSet
    seed: bytes
    create_time_us: int
    request_id: str | None = None
    """None where the operator gave none."""
    bots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as it stands; ``log_digest`` is empty until it is finished."""

    name: str
    spec: bytes
    rules: RuleSet
    rules_hash: bytes
    seed: bytes
    commitment: bytes
    create_time_us: int
    request_id: str | None
    bots: tuple[str, ...]
    state: TournamentState
    reason: str
    log_digest: bytes
    entropy: tuple[bytes, ...] = ()
    """By entrant what it has added to the deals, empty for none; empty where nobody has."""
    standings: bytes | None = None
    """The serialised Standings as they were at the end; None until it is finished."""
    seal: bytes | None = None
    """The SHA-256 over all the rest of its row at the end; None until it is finished."""

    @property
    def deal_secret(self) -> bytes:
        """The secret from which its deals are derived."""
        return deal_secret(self.seed, self.entropy)


@dataclass(frozen=True, slots=True)
class StoredHand:
    """A hand of the log."""

    id: int
    digest: bytes
    record: HandRecord
    stored_time_us: int | None = field(default=None, compare=False)
    """When it was stored, in microseconds since 1970; None where an older version stored it."""
    player: str | None = field(default=None, compare=False)
    """The machine and worker process that played it, such as ``host/0``; None as above."""

    @property
    def key(self) -> HandKey:
        """The hand's key."""
        return self.record.started.key


@dataclass(frozen=True, slots=True)
class RegisteredBot:
    """A bot that tournaments may name; one that dials in has a token instead of an address."""

    name: str
    address: str
    identity: str
    """Empty for a bot that has never dialled in."""
    create_time_us: int
    token_hash: bytes | None = field(default=None, repr=False)
    """The SHA-256 of the token with which it dials in; None for a bot that is dialled."""

    @property
    def dials_in(self) -> bool:
        """Whether it dials in instead of being dialled."""
        return self.token_hash is not None


@dataclass(frozen=True, slots=True)
class HandStored:
    """The event that a hand has been stored."""

    number: int
    hand: int


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The event that a tournament's state has changed."""

    number: int
    state: TournamentState
    reason: str


WatchEvent = HandStored | StateChanged
