"""Checks one recorded hand against the rules: dealt, decided and scored again from the start."""

from collections.abc import Iterator
from dataclasses import dataclass

from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.check import Mismatch, check_record
from fivehundred.table.dealing import deck_order
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
    is_last = record.started.key.hand + 1 == terms.max_deals
    try:
        check_record(terms.rules, record, capped=is_last)
    except Mismatch as error:
        yield str(error)


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
