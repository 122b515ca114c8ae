"""What is settled between auction and play, in English."""

from collections.abc import Iterator

from fivehundred.cli.rules_english_words import count, joker, lose_all, number
from fivehundred.rules.ruleset import (
    Callable,
    CallMethod,
    CallRules,
    PersonalKittyUse,
    Reveal,
    RuleSet,
)


def kitty(rules: RuleSet) -> Iterator[str]:
    """Who takes up which cards and throws as many."""
    size, own = rules.kitty_size, rules.personal_kitty
    if not size and not own:
        yield "No cards are exchanged."
        return
    both = "the kitty and his own kitty" if own else "the kitty"
    taken = both if size else "his own kitty"
    total = size + own
    unseen = f"unseen by {_others(rules)}"
    yield f"The contractor takes {taken}, {unseen}, and throws {_any(total)} face down."
    jokers = ("", "the joker and ", "the jokers and ")[rules.jokers]
    yield f"Any card may be thrown, {jokers}the highest trumps too."
    if own and rules.personal_kitty_use is PersonalKittyUse.ALL:
        yield f"Then {_each_other(rules)} takes his own kitty and throws {_any(own)}."
    elif own and rules.players == 2:
        yield "The kitty of the other player stays as it is."
    elif own:
        yield "The kitties of the others stay as they are."


def _others(rules: RuleSet) -> str:
    return "the other player" if rules.players == 2 else "the others"


def _each_other(rules: RuleSet) -> str:
    return _others(rules) if rules.players == 2 else "each of the others who plays"


def _any(size: int) -> str:
    return f"any {count(size, 'card')}"


def nomination(rules: RuleSet) -> Iterator[str]:
    """The suit that the contractor may give his joker."""
    if not rules.jokers or not rules.nominate_before_lead:
        return
    special = f", and in {lose_all(rules)}," if lose_all(rules) else ""
    yield f"At no trump{special} a contractor with {joker(rules)} may give it a suit."
    yield "He says so before the first lead, and it is the highest card of that suit for the hand."
    if rules.jokers == 2:
        yield "With both jokers he gives both the same suit, and the higher is the highest."


def partner(rules: RuleSet) -> Iterator[str]:
    """How a contractor finds a partner after the auction."""
    call = rules.call
    if call is None:
        return
    if call.method is CallMethod.CALL_CARD:
        yield from _called_card(rules, call)
        return
    yield "The contractor may choose another player as his partner, or play alone."
    if call.second_partner_from:
        special = "; a special bid counts as ten" if rules.special_bids else ""
        yield f"From a bid of {number(call.second_partner_from)} on he may choose two{special}."


def _called_card(rules: RuleSet, call: CallRules) -> Iterator[str]:
    yield "The contractor may name a card, and its holder is his partner; or he may play alone."
    yield _callable(rules, call)
    if call.secret_solo:
        secretly = " in secret" if call.reveal is Reveal.WHEN_PLAYED else ""
        yield f"He may name one that he holds or has thrown, and then plays alone{secretly}."
    else:
        yield "He may not name one that he holds or has thrown."
    if call.reveal is Reveal.AT_ONCE:
        yield "The holder shows himself at once."
    else:
        yield "The holder does not show himself until he plays the card."
    if _may_lie_unheld(rules):
        yield "If nobody else holds or takes up the card, the contractor plays alone."


def _may_lie_unheld(rules: RuleSet) -> bool:
    kitties = rules.personal_kitty and rules.personal_kitty_use is PersonalKittyUse.CONTRACTOR
    left = any(each.partner_plays and not each.takes_kitty for each in rules.special_bids)
    return bool(rules.dead_hands or kitties or left)


def _callable(rules: RuleSet, call: CallRules) -> str:
    but = ["a joker"] if rules.jokers else []
    if call.callable is Callable.NOT_TRUMP:
        but.append("a trump")
    elif call.callable is Callable.NOT_JOKER_OR_BOWER:
        but.append("the right or left bower of trumps")
    return f"It may be any card but {' or '.join(but)}." if but else "It may be any card."
