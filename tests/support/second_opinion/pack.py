"""The pack, the deal, and the order of the cards under a strain."""

from collections.abc import Iterator
from functools import lru_cache

from fivehundred.rules.ruleset import RuleSet

SUITS = "SCDH"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "J", "Q", "K", "A")
LEFT_BOWER, RIGHT_BOWER, LOWER_JOKER, HIGHER_JOKER = 20, 21, 22, 23
MATE = {"S": "C", "C": "S", "D": "H", "H": "D"}
JOKER_SUIT = "joker"
PACKETS = (3, 4, 3)


def pack(rules: RuleSet) -> list[str]:
    """The cards of the pack, suit by suit from low to high, jokers last."""
    cards = []
    for suit, low, high in zip(SUITS, rules.lowest_pip, rules.highest_pip, strict=True):
        cards += [f"{pip}{suit}" for pip in range(low, high + 1)]
        cards += [f"{court}{suit}" for court in "JQKA"]
    return cards + ["JKR", "JK2"][: rules.jokers]


def deal(
    rules: RuleSet, deck: list[str], dealer: int
) -> tuple[list[set[str]], set[str], list[set[str]], set[str]]:
    """Deals a deck from its top: the holdings, the kitty, the personal kitties, the dead cards."""
    seats = [(dealer + 1 + i) % rules.players for i in range(rules.players)]
    holdings: list[set[str]] = [set() for _ in seats]
    personal: list[set[str]] = [set() for _ in seats] if rules.personal_kitty else []
    kitty: set[str] = set()
    dead: set[str] = set()
    own = rules.personal_kitty * rules.players
    rest = len(deck) - 10 * (rules.players + rules.dead_hands) - own
    between = rest // 3 if rules.players == 4 and rest % 3 == 0 else 0
    top = iter(deck)
    for packet in PACKETS:
        for pile in [dead] * rules.dead_hands + [holdings[seat] for seat in seats]:
            pile.update(_take(top, packet))
        kitty.update(_take(top, between))
    kitty.update(_take(top, rest - len(kitty)))
    # the reference is silent here: docs/architecture.md puts the personal kitties last
    for seat in seats if personal else []:
        personal[seat].update(_take(top, rules.personal_kitty))
    return holdings, kitty, personal, dead


def _take(cards: Iterator[str], count: int) -> list[str]:
    return [next(cards) for _ in range(count)]


@lru_cache(maxsize=512)
def suits_and_ranks(rules: RuleSet, strain: str) -> tuple[dict[str, str], dict[str, int]]:
    """The suit that each card belongs to under a strain, and its rank in that suit."""
    suits, ranks = {}, {}
    for card in pack(rules):
        suits[card], ranks[card] = suit_and_rank(card, strain)
    return suits, ranks


def suit_and_rank(card: str, strain: str) -> tuple[str, int]:
    if card in ("JKR", "JK2"):
        rank = HIGHER_JOKER if card == "JKR" else LOWER_JOKER
        return (JOKER_SUIT if strain == "NT" else strain), rank
    if strain != "NT" and card == "J" + strain:
        return strain, RIGHT_BOWER
    if strain != "NT" and card == "J" + MATE[strain]:
        return strain, LEFT_BOWER
    return card[-1], RANKS.index(card[:-1])
