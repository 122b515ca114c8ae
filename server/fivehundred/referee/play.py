"""Questions about the ten tricks: what may be played, in which order, and who wins."""

from typing import Any

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.exchange import exchanges
from fivehundred.referee.questions import Question
from fivehundred.referee.tricks import (
    check_circle,
    check_followers,
    check_holding,
    check_nominated,
    check_nominated_played,
    check_past,
    check_turns,
    seats_playing,
    sits_out,
    suit_to_follow,
    sure_others,
    with_named_suit,
)
from fivehundred.rules.actions import Bid, LegalPlays, Pass
from fivehundred.rules.bids import exposed_from, is_lose_all
from fivehundred.rules.cards import (
    CARD_NAMES,
    as_held,
)
from fivehundred.rules.lead import first_leader, order_from
from fivehundred.rules.order import Order, contract_order, trick_winner
from fivehundred.rules.play import (
    ALL_SUITS,
    JokerManner,
    follow,
    joker_manner,
    lead,
    unnameable,
)
from fivehundred.rules.ruleset import FirstLead, RuleSet
from fivehundred.rules.values import Contract


def answer_plays(question: Question) -> dict[str, Any]:
    """What a seat may play."""
    rules, contract = question.rules, _contract(question)
    order, manner = _order(question, contract), _manner(rules, contract)
    led = question.suits("led") | unnameable(contract.joker_suit)
    void = question.suits("shown_void")
    holding = question.read_cards(question.value("holding"), "holding")
    trick = question.seated_plays("trick") if question.has("trick") else []
    seat = question.seat("seat")
    check_holding(question, holding, trick)
    check_turns(rules, contract, trick, seat)
    check_past(question, order, holding)
    check_nominated(question, contract, holding, seat)
    check_nominated_played(question, contract, trick, "trick")
    if not trick:
        legal = lead(order, manner, holding, led_suits=led, shown_void=void)
        return {"plays": play_texts(legal)}
    others = sure_others(question, order, holding, trick)
    suit = suit_to_follow(order, manner, trick[0][1], (led,), others, "trick")
    check_followers(trick, "trick")
    first = not question.suits("led") >> suit & 1
    return {"plays": play_texts(follow(order, manner, holding, suit, first_round=first))}


def answer_order(question: Question) -> dict[str, Any]:
    """Who plays and in which order, who lays his cards open, who exchanges before."""
    rules, bid = question.rules, question.contract("contract")
    contract = Contract(bid, _contractor(question, bid))
    playing = seats_playing(rules, contract)
    leader = _leader(question, contract, playing)
    shown = exposed_from(rules, bid) if isinstance(bid, Bid) else None
    contractor = contract.contractor
    return {
        "order": list(order_from(playing, leader)),
        "sits_out": [seat for seat in range(rules.players) if seat not in playing],
        "exposed": [] if shown is None else [{"seat": contractor, "from_trick": shown}],
        "exchanges": exchanges(rules, bid, contractor) if isinstance(bid, Bid) else [],
    }


def answer_winner(question: Question) -> dict[str, Any]:
    """The seat and the card that win a trick, or lead in it so far."""
    rules = question.rules
    bid = question.contract("contract")
    contract = _joker_contract(question, bid, question.seat_or("contractor", 0))
    order, manner = _order(question, contract), _manner(rules, contract)
    plays = with_named_suit(question, question.seated_plays("plays"))
    if not plays:
        raise BadQuestion("plays", "no plays: give one or more")
    check_circle(question, bid, [seat for seat, _ in plays])
    if question.has("contractor"):
        check_nominated_played(question, contract, plays, "plays")
    led = (unnameable(contract.joker_suit), ALL_SUITS)
    suit_to_follow(order, manner, plays[0][1], led, 0, "plays")
    check_followers(plays, "plays")
    named = plays[0][1].named
    card = trick_winner(order, [play.card for _, play in plays], named)
    seat = next(seat for seat, play in plays if play.card == card)
    return {"seat": seat, "card": CARD_NAMES[card]}


def play_texts(legal: LegalPlays) -> list[str]:
    """The legal plays as texts, in the order in which people hold cards."""
    return [str(play) for card in as_held(legal.cards) for play in legal if play.card == card]


def _contract(question: Question) -> Contract:
    return _joker_contract(question, question.contract("contract"), question.seat("contractor"))


def _joker_contract(question: Question, bid: Bid | Pass, contractor: int) -> Contract:
    return Contract(bid, contractor, joker_suit=question.joker_suit("joker_suit", bid))


def _order(question: Question, contract: Contract) -> Order:
    nominated = question.jokers("nominated", contract.joker_suit)
    return contract_order(question.rules, contract, nominated)


def _manner(rules: RuleSet, contract: Contract) -> JokerManner:
    bid = contract.bid
    return joker_manner(rules, isinstance(bid, Bid) and is_lose_all(rules, bid))


def _contractor(question: Question, bid: Bid | Pass) -> int:
    """The contractor; where there is none, the seat after the dealer leads in his place."""
    if isinstance(bid, Bid) or not question.has("dealer"):
        return question.seat("contractor")
    leader = (question.seat("dealer") + 1) % question.rules.players
    if question.seat_or("contractor", leader) != leader:
        why = f"nobody has bid, so seat {leader} leads, on the dealer's left"
        raise BadQuestion("contractor", f"{why}: give that, or leave it out")
    return leader


def _leader(question: Question, contract: Contract, playing: tuple[int, ...]) -> int:
    rules = question.rules
    if question.has("leader"):
        leader = question.seat("leader")
        if leader not in playing:
            raise BadQuestion("leader", sits_out(leader, playing))
        return leader
    if isinstance(contract.bid, Pass):
        return contract.contractor
    by_dealer = rules.first_lead is FirstLead.DEALERS_LEFT
    dealer = question.seat("dealer") if by_dealer else question.seat_or("dealer", 0)
    return first_leader(rules, contract, dealer, playing)
