"""What the end of a hand is worth to a seat at the score of its game."""

from fivehundred.rules.game import game_end
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.scoring import is_made, score
from fivehundred.rules.values import Contract, SeatView

GAME = 400.0
"""The points that winning a game is worth beside those scored."""


def worth(rules: RuleSet, view: SeatView, contract: Contract, tricks: int) -> float:
    """What a contract is worth to the seat if its side takes so many tricks.

    The points gained over the other sides, and more where the game ends.
    """
    by_seat = _shared_out(rules, contract, tricks)
    change = score(rules, contract, by_seat, view.scores)
    made = is_made(rules, contract, by_seat)
    over, winners, _ = game_end(rules, view.scores, change, contract, made, ())
    own = rules.side_of(view.seat)
    gain = change[own] - (sum(change) - change[own]) / (rules.sides - 1)
    if over:
        share = 1.0 / len(winners) if own in winners else 0.0
        gain += 2.0 * GAME * (share - 1.0 / rules.sides)
    return gain


def _shared_out(rules: RuleSet, contract: Contract, tricks: int) -> list[int]:
    """Tricks by seat: the contractor's, and the rest spread over the other sides."""
    by_seat = [0] * rules.players
    by_seat[contract.contractor] = tricks
    with_contractor = {rules.side_of(seat) for seat in (contract.contractor, *contract.partners)}
    foes = [seat for seat in range(rules.players) if rules.side_of(seat) not in with_contractor]
    for place in range(10 - tricks):
        by_seat[foes[place % len(foes)]] += 1
    return by_seat
