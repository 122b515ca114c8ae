"""Proves tournaments from their logs alone, or names what is wrong.

Every row is held against its checksum, every match is replayed through the `Table` that a daemon
plays it with: deals, legality, substitutes, clocks, strikes, forfeits, scores and ends. The
schedule is drawn up again from the definition, the events are counted, the hands ranked again. A
tournament that is not finished is checked as far as it goes. A log that is damaged or has been
tampered with gives problems, never an exception.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from fivehundred.storage.errors import StorageError
from fivehundred.storage.events import event_problems
from fivehundred.storage.rawlog import Place, RawRow, judged, key_of, listed, raw_rows
from fivehundred.storage.replay import LoggedHand, replayed
from fivehundred.storage.results import LogResults, stored_plan
from fivehundred.storage.rows import tournament_seal
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredTournament, TournamentState
from fivehundred.table.dealing import commitment
from fivehundred.table.values import HandKey, HandRecord
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.matches import Schedule, schedule
from fivehundred.wire.ruleset import rules_hash

CHUNK = 200
MISSING_NAMED = 10
"""Missing matches that are named one by one."""
STATED_DECIMALS = 6
"""To so many decimals the same standings are the same on every machine."""

Progress = Callable[[int, int], None]
"""Is told how many hands of how many have been checked."""


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
class Result:
    """What a log says of a tournament, worked out anew from its hands."""

    tournament: str
    state: TournamentState
    commitment: bytes
    """The SHA-256 of the seed, to be held against the one that was published."""
    log_digest: bytes
    standings: tournament_pb2.Standings


@dataclass(frozen=True, slots=True)
class Report:
    """What `verify` has looked at, what it has found, and the results as far as they are known."""

    tournaments: int
    hands: int
    problems: tuple[Problem, ...]
    results: tuple[Result, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(
    store: Store, tournament: str | None = None, progress: Progress = lambda done, total: None
) -> Report:
    """Checks one tournament, or everything where ``tournament`` is None."""
    try:
        log = listed(store.engine, tournament)
    except StorageError as error:
        return Report(0, 0, (Problem(tournament or "database", str(error)),))
    places: dict[str, list[Place]] = {name: [] for name in log.states}
    strays: list[Place] = []
    for place in log.places:
        places.get(str(place.tournament), strays).append(place)
    missing = sorted(log.told.keys() - {place.id for place in log.places})
    strays += [Place(number, log.told[number], None) for number in missing]
    rows = _Rows(store, log.told, len(log.places) + len(missing), progress)
    checks = [_Check(store, name, rows, state) for name, state in log.states.items()]
    problems = list(rows.stray_problems(strays))
    for check in checks:
        problems += check.run(places[check.name])
    results = tuple(check.result for check in checks if check.result is not None)
    return Report(len(log.states), rows.total, tuple(problems), results)


def _key_text(problem: Problem) -> str:
    key = problem.key
    if key is None:
        return problem.tournament
    place = f"match {key.match} board {key.board} seating {key.seating} hand {key.hand}"
    return f"{key.tournament} {place} attempt {key.attempt}"


@dataclass(slots=True)
class _Rows:
    """Reads rows, many at a time, and tells how far it is."""

    store: Store
    told: Mapping[int, str]
    total: int
    progress: Progress
    done: int = 0

    def read(self, places: Sequence[Place]) -> Iterator[tuple[Place, RawRow | str]]:
        """The row of each place, or why there is none."""
        for start in range(0, len(places), CHUNK):
            chunk = places[start : start + CHUNK]
            found = raw_rows(self.store.engine, [place.id for place in chunk])
            yield from ((place, row) for place, (_, row) in zip(chunk, found, strict=True))
            self.done += len(chunk)
            self.progress(self.done, self.total)

    def stray_problems(self, places: Sequence[Place]) -> Iterator[Problem]:
        """What is wrong with hands that no tournament has, or that are not there."""
        for place, row in self.read(places):
            name = str(place.tournament)
            if isinstance(row, str):
                yield Problem(name, row, place.id)
                continue
            record, problems = judged(row)
            problems.append(f"there is no tournament {name!r} to check it against")
            key = key_of(row) if record is None else record.started.key
            yield from (Problem(name, what, place.id, key) for what in problems)


@dataclass(slots=True)
class _Check:
    """The check of one tournament."""

    store: Store
    name: str
    rows: _Rows
    state: object
    """What its state was when its hands were listed."""
    result: Result | None = None
    _problems: list[Problem] = field(default_factory=list)
    _bots: dict[int, set[str]] = field(default_factory=dict)
    """The bots that the hands say have played for an entrant."""
    _ids: list[int] = field(default_factory=list)

    def run(self, places: Sequence[Place]) -> list[Problem]:
        """All that is wrong."""
        known = self._known()
        hands = self._hands(places)
        if known is None:
            self._problems += [
                self._of_hand(hand, "its tournament cannot be read") for _, hand in hands
            ]
            return self._problems
        stored, planned = known
        is_whole = self.state == stored.state == TournamentState.FINISHED
        results, played = LogResults(planned), set()
        for number, group in groupby(hands, lambda each: each[0].match):
            played.add(number)
            self._match(
                planned, stored, number, (hand for _, hand in group), results, is_whole=is_whole
            )
        if is_whole:
            self._find_all(_missing_matches(planned, played))
        self._guarded(lambda: self._whole(stored, results))
        return self._problems

    def _known(self) -> tuple[StoredTournament, Schedule] | None:
        try:
            stored = self.store.tournament(self.name)
            planned = schedule(stored_plan(stored))
            self._find_all(_row_problems(self.store, stored))
        except Exception as error:  # noqa: BLE001 - whatever a damaged row raises is the problem
            self._find(f"the tournament cannot be read: {_words(error)}")
            return None
        return stored, planned

    def _hands(self, places: Sequence[Place]) -> Iterator[tuple[Place, LoggedHand]]:
        """The hands in order; what is wrong with their rows is noted on the way."""
        for place, row in self.rows.read(places):
            if isinstance(row, str):
                self._problems.append(Problem(self.name, row, place.id))
                yield place, LoggedHand(place.id, None, is_sound=False)
                continue
            record, problems = judged(row)
            if (told := self.rows.told.get(place.id)) != self.name:
                problems.append("no event tells of it" if told is None else f"{told} tells of it")
            key = key_of(row) if record is None else record.started.key
            self._problems += [Problem(self.name, what, place.id, key) for what in problems]
            if record is not None and not problems:
                self._note(record)
            self._ids.append(place.id)
            yield place, LoggedHand(place.id, record, is_sound=not problems)

    def _note(self, record: HandRecord) -> None:
        started = record.started
        for entrant, bot in zip(started.entrants, started.bots, strict=False):
            self._bots.setdefault(entrant, set()).add(bot)

    def _match(
        self,
        planned: Schedule,
        stored: StoredTournament,
        number: object,
        hands: Iterator[LoggedHand],
        results: LogResults,
        *,
        is_whole: bool,
    ) -> None:
        pairing = planned.format.pairing(number) if isinstance(number, int) else None
        if pairing is None:
            for hand in hands:
                self._problems.append(self._of_hand(hand, f"match {number} is not planned"))
            return
        spec = planned.match_of(pairing, _padded(stored.bots, len(planned.plan.entrants)))
        counted = (self._counted(hand, results) for hand in hands)
        for finding in replayed(spec, counted, is_whole=is_whole):
            if finding.hand is None:
                self._find(finding.what)
            else:
                self._problems.append(self._of_hand(finding.hand, finding.what))

    def _counted(self, hand: LoggedHand, results: LogResults) -> LoggedHand:
        if hand.record is not None and hand.is_sound:
            with suppress(Exception):  # What cannot be counted cannot be replayed: that is told.
                results.add(hand.record)
        return hand

    def _whole(self, stored: StoredTournament, results: LogResults) -> None:
        """What is wrong with the tournament as a whole; notes its result."""
        self._find_all(event_problems(self.store, self.name, self._ids))
        digest = self.store.log_digest(self.name)
        table = results.standings(stored.bots)
        self.result = Result(self.name, stored.state, commitment(stored.seed), digest, table)
        if self.state != stored.state:
            return  # It has gone on meanwhile: what was listed is not all that there is now.
        self._find_all(_bot_problems(stored, self._bots, results.must_all_play))
        self._find_all(_digest_problems(stored, digest))
        self._find_all(_standings_problems(stored, table))
        if stored.state is TournamentState.FINISHED and self.store.journal_events(self.name):
            self._find("it is finished with a hand under way")

    def _guarded(self, look: Callable[[], None]) -> None:
        try:
            look()
        except Exception as error:  # noqa: BLE001 - whatever a damaged table raises is the problem
            self._find(f"its hands cannot be counted: {_words(error)}")

    def _find(self, what: str) -> None:
        self._problems.append(Problem(self.name, what))

    def _find_all(self, problems: Iterable[str]) -> None:
        self._problems += [Problem(self.name, what) for what in problems]

    def _of_hand(self, hand: LoggedHand, what: str) -> Problem:
        key = None if hand.record is None else hand.record.started.key
        return Problem(self.name, what, hand.id, key)


def _row_problems(store: Store, stored: StoredTournament) -> Iterator[str]:
    spec = tournament_pb2.TournamentSpec.FromString(stored.spec)
    if commitment(stored.seed) != stored.commitment:
        yield "the seed is not the one committed to"
    if spec.name != stored.name or spec.seed != stored.seed.hex():
        yield "its definition has another name or seed"
    if rules_hash(stored.rules) != stored.rules_hash:
        yield "the rule set does not have the hash stored with it"
    is_finished = stored.state is TournamentState.FINISHED
    if stored.seal is None:
        if is_finished and stored.standings is not None:
            yield "it is finished without a seal"
    elif not is_finished:
        yield "it has a seal but is not finished"
    elif tournament_seal(store.tournament_row(stored.name)) != stored.seal:
        yield "its seal is broken: something of it has changed since its end"


def _padded(bots: Sequence[str], entrants: int) -> tuple[str, ...]:
    return (*bots, *("",) * entrants)[:entrants]


def _missing_matches(planned: Schedule, played: set[object]) -> Iterator[str]:
    known = [pairing.number for pairing in planned.pairings]
    missing = [number for number in known if number not in played]
    yield from (f"match {number} is missing" for number in missing[:MISSING_NAMED])
    if len(missing) > MISSING_NAMED:
        yield f"{len(missing) - MISSING_NAMED} matches more are missing"
    if not missing and not planned.is_over(len(known)):
        yield "it is finished, but its format is not"


def _bot_problems(
    stored: StoredTournament, played: dict[int, set[str]], must_all_play: bool
) -> Iterator[str]:
    """Where the tournament names other bots than its hands do."""
    is_whole = must_all_play and bool(played) and stored.state is TournamentState.FINISHED
    for entrant in sorted(played.keys() | (range(len(stored.bots)) if is_whole else ())):
        bots = sorted(played.get(entrant, ()))
        named = stored.bots[entrant] if 0 <= entrant < len(stored.bots) else None
        if bots != [named]:
            words = f"its hands have {', '.join(bots) or 'none'}"
            yield f"the bot of entrant {entrant} is {named or 'not named'}, {words}"


def _digest_problems(stored: StoredTournament, digest: bytes) -> Iterator[str]:
    if stored.state is not TournamentState.FINISHED:
        if stored.log_digest:
            yield "it has a log digest but is not finished"
    elif not stored.log_digest:
        yield "it is finished without a log digest"
    elif digest != stored.log_digest:
        yield "the log's digest is not the one stored at the tournament's end"


def _standings_problems(stored: StoredTournament, table: tournament_pb2.Standings) -> Iterator[str]:
    """Where the daemon's last standings are not those of the log; older daemons kept none."""
    if stored.standings in (None, table.SerializeToString(deterministic=True)):
        return
    if stored.state is not TournamentState.FINISHED:
        yield "it has final standings but is not finished"
        return
    try:
        kept = tournament_pb2.Standings.FromString(stored.standings or b"")
    except DecodeError:
        yield "its final standings cannot be read"
        return
    if _stated(kept) != _stated(table):
        yield f"the final standings are not those of the log: {_difference(kept, table)}"


def _stated(table: tournament_pb2.Standings | tournament_pb2.Standing) -> dict[str, object]:
    """What is stated, by field, to `STATED_DECIMALS`."""
    text = json_format.MessageToJson(table, preserving_proto_field_name=True)
    stated: dict[str, object] = json.loads(
        text, parse_float=lambda number: round(float(number), STATED_DECIMALS)
    )
    return stated


def _difference(kept: tournament_pb2.Standings, table: tournament_pb2.Standings) -> str:
    for place, (before, now) in enumerate(zip(kept.rows, table.rows, strict=False), 1):
        if before.entrant != now.entrant:
            return f"place {place} is kept for {before.entrant!r} and is {now.entrant!r}'s now"
        kept_row, row = _stated(before), _stated(now)
        if others := [name for name in {**kept_row, **row} if kept_row.get(name) != row.get(name)]:
            return f"{', '.join(others)} of {now.entrant!r} differ"
    return f"{len(kept.rows)} places are kept, there are {len(table.rows)}"


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
