"""From the auction to the score: vectors D of the rules reference, and the results of hands."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from any_action import any_action
from fivehundred.rules.actions import PASS, Exchange, LegalExchange, LegalPlays, Play
from fivehundred.rules.cards import (
    DIAMONDS,
    HEARTS,
    JOKER,
    NO_TRUMP,
    Cards,
    card_name,
    mask,
    parse_card,
    parse_cards,
    suit_of,
)
from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Hand
from fivehundred.rules.notation import parse_call
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import (
    MISERE,
    OPEN_MISERE,
    AllPass,
    CallRules,
    Exposure,
    FirstLead,
    PersonalKittyUse,
    Reveal,
    RuleSet,
)
from fivehundred.rules.values import Deal, HandResult, Outcome, Phase
from fivehundred.wire.presets import load_preset

LOW = parse_cards("5S 5C 6C 4D 5D 6D 4H 5H 6H 7H")


def hand_after(rules: RuleSet, calls: str, dealer: int = 0, dealt: Deal | None = None) -> Hand:
    """A hand after some calls, dealt in canonical order unless given."""
    hand = Hand(rules, dealt or deal(rules, deck(rules), dealer), dealer, (0,) * rules.sides)
    for word in calls.split():
        hand.apply(parse_call(rules, word))
    return hand


def exchange_of(hand: Hand) -> LegalExchange:
    """What the seat in turn may settle."""
    legal = hand.legal()
    assert isinstance(legal, LegalExchange)
    return legal


def put_back(hand: Hand) -> None:
    """Make every exchange by throwing the lowest cards."""
    while hand.phase is Phase.EXCHANGE:
        hand.apply(hand.legal().default())


def misere_deal(kitty: str) -> Deal:
    """A deal of the Australian pack where seat 1 holds nothing but low cards."""
    rest = [card for card in deck(RuleSet()) if not (LOW | parse_cards(kitty)) >> card & 1]
    others = [mask(rest[start::3]) for start in range(3)]
    return Deal((others[0], LOW, others[1], others[2]), parse_cards(kitty))


def highest(hand: Hand) -> Play:
    """The legal play with the highest card number."""
    legal = hand.legal()
    assert isinstance(legal, LegalPlays)
    return list(legal)[-1]


@pytest.mark.parametrize(
    ("name", "calls", "held", "thrown"),
    [
        ("au-4p-43", "7S P P P", 13, 3),
        ("qc-4p-46-vi", "8S P P P", 16, 6),
        ("us-4p-45-inkle", "7S P P P", 15, 5),
    ],
    ids=["D01", "D05", "D06"],
)
def test_contractor_takes_the_kitty_and_throws_as_many(
    name: str, calls: str, held: int, thrown: int
) -> None:
    hand = hand_after(load_preset(name), calls)
    legal = exchange_of(hand)

    assert (hand.phase, hand.turn) == (Phase.EXCHANGE, 1)
    assert (legal.holding.bit_count(), legal.throw) == (held, thrown)

    hand.apply(legal.default())

    assert hand.phase is Phase.PLAY
    assert hand.view(1).holding.bit_count() == 10
    assert hand.view(1).thrown.bit_count() == thrown
    assert hand.view(3).thrown == 0


def test_d02_d04_any_cards_may_be_thrown() -> None:
    rules = load_preset("au-4p-43")
    dealt = misere_deal("JKR JS KD")

    hand = hand_after(rules, "7S P P P", dealt=dealt)

    assert Exchange(parse_cards("JKR JS 5S")) in exchange_of(hand)
    assert Exchange(parse_cards("JS KD 4H")) in exchange_of(hand)


@pytest.mark.parametrize("thrown", ["JKR JS", "JKR JS KD 5S", "JKR JS AH"])
def test_d03_wrong_throws_are_refused(thrown: str) -> None:
    hand = hand_after(load_preset("au-4p-43"), "7S P P P", dealt=misere_deal("JKR JS KD"))

    with pytest.raises(IllegalAction, match="throw"):
        hand.apply(Exchange(parse_cards(thrown)))

    assert hand.phase is Phase.EXCHANGE


def test_d07_no_exchange_without_a_kitty() -> None:
    hand = hand_after(load_preset("hist-6p-60"), "7S P P P P P")

    assert (hand.phase, hand.turn) == (Phase.PLAY, 1)


def test_d08_each_player_exchanges_his_personal_kitty() -> None:
    rules = load_preset("hist-2p-24")
    hand = hand_after(rules, "P 6S")

    assert hand.turn == 0
    assert exchange_of(hand).holding == hand.deal.holdings[0] | hand.deal.personal[0]
    hand.apply(hand.legal().default())
    assert hand.turn == 1
    assert exchange_of(hand).holding == hand.deal.holdings[1] | hand.deal.personal[1]
    hand.apply(hand.legal().default())
    assert (hand.phase, hand.turn) == (Phase.PLAY, 0)


def test_only_the_contractor_exchanges_where_the_rules_say_so() -> None:
    rules = replace(load_preset("hist-2p-25"), personal_kitty_use=PersonalKittyUse.CONTRACTOR)
    hand = hand_after(rules, "P 6S")

    assert exchange_of(hand).throw == 3
    hand.apply(hand.legal().default())
    assert (hand.phase, hand.turn) == (Phase.PLAY, 0)


def test_d09_contractor_leads() -> None:
    hand = hand_after(load_preset("au-4p-43"), "P P 7S P")
    put_back(hand)

    assert hand.turn == 3


def test_dealers_left_leads_where_the_rules_say_so(house: Callable[..., RuleSet]) -> None:
    rules = house(first_lead=FirstLead.DEALERS_LEFT)
    numbered, misere = hand_after(rules, "P P 7S P"), hand_after(rules, "P P OM P")
    put_back(numbered)
    put_back(misere)

    assert numbered.turn == 1
    assert misere.turn == 2


@pytest.mark.parametrize(
    ("name", "calls", "order"),
    [
        ("au-4p-43", "7H P MIS P P", [3, 0, 2]),
        ("au-6p-63", "7H MIS P P P P P", [2, 3, 5, 1]),
        ("au-5p-53", "7H P P MIS P P", [4, 0, 1, 2, 3]),
    ],
    ids=["D10", "D11", "D12"],
)
def test_partners_sit_out_a_misere(name: str, calls: str, order: list[int]) -> None:
    hand = hand_after(load_preset(name), calls)
    legal = exchange_of(hand)
    assert (legal.callable, legal.choosable) == (0, ())
    put_back(hand)

    players = []
    for _ in order:
        players.append(hand.turn)
        hand.apply(hand.legal().default())

    assert players == order
    assert hand.playing_seats == tuple(sorted(order))
    assert [len(trick.cards) for trick in hand.view(0).tricks] == [len(order)]


def test_d13_open_misere_lies_open_after_the_first_trick() -> None:
    hand = hand_after(load_preset("au-4p-43"), "OM P P P", dealt=misere_deal("AS AC AD"))
    hand.apply(Exchange(parse_cards("AS AC AD")))
    hand.apply(Play(parse_card("4H")))
    hand.apply(hand.legal().default())
    assert [hand.view(seat).exposed for seat in range(4)] == [0, 0, 0, 0]

    hand.apply(hand.legal().default())

    left = LOW & ~parse_cards("4H")
    assert [hand.view(seat).exposed for seat in range(4)] == [left] * 4


def test_a_hand_may_lie_open_before_the_lead(house: Callable[..., RuleSet]) -> None:
    rules = house(special_bids=(replace(OPEN_MISERE, exposure=Exposure.BEFORE_LEAD),))
    hand = hand_after(rules, "OM P P P", dealt=misere_deal("AS AC AD"))
    assert hand.view(2).exposed == 0

    hand.apply(Exchange(parse_cards("AS AC AD")))

    assert hand.view(2).exposed == LOW


def test_d14_bar_nullo_leaves_the_kitty() -> None:
    hand = hand_after(load_preset("us-4p-43-nullo"), "BAR P P P")

    assert (hand.phase, hand.turn) == (Phase.PLAY, 1)
    assert hand.view(1).holding == hand.deal.holdings[1]


CALLED_DEAL = Deal(
    holdings=(
        parse_cards("AS AH QS JS 10S 9S 8S 7S 6S 5S"),
        parse_cards("2S 3S 4S 2C 3C 4C 5C 6C 7C 8C"),
        parse_cards("KS JH KH QH 10H 9H 8H 7H 6H 5H"),
        parse_cards("JD JKR AD KD QD 10D 9D 8D 7D 6D"),
        parse_cards("AC KC QC JC 10C 9C 2H 3H 4H 2D"),
    ),
    kitty=parse_cards("3D 4D 5D"),
)


@pytest.mark.parametrize(
    ("bid", "legal", "illegal"),
    [("8H", "KS KD", "JKR JH JD AS AH 3D"), ("8NT", "JH JD", "JKR AS 3D")],
    ids=["D15", "D16"],
)
def test_callable_cards(bid: str, legal: str, illegal: str) -> None:
    hand = hand_after(load_preset("au-5p-53"), f"P P P P {bid}", dealt=CALLED_DEAL)
    throw = CALLED_DEAL.kitty
    exchange = exchange_of(hand)

    assert hand.turn == 0
    for name in legal.split():
        assert Exchange(throw, called=parse_card(name)) in exchange
    for name in illegal.split():
        assert Exchange(throw, called=parse_card(name)) not in exchange
    assert Exchange(throw) in exchange


def partners_seen(hand: Hand) -> list[tuple[int, ...]]:
    """The partners that each seat knows of."""
    contracts = [hand.view(seat).contract for seat in range(hand.rules.players)]
    return [contract.partners if contract else () for contract in contracts]


def test_d17_the_partner_is_known_when_his_card_is_played() -> None:
    hand = hand_after(load_preset("au-5p-53"), "P P P P 8C", dealt=CALLED_DEAL)
    hand.apply(Exchange(CALLED_DEAL.kitty, called=parse_card("KS")))
    assert partners_seen(hand) == [(), (), (2,), (), ()]

    while all(parse_card("KS") not in trick.cards for trick in hand.view(0).tricks):
        assert partners_seen(hand) == [(), (), (2,), (), ()]
        hand.apply(highest(hand))

    assert len(hand.view(0).tricks) > 1
    assert partners_seen(hand) == [(2,)] * 5
    assert hand.contract is not None
    assert hand.contract.partners == (2,)


def test_the_partner_is_known_at_once_where_the_rules_say_so() -> None:
    rules = replace(load_preset("au-5p-53"), call=CallRules(reveal=Reveal.AT_ONCE))
    hand = hand_after(rules, "P P P P 8H", dealt=CALLED_DEAL)

    hand.apply(Exchange(CALLED_DEAL.kitty, called=parse_card("KS")))

    assert partners_seen(hand) == [(2,)] * 5


def test_a_secret_solo_has_no_partner() -> None:
    rules = replace(load_preset("au-5p-53"), call=CallRules(secret_solo=True))
    hand = hand_after(rules, "P P P P 8H", dealt=CALLED_DEAL)

    hand.apply(Exchange(CALLED_DEAL.kitty, called=parse_card("3D")))

    assert partners_seen(hand) == [()] * 5


@pytest.mark.parametrize(
    ("bid", "chosen", "is_legal"),
    [
        ("7D", (), True),
        ("7D", (2,), True),
        ("7D", (2, 3), False),
        ("8D", (2, 3), True),
        ("8D", (2, 2), False),
        ("8D", (0,), False),
        ("8D", (1, 2, 3), False),
    ],
)
def test_d18_chosen_partners(bid: str, chosen: tuple[int, ...], is_legal: bool) -> None:
    hand = hand_after(load_preset("uspc-5p-53"), f"P P P P {bid}")

    exchange = replace(exchange_of(hand).default(), partners=chosen)

    assert (exchange in exchange_of(hand)) is is_legal


def test_d19_nobody_sees_the_dead_hand() -> None:
    hand = hand_after(load_preset("uspc-2p-33-dead"), "7S P")
    shown: Cards = 0
    while hand.turn is not None:
        for seat in range(2):
            shown |= hand.view(seat).holding
        hand.apply(any_action(hand.legal(), Random(1)))

    assert shown & hand.deal.dead == 0


def test_d20_all_pass_played_out() -> None:
    hand = hand_after(replace(load_preset("ko-3p-33"), all_pass=AllPass.PLAY_OUT), "P P P")
    contract = hand.view(0).contract

    assert (hand.phase, hand.turn) == (Phase.PLAY, 1)
    assert contract is not None
    assert contract.bid == PASS
    while hand.turn is not None:
        hand.apply(hand.legal().default())
    assert hand.result is not None
    assert hand.result.change == tuple(10 * tricks for tricks in hand.result.tricks_won)
    assert sum(hand.result.change) == 100


@pytest.mark.parametrize(
    ("name", "calls", "next_dealer"),
    [
        ("au-4p-43", "P P P P", 1),
        ("qc-4p-46-vi", "6S 7H P 7NT P P", 1),
        ("qc-4p-46-mcgill", "P P P P", 0),
    ],
    ids=["C30", "C33", "C35"],
)
def test_passed_out(name: str, calls: str, next_dealer: int) -> None:
    hand = hand_after(load_preset(name), calls)

    assert hand.phase is Phase.OVER
    assert hand.result == HandResult(
        Outcome.PASSED_OUT, None, (0, 0, 0, 0), (0, 0), next_dealer=next_dealer
    )


def test_a_nominated_joker_follows_its_suit() -> None:
    hand = hand_after(load_preset("au-4p-43"), "OM P P P", dealt=misere_deal("JKR AC AD"))
    hand.apply(Exchange(parse_cards("AC AD 7H"), joker_suit=DIAMONDS))
    contract = hand.view(3).contract
    assert contract is not None
    assert contract.joker_suit == DIAMONDS

    hand.apply(Play(JOKER))

    assert hand.view(0).tricks[0].named is None
    legal = hand.legal()
    assert isinstance(legal, LegalPlays)
    assert {suit_of(play.card) for play in legal} == {DIAMONDS}


def test_a_thrown_joker_cannot_be_nominated() -> None:
    hand = hand_after(load_preset("au-4p-43"), "OM P P P", dealt=misere_deal("JKR AC AD"))

    with pytest.raises(IllegalAction, match="no joker"):
        hand.apply(Exchange(parse_cards("JKR AC AD"), joker_suit=HEARTS))


def test_a_joker_is_nominated_in_a_suit_only() -> None:
    hand = hand_after(load_preset("au-4p-43"), "OM P P P", dealt=misere_deal("JKR AC AD"))

    with pytest.raises(IllegalAction, match="no suit"):
        hand.apply(Exchange(parse_cards("AC AD 7H"), joker_suit=NO_TRUMP))


def test_a_misere_stops_at_the_first_trick_taken() -> None:
    hand = hand_after(load_preset("au-4p-43"), "7H P P MIS P", dealt=misere_deal("AS AC AD"))
    assert hand.turn == 0
    put_back(hand)
    while hand.turn is not None:
        hand.apply(highest(hand) if hand.turn == 0 else hand.legal().default())

    assert hand.result is not None
    assert hand.result.tricks_won[0] == 1
    assert hand.result.change == (-250, 0)
    assert hand.result.next_dealer == 1


def test_a_misere_with_points_for_forced_tricks_is_played_out(
    house: Callable[..., RuleSet],
) -> None:
    misere = replace(MISERE, needs_level=0, points_per_forced_trick=10)
    hand = hand_after(house(special_bids=(misere,)), "MIS P P P")
    put_back(hand)
    while hand.turn is not None:
        hand.apply(highest(hand))

    assert hand.result is not None
    assert sum(hand.result.tricks_won) == 10


def test_a_game_ends_with_the_contract_that_reaches_the_target() -> None:
    rules = load_preset("au-4p-43")
    top = parse_cards("JKR JH JD AH KH QH 10H 9H 8H 7H")
    rest = [card for card in deck(rules) if not top >> card & 1]
    dealt = Deal((top, mask(rest[:10]), mask(rest[10:20]), mask(rest[20:30])), mask(rest[30:]))
    hand = Hand(rules, dealt, 3, (0, 490))
    for word in ["10H", "P", "P", "P"]:
        hand.apply(parse_call(rules, word))
    hand.apply(Exchange(dealt.kitty))
    while hand.turn is not None:
        hand.apply(hand.legal().default())

    assert hand.result is not None
    assert hand.result.tricks_won == (10, 0, 0, 0)
    assert hand.result.change == (500, 0)
    assert hand.result.game_over
    assert hand.result.winners == (0,)


def test_a_refused_play_names_the_choices() -> None:
    hand = hand_after(load_preset("au-4p-43"), "7S P P P")
    put_back(hand)
    hand.apply(hand.legal().default())
    wrong = next(card for card in deck(hand.rules) if Play(card) not in hand.legal())

    with pytest.raises(IllegalAction, match=f"{card_name(wrong)} may not be played: play one of"):
        hand.apply(Play(wrong))


def test_a_refused_call_names_the_choices() -> None:
    hand = hand_after(load_preset("au-4p-43"), "10D")

    with pytest.raises(IllegalAction, match="call one of P OM 10H 10NT"):
        hand.apply(parse_call(hand.rules, "7S"))


def test_decisions_are_counted_by_seat() -> None:
    hand = hand_after(load_preset("au-4p-43"), "7S P P P")

    assert [hand.view(seat).decision_number for seat in range(4)] == [1, 1, 1, 1]
    put_back(hand)
    assert [hand.view(seat).decision_number for seat in range(4)] == [1, 2, 1, 1]
