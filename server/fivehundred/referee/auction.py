"""Questions about the auction: the bids there are, and whose call it is."""

from typing import Any

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.pack import any_deal
from fivehundred.referee.questions import Question
from fivehundred.rules.actions import LegalCalls
from fivehundred.rules.bids import bid_value, ladder
from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Hand
from fivehundred.rules.values import Phase


def answer_ladder(question: Question) -> dict[str, Any]:
    """Every bid from low to high, with what it is worth."""
    bids = ladder(question.rules)
    values = [bid_value(question.rules, bid) for bid in bids]
    return {"bids": list(map(str, bids)), "values": values}


def answer_calls(question: Question) -> dict[str, Any]:
    """Who calls next and what he may call; or what the auction has come to."""
    rules = question.rules
    hand = Hand(rules, any_deal(rules), question.seat("dealer"), (0,) * rules.sides)
    for place, value in enumerate(question.items("calls", "calls")):
        _call(question, hand, value, f"calls[{place}]")
    if hand.result is not None:
        return {"redeal": True, "next_dealer": hand.result.next_dealer}
    if hand.contract is not None:
        return {"contract": str(hand.contract.bid), "contractor": hand.contract.contractor}
    legal = hand.legal()
    assert isinstance(legal, LegalCalls)
    return {"next": hand.turn, "legal": list(map(str, legal))}


def _call(question: Question, hand: Hand, value: object, field: str) -> None:
    call = question.read_call(value, field)
    if hand.phase is not Phase.AUCTION:
        raise BadQuestion(field, f"{call} comes after the end of the auction: leave it out")
    try:
        hand.apply(call)
    except IllegalAction as error:
        raise BadQuestion(field, str(error)) from None
