"""Checks one recorded hand against the rules: dealt, decided and scored again from the start."""

from collections.abc import Iterator
from dataclasses import dataclass

from fivehundred.rules.hand import Hand, HandResult, Outcome
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.dealing import deck_order
from fivehundred.table.forfeit import forfeit_result
from fivehundred.table.table import decided_by_score
from fivehundred.table.values import HandRecord


@dataclass(frozen=True, slots=True)
class Terms:
    """What a tournament's hands are played under."""

    rules: RuleSet
    rules_hash: bytes
    seed: bytes
    max_deals: int | None
    """Deals after which a game is decided by its score; None where single hands are played."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands between two hands."""

    hand: int
    dealer: int
    scores: tuple[int, ...]


def first_standing(terms: Terms, board: int) -> Standing:
    """Where every game of a board starts."""
    return Standing(0, board % terms.rules.players, (0,) * terms.rules.sides)


def next_standing(record: HandRecord) -> Standing:
    """Where a game stands after a hand that has not ended it."""
    started, result = record.started, record.ended.result
    scores = tuple(map(sum, zip(started.scores_before, result.change, strict=False)))
    return Standing(started.key.hand + 1, result.next_dealer, scores)


def hand_problems(terms: Terms, standing: Standing, record: HandRecord) -> Iterator[str]:
    """What is wrong with a hand, in words; ``standing`` is how its game stood before it."""
    if record.rules_hash != terms.rules_hash:
        yield f"rules hash {record.rules_hash.hex()[:16]}… is not the tournament's"
    yield from _start_problems(terms, standing, record)
    hand = _dealt(terms.rules, record)
    wrong = next(_decision_problems(hand, record), None)
    yield from [wrong] if wrong else _end_problems(terms, hand, record)


def _start_problems(terms: Terms, standing: Standing, record: HandRecord) -> Iterator[str]:
    started, key = record.started, record.started.key
    if started.deck != deck_order(terms.seed, key.board, key.hand, key.attempt, terms.rules):
        yield "the deck is not the one that the seed gives"
    if key.hand != standing.hand:
        yield f"hand {key.hand} of its game follows where hand {standing.hand} should"
    elif started.scores_before != standing.scores:
        yield f"scores before are {started.scores_before}, the game stood at {standing.scores}"
    elif started.dealer != standing.dealer:
        yield f"seat {started.dealer} deals, it is seat {standing.dealer}'s turn to"
    players = terms.rules.players
    if len(started.bots) != players or len(started.entrants) != players:
        yield f"{len(started.bots)} bots, {len(started.entrants)} entrants at {players} seats"


def _decision_problems(hand: Hand, record: HandRecord) -> Iterator[str]:
    """What is wrong with the decisions, each before it is carried out on the hand."""
    for number, decided in enumerate(record.decisions):
        if hand.turn is None:
            yield f"decision {number} follows the hand's end"
        elif hand.turn != decided.seat:
            yield f"decision {number} is seat {decided.seat}'s, it is seat {hand.turn}'s turn"
        elif decided.action not in (legal := hand.legal()):
            yield f"decision {number}: {decided.action} is not legal for seat {decided.seat}"
        elif decided.fault is not None and decided.action != legal.default():
            yield f"decision {number}: {decided.action} substituted, declared is {legal.default()}"
        hand.apply(decided.action)


def _end_problems(terms: Terms, hand: Hand, record: HandRecord) -> Iterator[str]:
    expected = _forfeited(terms, record) if _is_forfeit(record) else _played(terms, hand, record)
    if expected is None:
        yield "it ends before it is over"
        return
    actual = record.ended.result
    for name in HandResult.__slots__:
        right, logged = getattr(expected, name), getattr(actual, name)
        if right != logged:
            yield f"its {name.replace('_', ' ')} is {logged}, the rules give {right}"


def _is_forfeit(record: HandRecord) -> bool:
    ended = record.ended
    return ended.forfeited_by is not None or ended.result.outcome is Outcome.FORFEITED


def _forfeited(terms: Terms, record: HandRecord) -> HandResult | None:
    started, blamed = record.started, record.ended.forfeited_by
    if blamed not in started.entrants:
        return None
    side = terms.rules.side_of(started.entrants.index(blamed))
    return forfeit_result(terms.rules, side, started.dealer)


def _played(terms: Terms, hand: Hand, record: HandRecord) -> HandResult | None:
    result = hand.result
    is_last = record.started.key.hand + 1 == terms.max_deals
    if result is None or result.game_over or not is_last:
        return result
    return decided_by_score(result, next_standing(record).scores)


def _dealt(rules: RuleSet, record: HandRecord) -> Hand:
    started = record.started
    dealt = deal(rules, started.deck, started.dealer)
    return Hand(rules, dealt, started.dealer, started.scores_before)
