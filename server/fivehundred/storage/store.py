"""The database's one door: tournaments, hands, registered bots and what happened when.

Everything here is synchronous and short. Hands and decisions are written by
`fivehundred.storage.journal`, which shares the store's engine.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    RowMapping,
    Select,
    delete,
    func,
    insert,
    inspect,
    null,
    select,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError

from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.database import (
    BEFORE_ORIGINS,
    WriterLock,
    database_file,
    decisions_file,
    migrate,
    reading,
    reading_engine,
    require_readable,
    require_sound,
    when_broken,
    writing,
    writing_engine,
)
from fivehundred.storage.decisions import Match, forget, under_way, worker_files
from fivehundred.storage.errors import StorageError
from fivehundred.storage.rows import stored_hand, tournament_seal
from fivehundred.storage.schema import (
    HAND_KEY,
    HAND_ORIGIN,
    bots,
    hands,
    tournaments,
    watch_events,
)
from fivehundred.storage.values import (
    HandStored,
    NewTournament,
    RegisteredBot,
    StateChanged,
    StoredHand,
    StoredTournament,
    TournamentState,
    WatchEvent,
)
from fivehundred.table.dealing import commitment
from fivehundred.table.values import Event, HandKey, HandStarted
from fivehundred.v1 import ruleset_pb2
from fivehundred.wire.errors import AlreadyExists, FailedPrecondition, NotFound
from fivehundred.wire.record import event_from_bytes
from fivehundred.wire.ruleset import rules_hash, ruleset_from_proto, ruleset_to_proto

BATCH = 500
"""Hands read by one statement while all are gone through."""

BLANK = RuleSet(special_bids=())
"""What a stored rule set, which holds every field, is filled into."""

HANDS = select(hands.c.id, hands.c.digest, hands.c.record, *HAND_ORIGIN)
HANDS_WITHOUT_ORIGIN = select(
    hands.c.id, hands.c.digest, hands.c.record, *(null().label(each.name) for each in HAND_ORIGIN)
)
"""The same of a database whose hands have none."""


def open_store(where: str | Path) -> "Store":
    """Opens a database to write to it, and makes or upgrades it; refuses a second writer."""
    path = database_file(where)
    lock = None if path is None else WriterLock(path)
    if path is not None and not path.exists():
        _forget_decisions(decisions_file(where))
    engine = writing_engine(where)
    try:
        if path is not None:
            require_sound(engine, path)
            _require_its_own(engine, path, decisions_file(where))
        migrate(engine)
    except BaseException:
        if lock is not None:
            lock.release()
        raise
    return Store(engine, lock, decisions_file(where))


def _require_its_own(engine: Engine, path: Path, decisions: Path) -> None:
    """Refuses an empty database beside decisions: it has lost what they belong to."""
    with reading(engine) as connection:
        is_empty = not inspect(connection).get_table_names()
    if is_empty and under_way(decisions):
        raise StorageError(
            f"{path} is empty, but {decisions} holds hands that were under way: put the database "
            f"and its -wal file back, or remove both files; see `fivehundred doctor {path}`"
        )


def _forget_decisions(path: Path) -> None:
    """Removes the files of all decisions under way: their database is gone."""
    for each in (path, *worker_files(path)):
        forget(each)


def read_store(where: str | Path) -> "Store":
    """Opens a database to read it, beside a daemon that writes to it or without one."""
    engine = reading_engine(where)
    is_older = require_readable(engine) == BEFORE_ORIGINS
    chosen = HANDS_WITHOUT_ORIGIN if is_older else HANDS
    return Store(engine, None, decisions_file(where), chosen)


class Store:
    """A database that is open."""

    def __init__(
        self,
        engine: Engine,
        lock: WriterLock | None,
        decisions: Path,
        chosen: Select[Any] = HANDS,
    ) -> None:
        self.engine = engine
        self.decisions = decisions
        """The file of the decisions of hands under way."""
        self._lock = lock
        self._hands = chosen

    def when_broken(self, tell: Callable[[str], None]) -> None:
        """Has somebody told, in whatever thread, of a write that leaves open what is on the disk.

        Nothing is written after it.
        """
        when_broken(self.engine, tell)

    def close(self) -> None:
        """Closes the database and lets another process write to it."""
        self.engine.dispose()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def create_tournament(self, new: NewTournament) -> StoredTournament:
        """Stores a tournament, or gives the one that the same request has stored before."""
        with writing(self.engine) as connection:
            earlier = _of_request(connection, new.request_id)
            if earlier is not None:
                return _same_or_refused(earlier, new)
            try:
                connection.execute(insert(tournaments), _tournament_row(new))
            except IntegrityError:
                raise AlreadyExists(
                    f"there is a tournament {new.name!r}: take another name"
                ) from None
            _add_state_event(connection, new.name, TournamentState.CREATED, "")
            return _tournament(connection, new.name)

    def tournament(self, name: str) -> StoredTournament:
        """One tournament; raises `NotFound`."""
        with reading(self.engine) as connection:
            return _tournament(connection, name)

    def tournament_row(self, name: str) -> dict[str, object]:
        """One tournament as its row has it; raises `NotFound`."""
        with reading(self.engine) as connection:
            return dict(_tournament_raw(connection, name))

    def tournaments(self, limit: int = 50, after: str | None = None) -> list[StoredTournament]:
        """A page of tournaments, newest first, after the one of a name or from the start."""
        columns = tournaments.c
        query = select(tournaments).order_by(columns.create_time_us.desc(), columns.name.desc())
        with reading(self.engine) as connection:
            if after is not None:
                last = _tournament(connection, after)
                place = tuple_(columns.create_time_us, columns.name)
                query = query.where(place < tuple_(last.create_time_us, last.name))
            return [
                _tournament_of(row) for row in connection.execute(query.limit(limit)).mappings()
            ]

    def all_tournaments(self, after: str | None = None) -> Iterator[StoredTournament]:
        """All tournaments, newest first, after the one of a name or from the start."""
        while page := self.tournaments(after=after):
            yield from page
            after = page[-1].name

    def set_state(self, name: str, state: TournamentState, reason: str = "") -> None:
        """Changes a tournament's state and records the event; `finish` ends it."""
        with writing(self.engine) as connection:
            _change(connection, name, state=state, reason=reason)
            _add_state_event(connection, name, state, reason)

    def set_spec(self, name: str, spec: bytes) -> None:
        """Changes a definition: where a ladder ends, who is on it."""
        with writing(self.engine) as connection:
            _change(connection, name, spec=spec)

    def add_entropy(self, name: str, entrant: int, entrants: int, entropy: bytes) -> None:
        """Keeps the entropy of one of so many entrants.

        Raises `FailedPrecondition` for a tournament that has been started, and for an entrant that
        has given another: who knows the seed could draw until the deals suit him.
        """
        with writing(self.engine) as connection:
            stored = _tournament(connection, name)
            if stored.state is not TournamentState.CREATED:
                raise FailedPrecondition(
                    f"{name!r} is {stored.state.name}: entropy is taken until it is started"
                )
            given = [each.hex() for each in stored.entropy]
            given += [""] * (entrants - len(given))
            if given[entrant] not in ("", entropy.hex()):
                raise FailedPrecondition(
                    "the entrant has given its entropy, which cannot be changed"
                )
            given[entrant] = entropy.hex()
            _change(connection, name, entropy=given)

    def finish(self, name: str, standings: bytes | None = None) -> bytes:
        """Ends a tournament that has been played out and seals it; gives the digest of its log.

        ``standings`` are the serialised Standings of all its hands.
        """
        with writing(self.engine) as connection:
            digest = _log_digest(connection, name)
            state = TournamentState.FINISHED
            columns = {"log_digest": digest, "standings": standings}
            _change(connection, name, state=state, reason="", **columns)
            seal = tournament_seal(dict(_tournament_raw(connection, name)))
            _change(connection, name, seal=seal)
            _add_state_event(connection, name, state, "")
            return digest

    def set_bots(self, name: str, identities: Sequence[str]) -> None:
        """Keeps ``name@version`` of each entrant's bot."""
        with writing(self.engine) as connection:
            _change(connection, name, bots=list(identities))

    def hand(self, number: int) -> StoredHand:
        """One hand by its id; raises `NotFound`."""
        with reading(self.engine) as connection:
            row = connection.execute(self._hands.where(hands.c.id == number)).first()
        if row is None:
            raise NotFound(f"there is no hand {number}")
        return stored_hand(*row)

    def hand_count(self, name: str) -> int:
        """The number of a tournament's hands."""
        query = select(func.count()).select_from(hands).where(hands.c.tournament == name)
        with reading(self.engine) as connection:
            return connection.execute(query).scalar_one()

    def match_count(self, name: str) -> int:
        """The number of a tournament's matches, where all up to the last have hands."""
        query = select(func.max(hands.c.match)).where(hands.c.tournament == name)
        with reading(self.engine) as connection:
            last = connection.execute(query).scalar_one()
        return 0 if last is None else last + 1

    def hand_keys(self, name: str) -> list[HandKey]:
        """The keys of a tournament's hands, in order."""
        query = select(*HAND_KEY).where(hands.c.tournament == name).order_by(*HAND_KEY)
        with reading(self.engine) as connection:
            return [HandKey(*row) for row in connection.execute(query)]

    def hands_page(
        self, name: str, limit: int = BATCH, after: HandKey | None = None
    ) -> list[StoredHand]:
        """A page of a tournament's hands in order of their keys, after a key or from the start."""
        query = self._hands.where(hands.c.tournament == name).order_by(*HAND_KEY).limit(limit)
        if after is not None:
            last = (after.match, after.board, after.seating, after.hand, after.attempt)
            query = query.where(tuple_(*HAND_KEY[1:]) > tuple_(*last))
        with reading(self.engine) as connection:
            return [stored_hand(*row) for row in connection.execute(query)]

    def hands(self, name: str) -> Iterator[StoredHand]:
        """All of a tournament's hands in the order of their keys; few are held at a time."""
        page = self.hands_page(name)
        while page:
            yield from page
            page = self.hands_page(name, after=page[-1].key) if len(page) == BATCH else []

    def log_digest(self, name: str) -> bytes:
        """The SHA-256 over the digests of a tournament's hands in the order of their keys."""
        with reading(self.engine) as connection:
            return _log_digest(connection, name)

    def journal_events(self, name: str) -> dict[int, list[Event]]:
        """By match, the events of the hand that was under way, in order."""
        found = self.decisions_under_way(name)
        return {match: events for (_, match), events in found.items()}

    def decisions_under_way(self, name: str | None = None) -> dict[Match, list[Event]]:
        """The events of all hands that are under way, or of one tournament's."""
        paths = [self.decisions, *worker_files(self.decisions)]
        return self._under_way(paths, name)

    def decisions_in(self, path: Path) -> dict[Match, list[Event]]:
        """The events of the hands that are under way by one file of decisions."""
        return self._under_way([path], None)

    def _under_way(self, paths: Iterable[Path], name: str | None) -> dict[Match, list[Event]]:
        """By match the longest of what the files have of a hand that is not stored."""
        found: dict[Match, list[Event]] = {}
        with reading(self.engine) as connection:
            for match, logged in chain.from_iterable(under_way(path).items() for path in paths):
                if name in (None, match[0]) and len(logged) > len(found.get(match, [])):
                    events = [event_from_bytes(event) for event in logged]
                    if not _is_stored(connection, events[0]):
                        found[match] = events
        return dict(sorted(found.items()))

    def events_after(self, name: str, number: int, limit: int = BATCH) -> list[WatchEvent]:
        """A tournament's events after an event number, in order; 0 for the first."""
        query = (
            select(watch_events)
            .where(watch_events.c.tournament == name, watch_events.c.number > number)
            .order_by(watch_events.c.number)
            .limit(limit)
        )
        with reading(self.engine) as connection:
            return [_watch_event(row) for row in connection.execute(query).mappings()]

    def last_event(self, name: str) -> int:
        """The number of a tournament's last event; 0 where there is none."""
        with reading(self.engine) as connection:
            return next_event_number(connection, name) - 1

    def news_after(self, name: str, number: int, limit: int) -> list[tuple[WatchEvent, bytes]]:
        """The same as `events_after`, each with its hand's record; it is empty with a state."""
        query = (
            select(watch_events, hands.c.record)
            .outerjoin(hands, hands.c.id == watch_events.c.hand)
            .where(watch_events.c.tournament == name, watch_events.c.number > number)
            .order_by(watch_events.c.number)
            .limit(limit)
        )
        with reading(self.engine) as connection:
            rows = connection.execute(query).mappings()
            return [(_watch_event(row), row["record"] or b"") for row in rows]

    def hands_since(self, name: str, number: int, limit: int) -> list[StoredHand]:
        """A tournament's hands with ids above a number, in their order."""
        query = self._hands.where(hands.c.tournament == name, hands.c.id > number)
        with reading(self.engine) as connection:
            rows = connection.execute(query.order_by(hands.c.id).limit(limit))
            return [stored_hand(*row) for row in rows]

    def register_bot(self, bot: RegisteredBot) -> None:
        """Stores a bot in place of one of the same name."""
        with writing(self.engine) as connection:
            connection.execute(delete(bots).where(bots.c.name == bot.name))
            connection.execute(insert(bots), asdict(bot))

    def bot(self, name: str) -> RegisteredBot:
        """One registered bot; raises `NotFound`."""
        with reading(self.engine) as connection:
            row = connection.execute(select(bots).where(bots.c.name == name)).first()
        if row is None:
            raise NotFound(f"there is no bot {name!r}")
        return RegisteredBot(*row)

    def bots(self, limit: int = 50, after: str = "") -> list[RegisteredBot]:
        """A page of registered bots by name, after a name or from the start."""
        query = select(bots).where(bots.c.name > after).order_by(bots.c.name).limit(limit)
        with reading(self.engine) as connection:
            return [RegisteredBot(*row) for row in connection.execute(query)]

    def set_token(self, name: str, token_hash: bytes) -> None:
        """Keeps the hash of a bot's new token in place of the old one; raises `NotFound`."""
        self._change_bot(name, token_hash=token_hash)

    def set_identity(self, name: str, identity: str) -> None:
        """Keeps what a bot calls itself, as ``name@version``; raises `NotFound`."""
        self._change_bot(name, identity=identity)

    def delete_bot(self, name: str) -> None:
        """Forgets a bot; raises `NotFound`."""
        with writing(self.engine) as connection:
            if not connection.execute(delete(bots).where(bots.c.name == name)).rowcount:
                raise NotFound(f"there is no bot {name!r}")

    def _change_bot(self, name: str, **columns: object) -> None:
        change = update(bots).where(bots.c.name == name).values(columns)
        with writing(self.engine) as connection:
            if not connection.execute(change).rowcount:
                raise NotFound(f"there is no bot {name!r}")


def next_event_number(connection: Connection, name: str) -> int:
    """The number of a tournament's next event, from 1."""
    query = select(func.max(watch_events.c.number)).where(watch_events.c.tournament == name)
    return (connection.execute(query).scalar_one() or 0) + 1


def _is_stored(connection: Connection, event: Event) -> bool:
    """Whether an event starts a hand that has been stored."""
    if not isinstance(event, HandStarted):
        return False
    key = event.key
    place = (key.tournament, key.match, key.board, key.seating, key.hand, key.attempt)
    query = select(hands.c.id).where(tuple_(*HAND_KEY) == tuple_(*place))
    return connection.execute(query).first() is not None


def _tournament(connection: Connection, name: str) -> StoredTournament:
    return _tournament_of(_tournament_raw(connection, name))


def _tournament_raw(connection: Connection, name: str) -> RowMapping:
    query = select(tournaments).where(tournaments.c.name == name)
    row = connection.execute(query).mappings().first()
    if row is None:
        raise NotFound(f"there is no tournament {name!r}")
    return row


def _tournament_row(new: NewTournament) -> dict[str, object]:
    return {
        "name": new.name,
        "spec": new.spec,
        "rules": ruleset_to_proto(new.rules).SerializeToString(deterministic=True),
        "rules_hash": rules_hash(new.rules),
        "seed": new.seed,
        "commitment": commitment(new.seed),
        "state": TournamentState.CREATED,
        "reason": "",
        "create_time_us": new.create_time_us,
        "request_id": new.request_id,
        "bots": list(new.bots),
        "log_digest": b"",
    }


def _tournament_of(row: RowMapping) -> StoredTournament:
    fields = dict(row)
    rules = ruleset_pb2.RuleSet.FromString(row["rules"])
    fields["rules"] = ruleset_from_proto(rules, BLANK)
    fields["bots"] = tuple(row["bots"])
    fields["entropy"] = tuple(map(bytes.fromhex, row["entropy"] or ()))
    fields["state"] = TournamentState(row["state"])
    return StoredTournament(**fields)


def _of_request(connection: Connection, request: str | None) -> StoredTournament | None:
    if request is None:
        return None
    query = select(tournaments).where(tournaments.c.request_id == request)
    row = connection.execute(query).mappings().first()
    return None if row is None else _tournament_of(row)


def _same_or_refused(earlier: StoredTournament, new: NewTournament) -> StoredTournament:
    if (earlier.name, earlier.spec) != (new.name, new.spec):
        raise AlreadyExists(
            f"request {new.request_id!r} has stored {earlier.name!r} from another definition: "
            "take another request id"
        )
    return earlier


def _change(connection: Connection, name: str, **columns: object) -> None:
    change = update(tournaments).where(tournaments.c.name == name).values(columns)
    if not connection.execute(change).rowcount:
        raise NotFound(f"there is no tournament {name!r}")


def _add_state_event(
    connection: Connection, name: str, state: TournamentState, reason: str
) -> None:
    number = next_event_number(connection, name)
    row = {"tournament": name, "number": number, "hand": None, "state": state, "reason": reason}
    connection.execute(insert(watch_events), row)


def _log_digest(connection: Connection, name: str) -> bytes:
    query = select(hands.c.digest).where(hands.c.tournament == name).order_by(*HAND_KEY)
    total = hashlib.sha256()
    for (digest,) in connection.execute(query):
        total.update(digest)
    return total.digest()


def _watch_event(row: RowMapping) -> WatchEvent:
    if row["hand"] is not None:
        return HandStored(row["number"], row["hand"])
    if row["state"] is None:
        raise StorageError(f"event {row['number']} of {row['tournament']!r} tells nothing")
    return StateChanged(row["number"], TournamentState(row["state"]), row["reason"])
