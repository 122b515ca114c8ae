"""The engine and the second opinion side by side: one hand played at random, no difference allowed.

Whatever the two could differ in is compared: the pack, the deal, the bids and their values, the
turn, the phase, what is legal, which exchanges are refused, the result. A `Disagreement` tells all
that is needed to play the hand again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import lru_cache
from random import Random
from typing import NoReturn

import second_opinion
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
from fivehundred.rules.bids import HAND_SIZE, bid_value, is_lose_all, ladder, special_bid
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
    card_name,
    is_joker,
    mask,
    members,
    suit_of,
)
from fivehundred.rules.game import game_end
from fivehundred.rules.hand import Hand, Phase
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet, WinCondition
from fivehundred.rules.scoring import contracting_sides, is_made, side_tricks
from fivehundred.rules.values import Contract, HandResult, Outcome
from fivehundred.wire.presets import load_preset, preset_names
from random_rules import random_rules
from second_opinion import SecondOpinion

WRONG_EXCHANGES = 4
STACKED, HELPFUL = 0.1, 0.5
JOKER_PAIR = (LOW_JOKER, JOKER)
KNOWN = ("MIS", "OM", "NULLO", "DBL", "BAR", "GAME")


class Disagreement(AssertionError):
    """The engine and the second opinion differ."""


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


def play_both(rules: RuleSet, random: Random) -> Counter[str]:
    """Play one hand at random; gives what occurred in it, by name."""
    dealer = random.randrange(rules.players)
    favourite = _favourite(rules, random) if random.random() < STACKED else None
    cards = _shuffled(rules, random, dealer, favourite)
    pair = Pair(rules, cards, dealer, random_scores(rules, random))
    helpful = favourite is not None or random.random() < HELPFUL
    player = _Player(random, random.choice(TEMPERS), helpful, favourite)
    while pair.hand.turn is not None:
        pair.compare()
        for exchange in player.exchanges(pair.hand):
            pair.compare_exchange(exchange)
        pair.act(player.action(pair.hand))
    pair.compare()
    pair.compare_result()
    return features(pair)


def play_hands(seed: str, numbers: Iterable[int]) -> Counter[str]:
    """Play the hands of some numbers, half by presets and half by rule sets at random.

    Each hand depends on the seed and its number alone.
    """
    names = preset_names()
    seen: Counter[str] = Counter()
    for number in numbers:
        random = Random(f"{seed}/{number}")
        preset = names[number // 2 % len(names)]
        rules = random_rules(random) if number % 2 else load_preset(preset)
        try:
            seen += play_both(rules, random)
        except Disagreement as disagreement:
            raise Disagreement(f"hand {seed}/{number}: {disagreement}") from None
    return seen


@dataclass(slots=True)
class Pair:
    """One hand under two referees."""

    rules: RuleSet
    cards: Sequence[Card]
    dealer: int
    scores: Sequence[int]
    actions: list[Action] = field(default_factory=list)
    hand: Hand = field(init=False)
    second: SecondOpinion = field(init=False)

    def __post_init__(self) -> None:
        rules, names = self.rules, [card_name(card) for card in self.cards]
        dealt = deal(rules, self.cards, self.dealer)
        self.hand = Hand(rules, dealt, self.dealer, self.scores)
        holdings = list(map(card_names, dealt.holdings))
        kitty = card_names(dealt.kitty)
        personal = list(map(card_names, dealt.personal))
        self.second = SecondOpinion(
            rules, holdings, kitty, personal, self.dealer, list(self.scores)
        )
        self._same("pack", card_names(mask(deck(rules))), set(second_opinion.pack(rules)))
        own = second_opinion.deal(rules, names, self.dealer)
        self._same("deal", (holdings, kitty, personal, card_names(dealt.dead)), own)
        self._same("bids and their values", *bids_of_both(rules))

    def act(self, action: Action) -> None:
        """Carry out an action that both hold legal."""
        was = self.hand.phase
        self.actions.append(action)
        self.hand.apply(action)
        self.second.act(str(action))
        if was is not Phase.PLAY:
            self._compare_holdings()

    def compare(self) -> None:
        """Compare turn, phase and what is legal."""
        self._same("phase", self.hand.phase.name, self.second.phase)
        self._same("turn", self.hand.turn, self.second.turn)
        if self.hand.turn is None:
            return
        legal = self.hand.legal()
        if isinstance(legal, LegalCalls):
            self._same("legal calls", call_texts(legal), self.second.legal())
        elif isinstance(legal, LegalPlays):
            self._same("legal plays", play_texts(legal), self.second.legal())

    def compare_exchange(self, exchange: Exchange) -> None:
        """Compare whether an exchange is refused."""
        refused = exchange not in self.hand.legal()
        self._same(f"whether {exchange} is refused", refused, self.second.refuses(str(exchange)))

    def compare_result(self) -> None:
        """Compare all that the end of the hand tells."""
        assert self.hand.result is not None
        engine, second = told(self.hand), dict(self.second.result or {})
        if engine["over"] and not engine["losers"]:
            del engine["losers"], second["losers"]
        self._same("result", engine, second)

    def _compare_holdings(self) -> None:
        for seat, cards in enumerate(self.hand.holdings):
            what = f"holding of seat {seat}"
            self._same(what, card_names(cards), self.second.holding(seat))

    def _same(self, what: str, engine: object, second: object) -> None:
        if engine != second:
            self._disagree(what, engine, second)

    def _disagree(self, what: str, engine: object, second: object) -> NoReturn:
        lines = [
            f"{what}:",
            f"  the engine says         {_shown(engine)}",
            f"  the second opinion says {_shown(second)}",
            *_only_in_one(engine, second),
            f"rules: {differences(self.rules)}",
            f"dealer {self.dealer}, scores {list(self.scores)}",
            f"deck: {' '.join(map(card_name, self.cards))}",
            f"actions so far: {'; '.join(map(str, self.actions)) or 'none'}",
        ]
        raise Disagreement("\n".join(lines))


def differences(rules: RuleSet) -> str:
    """The parameters that are not at their default, as Python writes them."""
    plain = RuleSet()
    changed = [
        each.name
        for each in fields(rules)
        if getattr(rules, each.name) != getattr(plain, each.name)
    ]
    return ", ".join(f"{name}={getattr(rules, name)!r}" for name in changed) or "the default"


def told(hand: Hand) -> dict[str, object]:
    """The result of a hand in the words of the second opinion."""
    result, contract = hand.result, hand.contract
    assert result is not None
    has_contractor = contract is not None and isinstance(contract.bid, Bid)
    after = [score + gain for score, gain in zip(hand.scores, result.change, strict=True)]
    return {
        "outcome": result.outcome.name,
        "contract": None if contract is None else str(contract.bid),
        "contractor": contract.contractor if contract and has_contractor else None,
        "tricks": list(result.tricks_won),
        "change": list(result.change),
        "after": after,
        "over": result.game_over,
        "winners": sorted(result.winners),
        "losers": sorted(losers(hand)),
        "next_dealer": result.next_dealer,
    }


def losers(hand: Hand) -> tuple[int, ...]:
    """The sides that the floor has beaten."""
    result, contract = hand.result, hand.contract
    if result is None or contract is None:
        return ()
    made = is_made(hand.rules, contract, result.tricks_won)
    return game_end(hand.rules, hand.scores, result.change, contract, made, hand.taken)[2]


@lru_cache(maxsize=4096)
def call_texts(legal: LegalCalls) -> frozenset[str]:
    """The calls as text."""
    return frozenset(map(str, legal))


def play_texts(legal: LegalPlays) -> set[str]:
    """The plays as text."""
    if not legal.nameable:
        return card_names(legal.cards)
    return set(map(str, legal))


def card_names(cards: Cards) -> set[str]:
    """The names of a set of cards."""
    return {CARD_NAMES[card] for card in members(cards)}


def _shown(opinion: object) -> str:
    if isinstance(opinion, set | frozenset):
        return " ".join(sorted(map(str, opinion))) or "nothing"
    return str(opinion)


def _only_in_one(engine: object, second: object) -> Iterable[str]:
    if isinstance(engine, set | frozenset) and isinstance(second, set | frozenset):
        yield f"  only the engine: {_shown(engine - second)}"
        yield f"  only the second opinion: {_shown(second - engine)}"
    if isinstance(engine, dict) and isinstance(second, dict):
        for key in engine.keys() | second.keys():
            if engine.get(key) != second.get(key):
                yield f"  {key}: {engine.get(key)} against {second.get(key)}"


@lru_cache(maxsize=256)
def bids_of_both(rules: RuleSet) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """The bids from low to high with their values, as each referee has them."""
    names = second_opinion.ladder(rules)
    own = [(str(bid), bid_value(rules, bid)) for bid in ladder(rules)]
    return own, [(name, second_opinion.value(rules, name)) for name in names]


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
class _Favourite:
    """The seat that gets the best cards, for a strain or for losing every trick."""

    seat: int
    strain: Strain
    loses_all: bool

    def likes(self, rules: RuleSet, call: Call) -> bool:
        """Whether a call is one for the cards."""
        if isinstance(call, Pass) or call.strain != self.strain:
            return False
        return is_lose_all(rules, call) == self.loses_all


def _favourite(rules: RuleSet, random: Random) -> _Favourite:
    strain = random.choice(STRAINS)
    loses_all = strain == NO_TRUMP and random.random() < 0.5
    return _Favourite(random.randrange(rules.players), strain, loses_all)


def _shuffled(
    rules: RuleSet, random: Random, dealer: int, favourite: _Favourite | None
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
class _Player:
    """Draws actions: jokers are led and partners are called more often than by chance."""

    random: Random
    temper: Temper
    helpful: bool
    favourite: _Favourite | None = None

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
        thrown = mask(held[: legal.throw])
        cards = list(members(legal.callable & (-1 if legal.may_call_own else ~thrown)))
        most = min(legal.partners, len(legal.choosable))
        has_joker = legal.nominable & ~thrown
        return Exchange(
            thrown=thrown,
            joker_suit=random.choice((None, *SUITS)) if has_joker else None,
            called=random.choice(cards) if cards and random.random() < 0.8 else None,
            partners=tuple(random.sample(legal.choosable, random.randint(0, most))),
        )

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


def features(pair: Pair) -> Counter[str]:
    """What occurred in a hand that is over, by name."""
    result, contract = pair.hand.result, pair.hand.contract
    assert result is not None
    seen = [f"outcome {result.outcome.name}", *_ending(pair, result)]
    seen += _auction_features(pair)
    if result.outcome is Outcome.PASSED_OUT:
        seen.append(f"redeal by {'the same' if result.next_dealer == pair.dealer else 'the next'}")
    if contract is not None:
        seen += _contract_features(pair, contract, result)
        seen += _play_features(pair, contract)
    return Counter(seen)


def _auction_features(pair: Pair) -> Iterable[str]:
    auction = pair.hand.view(0).auction
    passed = [number for number, (_, call) in enumerate(auction) if isinstance(call, Pass)]
    for number, (seat, call) in enumerate(auction):
        before = auction[:number]
        if any(other == seat and isinstance(done, Pass) for other, done in before):
            yield "call after a pass"
        bids = [other for other, done in before if isinstance(done, Bid)]
        if isinstance(call, Bid) and bids and bids[-1] == seat:
            yield "own bid raised"
        if isinstance(call, Bid) and not call.special and call.level < pair.rules.min_contract:
            yield "signal"
    if len(passed) == len(auction):
        yield "all pass"


def _contract_features(pair: Pair, contract: Contract, result: HandResult) -> Iterable[str]:
    rules, bid = pair.rules, contract.bid
    if isinstance(bid, Pass):
        yield "played out without a contract"
        return
    special = special_bid(rules, bid)
    made = "made" if is_made(rules, contract, result.tricks_won) else "failed"
    yield f"{'numbered bid' if special is None else special.kind.name} {made}"
    if special is not None:
        yield f"special {special.name if special.name in KNOWN else 'of the house'}"
        yield f"{'partner plays' if special.partner_plays else 'alone'}"
    elif max(side_tricks(rules, result.tricks_won)) == HAND_SIZE and made == "made":
        yield "slam"
    if contract.joker_suit is not None:
        yield "joker nominated"
    if contract.called is not None:
        yield "card called" if contract.partners else "card called that the contractor has"
    elif contract.partners:
        yield f"{len(contract.partners)} chosen"
    if rules.personal_kitty and sum(isinstance(each, Exchange) for each in pair.actions) > 1:
        yield "personal kitties exchanged"
    if rules.dead_hands:
        yield "dead hand"
    if bid.strain == NO_TRUMP:
        yield "no trump"


def _play_features(pair: Pair, contract: Contract) -> Iterable[str]:
    bid = contract.bid
    if isinstance(bid, Bid) and bid.strain != NO_TRUMP:
        return
    for trick in pair.hand.view(0).tricks:
        if trick.named is not None:
            yield "joker led naming a suit"
        elif is_joker(trick.cards[0]) and contract.joker_suit is None:
            yield "joker led naming nothing"
        elif any(map(is_joker, trick.cards)):
            yield "joker followed"


def _ending(pair: Pair, result: HandResult) -> Iterable[str]:
    rules = pair.rules
    after = [score + gain for score, gain in zip(pair.scores, result.change, strict=True)]
    beaten = losers(pair.hand)
    reached = [side for side, score in enumerate(after) if score >= rules.target]
    if beaten:
        yield "end at the floor" if len(beaten) == 1 else "end at the floor for several"
    elif result.game_over:
        yield f"end at the target under {rules.win_condition.name}"
        if rules.win_condition is WinCondition.ANY_POINTS and len(reached) > 1:
            yield f"several at the target: {rules.several_reach.name}"
    elif reached:
        yield f"played on over the target under {rules.win_condition.name}"
    elif rules.floor is not None and min(after) <= rules.floor:
        yield "played on under the floor, all being negative"
    if len(result.winners) > 1:
        yield "several winners"
    if rules.defender_ceiling is not None and rules.defender_ceiling in after:
        yield "held at the ceiling"
