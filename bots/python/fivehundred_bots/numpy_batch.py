"""An example of a model over arrays: scores all choices of many decisions in one go.

The model is small and fixed. All its weights and features are whole numbers, so its sums are exact:
what it decides does not depend on what else was decided at once, as it might with rounded sums.
A trained model takes its place in `score`; `fivehundred_client.selfplay` is for training it.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fivehundred.rules.actions import Action, Exchange, LegalExchange
from fivehundred.rules.cards import NO_TRUMP, SUITS, mask
from fivehundred.rules.ruleset import RuleSet
from fivehundred_client import AnyTurn, BatchBot, run
from fivehundred_client.arrays import CARDS, Views, action_numbers, views_of

Scores = NDArray[np.int64]

COURT = 11
"""The rank above which a card counts towards a bid: jack, queen, king, ace."""
JOKER_WORTH = 40
COURT_WORTH = 12
LENGTH_WORTH = 10
LEVEL_COST = 16
JOKER_RANK = 100
TRUMP_RANK = 16
SAFE = 62
"""What a suit has to be worth before it is bid."""
NEVER = -(1 << 40)


class NumpyBatch(BatchBot):
    """Bids its best suit, throws the least useful cards, and plays high to win and low to lose."""

    name = "numpy-batch"
    version = "1"

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        """The choice with the highest score in each row, rules by rules."""
        places: dict[bytes, list[int]] = defaultdict(list)
        for place, turn in enumerate(turns):
            places[turn.asked.rules_hash].append(place)
        actions: dict[int, Action] = {}
        for own in places.values():
            chosen = choose(turns[own[0]].rules, [turns[place] for place in own])
            actions.update(zip(own, chosen, strict=True))
        return [actions[place] for place in range(len(turns))]


def choose(rules: RuleSet, turns: Sequence[AnyTurn]) -> list[Action]:
    """What to do in each of the turns under one set of rules."""
    views = views_of(rules, turns)
    scores = np.where(views.legal, score(rules, views), NEVER)
    best = scores.argmax(axis=1).tolist()
    numbers = action_numbers(rules)
    throws = np.argsort(-scores[:, numbers.throws], axis=1, kind="stable")
    return [
        Exchange(mask(throws[row, : turn.legal.throw].tolist()))
        if isinstance(turn.legal, LegalExchange)
        else numbers.action(best[row])
        for row, turn in enumerate(turns)
    ]


def score(rules: RuleSet, views: Views) -> Scores:
    """The scores of all actions, a row for each view."""
    numbers = action_numbers(rules)
    scores = np.zeros(views.legal.shape, np.int64)
    worth = suit_worth(views)
    for place, bid in enumerate(numbers.bids, start=1):
        if not bid.special and bid.strain in SUITS:
            above = bid.level - rules.min_bid
            scores[:, place] = worth[:, bid.strain] - SAFE - LEVEL_COST * above
        else:
            scores[:, place] = -1
    usefulness = card_worth(rules, views)
    scores[:, numbers.throws] = -usefulness
    scores[:, numbers.plays] = np.where(leads_or_may_win(views), usefulness, -usefulness)
    scores[:, numbers.named] = -1
    return scores


def suit_worth(views: Views) -> Scores:
    """How good each suit of the holding is as trumps, n × 4."""
    held = views.holding[:, : 16 * len(SUITS)].reshape(-1, len(SUITS), 16)
    jokers = views.holding[:, 16 * len(SUITS) :].sum(axis=1, dtype=np.int64)
    court = held[:, :, COURT + 1 :].sum(axis=2, dtype=np.int64)
    length = held.sum(axis=2, dtype=np.int64)
    worth: Scores = COURT_WORTH * court + LENGTH_WORTH * length + JOKER_WORTH * jokers[:, None]
    return worth


def card_worth(rules: RuleSet, views: Views) -> Scores:
    """How useful each card is for tricks, n × 66: its rank, more as a trump, most as a joker."""
    cards = np.arange(CARDS)
    rank = np.where(cards < 16 * len(SUITS), cards % 16, JOKER_RANK)
    worth: Scores = rank + TRUMP_RANK * (cards // 16 == trump_suit(rules, views)[:, None])
    return worth


def trump_suit(rules: RuleSet, views: Views) -> Scores:
    """The contract's suit, or one that is none at no trump; the best of the holding before."""
    bids = action_numbers(rules).bids
    strains = np.array([NO_TRUMP, *(bid.strain for bid in bids)])
    return np.where(views.contract < 0, suit_worth(views).argmax(axis=1), strains[views.contract])


def leads_or_may_win(views: Views) -> NDArray[np.bool_]:
    """Whether the next card is one of the first two of a trick, n × 1."""
    played = (views.tricks >= 0).sum(axis=(1, 2))
    seats = np.maximum(views.playing.sum(axis=1), 1)
    place: NDArray[np.int64] = played % seats
    return (place < 2)[:, None]


if __name__ == "__main__":
    run(NumpyBatch())
