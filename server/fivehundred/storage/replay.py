"""Replays logged matches from their start, and says in words where a log is not what they wrote."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields

from fivehundred.rules.hand import HandResult
from fivehundred.table.table import MatchSpec, ReplayError, Table
from fivehundred.table.values import (
    Decided,
    Event,
    HandEnded,
    HandKey,
    HandRecord,
    HandStarted,
)


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """A hand as the log has it; ``record`` is None where it cannot be read."""

    id: int
    record: HandRecord | None
    is_sound: bool
    """Whether its row is right in itself."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong: in a hand where there is one, else in the match as a whole."""

    what: str
    hand: LoggedHand | None = None


def replayed(spec: MatchSpec, hands: Iterable[LoggedHand], *, is_whole: bool) -> Iterator[Finding]:
    """What is wrong with a match: dealt, decided, timed, judged and scored again.

    ``is_whole``: it has been played to its end. What follows the first hand that is wrong cannot be
    replayed; it is gone through all the same.
    """
    feed = _Feed(Table(spec), iter(hands))
    try:
        left = feed.table.replay(feed.events())
    except ReplayError as error:
        yield _finding(spec, feed, error)
    except Exception as error:  # noqa: BLE001 - nonsense in a record may upset the rules anywhere
        yield Finding(f"it cannot be replayed: {error or type(error).__name__}", feed.hand)
    else:
        yield from feed.found
        if feed.is_torn:
            yield from _skipped(feed)
        elif is_whole and left:
            yield Finding(f"{_missing(left)} is missing")
        return
    yield from feed.found
    yield from _skipped(feed)


def place_text(key: HandKey) -> str:
    """Where a hand is in its tournament."""
    place = f"match {key.match} board {key.board} seating {key.seating} hand {key.hand}"
    return f"{place} attempt {key.attempt}" if key.attempt else place


@dataclass(slots=True)
class _Feed:
    """Gives a table the events of hands, and looks at what the table does not judge."""

    table: Table
    hands: Iterator[LoggedHand]
    hand: LoggedHand | None = None
    """The hand whose events are being given."""
    decision: int | None = None
    """The number in its hand of the decision that is being given, from 1."""
    is_torn: bool = False
    """Whether a hand could not be read: the match cannot be followed beyond it."""
    found: list[Finding] = field(default_factory=list)

    def events(self) -> Iterator[Event]:
        """The events of all hands, up to the first that cannot be read."""
        suspicious = _shortest_limit_us(self.table.spec)
        for hand in self.hands:
            self.hand, record = hand, hand.record
            if record is None:
                self.is_torn = True
                return
            if record.rules_hash != self.table.spec.rules_hash:
                self._find(f"rules hash {record.rules_hash.hex()[:16]}… is not the tournament's")
            yield record.started
            for self.decision, decided in enumerate(record.decisions, 1):
                if decided.fault is None and decided.receipt.charged_us > suspicious:
                    self._look(decided)
                yield decided
            self.decision = None
            yield record.ended

    def _look(self, decided: Decided) -> None:
        """Find a decision that took longer than it was allowed and was no fault."""
        ask = self.table.ask()
        if ask is not None and decided.receipt.charged_us > ask.limit_us:
            took = f"took {decided.receipt.charged_us} µs of {ask.limit_us} µs"
            self._find(f"decision {self.decision}: {took} and is no fault")

    def _find(self, what: str) -> None:
        self.found.append(Finding(what, self.hand))


def _shortest_limit_us(spec: MatchSpec) -> int:
    """What no decision is allowed less than: only longer ones need to be looked at."""
    time = spec.time
    limits = (time.bid_us, time.discard_us, time.play_us, time.soft_us)
    return min(limit for limit in limits if limit)


def _finding(spec: MatchSpec, feed: _Feed, error: ReplayError) -> Finding:
    assert feed.hand is not None and feed.hand.record is not None
    record, expected = feed.hand.record, error.expected
    if feed.decision is not None and expected is None and not feed.table.over:
        words = str(error.mismatch or error)
        return Finding(f"decision {feed.decision}: {words}", feed.hand)
    if isinstance(expected, HandStarted) and expected.key != record.started.key:
        return _misplaced(spec, feed.hand, expected.key, record.started.key)
    if isinstance(expected, HandStarted):
        return Finding(_other_start(expected, record.started), feed.hand)
    if isinstance(expected, HandEnded):
        return Finding(_other_end(expected, record), feed.hand)
    if feed.table.over:
        words = f"match {spec.number} is over before it: it is not planned, or counted twice"
        return Finding(words, feed.hand)
    return Finding("the hand is not over", feed.hand)


def _misplaced(spec: MatchSpec, hand: LoggedHand, expected: HandKey, found: HandKey) -> Finding:
    if expected < found and _is_planned(spec, found):
        words = f"{place_text(expected)} is missing: {place_text(found)} follows"
        return Finding(words, None if hand.is_sound else hand)
    words = f"it is not planned, or counted twice: {place_text(expected)} is next in its match"
    return Finding(words, hand)


def _is_planned(spec: MatchSpec, key: HandKey) -> bool:
    deals = spec.max_deals if spec.games else 1
    is_own = (key.tournament, key.match, key.attempt) == (spec.tournament, spec.number, 0)
    is_board = key.board in spec.boards and key.seating < len(spec.seatings)
    return is_own and is_board and key.hand < deals


def _other_start(expected: HandStarted, found: HandStarted) -> str:
    if found.deck != expected.deck:
        return "the deck is not the one that the secret gives"
    if found.dealer != expected.dealer:
        return f"seat {found.dealer} deals, it is seat {expected.dealer}'s turn to"
    if found.scores_before != expected.scores_before:
        stood = f"the game stood at {expected.scores_before}"
        return f"scores before are {found.scores_before}, {stood}"
    if found.entrants != expected.entrants:
        return f"entrants {found.entrants} sit there, the schedule seats {expected.entrants}"
    return f"its bots are {', '.join(found.bots)}, those of the match {', '.join(expected.bots)}"


def _other_end(expected: HandEnded, record: HandRecord) -> str:
    """Why an end, or a decision in its place, is not the one that the match comes to."""
    found = record.ended
    for each in fields(HandResult):
        right, is_ = getattr(expected.result, each.name), getattr(found.result, each.name)
        if right != is_:
            name = each.name.replace("_", " ")
            return f"its {name} is {is_}, the rules give {right}"
    if found.forfeited_by != expected.forfeited_by:
        return f"it is forfeited by {found.forfeited_by}, the faults say {expected.forfeited_by}"
    return "a decision follows the hand's end"


def _skipped(feed: _Feed) -> Iterator[Finding]:
    """What can be said of the hands after one that is wrong."""
    spec, hands = feed.table.spec, list(feed.hands)
    for hand in hands:
        if hand.record is not None and not _is_planned(spec, hand.record.started.key):
            yield Finding("it is not planned", hand)
    if hands:
        yield Finding(f"match {spec.number}: the {len(hands)} hands after it are not replayed")


def _missing(left: Iterable[Event]) -> str:
    return next(place_text(event.key) for event in left if isinstance(event, HandStarted))
