"""Facts of a log for the bias report, the parts and the datum table, in one pass over the records.

No record is held: a hand becomes a few numbers, a deal its pack.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import blake2b

from fivehundred.rules.actions import Bid, Play
from fivehundred.rules.bids import HAND_SIZE, is_lose_all
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.scoring import contracting_sides, side_tricks
from fivehundred.rules.values import Contract
from fivehundred.storage.results import hand_line
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredHand
from fivehundred.table.values import Decided, HandRecord
from fivehundred.tournament.datum import Deal, DealKey
from fivehundred.tournament.honesty.facts import ContractFacts, FactColumns, HandFacts

Progress = Callable[[int, int], None]
"""Is told how many hands of how many have been read."""

COURSE_BYTES = 8
EVERY = 500
"""Hands between two words of progress."""


def read_facts(
    store: Store, name: str, rules: RuleSet, progress: Progress = lambda done, total: None
) -> FactColumns:
    """The facts of all hands of a tournament; raises `NotFound`."""
    columns, total = FactColumns(rules), store.hand_count(name)
    for done, hand in enumerate(store.hands(name), 1):
        columns.append(stored_facts(hand, rules))
        if done % EVERY == 0 or done == total:
            progress(done, total)
    return columns


def read_deals(
    store: Store, name: str, progress: Progress = lambda done, total: None
) -> Iterator[Deal]:
    """Each deal of a tournament once, with its dealer, in the order of the hands' keys."""
    seen: set[DealKey] = set()
    total = store.hand_count(name)
    for done, hand in enumerate(store.hands(name), 1):
        if done % EVERY == 0 or done == total:
            progress(done, total)
        started = hand.record.started
        deal = DealKey(started.key.board, started.key.hand, started.key.attempt, started.dealer)
        if deal not in seen:
            seen.add(deal)
            yield Deal(deal, started.deck)


def stored_facts(hand: StoredHand, rules: RuleSet) -> HandFacts:
    """The facts of a hand of the log, with its origin."""
    facts = hand_facts(hand.record, rules, hand.id)
    return replace(facts, stored_time_us=hand.stored_time_us, player=hand.player)


def hand_facts(record: HandRecord, rules: RuleSet, number: int) -> HandFacts:
    """The facts of one hand; ``number`` is its id. The record has no origin."""
    started, contract = record.started, record.ended.result.contract
    seats = range(rules.players)
    by_seat = [[each for each in record.decisions if each.seat == seat] for seat in seats]
    return HandFacts(
        line=hand_line(record, rules),
        number=number,
        dealer=started.dealer,
        bots=started.bots,
        decisions=tuple(map(len, by_seat)),
        charged_us=tuple(sum(each.receipt.charged_us for each in own) for own in by_seat),
        lag_us=sum(each.receipt.lag_us for each in record.decisions[: rules.players]),
        course=_course(record.decisions),
        contract=None if contract is None else _contract(contract, record, rules),
    )


def _contract(contract: Contract, record: HandRecord, rules: RuleSet) -> ContractFacts | None:
    """None for a hand that is played out without a bid."""
    bid = contract.bid
    if not isinstance(bid, Bid):
        return None
    sides = tuple(sorted(contracting_sides(rules, contract)))
    tricks = side_tricks(rules, record.ended.result.tricks_won)
    taken = sum(tricks[side] for side in sides)
    promised = HAND_SIZE if bid.special else bid.level
    over = -taken if is_lose_all(rules, bid) else taken - promised
    return ContractFacts(str(bid), bid.level, contract.contractor, sides, over)


def _course(decisions: tuple[Decided, ...]) -> int:
    """63 bits that are equal where all the decisions are, and hardly ever elsewhere."""
    digest = blake2b(digest_size=COURSE_BYTES)
    for decided in decisions:
        action = decided.action
        told = f"{action.card}:{action.named}" if isinstance(action, Play) else str(action)
        digest.update(f"{decided.seat} {told}\n".encode())
    return int.from_bytes(digest.digest(), "big") >> 1
