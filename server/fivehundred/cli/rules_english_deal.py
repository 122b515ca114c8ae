"""The pack, the deal and the sides in English."""

from collections.abc import Iterator

from fivehundred.cli.rules_english_words import STRAIN_WORDS, count, listed, number
from fivehundred.rules.cards import SUITS
from fivehundred.rules.ruleset import RuleSet, SideModel


def brief(rules: RuleSet) -> Iterator[str]:
    """What kind of game it is."""
    who = f"{number(rules.players).capitalize()} play"
    yield "500 is a game of tricks with an auction."
    yield f"{who}; everybody holds ten cards."
    yield "In the auction the players bid what they mean to do in the ten tricks."
    yield "The highest bid is the contract, and its bidder is the contractor."
    yield f"The points of hand after hand add up; the game goes to {rules.target}."


def pack(rules: RuleSet) -> Iterator[str]:
    """Which cards there are."""
    yield f"The pack has {rules.deck_size} cards."
    ranks = {suit: _ranks(rules, suit) for suit in SUITS}
    for cards in dict.fromkeys(ranks.values()):
        suits = [STRAIN_WORDS[suit] for suit in SUITS if ranks[suit] == cards]
        yield f"{listed(suits).capitalize()} have {cards}, from high to low."
    if rules.jokers == 0:
        yield "There is no joker."
    elif rules.jokers == 1:
        yield "There is a joker, JKR."
    else:
        yield "There are two jokers; the higher, JKR, beats the lower, JK2."


def _ranks(rules: RuleSet, suit: int) -> str:
    pips = range(rules.highest_pip[suit], rules.lowest_pip[suit] - 1, -1)
    return " ".join(("A K Q J", *map(str, pips)))


def deal(rules: RuleSet) -> Iterator[str]:
    """How the cards are dealt."""
    yield "Everything goes clockwise."
    yield "From the dealer's left everybody is dealt three cards, then four, then three."
    if rules.dead_hands:
        as_if = "as if to a player on the dealer's left, before all others"
        yield f"A hand of ten more is dealt {as_if}; nobody sees it."
    yield from _kitties(rules)
    yield "The first dealer is drawn by lot."
    yield "After each hand that is played the deal moves one seat clockwise."


def _kitties(rules: RuleSet) -> Iterator[str]:
    size, own = rules.kitty_size, rules.personal_kitty
    if size and rules.players == 4 and size % 3 == 0:
        laid = f"{count(size // 3, 'card')} {_are(size // 3)} laid face down"
        yield f"After each of these rounds {laid}; the {number(size)} are the kitty."
    elif size:
        yield f"Then {count(size, 'card')} {_are(size)} laid face down as the kitty."
    if own:
        yield f"Last, everybody is dealt {count(own, 'card')}, face down, as a kitty of his own."
    if not size and not own:
        yield "No cards are left for a kitty."


def _are(size: int) -> str:
    return "is" if size == 1 else "are"


def sides(rules: RuleSet) -> Iterator[str]:
    """Who plays with whom."""
    if rules.side_model is SideModel.SOLO:
        yield "Everybody plays for himself and has a score of his own."
        if rules.players > 2:
            yield "In each hand all others are defenders against the contractor."
    elif rules.side_model is SideModel.CALLED:
        yield "Everybody has a score of his own."
        yield "In each hand the contractor may find a partner once the auction is over."
    else:
        yield from _teams(rules)


def _teams(rules: RuleSet) -> Iterator[str]:
    size = rules.players // rules.sides
    teams = f"There are {number(rules.sides)} teams of {number(size)}"
    place = "partners sit opposite" if size == 2 else "every other player is a partner"
    yield f"{teams}; {place}, and a team has one score."
