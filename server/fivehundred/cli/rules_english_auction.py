"""The auction and the special bids in English."""

from collections.abc import Iterator

from fivehundred.cli.rules_english_words import (
    STRAIN_WORDS,
    count,
    listed,
    lose_all,
    number,
    partners,
    side,
)
from fivehundred.rules.actions import Bid
from fivehundred.rules.bids import TOP_LEVEL, bid_value
from fivehundred.rules.cards import NO_TRUMP
from fivehundred.rules.ruleset import (
    AllPass,
    AuctionRounds,
    BidOrder,
    Exposure,
    Reentry,
    RuleSet,
    SideModel,
    SpecialBid,
    SpecialKind,
)


def bids(rules: RuleSet) -> Iterator[str]:
    """What may be bid."""
    level, strain = rules.min_contract, rules.strain_order[0]
    example = f"{number(level)} tricks with {STRAIN_WORDS[strain]} as trumps"
    if strain == NO_TRUMP:
        example = f"{number(level)} tricks without trumps"
    yield "The player on the dealer's left speaks first; each in turn passes or makes a higher bid."
    yield "A numbered bid names a number of tricks, and a suit as trumps or no trump (NT)."
    yield f"{Bid(level, strain)}, for example, promises at least {example}."
    yield from _levels(rules)
    yield from _order(rules)


def _levels(rules: RuleSet) -> Iterator[str]:
    low, enough, places = rules.min_bid, rules.min_contract, rules.signal_seats
    if not places:
        yield f"The lowest numbered bid is {number(enough)}, the highest is ten."
        return
    rest = f"; the others may bid from {number(enough)} on"
    if places == rules.players:
        yield f"Everybody may bid from {number(low)} to ten."
    else:
        first = "player" if places == 1 else count(places, "player")
        yield f"The first {first} from the dealer's left may bid from {number(low)} to ten{rest}."
    yield f"A bid under {number(enough)} is only a signal: it cannot be played and scores nothing."


def _order(rules: RuleSet) -> Iterator[str]:
    if rules.bid_order is BidOrder.LEVEL_THEN_STRAIN:
        strains = listed([STRAIN_WORDS[strain] for strain in rules.strain_order])
        yield "A bid is higher with more tricks, or with as many in a higher suit or no trump."
        yield f"From low to high they are {strains}."
        return
    more = "if the table of points below gives it more; as much is not enough"
    yield f"A numbered bid is higher than another {more}."


def rounds(rules: RuleSet) -> Iterator[str]:
    """How long the auction lasts."""
    if rules.auction_rounds is AuctionRounds.ONE_EACH:
        yield "Each player speaks once."
    else:
        yield "The auction goes on until all but the highest bidder have passed."
        yield _reentry(rules)
    yield "The auction ends at once when no higher bid exists."
    if rules.winner_may_raise:
        yield "Where it ends otherwise, the highest bidder may first raise his own bid, once."
    yield _all_pass(rules)


def _reentry(rules: RuleSet) -> str:
    if rules.reentry is Reentry.NONE:
        return "Whoever has passed may not bid again."
    if rules.reentry is Reentry.FREE:
        return "Whoever has passed may bid again as soon as somebody else has bid."
    counted = f" ({lose_all(rules)} counts as no trump)" if lose_all(rules) else ""
    other = "is in another suit than the bid before it, or goes to or from no trump"
    return f"Whoever has passed may bid again as soon as a bid {other}{counted}."


def _all_pass(rules: RuleSet) -> str:
    signal = " or the highest bid is only a signal" if rules.signal_seats else ""
    when = f"If all pass{signal}"
    if rules.all_pass is AllPass.REDEAL_NEXT:
        return f"{when}, the cards are thrown in and the next dealer deals."
    if rules.all_pass is AllPass.REDEAL_SAME:
        return f"{when}, the cards are thrown in and the same dealer deals again."
    kitty = ", no kitty is taken" if rules.kitty_size or rules.personal_kitty else ""
    played = f"{when}, the hand is played at no trump without a contractor{kitty}"
    tricks = f"every trick scores ten for the {side(rules)} that takes it"
    return f"{played}, the player on the dealer's left leads, and {tricks}."


def special(rules: RuleSet, bid: SpecialBid) -> Iterator[str]:
    """All that is particular to a special bid."""
    yield _promise(rules, bid)
    yield f"It is worth {bid.value}."
    yield from _place(rules, bid)
    yield from _conditions(bid)
    yield from _company(rules, bid)
    yield from _kitty(rules, bid)
    if bid.exposure is Exposure.AFTER_TRICK_1:
        yield "After the first trick the contractor's cards lie face up on the table."
    if bid.exposure is Exposure.BEFORE_LEAD:
        yield "Before the first lead the contractor's cards are laid face up on the table."
    yield from _forced(rules, bid)


def _promise(rules: RuleSet, bid: SpecialBid) -> str:
    if bid.kind is SpecialKind.LOSE_ALL:
        return f"{bid.name} promises to lose every trick, at no trump."
    return f"{bid.name} promises all ten tricks, at no trump or with the trumps that it names."


def _place(rules: RuleSet, bid: SpecialBid) -> Iterator[str]:
    if bid.kind is SpecialKind.TAKE_ALL:
        names = [str(Bid(0, strain, bid.name)) for strain in rules.strain_order]
        yield f"Its five bids are, from low to high, {listed(names)}."
    level, strain = bid.ranks_above
    if rules.bid_order is BidOrder.VALUE:
        yield _by_value(rules, bid_value(rules, Bid(level, strain)))
    else:
        yield _between(rules, level, strain)
    below = [each.name for each in _below_at_its_place(rules, bid)]
    if below:
        yield f"It is higher than {listed(below)}, too, standing in the same place."


def _by_value(rules: RuleSet, value: int) -> str:
    if all(bid_value(rules, Bid(TOP_LEVEL, strain)) <= value for strain in rules.strain_order):
        return "It is higher than every numbered bid."
    return f"It is higher than any numbered bid worth {value} or less, and lower than the rest."


def _between(rules: RuleSet, level: int, strain: int) -> str:
    order = rules.strain_order
    rank = order.index(strain)
    own = Bid(level, strain)
    if rank + 1 < len(order):
        return f"It stands between {own} and {Bid(level, order[rank + 1])}."
    if level < TOP_LEVEL:
        return f"It stands between {own} and {Bid(level + 1, order[0])}."
    return f"It stands above {own} and so above every numbered bid."


def _below_at_its_place(rules: RuleSet, bid: SpecialBid) -> list[SpecialBid]:
    earlier = rules.special_bids[: rules.special_bids.index(bid)]
    return [each for each in earlier if _height(rules, each) == _height(rules, bid)]


def _height(rules: RuleSet, bid: SpecialBid) -> object:
    if rules.bid_order is BidOrder.VALUE:
        return bid_value(rules, Bid(*bid.ranks_above))
    return bid.ranks_above


def _conditions(bid: SpecialBid) -> Iterator[str]:
    if bid.needs_level:
        least = "" if bid.needs_level == TOP_LEVEL else " or more"
        yield f"It may be bid only after somebody has bid {number(bid.needs_level)}{least}."
    if bid.needs_partner_bid:
        yield f"It may be bid only after a partner has bid {bid.needs_partner_bid}."


def _company(rules: RuleSet, bid: SpecialBid) -> Iterator[str]:
    if rules.side_model is SideModel.SOLO:
        return
    if rules.side_model is SideModel.CALLED:
        found = "calls a partner as usual" if bid.partner_plays else "plays alone against all"
        yield f"The contractor {found}."
    elif not bid.partner_plays:
        lay = (
            "lays his cards face down and takes"
            if _has_one(rules)
            else "lay their cards face down and take"
        )
        yield f"{_others(rules)} {lay} no part."
    else:
        play = "plays" if _has_one(rules) else "play"
        yield f"{_others(rules)} {play} as well{_together(bid)}."


def _has_one(rules: RuleSet) -> bool:
    return partners(rules) == "his partner"


def _others(rules: RuleSet) -> str:
    return partners(rules).replace("his", "The contractor's", 1)


def _together(bid: SpecialBid) -> str:
    return ", and must not take a trick" if bid.kind is SpecialKind.LOSE_ALL else ""


def _kitty(rules: RuleSet, bid: SpecialBid) -> Iterator[str]:
    if bid.takes_kitty or not (rules.kitty_size or rules.personal_kitty):
        return
    own = " nor his own" if rules.personal_kitty else ""
    kitty = "the kitty" if rules.kitty_size else "his kitty"
    own = own if rules.kitty_size else ""
    yield f"The contractor does not take {kitty}{own}, and throws nothing."


def _forced(rules: RuleSet, bid: SpecialBid) -> Iterator[str]:
    if bid.kind is SpecialKind.TAKE_ALL:
        return
    who = "the contractor"
    if bid.partner_plays and rules.side_model is not SideModel.SOLO:
        who = "the contractor or a partner"
    if not bid.points_per_forced_trick:
        yield f"Play stops when {who} takes a trick, since the bid has failed."
        return
    points = f"each defending {side(rules)} scores {bid.points_per_forced_trick}"
    yield f"For each trick that {who} takes {points}, so all ten tricks are played."
