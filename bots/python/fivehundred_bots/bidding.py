"""Which call a careful seat makes."""

from dataclasses import dataclass

from fivehundred.rules.actions import PASS, Bid, Call, LegalCalls
from fivehundred.rules.bids import bid_value, special_bid
from fivehundred.rules.cards import NO_TRUMP, STRAINS, Strain
from fivehundred.rules.ruleset import RuleSet, SideModel, SpecialKind
from fivehundred.rules.values import SeatView
from fivehundred_bots.hand_evaluation import (
    average_gain,
    chance_of,
    expected_tricks,
    weights_of,
)
from fivehundred_bots.misere import chance_to_lose_all

MARGIN = 10.0
"""The points by which a bid must look better than passing."""
FOE_RATE = 0.2
"""The part of its value that a foe's contract costs on average."""
SIGNAL_FROM = 5.5
"""The expected tricks from which a bid too low for a contract is made to tell the partner."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """What a seat expects: the tricks of its side by strain, and how far they spread."""

    tricks: tuple[float, ...]
    spread: float

    def gain(self, rules: RuleSet, view: SeatView, bid: Bid) -> float:
        """What a bid wins on average as the contract."""
        special = special_bid(rules, bid)
        if special is not None and special.kind is SpecialKind.LOSE_ALL:
            chance = chance_to_lose_all(rules, view.holding, special)
        else:
            chance = chance_of(bid.level or 10, self.tricks[bid.strain], self.spread)
        return average_gain(rules, bid_value(rules, bid), chance)


def choose_call(rules: RuleSet, view: SeatView, legal: LegalCalls) -> Call:
    """The call with the best average gain; a signal where no contract is worth bidding."""
    hopes = prospects(rules, view)
    best: Call = PASS
    gain = _gain_of_passing(rules, view, hopes) + MARGIN
    for call in legal:
        if isinstance(call, Bid) and _may_be_contract(rules, call):
            bid_gain = hopes.gain(rules, view, call)
            if bid_gain > gain:
                best, gain = call, bid_gain
    return _signal(rules, view, legal, hopes) if best == PASS else best


def prospects(rules: RuleSet, view: SeatView) -> Prospects:
    """What a seat expects from its holding and the others' bids."""
    weights = weights_of(rules)
    tricks = [expected_tricks(weights, view.holding, strain) for strain in STRAINS]
    last_bids = {
        seat: call
        for seat, call in view.auction
        if seat != view.seat and isinstance(call, Bid) and not call.special
    }
    for seat, bid in last_bids.items():
        if not _may_be_contract(rules, bid):
            shift = _signals_shift if _is_partner(rules, view, seat) else _no_shift
        else:
            shift = _partners_shift if _is_partner(rules, view, seat) else _foes_shift
        for strain in STRAINS:
            tricks[strain] += shift(bid, strain)
    return Prospects(tuple(tricks), weights.spread)


def _may_be_contract(rules: RuleSet, bid: Bid) -> bool:
    return bool(bid.special) or bid.level >= rules.min_contract


def _gain_of_passing(rules: RuleSet, view: SeatView, hopes: Prospects) -> float:
    bids = [(seat, call) for seat, call in view.auction if isinstance(call, Bid)]
    if not bids or not _may_be_contract(rules, bids[-1][1]):
        return 0.0
    seat, bid = bids[-1]
    if _is_partner(rules, view, seat):
        return max(0.0, hopes.gain(rules, view, bid))
    return -FOE_RATE * bid_value(rules, bid)


def _is_partner(rules: RuleSet, view: SeatView, seat: int) -> bool:
    teams = rules.side_model in (SideModel.TEAMS_2, SideModel.TEAMS_3)
    return teams and rules.side_of(seat) == rules.side_of(view.seat)


def _partners_shift(bid: Bid, strain: Strain) -> float:
    """How a partner's bid changes the tricks expected in a strain."""
    return 0.5 + 0.6 * (bid.level - 6) if bid.strain == strain else 0.3


def _signals_shift(bid: Bid, strain: Strain) -> float:
    """How a partner's signal changes the tricks expected in a strain."""
    return 0.4 if bid.strain == strain else 0.0


def _no_shift(bid: Bid, strain: Strain) -> float:
    return 0.0


def _foes_shift(bid: Bid, strain: Strain) -> float:
    """How a foe's bid changes the tricks expected in a strain."""
    if bid.strain == strain:
        return -1.2
    return -0.6 if strain == NO_TRUMP else -0.2


def _signal(rules: RuleSet, view: SeatView, legal: LegalCalls, hopes: Prospects) -> Call:
    best = max(STRAINS, key=hopes.tricks.__getitem__)
    if hopes.tricks[best] < SIGNAL_FROM or any(seat == view.seat for seat, _ in view.auction):
        return legal.default()
    for call in legal:
        if isinstance(call, Bid) and not _may_be_contract(rules, call) and call.strain == best:
            return call
    return legal.default()
