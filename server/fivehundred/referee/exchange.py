"""Questions about what is settled between auction and play."""

from collections.abc import Sequence
from typing import Any

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import counted, read_list
from fivehundred.referee.pack import any_deal
from fivehundred.referee.questions import Question, listed
from fivehundred.rules.actions import Bid, Exchange, LegalExchange
from fivehundred.rules.bids import HAND_SIZE
from fivehundred.rules.cards import Cards, card_name, mask, names
from fivehundred.rules.exchange import (
    exchanging_seats,
    legal_exchange,
    may_nominate,
    picked_up,
    playing_seats,
)
from fivehundred.rules.ruleset import RuleSet


def answer_exchange(question: Question) -> dict[str, Any]:
    """Whether a seat may throw and settle what it wants to; or how many cards it must throw."""
    bid, contractor = question.bid("contract"), question.seat("contractor")
    seat = question.seat_or("seat", contractor)
    takes = taken_up(question.rules, bid, seat, contractor)
    twice = _thrown_twice(question)
    exchange = _exchange(question, twice)
    if not question.has("throw"):
        _check_holding(question, takes)
        return {"throw": takes}
    if seat not in playing_seats(question.rules, bid, contractor):
        return {"ok": False, "reason": f"seat {seat} sits out: it has nothing to exchange"}
    holding = _whole_holding(question, takes)
    if twice:
        return {"ok": False, "reason": f"{names(twice)} thrown twice: name each card once"}
    legal = legal_exchange(question.rules, bid, seat, contractor, holding, takes)
    if (refusal := _refusal(question, bid, legal, exchange)) is not None:
        return {"ok": False, "reason": refusal}
    return {"ok": True, "holding": listed(holding & ~exchange.thrown)}


def answer_callable(question: Question) -> dict[str, Any]:
    """The cards that a contractor may call, or the seats that he may choose."""
    rules, bid = question.rules, question.bid("contract")
    contractor = question.seat("contractor")
    if rules.call is None:
        why = "nobody calls a card or chooses a partner under these rules"
        raise BadQuestion("rules", f"{why}: take some whose side_model is CALLED")
    thrown = question.cards("thrown")
    holding = question.cards("holding") | thrown
    _check_sizes(question, holding, taken_up(rules, bid, contractor, contractor))
    legal = legal_exchange(rules, bid, contractor, contractor, holding, 0)
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


def _check_holding(question: Question, takes: int) -> None:
    """Refuse a holding that the seat cannot have, where one is given."""
    if question.has("holding") and question.has("kitty"):
        _whole_holding(question, takes)
    elif question.has("holding"):
        _check_sizes(question, question.cards("holding"), takes)


def _whole_holding(question: Question, takes: int) -> Cards:
    """The holding with the cards taken up, none of which may be missing."""
    holding = _holding(question, takes)
    if holding.bit_count() != HAND_SIZE + takes:
        wanted = f"give {HAND_SIZE} and the {takes} taken up" if takes else f"give {HAND_SIZE}"
        raise BadQuestion("holding", f"{_cards(holding)} in all: {wanted}")
    return holding


def _check_sizes(question: Question, holding: Cards, takes: int) -> None:
    """Refuse a contractor's holding, or what he throws, that he cannot have so."""
    sizes = sorted({HAND_SIZE, HAND_SIZE + takes})
    if question.has("holding") and question.cards("holding").bit_count() not in sizes:
        wrong = _cards(question.cards("holding"))
        with_kitty = f", or {sizes[-1]} with those taken up" if takes else ""
        raise BadQuestion("holding", f"{wrong}: give {HAND_SIZE}{with_kitty}")
    thrown = question.cards("thrown")
    if question.has("thrown") and thrown.bit_count() != takes:
        raise BadQuestion("thrown", f"{_cards(thrown)}: the contractor throws {takes}")
    if holding.bit_count() > sizes[-1]:
        raise BadQuestion("thrown", f"{_cards(holding)} with the holding: give {sizes[-1]} in all")


def _refusal(question: Question, bid: Bid, legal: LegalExchange, exchange: Exchange) -> str | None:
    """Why an exchange is not legal: what is thrown first, then what is settled."""
    if (refusal := legal.refusal(Exchange(exchange.thrown))) is not None:
        return refusal
    if exchange.joker_suit is not None and not may_nominate(question.rules, bid):
        return f"{question.why_not_nominated()}: leave joker_suit out"
    if exchange.called is not None:
        cards = legal.callable_after(exchange.thrown)
        if not cards >> exchange.called & 1:
            may = f"call one of {names(cards)}" if cards else "no card is called here"
            return f"{card_name(exchange.called)} may not be called: {may}"
    return legal.refusal(exchange)


def _cards(cards: Cards) -> str:
    return counted(cards.bit_count(), "card")


def _holding(question: Question, takes: int) -> Cards:
    """The holding, with the cards taken up where they are given."""
    holding = question.read_cards(question.value("holding"), "holding")
    kitty = question.cards("kitty")
    if question.has("kitty") and kitty.bit_count() != takes:
        raise BadQuestion("kitty", f"{_cards(kitty)}: this seat takes up {takes}")
    if kitty & holding:
        raise BadQuestion("kitty", f"{names(kitty & holding)} in the holding too")
    return holding | kitty


def _exchange(question: Question, twice: Cards) -> Exchange:
    """What is thrown and settled; nothing is thrown where a card is named ``twice``."""
    called = question.members.get("called")
    return Exchange(
        thrown=0 if twice else question.cards("throw"),
        joker_suit=question.suit("joker_suit"),
        called=None if called is None else question.read_card(called, "called"),
        partners=_partners(question),
    )


def _partners(question: Question) -> tuple[int, ...]:
    if not question.has("partners"):
        return ()
    return question.read_seats(question.items("partners", "seats"), "partners")


def _thrown_twice(question: Question) -> Cards:
    """The cards that a list to be thrown names more than once: no exchange, but a question."""
    values: Sequence[Any] = ()
    if question.has("throw"):
        values = read_list(question.members["throw"], "throw", "cards")
    cards = [question.read_card(each, f"throw[{n}]") for n, each in enumerate(values)]
    return mask(card for card in set(cards) if cards.count(card) > 1)
