"""What the cap on a game's deals makes of its last hand."""

from dataclasses import replace

from fivehundred.rules.hand import HandResult


def decided_by_score(result: HandResult, scores: tuple[int, ...]) -> HandResult:
    """The result of a game's last hand at the cap on deals: the highest score wins, or several."""
    best = max(scores)
    winners = tuple(side for side, score in enumerate(scores) if score == best)
    return replace(result, game_over=True, winners=winners)
