"""A recorded hand played again under its rules: whether it can have gone as it says."""

from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Hand, HandResult
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.forfeit import forfeit_result
from fivehundred.table.table import decided_by_score
from fivehundred.table.values import Decided, HandEnded, HandRecord, HandStarted
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text.naming import hash_of


def check(record: HandRecord, rules: RuleSet) -> Hand:
    """The hand played again to its end; raises `MalformedMessage` for the first thing wrong."""
    if record.rules_hash != hash_of(rules):
        raise MalformedMessage(f"rules hash {record.rules_hash.hex()} is not these rules'")
    hand = dealt(rules, record.started)
    for number, decided in enumerate(record.decisions, start=1):
        try:
            carry_out(hand, decided)
        except MalformedMessage as error:
            raise MalformedMessage(f"decision {number}: {error.reason}") from None
    ended = record.ended
    capped = ended.result.game_over
    expected = end_of(hand, record.started, ended.forfeited_by, capped=capped)
    _compare(ended.result, expected.result)
    return hand


def dealt(rules: RuleSet, started: HandStarted) -> Hand:
    """The hand that a start deals; raises `MalformedMessage` where the rules know no such start."""
    for what, count, right in (
        ("bots", len(started.bots), rules.players),
        ("entrants", len(started.entrants), rules.players),
        ("scores before", len(started.scores_before), rules.sides),
    ):
        if count != right:
            raise MalformedMessage(f"{count} {what}: the rules want {right}")
    if not 0 <= started.dealer < rules.players:
        raise MalformedMessage(f"dealer {started.dealer}: the seats are 0 to {rules.players - 1}")
    try:
        cards = deal(rules, started.deck, started.dealer)
    except ValueError as error:
        raise MalformedMessage(str(error)) from None
    return Hand(rules, cards, started.dealer, started.scores_before)


def carry_out(hand: Hand, decided: Decided) -> None:
    """Carry out a decision; raises `MalformedMessage` where the rules or the policy forbid it."""
    if hand.turn is None:
        raise MalformedMessage(f"{decided.action} follows the hand's end")
    if hand.turn != decided.seat:
        raise MalformedMessage(
            f"{decided.action} is seat {decided.seat}'s, it is seat {hand.turn}'s turn"
        )
    substitute = None if decided.fault is None else hand.legal().default()
    try:
        hand.apply(decided.action)
    except IllegalAction as error:
        raise MalformedMessage(str(error)) from None
    if substitute is not None and decided.action != substitute:
        raise MalformedMessage(
            f"{decided.action} cannot stand for a fault: the substitute is {substitute}"
        )


def end_of(
    hand: Hand, started: HandStarted, forfeited_by: int | None, *, capped: bool
) -> HandEnded:
    """How a hand ends; ``capped``: the score decides its game where the hand has not.

    Raises `MalformedMessage` where it is not over, or nobody could have forfeited it.
    """
    if forfeited_by is not None:
        return _forfeited(hand.rules, started, forfeited_by)
    result = hand.result
    if result is None:
        raise MalformedMessage(f"the hand is not over: it is seat {hand.turn}'s turn")
    if capped and not result.game_over:
        totals = zip(started.scores_before, result.change, strict=True)
        result = decided_by_score(result, tuple(map(sum, totals)))
    return HandEnded(result)


def _forfeited(rules: RuleSet, started: HandStarted, entrant: int) -> HandEnded:
    if entrant not in started.entrants:
        raise MalformedMessage(f"entrant {entrant} forfeits without a seat: {started.entrants} sit")
    side = rules.side_of(started.entrants.index(entrant))
    return HandEnded(forfeit_result(rules, side, started.dealer), entrant)


def _compare(recorded: HandResult, expected: HandResult) -> None:
    for name in HandResult.__slots__:
        right, found = getattr(expected, name), getattr(recorded, name)
        if right != found:
            raise MalformedMessage(
                f"its {name.replace('_', ' ')} is {found}, the rules give {right}"
            )
