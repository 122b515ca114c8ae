"""Recorded hands at random: any legal decisions, with faults, notes and times, ended in any way."""

from dataclasses import replace
from random import Random

from any_action import any_action
from fivehundred.rules.hand import Hand, Outcome
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.cap import decided_by_score
from fivehundred.table.forfeit import forfeit_result, hand_forfeit_result
from fivehundred.table.values import (
    Decided,
    Fault,
    FaultKind,
    HandEnded,
    HandKey,
    HandRecord,
    HandStarted,
    Receipt,
)
from fivehundred.wire.ruleset import rules_hash

TEXTS = (
    "late",
    "",
    'seat "2" \\ said 7S; # no',
    "trumps are ♠\nout\t\r",
    "\u2028\x1b[2J\x00 é 𝄞 ]",
)
NO_TIME = Receipt(0, 0, 0, 0)
FORFEITS = 0.2
HAND_FORFEITS = 0.4
CAPS = 0.2


def random_record(rules: RuleSet, random: Random) -> HandRecord:
    """A hand as the log might keep it: played, passed out, forfeited, or the last of its game."""
    started = _started(rules, random)
    hand = Hand(
        rules, deal(rules, started.deck, started.dealer), started.dealer, started.scores_before
    )
    most = random.randrange(75) if random.random() < FORFEITS else None
    faults, timed = random.choice((0.0, 0.05, 0.5)), random.random() < 0.7
    decisions: list[Decided] = []
    while hand.turn is not None and len(decisions) != most:
        decisions.append(_decided(hand, random, faults, timed=timed))
        hand.apply(decisions[-1].action)
    ended = _ended(hand, started, random)
    return HandRecord(rules_hash(rules), started, tuple(decisions), ended)


def _started(rules: RuleSet, random: Random) -> HandStarted:
    cards = list(deck(rules))
    random.shuffle(cards)
    bots = (*TEXTS, "basic@1", "careful@2")
    return HandStarted(
        key=HandKey(random.choice(bots), *(random.randrange(9) for _ in range(5))),
        bots=tuple(random.choice(bots) for _ in range(rules.players)),
        entrants=tuple(random.sample(range(40), rules.players)),
        dealer=random.randrange(rules.players),
        deck=tuple(cards),
        scores_before=tuple(random.randrange(-990, 990) for _ in range(rules.sides)),
    )


def _decided(hand: Hand, random: Random, faults: float, *, timed: bool) -> Decided:
    assert hand.turn is not None
    legal = hand.legal()
    receipt = Receipt(*(random.randrange(1 << 40) for _ in range(4))) if timed else NO_TIME
    decided = Decided(hand.turn, any_action(legal, random), receipt)
    if random.random() < 0.1:
        decided = replace(decided, note=random.choice(TEXTS))
    if random.random() < faults:
        answer = random.randbytes(random.choice((0, 5, 256)))
        fault = Fault(random.choice(list(FaultKind)), random.choice(TEXTS), answer)
        decided = replace(decided, action=legal.default(), fault=fault)
    return decided


def _ended(hand: Hand, started: HandStarted, random: Random) -> HandEnded:
    rules, result = hand.rules, hand.result
    if result is None or random.random() < FORFEITS / 4:
        entrant = random.choice(started.entrants)
        side = rules.side_of(started.entrants.index(entrant))
        if random.random() < HAND_FORFEITS:
            return HandEnded(hand_forfeit_result(rules, (side,), started), entrant)
        return HandEnded(forfeit_result(rules, (side,), started.dealer), entrant)
    if not result.game_over and random.random() < CAPS:
        totals = map(sum, zip(started.scores_before, result.change, strict=True))
        result = decided_by_score(result, tuple(totals))
    assert result.outcome is not Outcome.FORFEITED
    return HandEnded(result)
