"""Judges a run: nothing lost, nobody wronged, nobody asked twice; by its log and by its trace."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from fivehundred.rules.hand import Hand, SeatView
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.store import read_store
from fivehundred.storage.verify import verify
from fivehundred.table.values import Decided, FaultKind, HandKey, HandRecord
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.presets import choose_rules
from simulation.expectation import Decision, Expectation
from simulation.scenario import BotHabits, Scenario
from simulation.trace import Arrived, Asked, Stalled, Verdict
from simulation.world import Outcome

GRAIN_US = 1
"""Of a clock that was read in floating point."""
LAG_US = 6_000
"""How exactly the daemon knows how long it stood still: a tick and a grain of its lag monitor."""
SEATINGS = {2: 2, 3: 6}
DEFAULT_STRIKES = 10
UNSENT = (FaultKind.DISCONNECTED, FaultKind.MALFORMED)
"""What befalls a decision that was never sent, since the bot was not there."""

Key = tuple[int, SeatView]
"""Who was asked, and what was seen."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is wrong with a run, and the digest of its log."""

    problems: tuple[str, ...]
    digest: bytes


def judged(outcome: Outcome) -> Judgement:
    """All that is wrong with a run; nothing where all promises were kept."""
    name = outcome.scenario.spec.name
    with read_store(outcome.database) as store:
        report = verify(store)
        records = [hand.record for hand in store.hands(name)]
        digest = store.log_digest(name)
    found = [f"verify: {problem}" for problem in report.problems]
    found += _schedule_problems(outcome.scenario.spec, records)
    return Judgement((*found, *_Judge(outcome, records).problems()), digest)


def digest_of(outcome: Outcome) -> bytes:
    """The digest of a run's log."""
    with read_store(outcome.database) as store:
        return store.log_digest(outcome.scenario.spec.name)


def _schedule_problems(
    spec: tournament_pb2.TournamentSpec, records: Sequence[HandRecord]
) -> Iterator[str]:
    """Every planned hand once, and no other."""
    keys = [record.started.key for record in records]
    doubled = [key for key, times in Counter(keys).items() if times > 1]
    if doubled:
        yield f"stored more than once: {doubled}"
    sittings: dict[tuple[int, int, int], list[HandRecord]] = defaultdict(list)
    for record in sorted(records, key=lambda record: record.started.key):
        key = record.started.key
        sittings[key.match, key.board, key.seating].append(record)
    if {*sittings} != {*_planned(spec, len(records[0].ended.result.change))}:
        yield f"played {sorted(sittings)}"
    for sitting, hands in sittings.items():
        if [record.started.key.hand for record in hands] != [*range(len(hands))]:
            yield f"hands are missing in {sitting}"
        if spec.format.HasField("games") and not hands[-1].ended.result.game_over:
            yield f"{sitting} ends before its game"


def _planned(spec: tournament_pb2.TournamentSpec, sides: int) -> Iterator[tuple[int, int, int]]:
    entrants, boards = len(spec.entrants), max(1, spec.format.boards.boards_per_match)
    pairings = entrants * (entrants - 1) // 2 if sides == 2 else 1
    played = range(pairings * spec.format.round_robin.rounds * boards)
    return (
        (board // boards, board, each) for board, each in product(played, range(SEATINGS[sides]))
    )


@dataclass(slots=True)
class _Bank:
    """What one seat of one entrant has left in a match, by the published time control."""

    left_us: int
    slow_left: int
    """How many slow answers it may still give."""
    has_decided: bool = False


@dataclass(slots=True)
class _Step:
    """One decision of the log, with what its seat saw."""

    key: HandKey
    entrant: int
    view: SeatView
    limit_us: int
    bank_us: int
    decided: Decided
    default: object


class _Judge:
    def __init__(self, outcome: Outcome, records: Sequence[HandRecord]) -> None:
        self._scenario: Scenario = outcome.scenario
        self._records = sorted(records, key=lambda record: record.started.key)
        self._rules: RuleSet = choose_rules(outcome.scenario.spec.rules)
        bots: Sequence[BotHabits] = outcome.scenario.bots
        unary = frozenset(number for number, bot in enumerate(bots) if not bot.streams)
        self._expected = Expectation(unary)
        self._expected.follow(outcome.trace.events)
        self._asks = [event for event in outcome.trace.events if isinstance(event, Asked)]
        self._due = _first_due(outcome)
        self._stalls = [event for event in outcome.trace.events if isinstance(event, Stalled)]

    def problems(self) -> Iterator[str]:
        """All that is wrong."""
        matches: dict[int, list[_Step]] = defaultdict(list)
        for match, hands in _by_match(self._records).items():
            yield from self._strike_problems(hands)
            matches[match] = [*self._steps(hands)]
        asks, strangers = _sorted_out(self._asks, matches)
        yield from strangers
        for match, steps in matches.items():
            yield from self._match_problems(steps, asks[match])
        for name, decision in self._expected.decisions.items():
            if decision.is_neglected:
                yield f"{name} was not sent again although the bot was back"

    def _match_problems(self, steps: Sequence[_Step], asks: Sequence[Asked]) -> Iterator[str]:
        """The asks must be those of the log in order; one again only for another daemon."""
        at = 0
        for step in steps:
            lives: list[int] = []
            while at < len(asks) and _is_of(asks[at], step, lives):
                lives.append(asks[at].session[0])
                at += 1
            if lives:
                yield from self._step_problems(step, asks[at - 1])
            else:
                yield from self._unsent_problems(step)
        if at < len(asks):
            yield f"{asks[at].id} was asked out of turn or twice, as after a rollback"

    def _step_problems(self, step: _Step, ask: Asked) -> Iterator[str]:
        receipt = step.decided.receipt
        if (ask.limit_us, ask.bank_left_us) != (step.limit_us, step.bank_us):
            yield (
                f"{_where(step)} had {ask.limit_us} µs with a bank of {ask.bank_left_us}, "
                f"not {step.limit_us} with {step.bank_us}"
            )
        if receipt.charged_us != max(0, receipt.elapsed_us - receipt.lag_us):
            yield f"{_where(step)} was charged {receipt}"
        decision = self._expected.decisions[ask.id]
        if self._scenario.stalls:
            yield from self._stalled_problems(step, decision)
        else:
            yield from _outcome_problems(step, decision)

    def _stalled_problems(self, step: _Step, decision: Decision) -> Iterator[str]:
        """Where the daemon stood still, its bots are judged but for what it knows of its lag."""
        limit, fault = decision.asked.limit_us, step.decided.fault
        receipt = step.decided.receipt
        due = self._due.get(decision.asked.id)
        true_us = limit if due is None else decision.since(due)
        stalls = self._stalled_us(decision.asked.at, decision.asked.at + receipt.elapsed_us / 1e6)
        slack = LAG_US * len(stalls)
        if fault is None and true_us - sum(stalls) > limit + GRAIN_US:
            yield f"{_where(step)} was {true_us - limit} µs late and counts"
        if fault is not None and due is not None and true_us < limit - slack:
            yield f"{_where(step)} was answered after {true_us} of {limit} µs, and is {fault.kind}"
        if receipt.charged_us > min(true_us, limit) + slack + GRAIN_US:
            yield f"{_where(step)} took {true_us} µs and was charged {receipt.charged_us}"

    def _stalled_us(self, start: float, end: float) -> list[int]:
        """How long the daemon stood still within a span, each time."""
        return [
            round((min(end, each.at) - max(start, each.at - each.seconds)) * 1e6)
            for each in self._stalls
            if each.at > start and each.at - each.seconds < end
        ]

    def _unsent_problems(self, step: _Step) -> Iterator[str]:
        fault, elapsed = step.decided.fault, step.decided.receipt.elapsed_us
        if fault is None or fault.kind not in UNSENT or elapsed:
            yield f"{_where(step)} was never asked, and is {step.decided}"

    def _strike_problems(self, hands: Sequence[HandRecord]) -> Iterator[str]:
        """Who has used up the strikes forfeits what the policy says, and nobody else does."""
        policy = self._scenario.spec.fault_policy
        strikes = None if policy.never_forfeit else policy.strikes or DEFAULT_STRIKES
        faults: Counter[int] = Counter()
        out: int | None = None
        for before, record in pairwise([None, *hands]):
            assert record is not None
            is_new = before is not None and before.started.key.board != record.started.key.board
            if out is not None and (
                policy.forfeit == tournament_pb2.FORFEIT_SCOPE_HAND
                or (policy.forfeit == tournament_pb2.FORFEIT_SCOPE_BOARD and is_new)
            ):
                faults[out], out = 0, None
            for decided in record.decisions:
                if decided.fault is not None:
                    entrant = record.started.entrants[decided.seat]
                    faults[entrant] += 1
                    if out is None and strikes is not None and faults[entrant] >= strikes:
                        out = entrant
            if record.ended.forfeited_by != out:
                yield f"{record.started.key} is forfeited by {record.ended.forfeited_by}, not {out}"

    def _steps(self, hands: Sequence[HandRecord]) -> Iterator[_Step]:
        """The decisions of a match with what was to be seen and what time there was."""
        time = self._scenario.spec.time_control
        most, increment = time.bank.ToMicroseconds(), time.increment.ToMicroseconds()
        banks: dict[tuple[int, int], _Bank] = defaultdict(lambda: _Bank(most, time.soft_strikes))
        for record in hands:
            started = record.started
            hand = Hand(
                self._rules,
                deal(self._rules, started.deck, started.dealer),
                started.dealer,
                started.scores_before,
            )
            for place in enumerate(started.entrants):
                banks[place].left_us = min(most, banks[place].left_us + increment)
            for decided in record.decisions:
                entrant = started.entrants[decided.seat]
                bank = banks[decided.seat, entrant]
                own = self._own_limit(hand, bank)
                yield _Step(
                    started.key,
                    entrant,
                    hand.view(decided.seat),
                    own + bank.left_us,
                    bank.left_us,
                    decided,
                    hand.legal().default(),
                )
                self._charge(bank, own, decided.receipt.charged_us)
                hand.apply(decided.action)

    def _own_limit(self, hand: Hand, bank: _Bank) -> int:
        time = self._scenario.spec.time_control
        limit = {"LegalCalls": time.bid, "LegalExchange": time.discard}.get(
            type(hand.legal()).__name__, time.play
        )
        if time.HasField("soft") and bank.slow_left <= 0:
            limit = time.soft
        return limit.ToMicroseconds() + self._extra(bank)

    def _charge(self, bank: _Bank, own_us: int, charged_us: int) -> None:
        time = self._scenario.spec.time_control
        bank.left_us = max(0, bank.left_us - max(0, charged_us - own_us))
        if time.HasField("soft") and charged_us - self._extra(bank) > time.soft.ToMicroseconds():
            bank.slow_left -= 1
        bank.has_decided = True

    def _extra(self, bank: _Bank) -> int:
        time = self._scenario.spec.time_control
        return 0 if bank.has_decided else time.first_decision.ToMicroseconds()


def _outcome_problems(step: _Step, decision: Decision) -> Iterator[str]:
    """Whether what the log says of a decision is what became of it."""
    decided, receipt = step.decided, step.decided.receipt
    if decision.elapsed_us is None:
        yield f"{_where(step)} was never settled, and is {decided}"
        return
    found = None if decided.fault is None else decided.fault.kind
    if found is None and (decision.faults or decided.action != decision.action):
        yield f"{_where(step)} is {decided.action}, but it was {_expected(decision)}"
    is_tie = found is FaultKind.TIMEOUT and decision.is_of_the_last_moment
    if found is not None and found not in decision.faults and not is_tie:
        yield f"{_where(step)} is {decided.fault}, but it was {_expected(decision)}"
    if found is not None and decided.action != step.default:
        yield f"{_where(step)}: {decided.action} is not the declared substitute"
    least = decision.elapsed_us if decision.earliest_us is None else decision.earliest_us
    if receipt.lag_us or not least - GRAIN_US <= receipt.elapsed_us <= (
        decision.elapsed_us + GRAIN_US
    ):
        yield f"{_where(step)} took {least} to {decision.elapsed_us} µs, and has {receipt}"


def _expected(decision: Decision) -> str:
    if decision.faults:
        return "/".join(sorted(kind.name for kind in decision.faults))
    return f"{decision.action} after {decision.elapsed_us} of {decision.asked.limit_us} µs"


def _first_due(outcome: Outcome) -> dict[str, float]:
    """When the first legal answer to each decision was due."""
    due: dict[str, float] = {}
    for event in outcome.trace.events:
        if isinstance(event, Arrived):
            for part in event.parts or ():
                if part.verdict is Verdict.LEGAL:
                    due.setdefault(part.id, event.due)
    return due


def _sorted_out(
    asks: Sequence[Asked], matches: Mapping[int, Sequence[_Step]]
) -> tuple[dict[int, list[Asked]], list[str]]:
    """The asks by match, in order; and those that the log does not know, seen and then undone."""
    where = {(step.entrant, step.view): match for match, steps in matches.items() for step in steps}
    found: dict[int, list[Asked]] = defaultdict(list)
    strangers: list[str] = []
    for ask in asks:
        match = where.get(_key(ask))
        if match is None:
            strangers.append(f"{ask.id} of {ask.session} shows what the log does not know")
        else:
            found[match].append(ask)
    return found, strangers


def _by_match(records: Sequence[HandRecord]) -> dict[int, list[HandRecord]]:
    found: dict[int, list[HandRecord]] = defaultdict(list)
    for record in records:
        found[record.started.key.match].append(record)
    return found


def _key(ask: Asked) -> Key:
    return ask.session[1], ask.view


def _is_of(ask: Asked, step: _Step, lives: Sequence[int]) -> bool:
    """Whether an ask is of a decision: the first one, or another daemon's."""
    is_new = not lives or ask.session[0] > lives[-1]
    return is_new and _key(ask) == (step.entrant, step.view)


def _where(step: _Step) -> str:
    return f"{step.key} seat {step.decided.seat} decision {step.view.decision_number}"
