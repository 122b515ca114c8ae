"""What occurs in a hand, by name: so that it can be told what many hands have tried."""

from collections import Counter
from collections.abc import Iterable, Sequence

from fivehundred.rules.actions import (
    Action,
    Bid,
    Exchange,
    Pass,
)
from fivehundred.rules.bids import HAND_SIZE, special_bid
from fivehundred.rules.cards import (
    NO_TRUMP,
    is_joker,
)
from fivehundred.rules.game import game_end
from fivehundred.rules.hand import Hand
from fivehundred.rules.ruleset import WinCondition
from fivehundred.rules.scoring import is_made, side_tricks
from fivehundred.rules.values import Contract, HandResult, Outcome

KNOWN = ("MIS", "OM", "NULLO", "DBL", "BAR", "GAME")


def occurrences(hand: Hand, actions: Sequence[Action]) -> Counter[str]:
    """What occurred in a hand that is over, by name."""
    result, contract = hand.result, hand.contract
    assert result is not None
    seen = [f"outcome {result.outcome.name}", *_ending(hand, result)]
    seen += _in_auction(hand)
    if result.outcome is Outcome.PASSED_OUT:
        seen.append(f"redeal by {'the same' if result.next_dealer == hand.dealer else 'the next'}")
    if contract is not None:
        seen += _in_contract(hand, actions, contract, result)
        seen += _in_play(hand, contract)
    return Counter(seen)


def _in_auction(hand: Hand) -> Iterable[str]:
    auction = hand.view(0).auction
    passed = [number for number, (_, call) in enumerate(auction) if isinstance(call, Pass)]
    for number, (seat, call) in enumerate(auction):
        before = auction[:number]
        if any(other == seat and isinstance(done, Pass) for other, done in before):
            yield "call after a pass"
        bids = [other for other, done in before if isinstance(done, Bid)]
        if isinstance(call, Bid) and bids and bids[-1] == seat:
            yield "own bid raised"
        if isinstance(call, Bid) and not call.special and call.level < hand.rules.min_contract:
            yield "signal"
    if len(passed) == len(auction):
        yield "all pass"


def _in_contract(
    hand: Hand, actions: Sequence[Action], contract: Contract, result: HandResult
) -> Iterable[str]:
    rules, bid = hand.rules, contract.bid
    if isinstance(bid, Pass):
        yield "played out without a contract"
        return
    special = special_bid(rules, bid)
    made = "made" if is_made(rules, contract, result.tricks_won) else "failed"
    yield f"{'numbered bid' if special is None else special.kind.name} {made}"
    if special is not None:
        yield f"special {special.name if special.name in KNOWN else 'of the house'}"
        yield f"{'partner plays' if special.partner_plays else 'alone'}"
    elif max(side_tricks(rules, result.tricks_won)) == HAND_SIZE and made == "made":
        yield "slam"
    if contract.joker_suit is not None:
        yield "joker nominated"
    if contract.called is not None:
        yield "card called" if contract.partners else "card called that the contractor has"
    elif contract.partners:
        yield f"{len(contract.partners)} chosen"
    if rules.personal_kitty and sum(isinstance(each, Exchange) for each in actions) > 1:
        yield "personal kitties exchanged"
    if rules.dead_hands:
        yield "dead hand"
    if bid.strain == NO_TRUMP:
        yield "no trump"


def _in_play(hand: Hand, contract: Contract) -> Iterable[str]:
    bid = contract.bid
    if isinstance(bid, Bid) and bid.strain != NO_TRUMP:
        return
    for trick in hand.view(0).tricks:
        if trick.named is not None:
            yield "joker led naming a suit"
        elif is_joker(trick.cards[0]) and contract.joker_suit is None:
            yield "joker led naming nothing"
        elif any(map(is_joker, trick.cards)):
            yield "joker followed"


def _ending(hand: Hand, result: HandResult) -> Iterable[str]:
    rules = hand.rules
    after = [score + gain for score, gain in zip(hand.scores, result.change, strict=True)]
    beaten = losers(hand)
    reached = [side for side, score in enumerate(after) if score >= rules.target]
    if beaten:
        yield "end at the floor" if len(beaten) == 1 else "end at the floor for several"
    elif result.game_over:
        yield f"end at the target under {rules.win_condition.name}"
        if rules.win_condition is WinCondition.ANY_POINTS and len(reached) > 1:
            yield f"several at the target: {rules.several_reach.name}"
    elif reached:
        yield f"played on over the target under {rules.win_condition.name}"
    elif rules.floor is not None and min(after) <= rules.floor:
        yield "played on under the floor, all being negative"
    if len(result.winners) > 1:
        yield "several winners"
    if rules.defender_ceiling is not None and rules.defender_ceiling in after:
        yield "held at the ceiling"


def losers(hand: Hand) -> tuple[int, ...]:
    """The sides that the floor has beaten."""
    result, contract = hand.result, hand.contract
    if result is None or contract is None:
        return ()
    made = is_made(hand.rules, contract, result.tricks_won)
    return game_end(hand.rules, hand.scores, result.change, contract, made, hand.taken)[2]
