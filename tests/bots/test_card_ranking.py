"""How cards rank for the bots."""

from fivehundred.rules.cards import HEARTS, NO_TRUMP, SPADES, names, parse_card, parse_cards
from fivehundred.rules.ruleset import RuleSet
from fivehundred_bots.card_ranking import pack_of, ranking


def test_jokers_and_bowers_are_above_the_ace_of_trumps() -> None:
    spades = ranking(SPADES)

    assert spades.above[parse_card("AS")] == parse_cards("JKR JK2 JS JC")


def test_a_joker_given_a_suit_is_its_top_card() -> None:
    hearts = ranking(NO_TRUMP, HEARTS)

    assert hearts.highest(parse_cards("AH JKR")) == parse_card("JKR")
    assert not hearts.trumps


def test_only_trumps_and_the_suit_led_beat_a_card() -> None:
    spades = ranking(SPADES)
    power = spades.power[parse_card("QH")]

    beating = spades.beating(parse_cards("KH 4H AD 5S"), HEARTS, power)

    assert names(beating) == "5S KH"


def test_the_pack_has_43_cards() -> None:
    assert pack_of(RuleSet()).bit_count() == 43
