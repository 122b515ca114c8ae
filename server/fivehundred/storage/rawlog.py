"""The log as it lies in the database, whatever its columns hold, and each row judged by itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, select, type_coerce
from sqlalchemy.types import NullType

from fivehundred.storage.database import reading
from fivehundred.storage.errors import StorageError
from fivehundred.storage.rows import hand_row, row_checksum
from fivehundred.storage.schema import HAND_KEY, HAND_ORIGIN, hands, tournaments, watch_events
from fivehundred.table.values import HandKey, HandRecord
from fivehundred.v1 import record_pb2
from fivehundred.wire.record import record_from_proto

RawRow = Mapping[str, object]

RAW_HANDS = select(
    *(
        type_coerce(column, NullType()).label(column.name)
        for column in hands.c
        if column not in set(HAND_ORIGIN)
    )
)
RAW_PLACES = select(
    hands.c.id,
    type_coerce(hands.c.tournament, NullType()),
    type_coerce(hands.c.match, NullType()),
).order_by(*HAND_KEY)


@dataclass(frozen=True, slots=True)
class Place:
    """A hand's id, and the tournament and match that its row says."""

    id: int
    tournament: object
    match: object


@dataclass(frozen=True, slots=True)
class Listed:
    """What there is to be looked at."""

    states: Mapping[str, object]
    """By tournament its state at the time: a daemon may go on meanwhile."""
    places: tuple[Place, ...]
    """The hands in the order of their keys."""
    told: Mapping[int, str]
    """By hand that an event tells of, the event's tournament."""


def listed(engine: Engine, tournament: str | None) -> Listed:
    """Everything, or what belongs to one tournament; raises `StorageError`."""
    names = select(tournaments.c.name, type_coerce(tournaments.c.state, NullType()))
    names = names.order_by(tournaments.c.name)
    places = RAW_PLACES
    told = select(watch_events.c.hand, watch_events.c.tournament)
    told = told.where(watch_events.c.hand.is_not(None))
    if tournament is not None:
        names = names.where(tournaments.c.name == tournament)
        places = places.where(hands.c.tournament == tournament)
        told = told.where(watch_events.c.tournament == tournament)
    with reading(engine) as connection:
        found = {row[0]: row[1] for row in connection.execute(names)}
        if tournament is not None and not found:
            raise StorageError(f"there is no tournament {tournament!r}")
        return Listed(
            found,
            tuple(Place(row[0], row[1], row[2]) for row in connection.execute(places)),
            {number: name for number, name in connection.execute(told) if number is not None},
        )


def raw_rows(engine: Engine, numbers: Sequence[int]) -> Iterator[tuple[int, RawRow | str]]:
    """Each hand's row by its id, or why there is none."""
    try:
        found = _read(engine, numbers)
    except StorageError as error:
        if len(numbers) == 1:
            yield numbers[0], f"it cannot be read: {error}"
        else:
            for number in numbers:
                yield from raw_rows(engine, [number])
        return
    for number in numbers:
        yield number, found.get(number, "it is missing")


def _read(engine: Engine, numbers: Sequence[int]) -> dict[int, RawRow]:
    with reading(engine) as connection:
        rows = connection.execute(RAW_HANDS.where(hands.c.id.in_(numbers))).mappings()
        return {row["id"]: dict(row) for row in rows}


def judged(row: RawRow) -> tuple[HandRecord | None, list[str]]:
    """The record of a row, None where it cannot be read, and what is wrong with the row."""
    problems = list(_checksum_problems(row))
    try:
        blob = row["record"]
        assert isinstance(blob, bytes)
        record = record_from_proto(record_pb2.HandRecord.FromString(blob))
        problems += _column_problems(row, record)
    except Exception as error:  # noqa: BLE001 - whatever a damaged record raises is the problem
        words = str(error) or type(error).__name__
        return None, [*problems, f"its record cannot be read: {words}"]
    return record, problems


def key_of(row: RawRow) -> HandKey | None:
    """The key that a row's columns say; None where they are no numbers."""
    key = [row[column] for column in ("match", "board", "seating", "hand", "attempt")]
    numbers = [number for number in key if isinstance(number, int)]
    return HandKey(str(row["tournament"]), *numbers) if len(numbers) == len(key) else None


def _checksum_problems(row: RawRow) -> Iterator[str]:
    blob = row["record"]
    if not isinstance(blob, bytes) or row["checksum"] != row_checksum(_id(row), blob):
        yield "its checksum is wrong: the id, the record or the checksum has changed"


def _column_problems(row: RawRow, record: HandRecord) -> Iterator[str]:
    for column, right in hand_row(_id(row), record).items():
        if row[column] != right and column != "checksum":
            yield f"its column {column!r} is not what the record says"


def _id(row: RawRow) -> int:
    number = row["id"]
    assert isinstance(number, int)
    return number
