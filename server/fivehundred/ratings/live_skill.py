"""Weng–Lin skills for the live display of tables of several, by the library openskill (MIT).

The library is an option (``fivehundred[live]``); nothing else imports this module. It is fenced:
no margins, which the library gets wrong; tau goes to the constructor, where 0 counts; one skill
per entrant, moved once however many seats it has; no ties under Plackett–Luce, which the library
mistakes. Its sigma shrinks very differently by model: it is no confidence interval.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

from fivehundred.ratings.live import Result

MU = 25.0
SIGMA = MU / 3
TAU = MU / 300


class Model(Enum):
    """The library's models."""

    BRADLEY_TERRY_FULL = "BradleyTerryFull"
    BRADLEY_TERRY_PART = "BradleyTerryPart"
    PLACKETT_LUCE = "PlackettLuce"
    THURSTONE_MOSTELLER_FULL = "ThurstoneMostellerFull"
    THURSTONE_MOSTELLER_PART = "ThurstoneMostellerPart"


MODELS = {
    Model.BRADLEY_TERRY_FULL: BradleyTerryFull,
    Model.BRADLEY_TERRY_PART: BradleyTerryPart,
    Model.PLACKETT_LUCE: PlackettLuce,
    Model.THURSTONE_MOSTELLER_FULL: ThurstoneMostellerFull,
    Model.THURSTONE_MOSTELLER_PART: ThurstoneMostellerPart,
}


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill and how unsure it is, in the library's units."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def ordinal(self) -> float:
        """What a display sorts by: three sigma below mu."""
        return self.mu - 3 * self.sigma


def replay(
    results: Iterable[Result], model: Model = Model.BRADLEY_TERRY_FULL, tau: float = TAU
) -> dict[int, Skill]:
    """The skills after all results, in the order given."""
    skills: dict[int, Skill] = {}
    for result in results:
        for side in result.sides:
            for entrant in side:
                skills.setdefault(entrant, Skill())
        skills.update(updated(skills, result, model, tau))
    return skills


def updated(
    skills: Mapping[int, Skill],
    result: Result,
    model: Model = Model.BRADLEY_TERRY_FULL,
    tau: float = TAU,
) -> dict[int, Skill]:
    """The new skills of those at the table.

    Raises ValueError for an entrant on two sides, and for ties under Plackett–Luce.
    """
    sides = [sorted(set(side)) for side in result.sides]
    entrants = [entrant for side in sides for entrant in side]
    if len(set(entrants)) < len(entrants):
        raise ValueError("an entrant sits on two sides: rate tables of different entrants")
    if model is Model.PLACKETT_LUCE and len(set(result.ranks)) < len(result.ranks):
        raise ValueError("Plackett-Luce gets ties wrong here: rate them with Bradley-Terry")
    rater = MODELS[model](mu=MU, sigma=SIGMA, tau=tau)
    teams = [
        [rater.rating(mu=skills[one].mu, sigma=skills[one].sigma) for one in side] for side in sides
    ]
    rated = rater.rate(teams, ranks=[float(rank) for rank in result.ranks])
    return {
        entrant: Skill(float(rating.mu), float(rating.sigma))
        for side, team in zip(sides, rated, strict=True)
        for entrant, rating in zip(side, team, strict=True)
    }
