"""The engine and the second opinion side by side: one hand played at random, no difference allowed.

Whatever the two could differ in is compared: the pack, the deal, the bids and their values, the
turn, the phase, what is legal, which exchanges are refused, the result. A `Disagreement` tells all
that is needed to play the hand again.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from random import Random
from typing import NoReturn

import second_opinion
from fivehundred.rules.actions import (
    Action,
    Bid,
    Exchange,
    LegalCalls,
    LegalPlays,
)
from fivehundred.rules.bids import bid_value, ladder
from fivehundred.rules.cards import (
    CARD_NAMES,
    Card,
    Cards,
    card_name,
    mask,
    members,
)
from fivehundred.rules.hand import Hand, Phase
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.wire.presets import load_preset, preset_names
from occurrences import losers, occurrences
from random_player import TEMPERS, Player, any_favourite, random_scores, stacked_deck
from random_rules import random_rules
from second_opinion import SecondOpinion, dealt_hand

STACKED, HELPFUL = 0.1, 0.5


class Disagreement(AssertionError):
    """The engine and the second opinion differ."""


def play_both(rules: RuleSet, random: Random) -> Counter[str]:
    """Play one hand at random; gives what occurred in it, by name."""
    dealer = random.randrange(rules.players)
    favourite = any_favourite(rules, random) if random.random() < STACKED else None
    cards = stacked_deck(rules, random, dealer, favourite)
    pair = Pair(rules, cards, dealer, random_scores(rules, random))
    helpful = favourite is not None or random.random() < HELPFUL
    player = Player(random, random.choice(TEMPERS), helpful, favourite)
    while pair.hand.turn is not None:
        pair.compare()
        for exchange in player.exchanges(pair.hand):
            pair.compare_exchange(exchange)
        pair.act(player.action(pair.hand))
    pair.compare()
    pair.compare_result()
    return occurrences(pair.hand, pair.actions)


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
        self._same("pack", card_names(mask(deck(rules))), set(second_opinion.pack(rules)))
        own = second_opinion.deal(rules, names, self.dealer)
        self._same("deal", (holdings, kitty, personal, card_names(dealt.dead)), own)
        self.second = dealt_hand(rules, names, self.dealer, list(self.scores))
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
