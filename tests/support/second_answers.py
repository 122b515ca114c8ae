"""The second opinion asked as anybody asks the referee: a question in, an answer out.

A situation that a question describes is brought about by calls and plays, as far as it can be.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fivehundred.referee.rule_choice import choose
from fivehundred.rules.ruleset import RuleSet
from second_opinion import SecondOpinion, deal, dealt_hand, ladder, pack, suits_and_ranks, value

UNSAID = {"made", "exposed", "thrown", "called", "partners"}
"""Members of answers that the second opinion knows nothing of."""
SUITS = ("D", "H", "S", "C") * 3
HIGH = ("A",) * 4 + ("K",) * 4 + ("Q",) * 2
LOW = ("10",) * 4 + ("9",) * 4 + ("8",) * 2
LOW_IN_SHORT_PACKS = ("J",) * 4 + ("10",) * 4 + ("9",) * 2

Members = Mapping[str, Any]
Answer = dict[str, Any]


class Refused(Exception):
    """An action of a question is illegal; names its field."""


def reply(question: Members) -> Answer:
    """The answer to a question, or the field of what is illegal in it."""
    rules = choose(question.get("rules"))
    try:
        return {"answer": _ANSWERS[question["ask"]](rules, question)}
    except Refused as refused:
        return {"error": {"field": str(refused)}}


def _deck(rules: RuleSet, _: Members) -> Answer:
    cards = pack(rules)
    kitty, personal, dead = deal(rules, cards, 0)[1:]
    own = len(personal[0]) if personal else 0
    counts = {"size": len(cards), "kitty": len(kitty), "personal_kitty": own, "dead": len(dead)}
    return {"cards": cards, **counts}


def _deal(rules: RuleSet, question: Members) -> Answer:
    holdings, kitty, personal, dead = deal(rules, question["deck"], question["dealer"])
    by_seat = {"holdings": list(map(list, holdings)), "personal": list(map(list, personal))}
    return {**by_seat, "kitty": list(kitty), "dead": list(dead)}


def _suit_order(rules: RuleSet, question: Members) -> Answer:
    suits, ranks = suits_and_ranks(rules, question["strain"])
    cards = [card for card, suit in suits.items() if suit == question["suit"]]
    return {"cards": sorted(cards, key=lambda card: -ranks[card])}


def _ladder(rules: RuleSet, _: Members) -> Answer:
    bids = ladder(rules)
    return {"bids": bids, "values": [value(rules, bid) for bid in bids]}


def _calls(rules: RuleSet, question: Members) -> Answer:
    hand = _hand(rules, question["dealer"], {})
    for place, call in enumerate(question["calls"]):
        if hand.phase != "AUCTION" or call not in hand.legal():
            raise Refused(f"calls[{place}]")
        hand.act(call)
    if hand.result is not None:
        return {"redeal": True, "next_dealer": hand.result["next_dealer"]}
    if (contract := _contract(hand)) is not None:
        return {"contract": contract["bid"], "contractor": contract["contractor"]}
    return {"next": hand.turn, "legal": list(hand.legal())}


def _exchange(rules: RuleSet, question: Members) -> Answer:
    contractor = question["contractor"]
    holdings = {contractor: question["holding"]}
    hand = _contracted(rules, question, holdings, question["kitty"])
    if "throw" not in question:
        return {"throw": len(hand.holding(contractor)) - 10}
    text = _settling(question["throw"], question)
    if hand.refuses(text):
        return {"ok": False}
    hand.act(text)
    return {"ok": True, "holding": list(hand.holding(contractor))}


def _callable(rules: RuleSet, question: Members) -> Answer:
    thrown = question.get("thrown", [])
    holdings = {question["contractor"]: question.get("holding", [])}
    hand = _contracted(rules, question, holdings, thrown)

    def may(**settled: Any) -> bool:
        return hand.phase == "EXCHANGE" and not hand.refuses(_settling(thrown, settled))

    seats = [seat for seat in range(rules.players) if may(partners=[seat])]
    return {
        "cards": [card for card in pack(rules) if may(called=card)],
        "seats": seats,
        "most": max((n for n in (1, 2) if seats and may(partners=seats[:n])), default=0),
    }


def _plays(rules: RuleSet, question: Members) -> Answer:
    seat, trick = question["seat"], question.get("trick", [])
    hand = _in_play(rules, question, {seat: question["holding"]}, trick or [[seat, ""]])
    hand.led_suits |= set(question.get("led", []))
    hand.void |= {(seat, suit) for suit in question.get("shown_void", [])}
    for _, play in trick:
        hand.act(play)
    return {"plays": list(hand.legal())}


def _order(rules: RuleSet, question: Members) -> Answer:
    holdings, kitty, personal, _ = deal(rules, pack(rules), 0)
    hand = _contracted(rules, question, dict(enumerate(holdings)), kitty, personal)
    exchanges, order = [], []
    while hand.phase == "EXCHANGE" and hand.turn is not None:
        cards = sorted(hand.holding(hand.turn))
        count = len(cards) - 10
        exchanges.append({"seat": hand.turn, "takes": count, "throws": count})
        hand.act(_settling(cards[:count], {}))
    for _ in range(rules.players - len(hand.out)):
        order.append(hand.turn)
        hand.act(min(hand.legal()))
    return {"order": order, "sits_out": sorted(hand.out), "exchanges": exchanges}


def _winner(rules: RuleSet, question: Members) -> Answer:
    plays: list[tuple[int, str]] = [(seat, play) for seat, play in question["plays"]]
    if "named_suit" in question:
        plays[0] = (plays[0][0], f"{plays[0][1]}:{question['named_suit']}")
    seats = [seat for seat, _ in plays]
    tried = (_in_play(rules, {**question, "contractor": seat}, {}, plays) for seat in seats)
    hand = next(hand for hand in tried if not hand.out & set(seats))
    for _, play in plays:
        hand.act(play)
    taker = hand.takers[-1]
    return {"seat": taker, "card": dict(plays)[taker].partition(":")[0]}


def _score(rules: RuleSet, question: Members) -> Answer:
    """The result of a hand in which the seats take their tricks in the order given, or in turn."""
    lows = LOW if rules.deck_size > 30 else LOW_IN_SHORT_PACKS
    cards = [
        rank + suit for ranks in (HIGH, lows) for rank, suit in zip(ranks, SUITS, strict=False)
    ]
    holdings = {seat: list(cards) for seat in range(rules.players)}
    if (partner := question.get("partner")) is not None:
        holdings[partner].append("2H")
    hand = _contracted(rules, question, holdings)
    if hand.phase == "EXCHANGE":
        hand.act("-" if partner is None else "- called=2H")
    tricks = enumerate(question["tricks"])
    takers = question.get("taken") or [seat for seat, count in tricks for _ in range(count)]
    for suit, high, low, taker in zip(SUITS, HIGH, lows, takers, strict=False):
        played: set[int] = set()
        while hand.turn is not None and hand.turn not in played:
            played.add(hand.turn)
            hand.act((high if hand.turn == taker else low) + suit)
    return hand.result or {}


def _state(rules: RuleSet, question: Members) -> Answer:
    hand = _dealt(rules, question)
    for place, text in enumerate(question["actions"]):
        if hand.refuses(text) if hand.phase == "EXCHANGE" else text not in hand.legal():
            raise Refused(f"actions[{place}]")
        hand.act(text)
    contract = _contract(hand)
    state: Answer = {"phase": hand.phase, "turn": hand.turn, "result": hand.result}
    state["contract"] = contract
    if hand.phase == "EXCHANGE" and hand.turn is not None:
        held = list(hand.holding(hand.turn))
        state["legal"] = {"throw": len(held) - 10, "holding": held}
    if (seat := question.get("seat")) is not None:
        seats = range(rules.players)
        state["view"] = {
            "holding": list(hand.holding(seat)),
            "contract": contract,
            "playing_seats": [each for each in seats if each not in hand.out],
            "tricks_won": [hand.takers.count(each) for each in seats],
        }
    return state


def _contract(hand: SecondOpinion) -> Answer | None:
    """The contract; where a hand is played without one, he who leads stands for a contractor."""
    if hand.contract is not None:
        return {"bid": hand.contract.name, "contractor": hand.contractor}
    leader = (hand.dealer + 1) % hand.rules.players
    return {"bid": "P", "contractor": leader} if hand.phase == "PLAY" else None


def _dealt(rules: RuleSet, question: Members) -> SecondOpinion:
    dealer = question["dealer"]
    if "deck" in question:
        return dealt_hand(rules, question["deck"], dealer)
    holdings = dict(enumerate(question["holdings"]))
    return _hand(rules, dealer, holdings, question["kitty"], question.get("personal", []))


def _hand(
    rules: RuleSet,
    dealer: int,
    holdings: Mapping[int, Iterable[str]],
    kitty: Iterable[str] = (),
    personal: Iterable[Iterable[str]] = (),
    scores: Sequence[int] = (),
) -> SecondOpinion:
    held = [set(holdings.get(seat, ())) for seat in range(rules.players)]
    start = list(scores) or [0] * rules.sides
    return SecondOpinion(rules, held, set(kitty), list(map(set, personal)), dealer, start)


def _contracted(
    rules: RuleSet,
    question: Members,
    holdings: Mapping[int, Iterable[str]],
    kitty: Iterable[str] = (),
    personal: Iterable[Iterable[str]] = (),
) -> SecondOpinion:
    """A hand with the contract of a question; special bids need no bid before them."""
    free = [replace(each, needs_level=0, needs_partner_bid="") for each in rules.special_bids]
    rules, contractor = replace(rules, special_bids=tuple(free)), question["contractor"]
    dealer = question.get("dealer", (contractor - 1) % rules.players)
    hand = _hand(rules, dealer, holdings, kitty, personal, question.get("before", ()))
    while hand.phase == "AUCTION":
        has_bid = hand.contractor is not None
        hand.act(question["contract"] if hand.turn == contractor and not has_bid else "P")
    return hand


def _in_play(
    rules: RuleSet,
    question: Members,
    holdings: Mapping[int, Iterable[str]],
    trick: Sequence[tuple[int, str]],
) -> SecondOpinion:
    """A hand before a trick that is played, or led by a seat; nothing has been exchanged."""
    cards = {seat: [play.partition(":")[0]] for seat, play in trick}
    hand = _contracted(rules, question, {**cards, **holdings})
    while hand.phase == "EXCHANGE":
        hand.act(_settling([], {"joker_suit": question.get("joker_suit")}))
    hand.turn = trick[0][0]
    return hand


def _settling(thrown: Sequence[str], settled: Members) -> str:
    """An exchange as text."""
    words = [*thrown] or ["-"]
    if settled.get("joker_suit"):
        words.append(f"joker={settled['joker_suit']}")
    if settled.get("called"):
        words.append(f"called={settled['called']}")
    if settled.get("partners"):
        words.append(f"partners={','.join(map(str, settled['partners']))}")
    return " ".join(words)


_ANSWERS: Mapping[str, Callable[[RuleSet, Members], Answer]] = {
    "deck": _deck,
    "deal": _deal,
    "suit_order": _suit_order,
    "ladder": _ladder,
    "calls": _calls,
    "exchange": _exchange,
    "callable": _callable,
    "plays": _plays,
    "order": _order,
    "winner": _winner,
    "score": _score,
    "state": _state,
}
