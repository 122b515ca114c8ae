"""The question how a hand stands after some actions: whose turn, what is legal, what is seen."""

from collections.abc import Sequence
from typing import Any

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import counted, read_text
from fivehundred.referee.pack import any_deal, dealt_deck
from fivehundred.referee.play import play_texts
from fivehundred.referee.questions import Question, in_plain_letters, listed
from fivehundred.referee.score import beaten
from fivehundred.rules.actions import Action, Legal, LegalCalls, LegalExchange, LegalPlays, Play
from fivehundred.rules.cards import CARD_NAMES, SUIT_LETTERS, Cards, mask, names
from fivehundred.rules.errors import IllegalAction, NotationError
from fivehundred.rules.game import game_end
from fivehundred.rules.hand import Hand
from fivehundred.rules.notation import parse_call, parse_exchange, parse_play
from fivehundred.rules.pack import deck
from fivehundred.rules.scoring import is_made
from fivehundred.rules.values import Contract, Deal, HandResult, Outcome, Phase, SeatView, Trick


def answer_state(question: Question) -> dict[str, Any]:
    """How a hand stands after the actions so far."""
    rules = question.rules
    hand = Hand(rules, _deal(question), question.seat("dealer"), question.points("scores"))
    for place, value in enumerate(question.items("actions", "calls, exchanges and plays")):
        _act(hand, value, f"actions[{place}]")
    answered: dict[str, Any] = {
        "phase": hand.phase.name,
        "turn": hand.turn,
        "legal": None if hand.turn is None else _legal(hand.legal()),
        "contract": _contract(hand.contract),
    }
    if question.has("seat"):
        answered["view"] = _view(hand.view(question.seat("seat")))
    if hand.result is not None:
        answered["result"] = _result(hand, hand.result)
    return answered


def _deal(question: Question) -> Deal:
    apart = [name for name in ("holdings", "kitty", "personal", "dead") if question.has(name)]
    if question.has("deck"):
        if apart:
            raise BadQuestion(apart[0], "beside a deck, which says all: leave one of them out")
        return dealt_deck(question)
    if not question.has("holdings"):
        raise BadQuestion("deck", "is missing: give it, or holdings")
    return _deal_of_parts(question)


def _deal_of_parts(question: Question) -> Deal:
    """A deal by its holdings; what is left over is the kitty, or else the dead cards."""
    full = any_deal(question.rules)
    parts = {
        "holdings": _by_seat(question, "holdings", full.holdings),
        "personal": _by_seat(question, "personal", full.personal),
        "kitty": (question.cards("kitty"),),
        "dead": (question.cards("dead"),),
    }
    used = _disjoint(parts)
    rest = mask(deck(question.rules)) & ~used
    if rest:
        name = "dead" if question.has("kitty") else "kitty"
        if question.has(name):
            raise BadQuestion(name, f"{names(rest)} lies nowhere: put every card of the pack")
        parts[name] = (rest,)
    for name, right in (("kitty", full.kitty), ("dead", full.dead)):
        count, wanted = parts[name][0].bit_count(), right.bit_count()
        if count != wanted:
            there = "there is 1" if wanted == 1 else f"there are {wanted}"
            raise BadQuestion(name, f"{counted(count, 'card')}: {there} in these rules")
    return Deal(parts["holdings"], parts["kitty"][0], parts["personal"], parts["dead"][0])


def _by_seat(question: Question, name: str, sizes: Sequence[Cards]) -> tuple[Cards, ...]:
    """Cards by seat, as many at each as in a deal of these rules."""
    values = question.items(name, "lists of cards by seat") if question.has(name) else ()
    if len(values) != len(sizes):
        wrong = f"{counted(len(values), 'list')}: give {len(sizes)}, one for each seat"
        raise BadQuestion(name, wrong)
    parts: list[Cards] = []
    for seat, (value, right) in enumerate(zip(values, sizes, strict=True)):
        field = f"{name}[{seat}]"
        cards = question.read_cards(value, field)
        if cards.bit_count() != right.bit_count():
            wrong = f"{counted(cards.bit_count(), 'card')}: give {right.bit_count()}"
            raise BadQuestion(field, wrong)
        parts.append(cards)
    return tuple(parts)


def _disjoint(parts: dict[str, tuple[Cards, ...]]) -> Cards:
    used = 0
    for name, sets in parts.items():
        for seat, cards in enumerate(sets):
            if twice := used & cards:
                field = f"{name}[{seat}]" if name in ("holdings", "personal") else name
                raise BadQuestion(field, f"{names(twice)} lies elsewhere too")
            used |= cards
    return used


def _act(hand: Hand, value: object, field: str) -> None:
    text = read_text(value, field, "a call, an exchange or a play")
    if hand.turn is None:
        raise BadQuestion(field, f"{text!r} comes after the end of the hand: leave it out")
    try:
        hand.apply(_action(hand, text))
    except NotationError as error:
        raise BadQuestion(field, f"{error}; {_choices(hand.legal())}") from None
    except IllegalAction as error:
        raise BadQuestion(field, str(error)) from None


def _action(hand: Hand, text: str) -> Action:
    text = in_plain_letters(text)
    if hand.phase is Phase.AUCTION:
        return parse_call(hand.rules, text)
    return parse_exchange(text) if hand.phase is Phase.EXCHANGE else parse_play(text)


def _choices(legal: Legal) -> str:
    if isinstance(legal, LegalExchange):
        return f"throw {legal.throw} of {names(legal.holding)}"
    texts = play_texts(legal) if isinstance(legal, LegalPlays) else map(str, legal)
    return f"legal now: {' '.join(texts)}"


def _legal(legal: Legal) -> list[str] | dict[str, Any]:
    match legal:
        case LegalCalls():
            return list(map(str, legal))
        case LegalPlays():
            return play_texts(legal)
        case LegalExchange():
            return {
                "throw": legal.throw,
                "holding": listed(legal.holding),
                "callable": listed(legal.callable),
                "seats": list(legal.choosable),
                "most": legal.partners,
                "nominable": listed(legal.nominable),
            }


def _contract(contract: Contract | None) -> dict[str, Any] | None:
    if contract is None:
        return None
    suit, called = contract.joker_suit, contract.called
    return {
        "bid": str(contract.bid),
        "contractor": contract.contractor,
        "joker_suit": None if suit is None else SUIT_LETTERS[suit],
        "called": None if called is None else CARD_NAMES[called],
        "partners": list(contract.partners),
    }


def _view(view: SeatView) -> dict[str, Any]:
    return {
        "seat": view.seat,
        "dealer": view.dealer,
        "holding": listed(view.holding),
        "auction": [[seat, str(call)] for seat, call in view.auction],
        "contract": _contract(view.contract),
        "playing_seats": list(view.playing_seats),
        "tricks": [_trick(trick) for trick in view.tricks],
        "tricks_won": list(view.tricks_won),
        "scores": list(view.scores),
        "thrown": listed(view.thrown),
        "exposed": listed(view.exposed),
        "decision_number": view.decision_number,
    }


def _trick(trick: Trick) -> list[list[Any]]:
    """The plays of a trick, as the ask `plays` takes them."""
    names = [None] * len(trick.cards)
    suits = [trick.named, *names[1:]]
    plays = (Play(card, suit) for card, suit in zip(trick.cards, suits, strict=True))
    return [[seat, str(play)] for seat, play in zip(trick.seats, plays, strict=True)]


def _result(hand: Hand, result: HandResult) -> dict[str, Any]:
    return {
        "outcome": result.outcome.name,
        "tricks": list(result.tricks_won),
        "change": list(result.change),
        "over": result.game_over,
        "winners": list(result.winners),
        "losers": _losers(hand, result),
        "next_dealer": result.next_dealer,
    }


def _losers(hand: Hand, result: HandResult) -> list[int]:
    """The sides that the floor has beaten, which a result leaves out."""
    contract = result.contract
    if result.outcome is not Outcome.PLAYED or contract is None:
        return []
    made = is_made(hand.rules, contract, result.tricks_won)
    ending = game_end(hand.rules, hand.scores, result.change, contract, made, hand.taken)
    return beaten(ending[1], ending[2])
