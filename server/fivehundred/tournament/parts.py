"""Parts of a margin: where an entrant's points came from. Descriptions, not estimates of skill.

The margin of a side is its points less the mean of those of the other sides. It is taken apart in
two ways, and both sum exactly to it:

1. By *part*: the contracts that the entrant's side declared, by bid and made or not, those against
   it, hands passed out and forfeited. Points are whole numbers, and so are their sums.
2. Into *luck, bidding and play*. Luck is the mean margin of all who held these cards on this deal.
   Bidding is what the contract reached is worth on average in this tournament, less the same of
   all who held the cards. Play is the rest. Over deals played in all seatings luck is nothing for
   everybody. Where nobody else held the cards, as in hands that one game of a board alone came to,
   the three are *not known*. A contract's worth is that of those who bid it, so that who bids it
   with worse cards than others is shown as a better bidder and a worse player than he is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fivehundred.ratings.values import rounded
from fivehundred.tournament.honesty.facts import NO_CONTRACT, SPECIAL, FactRows
from fivehundred.tournament.lines import NOBODY, Flags, Floats, Numbers

DECLARED = "declared"
DEFENDED = "defended"
PASSED_OUT = "passed out"
FORFEITED = "forfeited"
ROLES = (DECLARED, DEFENDED, PASSED_OUT, FORFEITED)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an entrant's margin."""

    role: str
    """`DECLARED`, `DEFENDED`, `PASSED_OUT` or `FORFEITED`."""
    bid: str
    """The contract's; empty where there is none."""
    is_made: bool | None
    """Whether the contract was made; None where there is none."""
    hands: int
    points: int
    """Of the entrant's side in all."""
    others: int
    """Of all the other sides together."""
    margin: float
    """What the part adds to the entrant's margin per hand."""


@dataclass(frozen=True, slots=True)
class EntrantParts:
    """One entrant's margin and what it is made of; per hand where nothing else is said."""

    entrant: str
    hands: int = 0
    """Hands, each side that the entrant held counted."""
    points: int = 0
    others: int = 0
    margin: float = 0.0
    luck: float = 0.0
    bidding: float = 0.0
    play: float = 0.0
    not_known: float = 0.0
    """Of hands whose cards nobody else held. The four sum to the margin, as decimals."""
    declared: int = 0
    """How often the entrant was the contractor."""
    declared_share: float | None = None
    made: int = 0
    made_share: float | None = None
    """Of the contracts declared."""
    mean_level: float | None = None
    """Of the numbered ones among them."""
    mean_over: float | None = None
    """Tricks above the promise of those; below where negative: bid too high on average."""
    overtricks: float | None = None
    """Tricks above the promise where it was kept."""
    undertricks: float | None = None
    """Tricks below it where it was not."""
    margin_declaring: float | None = None
    """In a hand that its side declared."""
    margin_defending: float | None = None
    """In a hand that another side declared."""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class ContractWorth:
    """What one bid came to, whoever declared it."""

    bid: str
    hands: int
    made_share: float
    margin: float
    """Of the declaring side."""


@dataclass(frozen=True, slots=True)
class Parts:
    """All entrants' parts, in their order, and the contracts."""

    entrants: tuple[EntrantParts, ...]
    contracts: tuple[ContractWorth, ...]
    deal_share: float | None
    """The share of a single hand's variance that lies in the deal: the correlation of the margins
    of two who hold the same cards. None where no deal was played twice."""


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """A row for each entrant on each side of each hand."""

    entrant: Numbers
    hand: Numbers
    points: Numbers
    others: Numbers
    luck: Floats
    bidding: Floats
    margin: Floats
    is_known: Flags
    is_contractor: Flags
    role: Numbers
    bid: Numbers
    is_made: Flags
    level: Numbers
    over: Numbers


def parts(facts: FactRows, entrants: Sequence[str], bids: Sequence[str]) -> Parts:
    """Take the margins of hands of whole boards apart; ``bids`` by their places in the facts."""
    if not len(facts):
        return Parts(tuple(map(EntrantParts, entrants)), (), None)
    margin = _margins(facts)
    deal, worth = _deals(facts), _worths(facts, margin)
    is_known = np.bincount(deal.ravel())[deal] > 1
    luck = np.where(is_known, _means(deal, margin), 0.0)
    bidding = np.where(is_known, worth - _means(deal, worth), 0.0)
    rows = _sides(facts, margin, luck, bidding, is_known)
    return Parts(
        entrants=tuple(
            _entrant(rows, name, at, facts.hands.change.shape[1], bids)
            for at, name in enumerate(entrants)
        ),
        contracts=tuple(_contracts(facts, margin, bids)),
        deal_share=_deal_share(deal, margin),
    )


def _margins(facts: FactRows) -> Floats:
    change = facts.hands.change.astype(np.float64)
    others = change.sum(axis=1, keepdims=True) - change
    return np.asarray(change - others / (change.shape[1] - 1))


def _deals(facts: FactRows) -> Numbers:
    """By hand and side a number for the cards that the side holds."""
    hands, sides = facts.hands, facts.hands.change.shape[1]
    told = np.stack([hands.board, hands.hand, hands.attempt, facts.dealer], axis=1)
    _, deal = np.unique(told, axis=0, return_inverse=True)
    return np.asarray(deal.reshape(-1, 1) * sides + np.arange(sides))


def _worths(facts: FactRows, margin: Floats) -> Floats:
    """By hand and side the mean margin of all who were on that side of such a contract."""
    kind = 2 * facts.bid[:, None] + facts.contracting - 2 * NO_CONTRACT
    return _means(np.asarray(kind), margin)


def _means(group: Numbers, values: Floats) -> Floats:
    count = np.maximum(np.bincount(group.ravel()), 1)
    mean = np.bincount(group.ravel(), values.ravel()) / count
    return np.asarray(mean[group])


def _sides(
    facts: FactRows, margin: Floats, luck: Floats, bidding: Floats, is_known: Flags
) -> _Sides:
    hands, sides = facts.hands, facts.hands.change.shape[1]
    seats = hands.entrants.shape[1]
    hand, seat = np.divmod(np.arange(len(facts) * seats), seats)
    side, entrant = seat % sides, hands.entrants.ravel()
    place = np.stack([hand, side, entrant], axis=1)
    _, first = np.unique(place, axis=0, return_index=True)
    hand, side, entrant = hand[first], side[first], entrant[first]
    own = hands.change[hand, side]
    contractor = facts.contractor[hand]
    sits = hands.entrants[hand, np.maximum(contractor, 0)] == entrant
    return _Sides(
        entrant=entrant,
        hand=hand,
        points=own,
        others=hands.change[hand].sum(axis=1) - own,
        luck=luck[hand, side],
        bidding=bidding[hand, side],
        margin=margin[hand, side],
        is_known=is_known[hand, side],
        is_contractor=(contractor != NOBODY) & (contractor % sides == side) & sits,
        role=_roles(facts)[hand, side],
        bid=facts.bid[hand],
        is_made=hands.is_made[hand],
        level=facts.level[hand],
        over=facts.over[hand],
    )


def _roles(facts: FactRows) -> Numbers:
    """By hand and side the place among the roles; a forfeit ends whatever was declared."""
    role = np.where(facts.contracting, ROLES.index(DECLARED), ROLES.index(DEFENDED))
    role[facts.bid == NO_CONTRACT] = ROLES.index(PASSED_OUT)
    role[facts.hands.forfeited_by != NOBODY] = ROLES.index(FORFEITED)
    return role


def _entrant(rows: _Sides, name: str, at: int, sides: int, bids: Sequence[str]) -> EntrantParts:
    own = rows.entrant == at
    hands = int(own.sum())
    if not hands:
        return EntrantParts(name)
    points, others = int(rows.points[own].sum()), int(rows.others[own].sum())
    margin = _per_hand(points, others, sides, hands)
    luck, bidding = rounded(rows.luck[own].mean()), rounded(rows.bidding[own].mean())
    not_known = rounded(np.where(rows.is_known, 0.0, rows.margin)[own].mean())
    declared = own & rows.is_contractor & (rows.role == ROLES.index(DECLARED))
    numbered = declared & (rows.level != SPECIAL)
    made = int(rows.is_made[declared].sum())
    return EntrantParts(
        entrant=name,
        hands=hands,
        points=points,
        others=others,
        margin=margin,
        luck=luck,
        bidding=bidding,
        play=rounded(margin - luck - bidding - not_known),
        not_known=not_known,
        declared=int(declared.sum()),
        declared_share=rounded(declared.sum() / hands),
        made=made,
        made_share=_mean(rows.is_made, declared),
        mean_level=_mean(rows.level, numbered),
        mean_over=_mean(rows.over, numbered),
        overtricks=_mean(rows.over, numbered & rows.is_made),
        undertricks=_mean(-rows.over, numbered & ~rows.is_made),
        margin_declaring=_mean(rows.margin, own & (rows.role == ROLES.index(DECLARED))),
        margin_defending=_mean(rows.margin, own & (rows.role == ROLES.index(DEFENDED))),
        parts=tuple(_parts(rows, own, sides, hands, bids)),
    )


def _parts(rows: _Sides, own: Flags, sides: int, hands: int, bids: Sequence[str]) -> Iterator[Part]:
    """By role, then by bid, those made first; bids in the order of their first appearance."""
    is_contract = rows.role[own] < ROLES.index(PASSED_OUT)
    bid = np.where(is_contract, rows.bid[own], NO_CONTRACT)
    failed = np.where(is_contract, ~rows.is_made[own], 0)
    told = np.stack([rows.role[own], bid, failed], axis=1)
    kinds, of = np.unique(told, axis=0, return_inverse=True)
    of = of.reshape(-1)
    for at, (role, place, is_failed) in enumerate(kinds.tolist()):
        chosen = of == at
        points = int(rows.points[own][chosen].sum())
        others = int(rows.others[own][chosen].sum())
        yield Part(
            role=ROLES[role],
            bid="" if place == NO_CONTRACT else bids[place],
            is_made=None if place == NO_CONTRACT else not is_failed,
            hands=int(chosen.sum()),
            points=points,
            others=others,
            margin=_per_hand(points, others, sides, hands),
        )


def _per_hand(points: int, others: int, sides: int, hands: int) -> float:
    return rounded((points * (sides - 1) - others) / ((sides - 1) * hands))


def _mean(values: Numbers | Floats | Flags, chosen: Flags) -> float | None:
    return rounded(values[chosen].mean()) if chosen.any() else None


def _contracts(facts: FactRows, margin: Floats, bids: Sequence[str]) -> Iterator[ContractWorth]:
    """The bids that were played, as their margins; forfeited hands left out."""
    is_played = (facts.bid != NO_CONTRACT) & (facts.hands.forfeited_by == NOBODY)
    for place, bid in enumerate(bids):
        chosen = is_played & (facts.bid == place)
        if chosen.any():
            yield ContractWorth(
                bid=bid,
                hands=int(chosen.sum()),
                made_share=rounded(facts.hands.is_made[chosen].mean()),
                margin=rounded(margin[chosen][facts.contracting[chosen]].mean()),
            )


def _deal_share(deal: Numbers, margin: Floats) -> float | None:
    """The intraclass correlation of one-way analysis of variance; it may come out below 0."""
    _, group, count = np.unique(deal.ravel(), return_inverse=True, return_counts=True)
    group, values = group.reshape(-1), margin.ravel()
    groups, size = len(count), len(values)
    if groups < 2 or size == groups:
        return None
    mean = np.bincount(group, values) / count
    within = float(((values - mean[group]) ** 2).sum()) / (size - groups)
    between = float((count * (mean - values.mean()) ** 2).sum()) / (groups - 1)
    times = (size - float((count**2).sum()) / size) / (groups - 1)
    total = between + (times - 1) * within
    return rounded((between - within) / total) if total > 0 else None
