"""The second referee against the vectors of the rules reference."""

from dataclasses import replace
from typing import Any

import pytest

from fivehundred.rules.ruleset import (
    AllPass,
    FirstLead,
    FloorEffect,
    Growth,
    JokerFollow,
    JokerLead,
    RuleSet,
    SeveralReach,
)
from fivehundred.wire.presets import load_preset
from second_opinion import SecondOpinion, deal, ladder, pack, value

AU = "au-4p-43"
VI = "qc-4p-46-vi"
TRICK_SUITS = ("D", "H", "S", "C", "D", "H", "S", "C", "D", "H")
HIGH = ("A", "A", "A", "A", "K", "K", "K", "K", "Q", "Q")
LOW = ("10", "10", "10", "10", "9", "9", "9", "9", "8", "8")
LOW_IN_SHORT_PACKS = ("J", "J", "J", "J", "10", "10", "10", "10", "9", "9")


def rules_of(preset: str, **changed: Any) -> RuleSet:
    return replace(load_preset(preset), **changed)


def after_calls(rules: RuleSet, calls: str, dealer: int = 0) -> SecondOpinion:
    empty: list[set[str]] = [set() for _ in range(rules.players)]
    hand = SecondOpinion(rules, empty, set(), [], dealer, [0] * rules.sides)
    for call in calls.split():
        hand.act(call)
    return hand


def dealt(rules: RuleSet, dealer: int = 0) -> SecondOpinion:
    holdings, kitty, personal, _ = deal(rules, pack(rules), dealer)
    return SecondOpinion(rules, holdings, kitty, personal, dealer, [0] * rules.sides)


# --- A: the deal ---


@pytest.mark.parametrize(
    ("preset", "holder", "places"),
    [
        (AU, "1", "0 1 2 13 14 15 16 30 31 32"),
        (AU, "0", "9 10 11 25 26 27 28 39 40 41"),
        (AU, "kitty", "12 29 42"),
        (VI, "1", "0 1 2 14 15 16 17 32 33 34"),
        (VI, "kitty", "12 13 30 31 44 45"),
        ("ko-3p-33", "1", "0 1 2 9 10 11 12 21 22 23"),
        ("ko-3p-33", "kitty", "30 31 32"),
    ],
)
def test_deal(preset: str, holder: str, places: str) -> None:
    rules = load_preset(preset)
    deck = pack(rules)
    holdings, kitty, _, _ = deal(rules, deck, 0)
    got = kitty if holder == "kitty" else holdings[int(holder)]
    assert got == {deck[int(place)] for place in places.split()}


def test_every_card_is_dealt_once() -> None:
    for preset in ("hist-2p-25", "uspc-2p-33-dead", "us-4p-45", "au-6p-63", "hist-6p-60"):
        rules = load_preset(preset)
        holdings, kitty, personal, dead = deal(rules, pack(rules), 1)
        piles = [*holdings, kitty, *personal, dead]
        assert sorted(card for pile in piles for card in pile) == sorted(pack(rules))
        assert [len(holding) for holding in holdings] == [10] * rules.players
        assert (len(kitty), len(dead)) == (rules.kitty_size, 10 * rules.dead_hands)


# --- B: the rank of cards ---


@pytest.mark.parametrize(
    ("preset", "contract", "cards"),
    [
        (AU, "6S", "JKR JS JC AS KS QS 10S 9S 8S 7S 6S 5S"),
        (AU, "6H", "JKR JH JD AH KH QH 10H 9H 8H 7H 6H 5H 4H"),
        (AU, "6H", "AS KS QS JS 10S 9S 8S 7S 6S 5S"),
        (VI, "8S", "JKR JK2 JS JC AS KS QS 10S 9S 8S 7S 6S 5S 4S"),
        ("hist-4p-44", "6C", "JC JS AC KC QC 10C 9C 8C 7C 6C 5C 4C"),
        ("au-6p-63", "6H", "JKR JH JD AH KH QH 13H 12H 11H 10H 9H 8H 7H 6H 5H 4H 3H 2H"),
        ("au-6p-63", "6H", "AS KS QS JS 12S 11S 10S 9S 8S 7S 6S 5S 4S 3S 2S"),
        ("ko-2p-23", "6D", "JKR JD JH AD KD QD 10D 9D"),
        (AU, "6NT", "AD KD QD JD 10D 9D 8D 7D 6D 5D 4D"),
    ],
)
def test_cards_of_a_suit_from_high_to_low(preset: str, contract: str, cards: str) -> None:
    rules = load_preset(preset)
    ranking = cards.split()
    for lower, higher in zip(ranking[1:], ranking, strict=False):
        tricks = {seat: {lower} for seat in range(rules.players)}
        tricks[2 % rules.players] = {higher}
        hand = contracted(rules, contract, tricks)
        while hand.turn is not None and hand.holding(hand.turn):
            hand.act(next(iter(hand.holding(hand.turn))))
        assert hand.turn == 2 % rules.players


# --- C: the auction ---


@pytest.mark.parametrize(
    ("preset", "calls", "legal", "illegal"),
    [
        (AU, "", "6S OM 10NT P", "MIS"),
        (AU, "6NT", "7S", "MIS"),
        (AU, "7NT", "MIS 8S", "7NT"),
        (AU, "8S", "8C", "MIS"),
        (AU, "6S P 7S", "MIS", ""),
        (AU, "10H", "10NT", "OM"),
        (AU, "OM", "10H 10NT", "10D OM"),
        ("us-4p-45-inkle", "P P", "7S", "6S 6NT"),
        ("us-4p-45-inkle", "6H 6NT P", "7S", "6NT"),
        ("us-4p-43-nullo", "8C", "8D", "NULLO"),
        ("us-4p-43-nullo", "NULLO", "BAR", "DBL"),
        ("us-4p-43-nullo", "NULLO P", "DBL", ""),
        (VI, "", "6S 10NT GAME-S", "5NT"),
        (VI, "GAME-H", "GAME-NT", "10NT GAME-D GAME-H"),
        ("hist-3p-32", "6C", "6S", ""),
        ("hist-3p-32", "8C", "7H", "7S 6NT"),
    ],
)
def test_calls(preset: str, calls: str, legal: str, illegal: str) -> None:
    open_calls = after_calls(load_preset(preset), calls).legal()
    assert set(legal.split()) <= open_calls
    assert not set(illegal.split()) & open_calls


def test_misere_above_eight_spades() -> None:
    usual = load_preset(AU)
    misere = replace(usual.special_bids[0], ranks_above=(8, 0))
    hand = after_calls(replace(usual, special_bids=(misere,)), "7H MIS")
    assert "8C" in hand.legal()
    assert "8S" not in hand.legal()


@pytest.mark.parametrize(
    ("preset", "calls", "contractor", "contract"),
    [
        (AU, "P 6H 6NT P 7H P", 2, "7H"),
        ("us-4p-45-inkle", "7S 7C P P", 2, "7C"),
        ("ko-3p-33", "6S 6D P P", 2, "6D"),
        (AU, "10NT", 1, "10NT"),
    ],
)
def test_end_of_auction(preset: str, calls: str, contractor: int, contract: str) -> None:
    hand = after_calls(load_preset(preset), calls)
    assert hand.phase != "AUCTION"
    assert (hand.contractor, hand.contract and hand.contract.name) == (contractor, contract)


@pytest.mark.parametrize(
    ("preset", "calls", "next_dealer"),
    [(AU, "P P P P", 1), (VI, "6S 7H P 7NT P P", 1), ("qc-4p-46-mcgill", "P P P P", 0)],
)
def test_all_pass(preset: str, calls: str, next_dealer: int) -> None:
    result = after_calls(load_preset(preset), calls).result
    assert result is not None
    assert (result["outcome"], result["next_dealer"]) == ("PASSED_OUT", next_dealer)


def test_a_pass_is_final() -> None:
    assert after_calls(load_preset(AU), "P 6S P 7S").turn == 2


def test_the_high_bidder_may_raise_once() -> None:
    rules = rules_of(AU, winner_may_raise=True)
    hand = after_calls(rules, "6S P P P")
    assert (hand.phase, hand.turn) == ("AUCTION", 1)
    hand.act("7S")
    assert hand.contract is not None
    assert hand.contract.name == "7S"
    assert after_calls(rules, "10NT").phase != "AUCTION"


# --- D: kitty, partner, lead ---


@pytest.mark.parametrize(("preset", "call", "held"), [(AU, "6S", 13), (VI, "8S", 16)])
def test_the_contractor_takes_the_kitty(preset: str, call: str, held: int) -> None:
    rules = load_preset(preset)
    hand = dealt(rules, dealer=3)
    for text in [call, "P", "P", "P"]:
        hand.act(text)
    cards = sorted(hand.holding(0))
    assert len(cards) == held
    assert not hand.refuses(" ".join(cards[: held - 10]))
    assert hand.refuses(" ".join(cards[: held - 11]))
    assert hand.refuses(" ".join(cards[: held - 9]))
    assert hand.refuses(" ".join([cards[0], *cards[: held - 11]]))
    missing = next(card for card in pack(rules) if card not in cards)
    assert hand.refuses(" ".join([missing, *cards[: held - 11]]))


def test_no_exchange_without_a_kitty() -> None:
    hand = dealt(load_preset("hist-6p-60"))
    for text in ["6S", *"PPPPP"]:
        hand.act(text)
    assert (hand.phase, hand.turn) == ("PLAY", 1)


def test_each_takes_his_personal_kitty() -> None:
    hand = dealt(load_preset("hist-2p-24"))
    hand.act("6S")
    hand.act("P")
    for seat in (1, 0):
        assert (hand.phase, hand.turn, len(hand.holding(seat))) == ("EXCHANGE", seat, 12)
        hand.act(" ".join(sorted(hand.holding(seat))[:2]))
    assert (hand.phase, hand.turn) == ("PLAY", 1)


@pytest.mark.parametrize(
    ("preset", "calls", "order"),
    [
        (AU, "P P 6S P P", [3, 0, 1, 2]),
        (AU, "P 7S MIS P P", [3, 0, 2]),
        ("au-6p-63", "7S MIS P P P P P", [2, 3, 5, 1]),
        ("au-5p-53", "P P 7S MIS P P P", [4, 0, 1, 2, 3]),
        ("us-4p-43-nullo", "P P BAR P", [3, 0, 2]),
    ],
)
def test_order_of_play(preset: str, calls: str, order: list[int]) -> None:
    hand = dealt(load_preset(preset))
    for text in calls.split():
        hand.act(text)
    if hand.phase == "EXCHANGE":
        hand.act(" ".join(sorted(hand.holding(order[0]) - {"JKR"})[:3]))
    seats = []
    for _ in order:
        assert hand.turn is not None
        seats.append(hand.turn)
        hand.act(min(hand.legal()))
    assert seats == order


@pytest.mark.parametrize(
    ("contract", "called", "refused"),
    [
        ("8H", "KS", False),
        ("8H", "AH", False),
        ("8H", "JKR", True),
        ("8H", "JH", True),
        ("8H", "JD", True),
        ("8NT", "JH", False),
        ("8NT", "JKR", True),
        ("8H", "2S", True),
    ],
)
def test_called_card(contract: str, called: str, refused: bool) -> None:
    rules = load_preset("au-5p-53")
    hands = {1: {"2S"}, 2: {"KS", "AH", "JH", "JD", "JKR"}}
    hand = contracted(rules, contract, hands, exchange="")
    assert hand.refuses(f"- called={called}") is refused


@pytest.mark.parametrize(
    ("contract", "partners", "refused"),
    [("7D", "2", False), ("7D", "2,3", True), ("8D", "2,3", False), ("8D", "1", True)],
)
def test_chosen_partners(contract: str, partners: str, refused: bool) -> None:
    hand = contracted(load_preset("uspc-5p-53"), contract, {}, exchange="")
    assert hand.refuses(f"- partners={partners}") is refused


def test_all_pass_is_played_out() -> None:
    rules = rules_of("ko-3p-33", all_pass=AllPass.PLAY_OUT)
    result = finished(rules, "P", 1, [1, 0, 0, 2, 2, 2, 1, 1, 1, 1])
    assert (result["contract"], result["contractor"]) == ("P", None)
    assert result["change"] == [20, 50, 30]


# --- E and F: play ---


def contracted(
    rules: RuleSet,
    contract: str,
    hands: dict[int, set[str]],
    exchange: str = "-",
    contractor: int = 1,
) -> SecondOpinion:
    """A seat has the contract after a deal of seat 0; nothing lies in the kitty."""
    holdings = [set(hands.get(seat, set())) for seat in range(rules.players)]
    hand = SecondOpinion(rules, holdings, set(), [], 0, [0] * rules.sides)
    while hand.phase == "AUCTION":
        hand.act(contract if hand.turn == contractor and hand.contractor is None else "P")
    if hand.phase == "EXCHANGE" and exchange:
        hand.act(exchange)
    return hand


def at_any_time(rules: RuleSet) -> RuleSet:
    """The same rules, with special bids that need no bid before them."""
    return replace(rules, special_bids=tuple(replace(s, needs_level=0) for s in rules.special_bids))


@pytest.mark.parametrize(
    ("preset", "contract", "nominated", "led", "hand", "expected"),
    [
        (AU, "6S", "", "5S", "JC AH 4D", "JC"),
        (AU, "6H", "", "4H", "JKR AS KD", "JKR"),
        (AU, "6H", "", "KD", "JD 7S JKR", "JD 7S JKR"),
        (AU, "6H", "", "KD", "JD 6D JKR", "6D"),
        (AU, "6S", "", "JKR", "AC 6S JC", "6S JC"),
        (AU, "6NT", "", "9C", "JC AH", "JC"),
        (AU, "6NT", "", "9C", "JKR 5C AH", "5C"),
        (AU, "6NT", "", "9C", "JKR AH", "JKR AH"),
        (AU, "MIS", "", "9C", "JKR AH 6D", "JKR"),
        (AU, "MIS", "H", "9C", "JKR AH 6D", "JKR AH 6D"),
        (AU, "6NT", "D", "9D", "JKR AH", "JKR"),
        (AU, "6NT", "", "JKR:D", "9D AC", "9D"),
        (VI, "8NT", "", "AH", "JKR 5H 9C", "5H"),
        (VI, "8NT", "", "AH", "JKR JK2 9C", "JKR JK2 9C"),
        (VI, "8NT", "", "JK2", "AH KH", "AH KH"),
        (VI, "8NT", "", "JK2", "AH JKR", "JKR"),
        ("hist-4p-44", "6D", "", "JH", "JD AH", "JD"),
        ("au-6p-63", "6C", "", "12D", "13D JD 4C", "13D JD"),
    ],
)
def test_following(
    preset: str, contract: str, nominated: str, led: str, hand: str, expected: str
) -> None:
    assert following(load_preset(preset), contract, nominated, led, hand) == set(expected.split())


def following(rules: RuleSet, contract: str, nominated: str, led: str, held: str) -> set[str]:
    """What the contractor may play to a lead of the seat before him."""
    rules = replace(at_any_time(rules), first_lead=FirstLead.DEALERS_LEFT)
    exchange = f"- joker={nominated}" if nominated else "-"
    hands = {1: {led.partition(":")[0]}, 2: set(held.split())}
    hand = contracted(rules, contract, hands, exchange, contractor=2)
    hand.act(led)
    return hand.legal()


def test_a_joker_on_the_first_round_of_a_suit() -> None:
    rules = rules_of(AU, joker_follow=JokerFollow.FIRST_ROUND_OF_SUIT)
    assert following(rules, "6NT", "", "9C", "JKR 5C AH") == {"JKR", "5C"}


@pytest.mark.parametrize(
    ("preset", "contract", "led_before", "hand", "expected"),
    [
        (AU, "6NT", "", "JKR 5C", "JKR:S JKR:C JKR:D JKR:H 5C"),
        (AU, "6NT", "S H", "JKR 5C", "JKR:C JKR:D 5C"),
        (AU, "6NT", "S C D H", "JKR 5C", "5C"),
        (AU, "6NT", "S C D H", "JKR", "JKR"),
        ("ko-4p-43", "6NT", "S C D H", "JKR 7C", "JKR:S JKR:C JKR:D JKR:H 7C"),
        ("qc-4p-46-mcgill", "6NT", "", "JKR JK2", "JKR JK2"),
        ("qc-4p-46-mcgill", "6NT", "", "JKR 4S", "4S"),
        (AU, "6H", "S C D H", "JKR 4S", "JKR 4S"),
    ],
)
def test_leading(preset: str, contract: str, led_before: str, hand: str, expected: str) -> None:
    suits = led_before.split()
    ranks = {1: "A", 2: "8", 3: "9", 0: "10"}
    hands = {seat: {rank + suit for suit in suits} for seat, rank in ranks.items()}
    hands[1] |= set(hand.split())
    referee = contracted(load_preset(preset), contract, hands)
    for suit in suits:
        for rank in ranks.values():
            referee.act(rank + suit)
    assert referee.legal() == set(expected.split())


def test_a_joker_may_not_name_a_suit_shown_void() -> None:
    rules = rules_of(AU, joker_lead=JokerLead.NAME_NOT_SHOWN_VOID)
    hands = {1: {"5C", "9D", "AH", "JKR", "7C"}, 2: {"9C", "AS", "5H"}}
    hands |= {3: {"6C", "6S", "6H"}, 0: {"8C", "8S", "8H"}}
    hand = contracted(rules, "6NT", hands)
    tricks = "5C 9C 6C 8C AS 6S 8S 9D 5H 6H 8H AH"
    for card in tricks.split():
        hand.act(card)
    assert hand.legal() == {"JKR:C", "JKR:D", "JKR:H", "7C"}


@pytest.mark.parametrize(
    ("preset", "contract", "nominated", "played", "winner"),
    [
        (AU, "6S", "", "AS JC JS JKR", "JKR"),
        (AU, "6S", "", "AH 10H 5S KH", "5S"),
        (AU, "6NT", "", "AC JKR KC QC", "JKR"),
        (AU, "MIS", "H", "9C JKR 5C", "9C"),
        (AU, "6NT", "", "JKR:D AD 4D KS", "JKR"),
        (VI, "8NT", "", "AH JK2 KH JKR", "JKR"),
        ("hist-4p-44", "6C", "", "AC JS KC 10C", "JS"),
        (AU, "6S", "", "6D AH KC 5D", "6D"),
        (AU, "6D", "", "AH JH 4D KH", "JH"),
        ("ko-2p-23", "6H", "", "JD JH", "JH"),
        (VI, "8NT", "", "JK2 AH 4S KD", "JK2"),
        ("au-6p-63", "6NT", "", "10H 11H 13H JH 12H 4S", "JH"),
    ],
)
def test_winner(preset: str, contract: str, nominated: str, played: str, winner: str) -> None:
    rules = replace(at_any_time(load_preset(preset)), first_lead=FirstLead.DEALERS_LEFT)
    cards = [play.partition(":")[0] for play in played.split()]
    seats = [(1 + place) % rules.players for place in range(len(cards))]
    hands = {seat: {card} for seat, card in zip(seats, cards, strict=True)}
    exchange = f"- joker={nominated}" if nominated else "-"
    hand = contracted(rules, contract, hands, exchange, contractor=2 % rules.players)
    for play in played.split():
        hand.act(play)
    assert hand.turn == seats[cards.index(winner)]


# --- G and H: the score and the end ---


def by_seat(tricks: list[int]) -> list[int]:
    return [seat for seat, count in enumerate(tricks) for _ in range(count)]


def finished(
    rules: RuleSet,
    contract: str,
    contractor: int,
    takers: list[int],
    before: list[int] | None = None,
    partner: int | None = None,
) -> dict[str, Any]:
    """The result of a hand in which the tricks go to the takers in their order."""
    lows = LOW if rules.deck_size > 30 else LOW_IN_SHORT_PACKS
    cards = {rank + suit for rank, suit in zip(HIGH + lows, TRICK_SUITS * 2, strict=True)}
    holdings = [set(cards) for _ in range(rules.players)]
    if partner is not None:
        holdings[partner].add("2H")
    scores = before or [0] * rules.sides
    dealer = (contractor - 1) % rules.players
    hand = SecondOpinion(at_any_time(rules), holdings, set(), [], dealer, scores)
    hand.act(contract)
    while hand.phase == "AUCTION":
        hand.act("P")
    if hand.phase == "EXCHANGE":
        hand.act("- called=2H" if partner is not None else "-")
    for trick, taker in enumerate(takers):
        play_trick(hand, HIGH[trick] + TRICK_SUITS[trick], lows[trick] + TRICK_SUITS[trick], taker)
    assert hand.result is not None
    return hand.result


def play_trick(hand: SecondOpinion, high: str, low: str, taker: int) -> None:
    played: set[int] = set()
    while hand.turn is not None and hand.turn not in played:
        played.add(hand.turn)
        hand.act(high if hand.turn == taker else low)


@pytest.mark.parametrize(
    ("preset", "contract", "contractor", "tricks", "change"),
    [
        (AU, "8D", 0, [5, 1, 3, 1], [280, 20]),
        (AU, "6S", 1, [0, 6, 0, 4], [0, 250]),
        (AU, "8C", 1, [0, 6, 0, 4], [0, 260]),
        (AU, "6S", 1, [1, 6, 0, 3], [10, 40]),
        (AU, "10NT", 3, [0, 6, 0, 4], [0, 520]),
        (AU, "MIS", 0, [0, 4, 0, 6], [250, 0]),
        (AU, "MIS", 0, [1, 4, 0, 5], [-250, 0]),
        (AU, "OM", 3, [6, 0, 3, 1], [0, -500]),
        ("ko-3p-33", "7H", 0, [6, 3, 1], [-200, 30, 10]),
        ("ko-3p-33", "6C", 2, [0, 0, 10], [0, 0, 250]),
        ("ko-2p-23", "6NT", 0, [6, 4], [120, 40]),
        (VI, "8S", 0, [5, 1, 4, 0], [240, 0]),
        (VI, "8S", 0, [4, 2, 3, 1], [0, 240]),
        (VI, "GAME-H", 1, [0, 6, 0, 4], [0, 1000]),
        ("au-6p-63", "7D", 2, [2, 1, 3, 1, 2, 1], [180, 30]),
        ("ext-6p-63-pairs", "7D", 1, [1, 5, 0, 1, 2, 1], [20, 180, 10]),
        ("hist-3p-32", "9C", 0, [8, 1, 1], [-160, 10, 10]),
        ("hist-3p-32", "10D", 0, [10, 0, 0], [500, 0, 0]),
        ("us-4p-43-nullo", "BAR", 2, [0, 4, 1, 5], [-500, 0]),
    ],
)
def test_change(
    preset: str, contract: str, contractor: int, tricks: list[int], change: list[int]
) -> None:
    result = finished(load_preset(preset), contract, contractor, by_seat(tricks))
    assert result["change"] == change


@pytest.mark.parametrize(
    ("contract", "contractor", "partner", "tricks", "change"),
    [
        ("8H", 0, 2, [5, 0, 3, 1, 1], [150, 0, 150, 10, 10]),
        ("8H", 0, 2, [4, 1, 3, 1, 1], [-150, 10, -150, 10, 10]),
        ("6S", 3, 0, [4, 0, 0, 6, 0], [125, 0, 0, 125, 0]),
        ("8H", 0, None, [8, 0, 0, 1, 1], [300, 0, 0, 10, 10]),
    ],
)
def test_change_with_a_called_partner(
    contract: str, contractor: int, partner: int | None, tricks: list[int], change: list[int]
) -> None:
    rules = load_preset("au-5p-53")
    result = finished(rules, contract, contractor, by_seat(tricks), partner=partner)
    assert result["change"] == change


def test_change_under_other_tables_and_ceilings() -> None:
    perfect = rules_of(AU, base_value=(20, 40, 60, 80, 100))
    assert finished(perfect, "6S", 0, by_seat([4, 2, 2, 2]))["change"] == [20, 40]
    assert finished(perfect, "8C", 0, by_seat([6, 0, 4, 0]))["change"] == [250, 0]
    ceiling = rules_of(AU, defender_ceiling=490)
    assert finished(ceiling, "8D", 0, by_seat([4, 2, 3, 1]), [0, 480])["change"] == [-280, 10]


def test_points_for_forced_tricks() -> None:
    usual = load_preset(AU)
    misere = replace(usual.special_bids[0], points_per_forced_trick=10)
    rules = replace(usual, special_bids=(misere,))
    assert finished(rules, "MIS", 0, by_seat([2, 3, 0, 5]))["change"] == [-250, 20]


def test_values() -> None:
    names = ("S", "C", "D", "H", "NT")
    usual, old = load_preset(AU), load_preset("hist-3p-32")
    assert [value(usual, f"10{name}") for name in names] == [440, 460, 480, 500, 520]
    assert [value(old, f"7{name}") for name in names] == [120, 80, 200, 160, 240]
    assert value(replace(usual, growth=Growth.TIMES_BASE), "10NT") == 600
    assert ladder(usual)[9:12] == ["7NT", "MIS", "8S"]


PLAY_ON: tuple[list[int], list[int]] = ([], [])


@pytest.mark.parametrize(
    ("preset", "before", "contract", "contractor", "tricks", "after", "end"),
    [
        (AU, [460, 100], "7S", 0, [4, 2, 3, 1], [600, 130], ([0], [])),
        (AU, [490, 0], "6S", 1, [2, 4, 1, 3], [520, 40], PLAY_ON),
        (AU, [520, 0], "6S", 0, [3, 3, 2, 2], [480, 50], PLAY_ON),
        (AU, [360, 0], "7S", 0, [4, 2, 3, 1], [500, 30], ([0], [])),
        (AU, [-240, 0], "8S", 0, [4, 2, 3, 1], [-480, 30], PLAY_ON),
        (AU, [-300, -200], "8C", 0, [4, 2, 3, 1], [-560, -170], ([1], [0])),
        (AU, [0, 0], "OM", 0, [0, 5, 0, 5], [500, 0], ([0], [])),
        (AU, [0, 0], "10H", 0, [6, 0, 4, 0], [500, 0], ([0], [])),
        ("uspc-4p-43", [360, 490], "7S", 0, [4, 2, 3, 1], [500, 520], ([0], [])),
        ("ko-3p-33", [400, 490, 0], "6H", 0, [7, 2, 1], [500, 510, 10], ([1], [])),
        ("ko-3p-33", [-400, 0, 0], "7S", 0, [5, 3, 2], [-540, 30, 20], PLAY_ON),
        ("uspc-3p-33", [-400, 0, 0], "7S", 0, [5, 3, 2], [-540, 30, 20], PLAY_ON),
        (VI, [900, 760], "8S", 0, [4, 2, 3, 1], [900, 1000], ([1], [])),
        (VI, [900, 0], "GAME-NT", 0, [6, 1, 3, 0], [900, 1000], ([1], [])),
        (VI, [740, 0], "8S", 0, [5, 1, 4, 0], [980, 0], PLAY_ON),
        ("au-6p-63", [340, 0], "7C", 4, [2, 1, 3, 1, 2, 1], [500, 30], ([0], [])),
    ],
)
def test_end_of_game(
    preset: str,
    before: list[int],
    contract: str,
    contractor: int,
    tricks: list[int],
    after: list[int],
    end: tuple[list[int], list[int]],
) -> None:
    result = finished(load_preset(preset), contract, contractor, by_seat(tricks), before)
    assert result["after"] == after
    assert (result["winners"], result["losers"]) == end
    assert result["over"] is (end != PLAY_ON)


def test_the_highest_wins_where_several_reach() -> None:
    rules = rules_of("uspc-4p-43", several_reach=SeveralReach.HIGHEST)
    assert finished(rules, "7S", 0, by_seat([4, 2, 3, 1]), [360, 490])["winners"] == [1]


def test_the_earliest_wins_where_several_defenders_reach() -> None:
    takers = [0, 1, 0, 2, 0, 1, 0, 1, 2, 0]
    result = finished(load_preset("uspc-3p-33"), "7H", 0, takers, [0, 480, 490])
    assert (result["after"], result["winners"]) == ([-200, 510, 510], [2])


def test_contractor_and_called_partner_at_the_floor_and_the_target() -> None:
    rules = load_preset("au-5p-53")
    lost = finished(rules, "8H", 0, by_seat([4, 0, 3, 2, 1]), [-400, 50, -380, 60, 20], partner=2)
    assert lost["after"] == [-550, 50, -530, 80, 30]
    assert (lost["winners"], lost["losers"]) == ([3], [0, 2])
    won = finished(rules, "8H", 0, by_seat([5, 1, 3, 1, 0]), [0, 495, 400, 0, 0], partner=2)
    assert won["after"] == [150, 505, 550, 10, 0]
    assert won["winners"] == [2]


def test_the_floor_spares_where_all_are_negative() -> None:
    rules = rules_of(AU, floor_effect=FloorEffect.LOSES_UNLESS_ALL_NEGATIVE)
    lost = finished(rules, "8S", 0, by_seat([4, 2, 3, 1]), [-300, 0])
    assert (lost["after"], lost["winners"], lost["losers"]) == ([-540, 30], [1], [0])
    spared = finished(rules, "8S", 0, by_seat([4, 2, 3, 1]), [-300, -100])
    assert spared["over"] is False
