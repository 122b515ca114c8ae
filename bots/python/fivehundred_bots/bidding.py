"""Which call a careful seat makes."""

from dataclasses import dataclass

from fivehundred.rules.actions import Bid, Call, LegalCalls
from fivehundred.rules.bids import HAND_SIZE, is_lose_all, special_bid
from fivehundred.rules.cards import NO_TRUMP, STRAINS, Strain
from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.rules.values import Contract, SeatView
from fivehundred_bots.hand_evaluation import chance_of, expected_tricks, weights_of
from fivehundred_bots.misere import chance_to_lose_all
from fivehundred_bots.stakes import GAME, worth

MARGIN = 5.0
"""The points by which a bid must look better than passing."""
OTHERS_CHANCE = 0.6
"""The chance that another seat loses every trick that has bid to."""
LEFT_OPEN = 0.3
"""The chance that a foe makes a contract of an auction that is left to him."""
NEGLIGIBLE = 0.01
"""No end of a hand with less of a chance is weighed."""
LEAST_CHANCE = 0.2
"""No bid with less of a chance is weighed."""
SIGNALLED = 0.4
"""The tricks that a partner's signal promises in its strain."""
SIGNAL_FROM = 5.5
"""The expected tricks from which a bid too low for a contract is made to tell the partner."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """What a seat expects of contracts of its own side."""

    rules: RuleSet
    view: SeatView
    tricks: tuple[float, ...]
    """By strain."""
    tricks_high: tuple[float, ...]
    """By strain, at levels from which there is a second partner."""

    def chance(self, bid: Bid) -> float:
        """The chance to make a bid."""
        special = special_bid(self.rules, bid)
        if special is not None and is_lose_all(self.rules, bid):
            return chance_to_lose_all(self.rules, self.view.holding, special)
        level = bid.level or HAND_SIZE
        return chance_of(level, self._tricks_at(level)[bid.strain], bid.strain)

    def may_be_made(self, bid: Bid) -> bool:
        """Whether a bid has chance enough to be weighed."""
        return self.chance(bid) >= LEAST_CHANCE

    def gain(self, bid: Bid, contractor: int, chance: float, expected: float) -> float:
        """What a bid is worth on average as a seat's contract that takes so many tricks."""
        rules, view = self.rules, self.view
        contract = Contract(
            bid, contractor, partners=_likely_partners(rules, view, bid, contractor)
        )
        return sum(
            part * worth(rules, view, contract, tricks)
            for tricks, part in _likely_tricks(rules, bid, chance, expected)
            if part > NEGLIGIBLE
        )

    def own_gain(self, bid: Bid, seat: int) -> float:
        """What a bid of the seat's side is worth on average."""
        chance = self.chance(bid)
        return self.gain(bid, seat, chance, self._tricks_at(bid.level or HAND_SIZE)[bid.strain])

    def foes_gain(self, bid: Bid, foe: int) -> float:
        """What a foe's bid is worth on average to the seat."""
        weights = weights_of(self.rules, bid.level)
        held = expected_tricks(self.rules, self.view.holding, bid.level)[bid.strain]
        expected = told_by(bid) + weights.against * (weights.usual - held)
        chance = chance_of(bid.level or HAND_SIZE, expected, bid.strain)
        return self.gain(bid, foe, chance, expected)

    def others_gain(self, bid: Bid, seat: int) -> float:
        """What another seat's bid is worth on average to this one."""
        if is_lose_all(self.rules, bid):
            return self.gain(bid, seat, OTHERS_CHANCE, 0.0)
        if _is_partner(self.rules, self.view, seat):
            return self.own_gain(bid, seat)
        return self.foes_gain(bid, seat)

    def _tricks_at(self, level: int) -> tuple[float, ...]:
        call = self.rules.call
        if call is not None and 0 < call.second_partner_from <= level:
            return self.tricks_high
        return self.tricks


def choose_call(rules: RuleSet, view: SeatView, legal: LegalCalls) -> Call:
    """The call with the best average gain; a signal where no contract is worth bidding."""
    hopes = prospects(rules, view)
    bids = [call for call in legal if isinstance(call, Bid) and _may_be_contract(rules, call)]
    gains = {bid: hopes.own_gain(bid, view.seat) for bid in bids if hopes.may_be_made(bid)}
    best = max(gains, key=gains.__getitem__, default=None)
    if best is None or gains[best] <= _gain_of_passing(rules, view, hopes) + MARGIN:
        return _signal(rules, view, legal, hopes)
    return best


def prospects(rules: RuleSet, view: SeatView) -> Prospects:
    """What a seat expects from its holding and the others' bids."""
    few = _tricks_told(rules, view, rules.min_bid)
    two_partners = rules.call is not None and rules.call.second_partner_from > 0
    return Prospects(
        rules, view, few, _tricks_told(rules, view, HAND_SIZE) if two_partners else few
    )


def _tricks_told(rules: RuleSet, view: SeatView, level: int) -> tuple[float, ...]:
    """By strain, the tricks expected at a level, as the first bids of the others tell."""
    tricks = list(expected_tricks(rules, view.holding, level))
    first_bids = {
        seat: call
        for seat, call in reversed(view.auction)
        if seat != view.seat and isinstance(call, Bid) and not call.special
    }
    for seat, bid in first_bids.items():
        if not _is_partner(rules, view, seat):
            if _may_be_contract(rules, bid):
                tricks = [own + _foes_shift(bid, strain) for strain, own in enumerate(tricks)]
        elif _may_be_contract(rules, bid):
            support = 0.4 * (tricks[bid.strain] - weights_of(rules, level).usual)
            tricks[bid.strain] = max(tricks[bid.strain] + 0.5, told_by(bid) + support)
        else:
            tricks[bid.strain] += SIGNALLED
    return tuple(tricks)


def _may_be_contract(rules: RuleSet, bid: Bid) -> bool:
    return bool(bid.special) or bid.level >= rules.min_contract


def _gain_of_passing(rules: RuleSet, view: SeatView, hopes: Prospects) -> float:
    bids = [(seat, call) for seat, call in view.auction if isinstance(call, Bid)]
    if bids and _may_be_contract(rules, bids[-1][1]):
        seat, bid = bids[-1]
        return hopes.others_gain(bid, seat)
    if len(view.auction) == rules.players - 1:
        return 0.0
    return _threat(rules, view, hopes)


def _threat(rules: RuleSet, view: SeatView, hopes: Prospects) -> float:
    """What it costs to leave the auction to foes whom a contract would bring the game."""
    bid = Bid(max(7, rules.min_contract), rules.strain_order[2])
    foes = [
        seat for seat in range(rules.players) if rules.side_of(seat) != rules.side_of(view.seat)
    ]
    worst = min(hopes.foes_gain(bid, foe) for foe in foes)
    return LEFT_OPEN * worst if worst < -GAME / 3 else 0.0


def _likely_tricks(
    rules: RuleSet, bid: Bid, chance: float, expected: float
) -> tuple[tuple[int, float], ...]:
    """The tricks of a contract that fails, that is made and that takes all, with chances."""
    if is_lose_all(rules, bid):
        return (0, chance), (1, 1.0 - chance)
    level = bid.level or HAND_SIZE
    if level == HAND_SIZE:
        return (10, chance), (9, 1.0 - chance)
    slam = chance_of(HAND_SIZE, expected, bid.strain)
    made, failed = max(level, min(9, round(expected + 0.5))), min(level - 1, round(expected - 1))
    return (max(0, failed), 1.0 - chance), (made, chance - slam), (HAND_SIZE, slam)


def _likely_partners(rules: RuleSet, view: SeatView, bid: Bid, contractor: int) -> tuple[int, ...]:
    """Seats that stand for the partners to be found, this one not among them."""
    if rules.call is None or is_lose_all(rules, bid):
        return ()
    second = 0 < rules.call.second_partner_from <= (bid.level or HAND_SIZE)
    others = [seat for seat in range(rules.players) if seat not in (contractor, view.seat)]
    return tuple(others[: 2 if second else 1])


def _is_partner(rules: RuleSet, view: SeatView, seat: int) -> bool:
    teams = rules.side_model in (SideModel.TEAMS_2, SideModel.TEAMS_3)
    return teams and rules.side_of(seat) == rules.side_of(view.seat)


def told_by(bid: Bid) -> float:
    """The tricks that a numbered bid tells of, where the others hold what is usual."""
    return 5.2 + 0.3 * (bid.level or HAND_SIZE)


def _foes_shift(bid: Bid, strain: Strain) -> float:
    """How a foe's bid changes the tricks expected in a strain."""
    high = -0.15 * (bid.level - 6)
    if bid.strain == strain:
        return high - 0.8
    return high - (0.4 if strain == NO_TRUMP else 0.15)


def _signal(rules: RuleSet, view: SeatView, legal: LegalCalls, hopes: Prospects) -> Call:
    best = max(STRAINS, key=hopes.tricks.__getitem__)
    if hopes.tricks[best] < SIGNAL_FROM or any(seat == view.seat for seat, _ in view.auction):
        return legal.default()
    for call in legal:
        if isinstance(call, Bid) and not _may_be_contract(rules, call) and call.strain == best:
            return call
    return legal.default()
