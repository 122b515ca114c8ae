"""What a hand scores: points by side for the contract and for the defenders' tricks."""

from collections.abc import Sequence
from typing import Final

from fivehundred.rules.actions import Bid, Pass
from fivehundred.rules.bids import HAND_SIZE, bid_value, is_lose_all, special_bid
from fivehundred.rules.ruleset import AllPass, RuleSet, Share, SpecialKind
from fivehundred.rules.values import Contract

PLAYED_OUT_TRICK: Final = 10
"""What a trick scores in a hand without a contractor."""


def contracting_sides(rules: RuleSet, contract: Contract) -> frozenset[int]:
    """The contractor's side and those of the partners whom he has found."""
    if isinstance(contract.bid, Pass):
        return frozenset()
    seats = (contract.contractor, *contract.partners)
    return frozenset([rules.side_of(seat) for seat in seats])


def stopping_seats(rules: RuleSet, contract: Contract, playing: Sequence[int]) -> tuple[int, ...]:
    """The seats whose first trick loses a lose-all contract for good and so ends the play."""
    bid = contract.bid
    special = None if isinstance(bid, Pass) else special_bid(rules, bid)
    if special is None or special.kind is not SpecialKind.LOSE_ALL:
        return ()
    if special.points_per_forced_trick:
        return ()
    sides = contracting_sides(rules, contract)
    return tuple(seat for seat in playing if rules.side_of(seat) in sides)


def side_tricks(rules: RuleSet, tricks_by_seat: Sequence[int]) -> list[int]:
    """Tricks by side."""
    return [sum(tricks_by_seat[side :: rules.sides]) for side in range(rules.sides)]


def is_made(rules: RuleSet, contract: Contract, tricks_by_seat: Sequence[int]) -> bool:
    """Whether the contractor and his partners have done what he promised."""
    if isinstance(contract.bid, Pass):
        return False
    taken = _contract_tricks(rules, contract, tricks_by_seat)
    if is_lose_all(rules, contract.bid):
        return taken == 0
    return taken >= (HAND_SIZE if contract.bid.special else contract.bid.level)


def score(
    rules: RuleSet, contract: Contract, tricks_by_seat: Sequence[int], before: Sequence[int]
) -> tuple[int, ...]:
    """The change of each side's score, from its score ``before`` the hand."""
    sides = contracting_sides(rules, contract)
    reward, penalty = _contract_points(rules, contract, tricks_by_seat)
    tricks = trick_points(rules, contract, tricks_by_seat, before)
    return tuple(reward if side in sides else penalty + tricks[side] for side in range(rules.sides))


def tricks_score(rules: RuleSet) -> bool:
    """Whether anybody can score by tricks alone."""
    forced = any(special.points_per_forced_trick for special in rules.special_bids)
    return bool(rules.defender_trick_points) or forced or rules.all_pass is AllPass.PLAY_OUT


def trick_points(
    rules: RuleSet, contract: Contract, tricks_by_seat: Sequence[int], before: Sequence[int]
) -> list[int]:
    """The points of each side for tricks alone: those that defenders take or are given."""
    sides = contracting_sides(rules, contract)
    forced = _forced_trick_points(rules, contract)
    given = forced * _contract_tricks(rules, contract, tricks_by_seat) if forced else 0
    each = _own_trick_points(rules, contract)
    points = [given + each * count for count in side_tricks(rules, tricks_by_seat)]
    for side in sides:
        points[side] = 0
    if rules.defender_ceiling is None:
        return points
    room = [max(0, rules.defender_ceiling - score) for score in before]
    return [min(gain, space) for gain, space in zip(points, room, strict=True)]


def _own_trick_points(rules: RuleSet, contract: Contract) -> int:
    if isinstance(contract.bid, Pass):
        return PLAYED_OUT_TRICK
    return 0 if is_lose_all(rules, contract.bid) else rules.defender_trick_points


def _forced_trick_points(rules: RuleSet, contract: Contract) -> int:
    special = None if isinstance(contract.bid, Pass) else special_bid(rules, contract.bid)
    return 0 if special is None else special.points_per_forced_trick


def _contract_tricks(rules: RuleSet, contract: Contract, tricks_by_seat: Sequence[int]) -> int:
    tricks = side_tricks(rules, tricks_by_seat)
    return sum(tricks[side] for side in contracting_sides(rules, contract))


def _contract_points(
    rules: RuleSet, contract: Contract, tricks_by_seat: Sequence[int]
) -> tuple[int, int]:
    """The points of each contracting side and of each defending one, tricks apart."""
    if isinstance(contract.bid, Pass):
        return 0, 0
    if is_made(rules, contract, tricks_by_seat):
        taken = _contract_tricks(rules, contract, tricks_by_seat)
        return _share(rules, contract, _made_value(rules, contract.bid, taken)), 0
    value = bid_value(rules, contract.bid)
    lost = -_share(rules, contract, value) if rules.set_back else 0
    return lost, value if rules.defenders_collect else 0


def _made_value(rules: RuleSet, bid: Bid, taken: int) -> int:
    value = bid_value(rules, bid)
    is_slam = not bid.special and taken == HAND_SIZE
    return max(value, rules.slam_minimum) if is_slam else value


def _share(rules: RuleSet, contract: Contract, value: int) -> int:
    """What each contracting side gets of a value: half where partners halve it."""
    is_halved = rules.call is not None and rules.call.share is Share.HALF and contract.partners
    return value // 2 if is_halved else value
