"""What several databases say of bots: read once, pooled and rated."""

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from fivehundred.cli.failures import CliError, ConfigError
from fivehundred.cli.output import harmless
from fivehundred.cli.ratings import Choice
from fivehundred.storage.pools import (
    Chosen,
    Left,
    Wanted,
    chosen,
    read_boards,
    registered_bots,
)
from fivehundred.storage.store import Store, read_store
from fivehundred.tournament.pool_live import LiveRating, live_ratings
from fivehundred.tournament.pool_ratings import PoolRatings, rated
from fivehundred.tournament.pools import Board, pools
from fivehundred.wire.mistakes import near
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred.wire.ruleset import rules_hash

LEAST_DIGITS = 4
"""Of a hash by which a rule set may be named."""
SECONDS_BETWEEN_LINES = 5.0


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be said of a tournament of a database."""

    database: str
    tournament: str
    words: str


@dataclass(frozen=True, slots=True)
class RatedPool:
    """A pool's ratings, and its running ones where they are wanted."""

    ratings: PoolRatings
    live: tuple[LiveRating, ...] | None = None


@dataclass(frozen=True, slots=True)
class RatingsReport:
    """All that is known of the bots."""

    pools: tuple[RatedPool, ...]
    anchor: str | None
    """The one that was asked for; not every pool has it."""
    remarks: tuple[Remark, ...]
    """Tournaments that were left out, and hands that do not count."""
    unplayed: tuple[tuple[str, str], ...]
    """Registered bots without a board here: name, and what it calls itself, empty if not known."""


def rated_report(databases: Sequence[Path], choice: Choice) -> RatingsReport:
    """Read the databases, and rate what they say."""
    with ExitStack() as stack:
        stores = [stack.enter_context(read_store(path)) for path in databases]
        wanted = Wanted(choice.tournaments, _rules_digits(choice.rules), choice.with_sequential)
        found = [chosen(store, wanted) for store in stores]
        _require_known(choice, found)
        reading = _Reading(sum(each.hands for each in found))
        for path, store, each in zip(databases, stores, found, strict=True):
            reading.read(str(path), store, each)
        unplayed = tuple(_unplayed(stores, reading.boards))
    played = pools(reading.boards)
    _require_anchor(choice, played_by(reading.boards))
    rated_pools = tuple(
        RatedPool(
            rated(pool, anchor=choice.anchor, prior=choice.prior),
            live_ratings(pool) if choice.live else None,
        )
        for pool in played
    )
    remarks = tuple(dict.fromkeys(reading.remarks))
    return RatingsReport(rated_pools, choice.anchor, remarks, unplayed)


@cache
def preset_of(digest: bytes) -> str | None:
    """The preset with a rule set's hash; None where none has it."""
    return next((name for name in preset_names() if rules_hash(load_preset(name)) == digest), None)


def rules_name(digest: bytes) -> str:
    """The preset, or the start of the hash."""
    return preset_of(digest) or digest.hex()[:12]


def played_by(boards: Iterable[Board]) -> set[str]:
    """Everybody who has played a whole board."""
    return {player for board in boards for player in board.players()}


@dataclass(slots=True)
class _Reading:
    """Reads databases one after another, and tells how far it is."""

    total: int
    boards: list[Board] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    _done: int = 0
    _counter: "Counter" = field(default_factory=lambda: Counter(time.monotonic, _write))

    def read(self, database: str, store: Store, found: Chosen) -> None:
        """Read what was chosen of a database."""
        read = read_boards(store, found, self._show)
        self._done += found.hands
        self.boards += read.boards
        self.remarks += _remarks(database, [*found.left, *read.remarks])

    def _show(self, done: int, _: int) -> None:
        self._counter.show(self._done + done, self.total)


class Counter:
    """The hands read so far: a line now and then, none of what is done at once."""

    def __init__(self, clock: Callable[[], float], write: Callable[[str], None]) -> None:
        self._clock = clock
        self._write = write
        self._next = clock() + SECONDS_BETWEEN_LINES

    def show(self, done: int, total: int) -> None:
        """Say how far it is where it is time to."""
        if self._clock() >= self._next:
            self._write(f"{done}/{total} hands read")
            self._next = self._clock() + SECONDS_BETWEEN_LINES


def _write(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _remarks(database: str, left: Iterable[Left]) -> Iterator[Remark]:
    for each in left:
        yield Remark(database, each.tournament, each.why)


def _rules_digits(text: str) -> str:
    """The start of the hash of a rule set that is named by a preset or by that."""
    if text in preset_names():
        return rules_hash(load_preset(text)).hex()
    digits = text.lower()
    if text and not re.fullmatch(rf"[0-9a-f]{{{LEAST_DIGITS},64}}", digits):
        raise ConfigError(
            f"no rules {text!r}{near(text, preset_names())}: write a preset, as `fivehundred rules "
            f"list` has them, or the first {LEAST_DIGITS} digits or more of a hash"
        )
    return digits


def _require_known(choice: Choice, found: Sequence[Chosen]) -> None:
    names = frozenset().union(*(each.names for each in found))
    for name in sorted(choice.tournaments - names):
        raise ConfigError(harmless(f"no tournament {name!r}{near(name, sorted(names))}"))
    if choice.rules and not any(each.tournaments or each.left for each in found):
        digests = frozenset().union(*(each.rules for each in found))
        there = sorted(rules_name(digest) for digest in digests)
        raise CliError(
            f"no tournament is played by {choice.rules}: there are {', '.join(there) or 'none'}"
        )


def _require_anchor(choice: Choice, players: set[str]) -> None:
    if choice.anchor is not None and choice.anchor not in players:
        hint = near(choice.anchor, sorted(players))
        raise ConfigError(harmless(f"{choice.anchor!r} has no whole board here{hint}"))


def _unplayed(stores: Sequence[Store], boards: Iterable[Board]) -> Iterator[tuple[str, str]]:
    played = played_by(boards)
    bots = {(bot.name, bot.identity) for store in stores for bot in registered_bots(store)}
    for name, identity in sorted(bots):
        if identity not in played:
            yield name, identity
