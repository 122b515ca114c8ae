"""Facts of hands that nobody has played: points by strength, luck of the deal, and chance."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.formats import round_robin
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.honesty.facts import FactColumns, HandFacts
from fivehundred.tournament.seatings import seatings

FOUR = RuleSet()
THREE = RuleSet(players=3, side_model=SideModel.SOLO)

Change = Callable[[HandFacts], HandFacts]


def made_facts(
    seed: int,
    rules: RuleSet,
    strengths: Sequence[float],
    *,
    rounds: int = 1,
    boards: int = 4,
    change: Change = lambda hand: hand,
) -> FactColumns:
    """A round robin over boards of one hand; ``change`` may alter each hand before it is kept."""
    return FactColumns(rules, map(change, _hands(seed, rules, strengths, rounds, boards)))


def _hands(
    seed: int, rules: RuleSet, strengths: Sequence[float], rounds: int, boards: int
) -> Iterator[HandFacts]:
    rng, number = Random(seed), 0
    for pairing in round_robin(len(strengths), rounds, rules.sides):
        for at in range(boards):
            board = pairing.number * boards + at
            luck = [rng.gauss(0, 100) for _ in range(rules.sides)]
            for seating, slots in enumerate(seatings(rules, rules.sides)):
                number += 1
                seated = tuple(pairing.entrants[slot] for slot in slots)
                points = tuple(
                    10 * round((luck[side] + strengths[seated[side]] + rng.gauss(0, 50)) / 10)
                    for side in range(rules.sides)
                )
                yield HandFacts(
                    line=made_line(pairing.number, board, seating, seated, points),
                    number=number,
                    dealer=board % rules.players,
                    bots=tuple(f"bot-{entrant}@1" for entrant in seated),
                    decisions=(10,) * rules.players,
                    charged_us=tuple(round(rng.expovariate(1e-4)) for _ in seated),
                    lag_us=round(rng.expovariate(1e-2)),
                    course=number,
                )


def made_line(
    match: int, board: int, seating: int, entrants: tuple[int, ...], change: tuple[int, ...]
) -> HandLine:
    """What the standings know of a hand of which the result alone matters."""
    return HandLine(
        match=match,
        board=board,
        seating=seating,
        hand=0,
        attempt=0,
        entrants=entrants,
        change=change,
        contractor=None,
        made=False,
    )
