"""What a definition says of its format; each form makes the `Format` that plays it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache, partial
from math import ceil, log2
from typing import TYPE_CHECKING, Protocol

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.formats.bracket import Bracket
from fivehundred.tournament.formats.elimination import double_elimination, single_elimination
from fivehundred.tournament.formats.fixed import Fixed, Pairings
from fivehundred.tournament.formats.gauntlet import gauntlet
from fivehundred.tournament.formats.ladder import Stay, ladder
from fivehundred.tournament.formats.round_robin import round_robin, table_size
from fivehundred.tournament.formats.sequential import Sequential, sequential
from fivehundred.tournament.formats.stages import Stage, Stages, stages
from fivehundred.tournament.formats.swiss import Swiss, swiss
from fivehundred.tournament.formats.tables import mixed_teams, solo_tables
from fivehundred.tournament.formats.values import Format, Outcome, entrants_of

MOST_IN_SWISS = 500
MOST_ROUNDS = 32
"""Of a Swiss tournament: a round is paired at once, the later the longer it takes."""
MOST_IN_SERIES = 20_000
"""Entrants times ``best_of``: the first round of a bracket is made at once."""
MOST_AHEAD = 16_384
"""Entrants of a ladder times the matches ahead: so many possible pairings are weighed first."""
MOST_DESIGNED = 200
"""Entrants of a design, which is searched for."""

# Tests load scipy, for which those who only read definitions need not wait.
if TYPE_CHECKING:
    from fivehundred.ratings.sequential import (
        Bounds,
        Decision,
        RunningMargins,
        RunningPairScores,
        Verdict,
    )


class Form(Protocol):
    """A format with its parameters, that is played at a rule set by so many entrants."""

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """How many entrants meet in one match."""

    def format(self, rules: RuleSet, entrants: int) -> Format:
        """The format, nothing played yet; raises `ValueError` for what cannot be played."""


@dataclass(frozen=True, slots=True)
class RoundRobinForm:
    """Everybody against everybody."""

    rounds: int = 1

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """One entrant a side, or two where there are too few."""
        return table_size(rules, entrants)

    def format(self, rules: RuleSet, entrants: int) -> Fixed:
        """The round robin."""
        return Fixed(round_robin(entrants, self.rounds, self.slots(rules, entrants)), entrants)


@dataclass(frozen=True, slots=True)
class GauntletForm:
    """Challengers against the field."""

    challengers: tuple[int, ...]
    rounds: int = 1

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """One entrant a side, or two where the field is too small."""
        return table_size(rules, entrants - len(self.challengers) + 1)

    def format(self, rules: RuleSet, entrants: int) -> Fixed:
        """The gauntlet."""
        size = self.slots(rules, entrants)
        made = gauntlet(entrants, self.challengers, rounds=self.rounds, table_size=size)
        return Fixed(made, entrants)


@dataclass(frozen=True, slots=True)
class SoloTablesForm:
    """Tables at which every seat scores for itself and has its own bot."""

    cycles: int = 1
    design_seed: int = 0

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """One entrant a seat."""
        return rules.players

    def format(self, rules: RuleSet, entrants: int) -> Fixed:
        """The tables, in a balanced order."""
        if rules.sides < rules.players:
            raise ValueError("the seats of these rules have partners: take mixed_teams")
        _check_designed(entrants)
        return Fixed(_solo_tables(entrants, rules.players, self.cycles, self.design_seed), entrants)


@dataclass(frozen=True, slots=True)
class MixedTeamsForm:
    """Tables at which every seat has its own bot, in teams that change."""

    cycles: int = 1
    design_seed: int = 0

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """One entrant a seat."""
        return rules.players

    def format(self, rules: RuleSet, entrants: int) -> Fixed:
        """The tables, in a balanced order."""
        if rules.sides == rules.players:
            raise ValueError("the seats of these rules have no partners: take solo_tables")
        _check_designed(entrants)
        shape = entrants, rules.players, rules.sides
        return Fixed(_mixed_teams(*shape, self.cycles, self.design_seed), entrants)


@dataclass(frozen=True, slots=True)
class SwissForm:
    """Rounds in which entrants of like scores meet."""

    rounds: int = 0
    """As many as single out one winner where 0."""

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """Two."""
        return 2

    def format(self, rules: RuleSet, entrants: int) -> Swiss:
        """The Swiss tournament; refuses rounds in which two might have to meet again.

        As long as everybody has met fewer than half of the others there is a pairing without
        (Dirac's theorem), whatever has been paired before.
        """
        if entrants > MOST_IN_SWISS:
            raise ValueError(f"{entrants} entrants in a Swiss tournament: at most {MOST_IN_SWISS}")
        if self.rounds > (most := (entrants + 1) // 2):
            right = "1 round is" if most == 1 else f"1 to {most} are"
            raise ValueError(
                f"{entrants} entrants may have to meet twice in {self.rounds} rounds:"
                f" {right} right, or a round robin"
            )
        if self.rounds > MOST_ROUNDS:
            raise ValueError(f"{self.rounds} rounds of a Swiss tournament: at most {MOST_ROUNDS}")
        return swiss(entrants, self.rounds or ceil(log2(entrants)))


@dataclass(frozen=True, slots=True)
class EliminationForm:
    """A bracket whose losers are out."""

    losses: int = 1
    best_of: int = 1
    extra: int = 10

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """Two."""
        return 2

    def format(self, rules: RuleSet, entrants: int) -> Bracket:
        """The bracket."""
        if self.losses not in (1, 2):
            raise ValueError(f"{self.losses} losses: 1 or 2 put an entrant out")
        if self.best_of > 1 and entrants * self.best_of > MOST_IN_SERIES:
            right = max(1, (MOST_IN_SERIES // entrants - 1) // 2 * 2 + 1)
            raise ValueError(
                f"{entrants} entrants in series of {self.best_of}: at most the best of {right},"
                f" {MOST_IN_SERIES} divided by the entrants"
            )
        make = single_elimination if self.losses == 1 else double_elimination
        return make(entrants, best_of=self.best_of, extra=self.extra)


@dataclass(frozen=True, slots=True)
class LadderForm:
    """Matches between likes."""

    matches: int | None = None
    """None for no end."""
    ahead: int = 16
    stays: tuple[Stay, ...] | None = None
    """When entrants are there; None where all stay."""
    ratings: tuple[float, ...] | None = None

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """One entrant a side."""
        return rules.sides

    def format(self, rules: RuleSet, entrants: int) -> Format:
        """The ladder; its tables are never of copies, since they would change as others join."""
        if entrants < rules.sides:
            raise ValueError(
                f"{entrants_of(entrants)} cannot fill tables of {rules.sides} sides:"
                f" a ladder needs {rules.sides} or more"
            )
        if entrants * self.ahead > MOST_AHEAD:
            raise ValueError(
                f"{entrants} entrants with {self.ahead} matches ahead:"
                f" at most {MOST_AHEAD // entrants} ahead, {MOST_AHEAD} divided by the entrants"
            )
        return ladder(
            entrants,
            matches=self.matches,
            ahead=self.ahead,
            ratings=self.ratings,
            stays=self.stays,
            table_size=self.slots(rules, entrants),
        )


class Compared(Enum):
    """What a sequential test looks at."""

    MARGINS = "margins"
    """The first entrant's points per hand less the second's, match by match."""
    PAIR_SCORES = "pair scores"
    """The first entrant's share of the hands, or games, that were won, match by match."""


@dataclass(frozen=True, slots=True)
class SequentialForm:
    """A match of two that ends with a verdict; the hypotheses in points per hand, or in Elo."""

    tested: Compared
    hypotheses: tuple[float, float]
    most: int
    least: int = 20
    ahead: int = 16
    alpha: float = 0.05
    beta: float = 0.05
    is_normalised: bool = False
    """Whether hypotheses of pair scores are in normalised Elo, not on the logistic curve."""

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """Two."""
        return 2

    @property
    def bounds(self) -> "Bounds":
        """Between which the verdict is open."""
        from fivehundred.ratings.sequential import bounds

        return bounds(self.alpha, self.beta)

    def statistic(self) -> "RunningMargins | RunningPairScores":
        """The log-likelihood ratio of what is tested, of nothing so far."""
        from fivehundred.ratings.sequential import RunningMargins, RunningPairScores, Scale

        if self.tested is Compared.MARGINS:
            return RunningMargins(*self.hypotheses)
        scale = Scale.NORMALISED if self.is_normalised else Scale.LOGISTIC
        return RunningPairScores(*self.hypotheses, scale)

    def tested_value(self, outcome: Outcome) -> float:
        """What is tested of a match whose slot 0 is the first entrant."""
        if self.tested is Compared.MARGINS:
            return outcome.points[0] - outcome.points[1]
        return outcome.shares[0]

    def verdict(self, match: "Sequential[Decision]") -> "Verdict":
        """What the test has come to, or where it stands."""
        from fivehundred.ratings.sequential import Decision, verdict_on

        assert isinstance(match.verdict, _Judge)
        seen = match.verdict.having_seen(match.evidence)
        undecided = Decision.UNDECIDED if match.is_over else Decision.OPEN
        mean = seen.mean if seen.count else None
        return verdict_on(match.result or undecided, seen.count, mean, seen.ratio)

    def format(self, rules: RuleSet, entrants: int) -> "Sequential[Decision]":
        """The match."""
        if entrants != 2:
            raise ValueError(f"{entrants} entrants: a sequential test compares two")
        low, high = self.hypotheses
        if not low < high:
            raise ValueError(f"hypotheses {low:g} and {high:g}: the second has to be greater")
        return sequential(
            _Judge(self),
            most=self.most,
            least=self.least,
            ahead=self.ahead,
        )


@dataclass(frozen=True, slots=True)
class StagesForm:
    """Formats in turn, each with how many come into it; 0 for all."""

    stages: tuple[tuple[Form, int], ...]

    def slots(self, rules: RuleSet, entrants: int) -> int:
        """Those of the first stage's matches; later ones may have others."""
        form, coming = self.stages[0]
        return form.slots(rules, coming or entrants)

    def format(self, rules: RuleSet, entrants: int) -> Stages:
        """The stages."""
        coming = self.stages[0][1] or entrants
        if coming != entrants:
            raise ValueError(f"{coming} of {entrants} entrants come into the first stage: all do")
        return stages(
            [Stage(partial(form.format, rules), number or entrants) for form, number in self.stages]
        )


class _Judge:
    """Looks at the outcomes of a match as they come; each is counted once."""

    def __init__(self, form: SequentialForm) -> None:
        self._form = form
        self._seen = 0

    @cached_property
    def _statistic(self) -> "RunningMargins | RunningPairScores":
        return self._form.statistic()

    @cached_property
    def _bounds(self) -> "Bounds":
        return self._form.bounds

    def __call__(self, outcomes: Sequence[Outcome]) -> "Decision | None":
        from fivehundred.ratings.sequential import Decision

        ratio = self.having_seen(outcomes).ratio
        if ratio is not None and ratio >= self._bounds.upper:
            return Decision.H1
        return Decision.H0 if ratio is not None and ratio <= self._bounds.lower else None

    def having_seen(self, outcomes: Sequence[Outcome]) -> "RunningMargins | RunningPairScores":
        """The statistic of these outcomes, which begin with those that have been seen."""
        for number in range(self._seen, len(outcomes)):
            self._statistic.add(self._form.tested_value(outcomes[number]))
        self._seen = len(outcomes)
        return self._statistic


def _check_designed(entrants: int) -> None:
    if entrants > MOST_DESIGNED:
        raise ValueError(f"{entrants} entrants in a balanced design: at most {MOST_DESIGNED}")


@lru_cache(maxsize=16)
def _solo_tables(entrants: int, size: int, cycles: int, seed: int) -> Pairings:
    """Kept, since a design is found by a search."""
    return solo_tables(entrants, size, cycles=cycles, seed=seed)


@lru_cache(maxsize=16)
def _mixed_teams(entrants: int, players: int, sides: int, cycles: int, seed: int) -> Pairings:
    """Kept, since a design is found by a search."""
    return mixed_teams(entrants, players, sides, cycles=cycles, seed=seed)
