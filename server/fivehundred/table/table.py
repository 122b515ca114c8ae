"""One match as a pure state machine: ask, then answer or fault, then events.

1. Everything that decides what happens in a match is in this file; it reads no clock, draws no
   random number and knows no player.
2. The match is a function of its `MatchSpec` and of the decisions made: feeding the events of a log
   back through `Table.replay` gives the table that wrote them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from fivehundred.rules.actions import LegalCalls, LegalExchange
from fivehundred.rules.hand import Hand, HandResult
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.cap import decided_by_score
from fivehundred.table.check import Mismatch, carry_out
from fivehundred.table.clocks import Clocks
from fivehundred.table.dealing import deck_order, seat_seeds
from fivehundred.table.forfeit import forfeit_result, forfeiting_sides, hand_forfeit_result
from fivehundred.table.values import (
    Ask,
    AskKind,
    Decided,
    Event,
    Fault,
    FaultKind,
    FaultPolicy,
    ForfeitScope,
    HandEnded,
    HandKey,
    HandRecord,
    HandStarted,
    Reply,
    TimeControl,
)


class ReplayError(ValueError):
    """A logged event is not what the match would have done; its words tell no card."""

    def __init__(
        self, words: str, expected: Event | None = None, mismatch: Mismatch | None = None
    ) -> None:
        super().__init__(words)
        self.expected = expected
        """What the match would have done in its place; None for a decision, or for nothing."""
        self.mismatch = mismatch
        """Why a decision cannot have been made, cards and all; for those who may see them."""


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """All that defines a match: who sits where, over which boards, under which limits."""

    tournament: str
    number: int
    rules: RuleSet
    rules_hash: bytes
    entrants: tuple[int, ...]
    """Entrant index by slot."""
    bots: tuple[str, ...]
    """``name@version`` by slot."""
    boards: tuple[int, ...]
    """Board numbers, unique within the tournament."""
    seatings: tuple[tuple[int, ...], ...]
    """For each seating the slot at each seat."""
    games: bool
    """Whether a board is a game to the target, or one hand."""
    max_deals: int
    """Deals after which a game is decided by its score."""
    time: TimeControl
    policy: FaultPolicy
    seed: bytes


@dataclass(slots=True)
class _Sitting:
    """One board in one seating under way: a hand, or a game of hands."""

    board: int
    seating: int
    dealer: int
    scores: tuple[int, ...]
    number: int = 0


@dataclass(slots=True)
class Table:
    """A match under way. `ask` says what is wanted; `reply` carries out what came back."""

    spec: MatchSpec
    records: list[HandRecord] = field(default_factory=list, init=False)
    """The hands that have ended and have not been taken away yet."""
    _hand: Hand | None = field(default=None, init=False)
    _ask: Ask | None = field(default=None, init=False)
    """The decision that is wanted, once it has been asked for."""
    _started: HandStarted | None = field(default=None, init=False)
    _seeds: tuple[int, ...] = field(default=(), init=False)
    _decisions: list[Decided] = field(default_factory=list, init=False)
    _sitting: _Sitting | None = field(default=None, init=False)
    _next: int = field(default=0, init=False)
    _clocks: Clocks = field(init=False)
    _faults: dict[int, int] = field(default_factory=dict, init=False)
    _out: int | None = field(default=None, init=False)
    """The entrant that forfeits what is left of the match, the board or the hand."""

    def __post_init__(self) -> None:
        self._clocks = Clocks(self.spec.time)

    def start(self) -> list[Event]:
        """Deal the first hand."""
        return self._go_on()

    @property
    def over(self) -> bool:
        """Whether every hand of the match has been played."""
        return self._hand is None

    def ask(self) -> Ask | None:
        """The decision that is wanted now; None when the match is over."""
        if self._ask is None and self._hand is not None:
            self._ask = self._next_ask(self._hand)
        return self._ask

    def reply(self, reply: Reply) -> list[Event]:
        """Carry out what came back for the `ask`, or the declared substitute for a fault."""
        ask = self.ask()
        assert ask is not None
        clock = self._clocks.of(ask.entrant, ask.seat)
        receipt = clock.charge(ask.kind, reply.elapsed_us, reply.lag_us)
        answer = reply.answer
        if receipt.charged_us > ask.limit_us and not isinstance(answer, Fault):
            answer = Fault(FaultKind.TIMEOUT, f"answered after {receipt.charged_us} µs")
        if isinstance(answer, Fault):
            decided = Decided(ask.seat, ask.legal.default(), receipt, answer, reply.note)
        else:
            decided = Decided(ask.seat, answer, receipt, None, reply.note)
        assert self._hand is not None
        self._hand.apply(decided.action)
        return [decided, *self._follow(decided)]

    def _next_ask(self, hand: Hand) -> Ask:
        assert self._started is not None and hand.turn is not None
        seat = hand.turn
        legal = hand.legal()
        kind = _kind(legal)
        entrant = self._started.entrants[seat]
        clock = self._clocks.of(entrant, seat)
        return Ask(
            kind=kind,
            seat=seat,
            entrant=entrant,
            view=hand.view(seat),
            legal=legal,
            limit_us=clock.own_limit_us(kind) + clock.bank_us,
            bank_left_us=clock.bank_us,
            seed=self._seeds[seat],
            last_receipt=clock.last_receipt,
        )

    def take_records(self) -> list[HandRecord]:
        """The hands that have ended since the last call."""
        taken, self.records = self.records, []
        return taken

    def replay(self, events: Iterable[Event]) -> list[Event]:
        """Bring a fresh table to where a log left it; `start` is part of the replay.

        Gives what follows from the log but is not in it, such as the next hand's start; `records`
        then holds the hands that the log lacks. Raises `ReplayError` at the first event that the
        match would not have produced.
        """
        expected = self.start()
        for event in events:
            if isinstance(event, Decided):
                if expected:
                    wanted = _name(expected[0])
                    raise ReplayError(f"a decision stands where {wanted} should", expected[0])
                expected = self._redo(event)
            else:
                if not expected or expected[0] != event:
                    wanted = _name(expected[0]) if expected else "a decision"
                    words = f"{_name(event)} stands where {wanted} should, or is changed"
                    raise ReplayError(words, expected[0] if expected else None)
                expected.pop(0)
                if isinstance(event, HandEnded):
                    self.records.pop(0)
        return expected

    def _redo(self, decided: Decided) -> list[Event]:
        if self._hand is None or self._started is None:
            raise ReplayError(f"seat {decided.seat} decided after the end of the match")
        kind = _kind(self._hand.legal())
        try:
            carry_out(self._hand, decided)
        except Mismatch as error:
            raise ReplayError(
                f"the {error.field} of a decision of seat {decided.seat} is wrong", mismatch=error
            ) from None
        self._check_receipt(decided, kind)
        return self._follow(decided)

    def _check_receipt(self, decided: Decided, kind: AskKind) -> None:
        assert self._started is not None
        seat, receipt = decided.seat, decided.receipt
        clock = self._clocks.of(self._started.entrants[seat], seat)
        if clock.charge(kind, receipt.elapsed_us, receipt.lag_us) != receipt:
            raise ReplayError(f"the receipt of seat {seat} does not add up")

    def _follow(self, decided: Decided) -> list[Event]:
        """What follows from a decision that has been carried out on the hand."""
        assert self._hand is not None and self._started is not None
        self._ask = None
        self._decisions.append(decided)
        if decided.fault is not None:
            self._strike(self._started.entrants[decided.seat])
        if self._out is not None:
            return [self._forfeit(self._out), *self._go_on()]
        if self._hand.result is not None:
            return [self._finish(self._hand.result, None), *self._go_on()]
        return []

    def _strike(self, entrant: int) -> None:
        self._faults[entrant] = self._faults.get(entrant, 0) + 1
        strikes = self.spec.policy.strikes
        if self._out is None and strikes is not None and self._faults[entrant] >= strikes:
            self._out = entrant

    def _forfeit(self, entrant: int) -> HandEnded:
        assert self._started is not None
        rules, started = self.spec.rules, self._started
        sides = forfeiting_sides(rules, started.entrants, entrant)
        is_hand = self.spec.policy.forfeit is ForfeitScope.HAND
        if is_hand:
            self._begin_anew(entrant)
        if is_hand and self.spec.games:
            return self._finish(hand_forfeit_result(rules, sides, started), entrant)
        return self._finish(forfeit_result(rules, sides, started.dealer), entrant)

    def _begin_anew(self, entrant: int) -> None:
        """Count the strikes of an entrant anew that has forfeited what it had to."""
        self._out = None
        self._faults[entrant] = 0

    def _finish(self, result: HandResult, forfeited_by: int | None) -> HandEnded:
        assert self._started is not None and self._sitting is not None
        sitting = self._sitting
        scores = tuple(a + b for a, b in zip(sitting.scores, result.change, strict=True))
        if self.spec.games and not result.game_over and sitting.number + 1 >= self.spec.max_deals:
            result = decided_by_score(result, scores)
        ended = HandEnded(result, forfeited_by)
        self.records.append(
            HandRecord(self.spec.rules_hash, self._started, tuple(self._decisions), ended)
        )
        self._hand = self._started = None
        if self.spec.games and not result.game_over:
            sitting.scores, sitting.dealer = scores, result.next_dealer
            sitting.number += 1
        else:
            self._sitting = None
        return ended

    def _go_on(self) -> list[Event]:
        """Deal the next hand; those of an entrant that is out are forfeited at once."""
        events: list[Event] = []
        while (sitting := self._sitting or self._next_sitting()) is not None:
            events.append(self._deal(sitting))
            if self._out is None:
                break
            events.append(self._forfeit(self._out))
        return events

    def _next_sitting(self) -> _Sitting | None:
        spec = self.spec
        if self._next == len(spec.boards) * len(spec.seatings):
            return None
        board_index, seating = divmod(self._next, len(spec.seatings))
        self._next += 1
        if seating == 0 and self._out is not None and spec.policy.forfeit is ForfeitScope.BOARD:
            self._begin_anew(self._out)
        board = spec.boards[board_index]
        dealer = board % spec.rules.players
        self._sitting = _Sitting(board, seating, dealer, (0,) * spec.rules.sides)
        return self._sitting

    def _deal(self, sitting: _Sitting) -> HandStarted:
        spec = self.spec
        slots = spec.seatings[sitting.seating]
        key = HandKey(spec.tournament, spec.number, sitting.board, sitting.seating, sitting.number)
        started = HandStarted(
            key=key,
            bots=tuple(spec.bots[slot] for slot in slots),
            entrants=tuple(spec.entrants[slot] for slot in slots),
            dealer=sitting.dealer,
            deck=deck_order(spec.seed, key.board, key.hand, key.attempt, spec.rules),
            scores_before=sitting.scores,
        )
        self._started = started
        self._seeds = seat_seeds(spec.seed, key.board, key.hand, key.attempt, spec.rules)
        self._decisions = []
        dealt = deal(spec.rules, started.deck, sitting.dealer)
        self._hand = Hand(spec.rules, dealt, sitting.dealer, sitting.scores)
        self._clocks.credit(started.entrants)
        return started


def _name(event: Event) -> str:
    """What an event is, without its cards: the words may be shown while the hand is played."""
    match event:
        case HandStarted():
            return f"the start of {event.key}"
        case HandEnded():
            return "the end of a hand"
        case Decided():
            return f"a decision of seat {event.seat}"


def _kind(legal: object) -> AskKind:
    if isinstance(legal, LegalCalls):
        return AskKind.BID
    return AskKind.DISCARD if isinstance(legal, LegalExchange) else AskKind.PLAY
