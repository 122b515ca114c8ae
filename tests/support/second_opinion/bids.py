"""The bids: from low to high, and what they are worth."""

from functools import lru_cache
from typing import NamedTuple

from fivehundred.rules.ruleset import BidOrder, Growth, RuleSet, SpecialBid, SpecialKind

STRAINS = ("S", "C", "D", "H", "NT")


class Bid(NamedTuple):
    """A bid: ``level`` is 0 for a special bid, a higher ``rank`` beats a lower one."""

    name: str
    level: int
    strain: str
    special: SpecialBid | None
    rank: tuple[int, ...]


def ladder(rules: RuleSet) -> list[str]:
    """The bids of a rule set from low to high, without numbers that nobody may ever bid."""
    lowest = rules.min_bid if rules.signal_seats else rules.min_contract
    return [name for name, bid in all_bids(rules).items() if bid.special or bid.level >= lowest]


def value(rules: RuleSet, bid: str) -> int:
    """What a bid is worth."""
    found = all_bids(rules)[bid]
    if found.special is not None:
        return found.special.value
    return _number_value(rules, found.level, STRAINS.index(found.strain))


def _number_value(rules: RuleSet, level: int, strain: int) -> int:
    base = rules.base_value[strain]
    return base + 100 * (level - 6) if rules.growth is Growth.PLUS_100 else base * (level - 5)


@lru_cache(maxsize=512)
def all_bids(rules: RuleSet) -> dict[str, Bid]:
    """All bids by name, low to high."""
    bids = [
        Bid(f"{level}{STRAINS[strain]}", level, STRAINS[strain], None, (*place, 0, 0))
        for level in range(rules.min_bid, 11)
        for strain in rules.strain_order
        for place in [_place(rules, level, strain)]
    ]
    for number, special in enumerate(rules.special_bids, start=1):
        place = _place(rules, *special.ranks_above)
        if special.kind is SpecialKind.LOSE_ALL:
            bids.append(Bid(special.name, 0, "NT", special, (*place, number, 0)))
            continue
        for height, strain in enumerate(rules.strain_order):
            name = f"{special.name}-{STRAINS[strain]}"
            bids.append(Bid(name, 0, STRAINS[strain], special, (*place, number, height)))
    return {bid.name: bid for bid in sorted(bids, key=lambda bid: bid.rank)}


def _place(rules: RuleSet, level: int, strain: int) -> tuple[int, int]:
    """Where a numbered bid stands; under VALUE bids of one value share a place."""
    if rules.bid_order is BidOrder.VALUE:
        return (_number_value(rules, level, strain), 0)
    return (level, rules.strain_order.index(strain))
