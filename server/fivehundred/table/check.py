"""A recorded hand held against the rules: dealt, decided and scored again."""

from dataclasses import fields

from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Hand, HandResult
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.cap import decided_by_score
from fivehundred.table.forfeit import forfeit_result, forfeiting_sides, hand_forfeit_result
from fivehundred.table.values import Decided, HandEnded, HandRecord, HandStarted


class Mismatch(ValueError):
    """A record is not what the rules give: the field, why, and in which decision, from 0."""

    def __init__(self, field: str, reason: str, decision: int | None = None) -> None:
        super().__init__(reason if decision is None else f"decision {decision + 1}: {reason}")
        self.field = field
        self.reason = reason
        self.decision = decision
        """None where it is no decision that is wrong; the words count from 1, as people do."""


def check_record(rules: RuleSet, record: HandRecord, *, capped: bool) -> Hand:
    """The hand played again to its end; raises `Mismatch` for the first thing wrong.

    ``capped``: the score decides its game where the hand has not.
    """
    hand = dealt(rules, record.started)
    for number, decided in enumerate(record.decisions):
        try:
            carry_out(hand, decided)
        except Mismatch as error:
            raise Mismatch(error.field, error.reason, number) from None
    ended, started = record.ended, record.started
    goes_on = ended.result.next_dealer != started.dealer
    expected = end_of(hand, started, ended.forfeited_by, capped=capped, goes_on=goes_on)
    _check_result(record.ended.result, expected.result)
    return hand


def dealt(rules: RuleSet, started: HandStarted) -> Hand:
    """The hand that a start deals; raises `Mismatch` where the rules know no such start."""
    for field, count, right in (
        ("bots", len(started.bots), rules.players),
        ("entrants", len(started.entrants), rules.players),
        ("scores_before", len(started.scores_before), rules.sides),
    ):
        if count != right:
            raise Mismatch(field, f"{count} {_in_words(field)}: the rules want {right}")
    if not 0 <= started.dealer < rules.players:
        raise Mismatch("dealer", f"dealer {started.dealer}: the seats are 0 to {rules.players - 1}")
    try:
        cards = deal(rules, started.deck, started.dealer)
    except ValueError as error:
        raise Mismatch("deck", str(error)) from None
    return Hand(rules, cards, started.dealer, started.scores_before)


def carry_out(hand: Hand, decided: Decided) -> None:
    """Carry out a decision; raises `Mismatch` where the rules or the fault policy forbid it."""
    action = decided.action
    if hand.turn is None:
        raise Mismatch("decisions", f"{action} follows the hand's end")
    if hand.turn != decided.seat:
        why = f"{action} is seat {decided.seat}'s, it is seat {hand.turn}'s turn"
        raise Mismatch("seat", why)
    substitute = None if decided.fault is None else hand.legal().default()
    try:
        hand.apply(action)
    except IllegalAction as error:
        raise Mismatch("action", str(error)) from None
    if substitute is not None and action != substitute:
        why = f"{action} cannot stand for a fault: the substitute is {substitute}"
        raise Mismatch("action", why)


def end_of(
    hand: Hand,
    started: HandStarted,
    forfeited_by: int | None,
    *,
    capped: bool,
    goes_on: bool = False,
) -> HandEnded:
    """How a hand ends; ``capped``: the score decides its game where the hand has not.

    ``goes_on``: a forfeit is one of the hand alone, after which its game may go on with the next
    dealer. Raises `Mismatch` where the hand is not over, or nobody could have forfeited it.
    """
    result = hand.result
    if forfeited_by is not None:
        result = _forfeited(hand.rules, started, forfeited_by, goes_on=goes_on)
    if result is None:
        raise Mismatch("result", f"the hand is not over: it is seat {hand.turn}'s turn")
    if capped and not result.game_over:
        totals = zip(started.scores_before, result.change, strict=True)
        result = decided_by_score(result, tuple(map(sum, totals)))
    return HandEnded(result, forfeited_by)


def _forfeited(rules: RuleSet, started: HandStarted, entrant: int, *, goes_on: bool) -> HandResult:
    if entrant not in started.entrants:
        why = f"entrant {entrant} forfeits without a seat: {started.entrants} sit"
        raise Mismatch("result.forfeited_by", why)
    sides = forfeiting_sides(rules, started.entrants, entrant)
    if goes_on:
        return hand_forfeit_result(rules, sides, started)
    return forfeit_result(rules, sides, started.dealer)


def _check_result(recorded: HandResult, expected: HandResult) -> None:
    for name in (each.name for each in fields(HandResult)):
        right, found = getattr(expected, name), getattr(recorded, name)
        if right != found:
            why = f"its {_in_words(name)} is {found}, the rules give {right}"
            raise Mismatch(f"result.{name}", why)


def _in_words(field: str) -> str:
    return field.replace("_", " ")
