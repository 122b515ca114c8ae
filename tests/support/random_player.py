"""Players at random who bring about what chance alone seldom does, and what they start from."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from random import Random

from any_action import any_exchange
from fivehundred.rules.actions import (
    PASS,
    Action,
    Bid,
    Call,
    Exchange,
    LegalCalls,
    LegalExchange,
    LegalPlays,
    Pass,
    Play,
)
from fivehundred.rules.bids import HAND_SIZE, is_lose_all
from fivehundred.rules.cards import (
    CARD_NAMES,
    JOKER,
    JOKERS,
    LOW_JOKER,
    NO_TRUMP,
    STRAINS,
    SUITS,
    Card,
    Cards,
    Strain,
    is_joker,
    mask,
    members,
    suit_of,
)
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet, WinCondition
from fivehundred.rules.scoring import contracting_sides
from fivehundred.rules.values import Contract

WRONG_EXCHANGES = 4
JOKER_PAIR = (LOW_JOKER, JOKER)


class Temper(Enum):
    """How the seats of a hand are inclined to call."""

    SHY = 1
    """Mostly passes."""
    SILENT = 2
    """Nothing but passes."""
    SPECIAL = 3
    """Special bids as soon as there are any."""
    HIGH = 4
    """No trump, and the upper end of what may be bid."""
    ANY = 5
    """All calls alike."""


TEMPERS = (
    *(Temper.SHY,) * 5,
    *(Temper.SPECIAL,) * 3,
    *(Temper.HIGH,) * 2,
    Temper.ANY,
    Temper.SILENT,
)


def random_scores(rules: RuleSet, random: Random) -> list[int]:
    """Scores before a hand, such as a game may come to, most of them near one of its ends."""
    scores = [_random_score(rules, random) for _ in range(rules.sides)]
    if rules.win_condition is WinCondition.ANY_POINTS and random.random() < 0.05:
        for side in random.sample(range(rules.sides), 2):
            scores[side] = rules.target + 30
    return scores


def _random_score(rules: RuleSet, random: Random) -> int:
    near = random.choice(
        (0, 0, rules.target, rules.target, rules.defender_ceiling or 0, rules.floor or 0)
    )
    away = random.choice((0, 10, 20, 40, 120, 300, 480))
    score = near + random.choice((-1, 1, 1)) * away if near < 0 else near - away
    if rules.win_condition is WinCondition.ANY_POINTS:
        score = min(score, rules.target - 1)
    return score if rules.floor is None else max(score, rules.floor + 1)


@dataclass(frozen=True, slots=True)
class Favourite:
    """The seat that gets the best cards, for a strain or for losing every trick."""

    seat: int
    strain: Strain
    loses_all: bool

    def likes(self, rules: RuleSet, call: Call) -> bool:
        """Whether a call is one for the cards."""
        if isinstance(call, Pass) or call.strain != self.strain:
            return False
        return is_lose_all(rules, call) == self.loses_all


def any_favourite(rules: RuleSet, random: Random) -> Favourite:
    strain = random.choice(STRAINS)
    loses_all = strain == NO_TRUMP and random.random() < 0.5
    return Favourite(random.randrange(rules.players), strain, loses_all)


def stacked_deck(
    rules: RuleSet, random: Random, dealer: int, favourite: Favourite | None
) -> list[Card]:
    """The pack in an order at random, such that a favourite is dealt the ten best cards for him."""
    pack = deck(rules)
    if favourite is None:
        return random.sample(pack, len(pack))
    sign = 1 if favourite.loses_all else -1
    cards = sorted(pack, key=lambda card: sign * _height(card, favourite.strain))
    best, rest = cards[:HAND_SIZE], cards[HAND_SIZE:]
    random.shuffle(rest)
    own = deal(rules, pack, dealer).holdings[favourite.seat]
    return [best.pop() if own >> place & 1 else rest.pop() for place in pack]


@dataclass(slots=True)
class Player:
    """Draws actions: jokers are led and partners are called more often than by chance."""

    random: Random
    temper: Temper
    helpful: bool
    favourite: Favourite | None = None

    def action(self, hand: Hand) -> Action:
        """A legal action."""
        legal = hand.legal()
        if isinstance(legal, LegalCalls):
            return self._call(hand, legal)
        if isinstance(legal, LegalPlays):
            return self._play(hand, legal)
        return self._exchange(hand, legal)

    def exchanges(self, hand: Hand) -> Iterator[Exchange]:
        """A legal exchange and several with one thing changed, where the seat exchanges."""
        legal = hand.legal()
        if isinstance(legal, LegalExchange):
            yield self._exchange(hand, legal)
            for _ in range(WRONG_EXCHANGES):
                yield self._any_exchange(hand, legal)

    def _any_exchange(self, hand: Hand, legal: LegalExchange) -> Exchange:
        """A legal exchange with one thing changed, whatever the engine says of it then."""
        random, exchange = self.random, self._exchange(hand, legal)
        what = random.choice(("thrown", "joker_suit", *("called", "partners") * 2))
        if what == "thrown":
            return replace(exchange, thrown=self._any_thrown(legal))
        if what == "joker_suit":
            return replace(exchange, joker_suit=random.choice(SUITS))
        if what == "called":
            held = list(members(legal.holding))
            return replace(exchange, called=random.choice((*deck(hand.rules), *held, *JOKER_PAIR)))
        seats = random.sample(range(hand.rules.players + 1), random.choice((1, 2, 2, 3)))
        twice = seats[:1] if random.random() < 0.1 else []
        return replace(exchange, partners=(*seats, *twice))

    def _any_thrown(self, legal: LegalExchange) -> Cards:
        random, held = self.random, list(members(legal.holding))
        count = legal.throw + random.choice((0, 0, -1, 1))
        thrown = random.sample(held, max(0, min(count, len(held))))
        if thrown and random.random() < 0.5:
            thrown[0] = random.randrange(len(CARD_NAMES))
        return mask(thrown)

    def _call(self, hand: Hand, legal: LegalCalls) -> Call:
        favourite, random = self.favourite, self.random
        if favourite is None or random.random() < 0.05:
            return self._tempered_call(legal)
        liked = [call for call in legal if favourite.likes(hand.rules, call)]
        if hand.turn != favourite.seat or not liked:
            return PASS
        special = [call for call in liked if isinstance(call, Bid) and call.special]
        return random.choice(special or liked)

    def _tempered_call(self, legal: LegalCalls) -> Call:
        random, temper, calls = self.random, self.temper, legal.calls
        if len(calls) == 1 or temper is Temper.SILENT:
            return calls[0]
        if random.random() < (0.75 if temper is Temper.SHY else 0.3):
            return calls[0]
        specials = [call for call in calls if isinstance(call, Bid) and call.special]
        if specials and temper is Temper.SPECIAL:
            return random.choice(specials)
        if temper is Temper.HIGH:
            return random.choice([call for call in calls if getattr(call, "strain", 4) == NO_TRUMP])
        if temper is Temper.ANY:
            return random.choice(calls)
        return calls[min(int(random.expovariate(0.5)) + 1, len(calls) - 1)]

    def _exchange(self, hand: Hand, legal: LegalExchange) -> Exchange:
        random, contract = self.random, hand.contract
        held = random.sample(list(members(legal.holding)), legal.holding.bit_count())
        if self.helpful and contract is not None:
            sign = -1 if _loses_all(hand.rules, contract) else 1
            strain = getattr(contract.bid, "strain", NO_TRUMP)
            held.sort(key=lambda card: sign * _height(card, strain))
        return any_exchange(legal, random, mask(held[: legal.throw]))

    def _play(self, hand: Hand, legal: LegalPlays) -> Play:
        random = self.random
        jokers = legal.cards & JOKERS
        if jokers and random.random() < (0.1 if self.helpful else 0.3):
            card = random.choice(list(members(jokers)))
        elif self.helpful:
            card = _helpful(hand, list(members(legal.cards)))
        else:
            card = random.choice(list(members(legal.cards)))
        if not is_joker(card) or not legal.nameable:
            return Play(card)
        return Play(card, random.choice(list(members(legal.nameable))))


def _helpful(hand: Hand, cards: list[Card]) -> Card:
    """The card that goes furthest to make the contract: contracts made at random are rare."""
    contract = hand.contract
    assert contract is not None and hand.turn is not None
    own = hand.rules.side_of(hand.turn) in contracting_sides(hand.rules, contract)
    high = own != _loses_all(hand.rules, contract)
    strain = getattr(contract.bid, "strain", NO_TRUMP)
    return (max if high else min)(cards, key=lambda card: _height(card, strain))


def _loses_all(rules: RuleSet, contract: Contract) -> bool:
    return isinstance(contract.bid, Bid) and is_lose_all(rules, contract.bid)


def _height(card: Card, strain: Strain) -> int:
    if is_joker(card):
        return 1000
    return card % 16 + 100 * (suit_of(card) == strain)
