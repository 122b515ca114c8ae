"""The bids of a rule set, what they are worth and which is higher."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from fivehundred.rules.actions import Bid
from fivehundred.rules.cards import NO_TRUMP, Strain
from fivehundred.rules.ruleset import (
    BidOrder,
    Exposure,
    Growth,
    RuleSet,
    SpecialBid,
    SpecialKind,
)

TOP_LEVEL: Final = 10
HAND_SIZE: Final = 10


@dataclass(frozen=True, slots=True)
class Ladder:
    """The bids from low to high; of two bids the one with the greater height is higher."""

    bids: tuple[Bid, ...]
    heights: tuple[int, ...]
    height: dict[Bid, int]


@lru_cache(maxsize=256)
def bid_ladder(rules: RuleSet) -> Ladder:
    """The bids with their heights; equal heights occur only where value orders the bids."""
    places = {bid: _place(rules, bid) for bid in _bids(rules)}
    bids = tuple(sorted(places, key=lambda bid: (places[bid], bid.level, _rank(rules, bid.strain))))
    steps = {place: step for step, place in enumerate(sorted(set(places.values())))}
    height = {bid: steps[places[bid]] for bid in bids}
    return Ladder(bids, tuple(height.values()), height)


def ladder(rules: RuleSet) -> tuple[Bid, ...]:
    """Every bid of a rule set, from low to high."""
    return bid_ladder(rules).bids


def special_bid(rules: RuleSet, bid: Bid) -> SpecialBid | None:
    """The rules of a special bid; None for a numbered one."""
    if not bid.special:
        return None
    return next(special for special in rules.special_bids if special.name == bid.special)


def bid_value(rules: RuleSet, bid: Bid) -> int:
    """The points of a contract, made or failed."""
    special = special_bid(rules, bid)
    return _numbered_value(rules, bid.level, bid.strain) if special is None else special.value


def is_lose_all(rules: RuleSet, bid: Bid) -> bool:
    """Whether a bid promises to lose every trick."""
    special = special_bid(rules, bid)
    return special is not None and special.kind is SpecialKind.LOSE_ALL


def is_alone(rules: RuleSet, bid: Bid) -> bool:
    """Whether a bid is played without partners."""
    special = special_bid(rules, bid)
    return special is not None and not special.partner_plays


def exposed_from(rules: RuleSet, bid: Bid) -> int | None:
    """The trick before whose lead the contractor's cards are laid open; None where they never are.

    The first trick is 1.
    """
    special = special_bid(rules, bid)
    return None if special is None else _EXPOSED_FROM[special.exposure]


_EXPOSED_FROM: Final = {
    Exposure.NONE: None,
    Exposure.BEFORE_LEAD: 1,
    Exposure.AFTER_TRICK_1: 2,
}


def _bids(rules: RuleSet) -> list[Bid]:
    lowest = rules.min_bid if rules.signal_seats else rules.min_contract
    levels = range(lowest, TOP_LEVEL + 1)
    bids = [Bid(level, strain) for level in levels for strain in rules.strain_order]
    for special in rules.special_bids:
        carries = special.kind is SpecialKind.TAKE_ALL
        strains = rules.strain_order if carries else (NO_TRUMP,)
        bids.extend(Bid(0, strain, special.name, carries) for strain in strains)
    return bids


def _place(rules: RuleSet, bid: Bid) -> tuple[int, int, int]:
    """Where a bid stands: over which numbered bid, and in which place above it."""
    if not bid.special:
        return _numbered_place(rules, bid.level, bid.strain), 0, 0
    names = [special.name for special in rules.special_bids]
    index = names.index(bid.special)
    level, strain = rules.special_bids[index].ranks_above
    rank = _rank(rules, bid.strain) if bid.carries_strain else 0
    return _numbered_place(rules, level, strain), index + 1, rank


def _numbered_place(rules: RuleSet, level: int, strain: Strain) -> int:
    if rules.bid_order is BidOrder.VALUE:
        return _numbered_value(rules, level, strain)
    return 5 * level + _rank(rules, strain)


def _numbered_value(rules: RuleSet, level: int, strain: Strain) -> int:
    base = rules.base_value[strain]
    if rules.growth is Growth.PLUS_100:
        return base + 100 * (level - 6)
    return base * (level - 5)


def _rank(rules: RuleSet, strain: Strain) -> int:
    return rules.strain_order.index(strain)
