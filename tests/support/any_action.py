"""Legal actions at random."""

from random import Random

from fivehundred.rules.actions import Action, Exchange, Legal, LegalCalls, LegalExchange
from fivehundred.rules.cards import SUITS, Cards, mask, members

PASSES, CALLS = 0.6, 0.8


def any_action(legal: Legal, random: Random, *, passes: float = PASSES) -> Action:
    """One of the legal actions; of calls a pass with a likelihood, beside what chance gives it."""
    if isinstance(legal, LegalExchange):
        thrown = random.sample(list(members(legal.holding)), legal.throw)
        return any_exchange(legal, random, mask(thrown))
    if isinstance(legal, LegalCalls) and random.random() < passes:
        return legal.default()
    return random.choice(list(legal))


def any_exchange(legal: LegalExchange, random: Random, thrown: Cards) -> Exchange:
    """A legal exchange that throws some cards, and settles anything that may be settled."""
    cards = list(members(legal.callable_after(thrown)))
    most = min(legal.partners, len(legal.choosable))
    return Exchange(
        thrown=thrown,
        joker_suit=random.choice((None, *SUITS)) if legal.nominable & ~thrown else None,
        called=random.choice(cards) if cards and random.random() < CALLS else None,
        partners=tuple(random.sample(legal.choosable, random.randint(0, most))),
    )
