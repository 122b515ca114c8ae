"""Questions about the pack: its cards, how it is dealt, which card is higher."""

from typing import Any

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import counted
from fivehundred.referee.questions import Question, listed
from fivehundred.rules.cards import NO_TRUMP, card_name, mask, names
from fivehundred.rules.order import suit_order
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Deal


def answer_deck(question: Question) -> dict[str, Any]:
    """The pack in canonical order, and where its cards go."""
    rules = question.rules
    return {
        "cards": [card_name(card) for card in deck(rules)],
        "size": rules.deck_size,
        "kitty": rules.kitty_size,
        "personal_kitty": rules.personal_kitty,
        "dead": any_deal(rules).dead.bit_count(),
    }


def answer_deal(question: Question) -> dict[str, Any]:
    """Who gets which cards of a pack in dealing order."""
    dealt = dealt_deck(question)
    return {
        "holdings": [listed(holding) for holding in dealt.holdings],
        "kitty": listed(dealt.kitty),
        "personal": [listed(cards) for cards in dealt.personal],
        "dead": listed(dealt.dead),
    }


def answer_suit_order(question: Question) -> dict[str, Any]:
    """The cards that belong to a suit, from high to low."""
    strain, suit = question.strain("strain"), question.strain("suit")
    if suit == NO_TRUMP:
        raise BadQuestion("suit", "NT is no suit: write S, C, D or H")
    return {"cards": [card_name(card) for card in suit_order(question.rules, strain, suit)]}


def dealt_deck(question: Question) -> Deal:
    """The deal of a question's dealer and deck."""
    dealer = question.seat("dealer")
    cards = list(question.each_card(question.value("deck"), "deck"))
    if missing := mask(deck(question.rules)) & ~mask(cards):
        wrong = f"{counted(len(cards), 'card')}: {names(missing)} not among them"
        raise BadQuestion("deck", wrong)
    return deal(question.rules, cards, dealer)


def any_deal(rules: RuleSet) -> Deal:
    """A deal to count by: the pack in canonical order, dealt by seat 0."""
    return deal(rules, deck(rules), 0)
