"""Text to calls, exchanges and plays, and back."""

import pytest

from fivehundred.rules.actions import Exchange, Play
from fivehundred.rules.bids import ladder
from fivehundred.rules.cards import CLUBS, HEARTS, JOKER, card_name, parse_card, parse_cards
from fivehundred.rules.errors import NotationError
from fivehundred.rules.notation import parse_call, parse_exchange, parse_play
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.wire.presets import load_preset


def test_calls_read_back(preset: RuleSet) -> None:
    for bid in ladder(preset):
        assert parse_call(preset, str(bid)) == bid
    assert str(parse_call(preset, "P")) == "P"


def test_cards_read_back(preset: RuleSet) -> None:
    for card in deck(preset):
        assert parse_card(card_name(card)) == card


def test_plays_read_back() -> None:
    assert parse_play("JKR:C") == Play(JOKER, CLUBS)
    assert str(parse_play("10H")) == "10H"
    assert str(parse_play("JKR:C")) == "JKR:C"


@pytest.mark.parametrize(
    "exchange",
    [
        Exchange(0),
        Exchange(parse_cards("5S 6S 7S"), joker_suit=HEARTS),
        Exchange(parse_cards("JKR"), called=parse_card("AH")),
        Exchange(0, partners=(2, 4)),
    ],
)
def test_exchanges_read_back(exchange: Exchange) -> None:
    assert parse_exchange(str(exchange)) == exchange


def test_a_wrong_call_names_what_would_do() -> None:
    with pytest.raises(NotationError, match="from 6S to 10NT, MIS, OM"):
        parse_call(load_preset("au-4p-43"), "5NT")


@pytest.mark.parametrize("text", ["1S", "JKR:NT", "JKR:", "", "S10"])
def test_a_wrong_play_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="write"):
        parse_play(text)


@pytest.mark.parametrize(
    "text", ["5S 5S", "5S suit=H", "partners=a", "joker=NT", "5S joker=S joker=C"]
)
def test_a_wrong_exchange_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_exchange(text)
