"""Checks a whole log from itself alone: every row, deal, decision, score and digest.

A log that is damaged or has been tampered with gives problems, never an exception.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, distinct, func, select, type_coerce
from sqlalchemy.types import NullType

from fivehundred.storage.database import reading
from fivehundred.storage.errors import StorageError
from fivehundred.storage.replay import (
    Standing,
    Terms,
    first_standing,
    hand_problems,
    next_standing,
)
from fivehundred.storage.rows import hand_row, row_checksum
from fivehundred.storage.schema import hands, tournaments, watch_events
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredTournament, TournamentState
from fivehundred.table.dealing import commitment
from fivehundred.table.values import HandKey, HandRecord
from fivehundred.v1 import record_pb2, tournament_pb2
from fivehundred.wire.record import record_from_proto
from fivehundred.wire.ruleset import rules_hash

CHUNK = 200
MAX_DEALS = 100
"""Deals after which a game is decided where its tournament does not say."""

Progress = Callable[[int, int], None]
"""Is told how many hands of how many have been checked."""
RawRow = Mapping[str, object]

RAW_HANDS = select(*(type_coerce(column, NullType()).label(column.name) for column in hands.c))
"""Hands as they lie in the database, whatever their columns hold."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the log: in one hand where ``hand`` is its id, else in a tournament."""

    tournament: str
    what: str
    hand: int | None = None
    key: HandKey | None = None
    """The hand's key as its record or else its row has it; None where neither is readable."""

    def __str__(self) -> str:
        if self.hand is None:
            return f"{self.tournament}: {self.what}"
        return f"hand {self.hand} ({_key_text(self)}): {self.what}"


@dataclass(frozen=True, slots=True)
class Report:
    """What `verify` has looked at and what it has found."""

    tournaments: int
    hands: int
    problems: tuple[Problem, ...]

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


@dataclass(slots=True)
class _Scan:
    """What is known of the tournaments, and where their games stand."""

    terms: dict[str, Terms] = field(default_factory=dict)
    states: dict[str, TournamentState] = field(default_factory=dict)
    games: dict[tuple[str, int, int, int], Standing] = field(default_factory=dict)
    bots: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    """The bots that a tournament's hands say have played for an entrant."""


def verify(
    store: Store, tournament: str | None = None, progress: Progress = lambda done, total: None
) -> Report:
    """Checks one tournament, or everything where ``tournament`` is None."""
    scan = _Scan()
    problems: list[Problem] = []
    try:
        names, ids, told = _listed(store, tournament)
    except StorageError as error:
        return Report(0, 0, (Problem(tournament or "database", str(error)),))
    for name in names:
        problems += _tournament_problems(store, scan, name)
    numbers = sorted(ids | told.keys())
    for start in range(0, len(numbers), CHUNK):
        chunk = numbers[start : start + CHUNK]
        problems += _chunk_problems(store, scan, chunk, told)
        progress(start + len(chunk), len(numbers))
    for name in names:
        problems += _whole_problems(store, scan, name)
    return Report(len(names), len(numbers), tuple(problems))


def _key_text(problem: Problem) -> str:
    key = problem.key
    if key is None:
        return problem.tournament
    place = f"match {key.match} board {key.board} seating {key.seating} hand {key.hand}"
    return f"{key.tournament} {place} attempt {key.attempt}"


def _listed(store: Store, tournament: str | None) -> tuple[list[str], set[int], dict[int, str]]:
    """The tournaments, their hands' ids, and the hands that their events tell of."""
    names = select(tournaments.c.name).order_by(tournaments.c.name)
    ids = select(hands.c.id)
    told = select(watch_events.c.hand, watch_events.c.tournament)
    told = told.where(watch_events.c.hand.is_not(None))
    if tournament is not None:
        names = names.where(tournaments.c.name == tournament)
        ids = ids.where(hands.c.tournament == tournament)
        told = told.where(watch_events.c.tournament == tournament)
    with reading(store.engine) as connection:
        found = list(connection.execute(names).scalars())
        if tournament is not None and not found:
            raise StorageError(f"there is no tournament {tournament!r}")
        told_of = {number: name for number, name in connection.execute(told) if number is not None}
        return found, set(connection.execute(ids).scalars()), told_of


def _tournament_problems(store: Store, scan: _Scan, name: str) -> Iterator[Problem]:
    try:
        stored = store.tournament(name)
        scan.terms[name] = _terms(stored)
    except Exception as error:  # noqa: BLE001 - whatever a damaged row raises is the problem
        yield Problem(name, f"the tournament cannot be read: {_words(error)}")
        return
    scan.states[name] = stored.state
    if commitment(stored.seed) != stored.commitment:
        yield Problem(name, "the seed is not the one committed to")
    if rules_hash(stored.rules) != stored.rules_hash:
        yield Problem(name, "the rule set does not have the hash stored with it")


def _terms(stored: StoredTournament) -> Terms:
    spec = tournament_pb2.TournamentSpec.FromString(stored.spec)
    games = spec.format.WhichOneof("play") == "games"
    max_deals = (spec.format.games.max_deals or MAX_DEALS) if games else None
    return Terms(stored.rules, stored.rules_hash, stored.seed, max_deals)


def _chunk_problems(
    store: Store, scan: _Scan, numbers: Sequence[int], told: Mapping[int, str]
) -> Iterator[Problem]:
    for number, row in _rows(store, numbers):
        if isinstance(row, str):
            yield Problem(told.get(number, "database"), row, number)
            continue
        if number not in told:
            yield _of_row(row, "no event tells of it")
        yield from _hand_problems(scan, row)


def _rows(store: Store, numbers: Sequence[int]) -> Iterator[tuple[int, RawRow | str]]:
    """Each hand's row, or why there is none."""
    try:
        found = _read(store, numbers)
    except StorageError as error:
        if len(numbers) == 1:
            yield numbers[0], f"it cannot be read: {error}"
        else:
            for number in numbers:
                yield from _rows(store, [number])
        return
    for number in numbers:
        yield number, found.get(number, "it is missing")


def _read(store: Store, numbers: Sequence[int]) -> dict[int, RawRow]:
    with reading(store.engine) as connection:
        rows = connection.execute(RAW_HANDS.where(hands.c.id.in_(numbers))).mappings()
        return {row["id"]: dict(row) for row in rows}


def _hand_problems(scan: _Scan, row: RawRow) -> list[Problem]:
    problems = [_of_row(row, what) for what in _checksum_problems(row)]
    try:
        blob = row["record"]
        assert isinstance(blob, bytes)
        record = record_from_proto(record_pb2.HandRecord.FromString(blob))
    except Exception as error:  # noqa: BLE001 - whatever a damaged record raises is the problem
        return [*problems, _of_row(row, f"its record cannot be read: {_words(error)}")]
    key = record.started.key
    if not problems:
        _note_bots(scan, record)
    found = [*_column_problems(row, record), *_replay_problems(scan, record)]
    return problems + [Problem(key.tournament, what, _id(row), key) for what in found]


def _note_bots(scan: _Scan, record: HandRecord) -> None:
    started = record.started
    for entrant, bot in zip(started.entrants, started.bots, strict=False):
        scan.bots.setdefault((started.key.tournament, entrant), set()).add(bot)


def _checksum_problems(row: RawRow) -> Iterator[str]:
    blob = row["record"]
    if not isinstance(blob, bytes) or row["checksum"] != row_checksum(_id(row), blob):
        yield "its checksum is wrong: the id, the record or the checksum has changed"


def _column_problems(row: RawRow, record: HandRecord) -> Iterator[str]:
    for column, right in hand_row(_id(row), record).items():
        if row[column] != right and column != "checksum":
            yield f"its column {column!r} is not what the record says"


def _replay_problems(scan: _Scan, record: HandRecord) -> list[str]:
    key = record.started.key
    terms = scan.terms.get(key.tournament)
    if terms is None:
        return [f"there is no tournament {key.tournament!r} to check it against"]
    game = (key.tournament, key.match, key.board, key.seating)
    standing = scan.games.pop(game, None) or first_standing(terms, key.board)
    if terms.max_deals is not None and not record.ended.result.game_over:
        scan.games[game] = next_standing(record)
    try:
        return list(hand_problems(terms, standing, record))
    except Exception as error:  # noqa: BLE001 - nonsense in a record may upset the rules anywhere
        return [f"it cannot be replayed: {_words(error)}"]


def _whole_problems(store: Store, scan: _Scan, name: str) -> Iterator[Problem]:
    """What is wrong with a tournament as a whole: doubled hands, and what a finished one lacks."""
    try:
        with reading(store.engine) as connection:
            found = list(_doubled(connection, name))
            if scan.states.get(name) is TournamentState.FINISHED:
                found += _unfinished(connection, name, scan)
        if name in scan.states:
            found += _bot_problems(store, scan, name)
            found += _digest_problems(store, name)
        if scan.states.get(name) is TournamentState.FINISHED and store.journal_events(name):
            found.append("it is finished with a hand under way")
    except Exception as error:  # noqa: BLE001 - whatever a damaged table raises is the problem
        found = [f"its hands cannot be counted: {_words(error)}"]
    yield from (Problem(name, what) for what in found)


def _doubled(connection: Connection, name: str) -> Iterator[str]:
    place = (hands.c.match, hands.c.board, hands.c.seating, hands.c.hand)
    query = select(*place).where(hands.c.tournament == name).group_by(*place)
    for row in connection.execute(query.having(func.count() > 1)):
        where = "match {} board {} seating {} hand {}".format(*row)
        yield f"{where} is counted more than once"


def _unfinished(connection: Connection, name: str, scan: _Scan) -> Iterator[str]:
    for _, match, board, seating in (game for game in scan.games if game[0] == name):
        yield f"match {match} board {board} seating {seating}: the game has no end"
    yield from _missing_seatings(connection, name)


def _missing_seatings(connection: Connection, name: str) -> Iterator[str]:
    query = (
        select(hands.c.board, func.count(distinct(hands.c.seating)), func.max(hands.c.seating))
        .where(hands.c.tournament == name)
        .group_by(hands.c.board)
        .order_by(hands.c.board)
    )
    rows = list(connection.execute(query))
    seatings = max((highest + 1 for _, _, highest in rows), default=0)
    yield from _gaps([board for board, _, _ in rows])
    for board, number, _ in rows:
        if number != seatings:
            yield f"board {board} has {number} of {seatings} seatings"


def _gaps(boards: Iterable[int]) -> Iterator[str]:
    for expected, board in enumerate(boards):
        if board != expected:
            yield f"board {expected} is missing"
            return


def _bot_problems(store: Store, scan: _Scan, name: str) -> Iterator[str]:
    """Where the tournament names other bots than its hands do."""
    stored = store.tournament(name)
    played = {entrant: bots for (owner, entrant), bots in scan.bots.items() if owner == name}
    is_whole = bool(played) and stored.state is TournamentState.FINISHED
    for entrant in sorted(played.keys() | (range(len(stored.bots)) if is_whole else ())):
        bots = sorted(played.get(entrant, ()))
        named = stored.bots[entrant] if 0 <= entrant < len(stored.bots) else None
        if bots != [named]:
            words = f"its hands have {', '.join(bots) or 'none'}"
            yield f"the bot of entrant {entrant} is {named or 'not named'}, {words}"


def _digest_problems(store: Store, name: str) -> Iterator[str]:
    stored = store.tournament(name)
    if stored.state is not TournamentState.FINISHED:
        if stored.log_digest:
            yield "it has a log digest but is not finished"
    elif not stored.log_digest:
        yield "it is finished without a log digest"
    elif store.log_digest(name) != stored.log_digest:
        yield "the log's digest is not the one stored at the tournament's end"


def _of_row(row: RawRow, what: str) -> Problem:
    key = [row[column] for column in ("match", "board", "seating", "hand", "attempt")]
    tournament = str(row["tournament"])
    numbers = [number for number in key if isinstance(number, int)]
    readable = HandKey(tournament, *numbers) if len(numbers) == len(key) else None
    return Problem(tournament, what, _id(row), readable)


def _id(row: RawRow) -> int:
    number = row["id"]
    assert isinstance(number, int)
    return number


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
