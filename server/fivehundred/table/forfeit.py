"""What a forfeit scores: never better than the worst result of playing on."""

from fivehundred.rules.bids import bid_value, ladder
from fivehundred.rules.hand import HandResult, Outcome
from fivehundred.rules.ruleset import RuleSet


def forfeit_change(rules: RuleSet, side: int) -> tuple[int, ...]:
    """Points by side when one side forfeits: the dearest bid lost, every trick to the others."""
    dearest = max(bid_value(rules, bid) for bid in ladder(rules))
    lost = -dearest if rules.set_back else 0
    others = (dearest if rules.defenders_collect else 0) + 10 * rules.defender_trick_points
    return tuple(lost if each == side else others for each in range(rules.sides))


def forfeit_result(rules: RuleSet, side: int, dealer: int) -> HandResult:
    """The result of a hand that a side forfeits; it ends the game that the hand belongs to."""
    return HandResult(
        outcome=Outcome.FORFEITED,
        contract=None,
        tricks_won=(0,) * rules.players,
        change=forfeit_change(rules, side),
        game_over=True,
        winners=tuple(each for each in range(rules.sides) if each != side),
        next_dealer=dealer,
    )
