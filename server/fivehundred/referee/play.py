"""Questions about the ten tricks: what may be played, in which order, and who wins."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.exchange import exchanges
from fivehundred.referee.members import read_truth
from fivehundred.referee.questions import Question
from fivehundred.rules.actions import Bid, LegalPlays, Pass, Play
from fivehundred.rules.bids import HAND_SIZE, exposed_from, is_lose_all
from fivehundred.rules.cards import CARD_NAMES, SUIT_LETTERS, Suit, as_held, is_joker
from fivehundred.rules.exchange import playing_seats
from fivehundred.rules.lead import first_leader, order_from
from fivehundred.rules.order import NO_SUIT, Order, contract_order, led_suit, trick_winner
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

Plays = Sequence[tuple[int, Play]]


def answer_plays(question: Question) -> dict[str, Any]:
    """What a seat may play."""
    rules, contract = question.rules, _contract(question)
    order, manner = _order(question, contract), _manner(rules, contract)
    led = question.suits("led") | unnameable(contract.joker_suit)
    holding = question.read_cards(question.value("holding"), "holding")
    trick = question.seated_plays("trick") if question.has("trick") else []
    seat = question.seat("seat")
    _check_holding(question, holding, trick)
    _check_turns(rules, contract, trick, seat)
    if not trick:
        void = question.suits("shown_void")
        legal = lead(order, manner, holding, led_suits=led, shown_void=void)
        return {"plays": play_texts(legal)}
    suit = _led_suit(order, manner, trick, led, "trick")
    _check_followers(trick, "trick")
    first = not question.suits("led") >> suit & 1
    return {"plays": play_texts(follow(order, manner, holding, suit, first_round=first))}


def answer_order(question: Question) -> dict[str, Any]:
    """Who plays and in which order, who lays his cards open, who exchanges before."""
    rules, bid = question.rules, question.call("contract")
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
    contract = _joker_contract(question, question.call("contract"), 0)
    order, manner = _order(question, contract), _manner(rules, contract)
    plays = _with_named_suit(question, question.seated_plays("plays"))
    if not plays:
        raise BadQuestion("plays", "no plays: give one or more")
    _check_circle(rules, plays)
    named = plays[0][1].named
    if named is not None or order.suit[plays[0][1].card] != NO_SUIT:
        _led_suit(order, manner, plays, unnameable(contract.joker_suit), "plays")
    _check_followers(plays, "plays")
    card = trick_winner(order, [play.card for _, play in plays], named)
    seat = next(seat for seat, play in plays if play.card == card)
    return {"seat": seat, "card": CARD_NAMES[card]}


def play_texts(legal: LegalPlays) -> list[str]:
    """The legal plays as texts, in the order in which people hold cards."""
    return [str(play) for card in as_held(legal.cards) for play in legal if play.card == card]


def seats_playing(rules: RuleSet, contract: Contract) -> tuple[int, ...]:
    """The seats that play tricks: all where there is no contract."""
    if isinstance(contract.bid, Pass):
        return tuple(range(rules.players))
    return playing_seats(rules, contract.bid, contract.contractor)


def _contract(question: Question) -> Contract:
    return _joker_contract(question, question.call("contract"), question.seat("contractor"))


def _joker_contract(question: Question, bid: Bid | Pass, contractor: int) -> Contract:
    return Contract(bid, contractor, joker_suit=question.joker_suit("joker_suit", bid))


def _order(question: Question, contract: Contract) -> Order:
    nominated = question.jokers("nominated", contract.joker_suit)
    return contract_order(question.rules, contract, nominated)


def _manner(rules: RuleSet, contract: Contract) -> JokerManner:
    bid = contract.bid
    return joker_manner(rules, isinstance(bid, Bid) and is_lose_all(rules, bid))


def _check_holding(question: Question, holding: int, trick: Plays) -> None:
    if not 1 <= holding.bit_count() <= HAND_SIZE:
        raise BadQuestion("holding", f"{holding.bit_count()} cards: give 1 to {HAND_SIZE}")
    for place, (_, play) in enumerate(trick):
        if holding >> play.card & 1:
            raise BadQuestion(f"trick[{place}][1]", f"{play} is in the holding too")
    is_last = holding.bit_count() == 1
    if question.has("last_trick") and is_last is not read_truth(
        question.members["last_trick"], "last_trick"
    ):
        raise BadQuestion("last_trick", f"the holding has {holding.bit_count()} cards: give both")


def _check_turns(rules: RuleSet, contract: Contract, trick: Plays, seat: int) -> None:
    """Refuse a trick whose seats do not play in turn up to the seat asked about."""
    playing = seats_playing(rules, contract)
    if seat not in playing:
        raise BadQuestion("seat", f"seat {seat} sits out: give one of {_told(playing)}")
    seats = [each for each, _ in trick]
    if len(seats) >= len(playing):
        raise BadQuestion("trick", f"{len(seats)} plays of {len(playing)}: the trick is over")
    place = (playing.index(seat) - len(seats)) % len(playing)
    wanted = order_from(playing, playing[place])[: len(seats)]
    for number, (right, given) in enumerate(zip(wanted, seats, strict=True)):
        if right != given:
            why = f"seat {given}: before seat {seat} play {_told(wanted)} in turn"
            raise BadQuestion(f"trick[{number}][0]", why)


def _check_circle(rules: RuleSet, plays: Plays) -> None:
    """Refuse seats that go round more than once, or backwards."""
    leader = plays[0][0]
    places = [(seat - leader) % rules.players for seat, _ in plays]
    for number, (before, after) in enumerate(pairwise(places), start=1):
        if after < before:
            why = f"seat {plays[number][0]} plays before seat {plays[number - 1][0]}"
            raise BadQuestion(f"plays[{number}][0]", f"{why}: give the plays in turn")


def _led_suit(order: Order, manner: JokerManner, plays: Plays, led: int, field: str) -> Suit:
    """The suit to follow; what was led must be a lead by one who holds no other card.

    Which suits the leader has shown void in is unknown, so both ways of naming are let pass.
    """
    play = plays[0][1]
    holding = 1 << play.card
    leads = [
        lead(order, manner, holding, led_suits=led, shown_void=void) for void in (0, ALL_SUITS)
    ]
    if not any(play in legal for legal in leads):
        choices = " ".join(play_texts(leads[0]))
        raise BadQuestion(f"{field}[0][1]", f"{play} may not be led: one of {choices} may")
    return led_suit(order, play.card, play.named)


def _check_followers(plays: Plays, field: str) -> None:
    for place, (_, play) in enumerate(plays):
        if place and play.named is not None:
            raise BadQuestion(f"{field}[{place}][1]", f"{play}: only a joker led names a suit")


def _with_named_suit(question: Question, plays: Plays) -> Plays:
    """The plays, with the suit that the question names apart from them."""
    named = question.suit("named_suit")
    if named is None or not plays:
        return plays
    seat, play = plays[0]
    letter = SUIT_LETTERS[named]
    if not is_joker(play.card):
        raise BadQuestion("named_suit", f"{play} was led: only a joker led names a suit")
    if play.named not in (None, named):
        raise BadQuestion("named_suit", f"{letter}, but {play} was led: leave one out")
    return [(seat, Play(play.card, named)), *plays[1:]]


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
            raise BadQuestion("leader", f"seat {leader} sits out: give one of {_told(playing)}")
        return leader
    if isinstance(contract.bid, Pass):
        return contract.contractor
    by_dealer = rules.first_lead is FirstLead.DEALERS_LEFT
    dealer = question.seat("dealer") if by_dealer else question.seat_or("dealer", 0)
    return first_leader(rules, contract, dealer, playing)


def _told(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))
