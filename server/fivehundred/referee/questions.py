"""A question under a rule set: its members read as the game's values."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import counted, read_integer, read_list, read_text
from fivehundred.rules.actions import PASS, Bid, Call, Play
from fivehundred.rules.cards import (
    JOKERS,
    SUIT_LETTERS,
    Card,
    Cards,
    Strain,
    Suit,
    card_name,
    mask,
    names,
    parse_card,
    parse_strain,
)
from fivehundred.rules.errors import NotationError
from fivehundred.rules.exchange import may_nominate
from fivehundred.rules.notation import parse_call, parse_play
from fivehundred.rules.pack import deck
from fivehundred.rules.ruleset import AllPass, RuleSet

MOST_POINTS = 1_000_000
"""The highest score that may be given."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question:
    """The members of a question, and the rules that it is asked under."""

    members: Mapping[str, Any]
    rules: RuleSet

    def has(self, name: str) -> bool:
        """Whether a member is given; null counts as left out."""
        return self.members.get(name) is not None

    def value(self, name: str) -> Any:
        """A member that must be given."""
        if not self.has(name):
            raise BadQuestion(name, "is missing: this ask needs it")
        return self.members[name]

    def items(self, name: str, wanted: str) -> Sequence[Any]:
        """A list that must be given; ``wanted`` says of what."""
        return read_list(self.value(name), name, wanted)

    def text(self, name: str, wanted: str) -> str:
        """A text that must be given; ``wanted`` says what of."""
        return read_text(self.value(name), name, wanted)

    def seat(self, name: str) -> int:
        """A seat that must be given."""
        return self.read_seat(self.value(name), name)

    def seat_or(self, name: str, default: int) -> int:
        """A seat, or a default where it is left out."""
        return self.seat(name) if self.has(name) else default

    def suit(self, name: str) -> Suit | None:
        """A suit; None where it is left out."""
        if not self.has(name):
            return None
        return notation(parse_suit, self.text(name, "a suit such as H"), name)

    def strain(self, name: str) -> Strain:
        """A strain that must be given."""
        return notation(parse_strain, self.text(name, "a strain such as NT"), name)

    def suits(self, name: str) -> int:
        """A list of suits as bits; none where it is left out."""
        if not self.has(name):
            return 0
        suits = 0
        for place, value in enumerate(self.items(name, "suits")):
            field = f"{name}[{place}]"
            suits |= 1 << notation(parse_suit, read_text(value, field, "a suit"), field)
        return suits

    def contract(self, name: str) -> Call:
        """A contract that must be given: a bid high enough to be one, or a pass played out."""
        call = self.read_call(self.value(name), name)
        if not isinstance(call, Bid):
            if self.rules.all_pass is not AllPass.PLAY_OUT:
                why = "a hand that nobody bids is not played out under these rules: give a bid"
                raise BadQuestion(name, why)
        elif not call.special and call.level < self.rules.min_contract:
            lowest = Bid(self.rules.min_contract, self.rules.strain_order[0])
            raise BadQuestion(name, f"{call} cannot be the contract: give {lowest} or more")
        return call

    def bid(self, name: str) -> Bid:
        """A contract that must be given and is a bid."""
        if self.read_call(self.value(name), name) == PASS:
            raise BadQuestion(name, "P is no bid: give one such as 7S")
        contract = self.contract(name)
        assert isinstance(contract, Bid)
        return contract

    def cards(self, name: str) -> Cards:
        """A set of cards; empty where it is left out."""
        return self.read_cards(self.members[name], name) if self.has(name) else 0

    def jokers(self, name: str, joker_suit: Suit | None) -> Cards:
        """The jokers that a suit is given to; the pack's where they are left out."""
        if not self.has(name):
            return mask(deck(self.rules)) & JOKERS
        cards = self.cards(name)
        if cards & ~JOKERS:
            raise BadQuestion(name, f"{names(cards & ~JOKERS)}: give jokers only")
        if cards and joker_suit is None:
            raise BadQuestion(name, "has a meaning only with joker_suit: give that too")
        return cards

    def joker_suit(self, name: str, call: Call) -> Suit | None:
        """The suit that a contractor gives his joker; None where it is left out."""
        suit = self.suit(name)
        if suit is None or (isinstance(call, Bid) and may_nominate(self.rules, call)):
            return suit
        raise BadQuestion(name, f"{self.why_not_nominated()}: leave it out")

    def why_not_nominated(self) -> str:
        """Why no joker is given a suit where the contract allows none."""
        if self.rules.nominate_before_lead and self.rules.jokers:
            return "a joker is given a suit only by a contractor at no trump"
        return "these rules let no joker be given a suit"

    def points(self, name: str) -> tuple[int, ...]:
        """A score by side; zeros where it is left out."""
        sides = self.rules.sides
        if not self.has(name):
            return (0,) * sides
        values = self.items(name, "scores by side")
        if len(values) != sides:
            wrong = f"{counted(len(values), 'score')}: give {sides}, one for each side"
            raise BadQuestion(name, wrong)
        return tuple(
            read_integer(value, f"{name}[{side}]", -MOST_POINTS, MOST_POINTS)
            for side, value in enumerate(values)
        )

    def read_seat(self, value: object, field: str) -> int:
        """The seat of a value."""
        return read_integer(value, field, 0, self.rules.players - 1)

    def read_seats(self, values: Sequence[Any], field: str) -> tuple[int, ...]:
        """The seats of some values, in their order."""
        return tuple(self.read_seat(value, f"{field}[{n}]") for n, value in enumerate(values))

    def read_call(self, value: object, field: str) -> Call:
        """The call of a value."""
        text = read_text(value, field, "a call such as 7S or P")
        return notation(lambda word: parse_call(self.rules, word), text, field)

    def read_card(self, value: object, field: str) -> Card:
        """The card of a value, one of the pack."""
        return self._of_pack(notation(parse_card, read_text(value, field, "a card"), field), field)

    def read_play(self, value: object, field: str) -> Play:
        """The play of a value, with a card of the pack."""
        play = notation(_parse_play, read_text(value, field, "a card"), field)
        self._of_pack(play.card, field)
        return play

    def read_cards(self, value: object, field: str) -> Cards:
        """The set of cards of a list, each of the pack and named once."""
        cards = 0
        for card in self.each_card(value, field):
            cards |= 1 << card
        return cards

    def each_card(self, value: object, field: str) -> Iterator[Card]:
        """The cards of a list in its order, each of the pack and named once."""
        seen = 0
        for place, each in enumerate(read_list(value, field, "cards")):
            card = self.read_card(each, f"{field}[{place}]")
            if seen >> card & 1:
                raise BadQuestion(f"{field}[{place}]", f"{card_name(card)} is named before")
            seen |= 1 << card
            yield card

    def seated_plays(self, name: str) -> list[tuple[int, Play]]:
        """The plays of a trick, each with its seat; every seat and every card once."""
        plays: list[tuple[int, Play]] = []
        for place, pair in enumerate(self.items(name, 'plays such as [0, "AS"]')):
            field = f"{name}[{place}]"
            seat, play = self._seated_play(pair, field)
            if seat in [each for each, _ in plays]:
                raise BadQuestion(f"{field}[0]", f"seat {seat} has played before")
            if play.card in [each.card for _, each in plays]:
                raise BadQuestion(f"{field}[1]", f"{card_name(play.card)} is played before")
            plays.append((seat, play))
        return plays

    def _seated_play(self, value: object, field: str) -> tuple[int, Play]:
        pair = read_list(value, field, "a seat and a play")
        if len(pair) != 2:
            raise BadQuestion(field, f"{counted(len(pair), 'value')}: give a seat and a play")
        return self.read_seat(pair[0], f"{field}[0]"), self.read_play(pair[1], f"{field}[1]")

    def _of_pack(self, card: Card, field: str) -> Card:
        if card not in deck(self.rules):
            size = self.rules.deck_size
            raise BadQuestion(field, f"{card_name(card)} is not in this pack of {size} cards")
        return card


def notation(parse: Callable[[str], T], text: str, field: str) -> T:
    """What a text says, or what is wrong with it under the member's name."""
    try:
        return parse(in_plain_letters(text))
    except NotationError as error:
        raise BadQuestion(field, str(error)) from None


def in_plain_letters(text: str) -> str:
    """A text without letters that only look like A to Z in capitals; raises `NotationError`."""
    if not text.isascii():
        raise NotationError(f"{text!r}: write with the letters A to Z and the digits 0 to 9")
    return text


def parse_suit(text: str) -> Suit:
    """The suit of ``S``, ``C``, ``D`` or ``H``; raises `NotationError`."""
    if len(text) != 1 or text.upper() not in SUIT_LETTERS:
        raise NotationError(f"{text!r} is no suit: write S, C, D or H")
    return SUIT_LETTERS.index(text.upper())


def _parse_play(text: str) -> Play:
    """The play of a card, or of a joker led that names a suit; raises `NotationError`."""
    _, colon, suit = text.strip().partition(":")
    if colon:
        parse_suit(suit)
    return parse_play(text)


def listed(cards: Cards) -> list[str]:
    """The cards of a set, in the order in which people hold them."""
    return names(cards).split()
