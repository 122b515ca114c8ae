"""Questions about what is settled between auction and play."""

from collections.abc import Sequence
from typing import Any

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import read_list
from fivehundred.referee.pack import any_deal
from fivehundred.referee.questions import Question, listed
from fivehundred.rules.actions import Bid, Exchange
from fivehundred.rules.bids import HAND_SIZE
from fivehundred.rules.cards import Cards, mask, names
from fivehundred.rules.exchange import exchanging_seats, legal_exchange, picked_up
from fivehundred.rules.ruleset import RuleSet


def answer_exchange(question: Question) -> dict[str, Any]:
    """Whether a seat may throw and settle what it wants to; or how many cards it must throw."""
    bid, contractor = question.bid("contract"), question.seat("contractor")
    seat = question.seat_or("seat", contractor)
    takes = taken_up(question.rules, bid, seat, contractor)
    holding = _holding(question, takes)
    if not question.has("throw"):
        return {"throw": takes}
    if holding.bit_count() != HAND_SIZE + takes:
        wanted = f"give {HAND_SIZE} and the {takes} taken up" if takes else f"give {HAND_SIZE}"
        raise BadQuestion("holding", f"{holding.bit_count()} cards in all: {wanted}")
    if twice := _thrown_twice(question):
        return {"ok": False, "reason": f"{twice} thrown twice: name each card once"}
    exchange = _exchange(question)
    legal = legal_exchange(question.rules, bid, seat, contractor, holding, takes)
    if (refusal := legal.refusal(exchange)) is not None:
        return {"ok": False, "reason": refusal}
    return {"ok": True, "holding": listed(holding & ~exchange.thrown)}


def answer_callable(question: Question) -> dict[str, Any]:
    """The cards that a contractor may call, or the seats that he may choose."""
    bid, contractor = question.bid("contract"), question.seat("contractor")
    thrown = question.cards("thrown")
    holding = question.cards("holding") | thrown
    legal = legal_exchange(question.rules, bid, contractor, contractor, holding, 0)
    return {
        "cards": listed(legal.callable_after(thrown)),
        "seats": list(legal.choosable),
        "most": legal.partners,
    }


def taken_up(rules: RuleSet, bid: Bid, seat: int, contractor: int) -> int:
    """How many cards a seat takes up, and throws; 0 where it exchanges nothing."""
    deal = any_deal(rules)
    if seat not in exchanging_seats(rules, deal, bid, contractor):
        return 0
    return picked_up(rules, deal, bid, seat, contractor).bit_count()


def exchanges(rules: RuleSet, bid: Bid, contractor: int) -> list[dict[str, int]]:
    """What the seats take up and throw, in the order in which they do."""
    seats = exchanging_seats(rules, any_deal(rules), bid, contractor)
    counts = {seat: taken_up(rules, bid, seat, contractor) for seat in seats}
    return [{"seat": seat, "takes": count, "throws": count} for seat, count in counts.items()]


def _holding(question: Question, takes: int) -> Cards:
    """The holding with the cards taken up."""
    holding = question.read_cards(question.value("holding"), "holding")
    kitty = question.cards("kitty")
    if question.has("kitty") and kitty.bit_count() != takes:
        raise BadQuestion("kitty", f"{kitty.bit_count()} cards: this seat takes up {takes}")
    if kitty & holding:
        raise BadQuestion("kitty", f"{names(kitty & holding)} in the holding too")
    return holding | kitty


def _exchange(question: Question) -> Exchange:
    called = question.members.get("called")
    return Exchange(
        thrown=question.cards("throw"),
        joker_suit=question.suit("joker_suit"),
        called=None if called is None else question.read_card(called, "called"),
        partners=_partners(question),
    )


def _partners(question: Question) -> tuple[int, ...]:
    if not question.has("partners"):
        return ()
    return question.read_seats(question.items("partners", "seats"), "partners")


def _thrown_twice(question: Question) -> str:
    """The cards that a list to be thrown names more than once: no exchange, but a question."""
    values: Sequence[Any] = read_list(question.value("throw"), "throw", "cards")
    cards = [question.read_card(each, f"throw[{n}]") for n, each in enumerate(values)]
    return names(mask(card for card in set(cards) if cards.count(card) > 1))
