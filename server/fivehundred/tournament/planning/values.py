"""What planning takes and gives."""

from dataclasses import dataclass

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.formats.forms import Compared, Form, SequentialForm
from fivehundred.tournament.planning.costs import Decisions, Limits, Pace
from fivehundred.tournament.planning.evidence import Unit, Variances
from fivehundred.tournament.planning.resolution import Resolution
from fivehundred.tournament.planning.stopping import Stopping


class Nonsense(ValueError):
    """An event that cannot be meant; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Event:
    """What planning needs to know of a tournament."""

    rules: RuleSet
    names: tuple[str, ...]
    """Of the entrants."""
    form: Form
    boards_per_match: int
    games: bool
    """Whether each board is a game to the target; otherwise it is one deal."""
    max_deals: int
    common: bool
    """Whether all matches of a round play the same boards."""
    tables: int
    """Matches at once."""
    limits: Limits
    anchor: int | None = None
    is_launched: bool = False
    """Whether some bot is a program that has to be started."""

    @property
    def unit(self) -> Unit:
        """What decides: that which ranks, or that of a test's hypotheses."""
        if isinstance(self.form, SequentialForm):
            return Unit.POINTS if self.form.tested is Compared.MARGINS else Unit.ELO
        return self.ranked_unit

    @property
    def ranked_unit(self) -> Unit:
        """What ranks: points per hand, or Elo where games are played."""
        return Unit.ELO if self.games else Unit.POINTS

    @property
    def other_unit(self) -> Unit:
        """The one that does not decide."""
        return Unit.POINTS if self.unit is Unit.ELO else Unit.ELO


@dataclass(frozen=True, slots=True)
class Known:
    """What was measured on earlier events; None for what was not."""

    points: Variances | None = None
    elo: Variances | None = None
    decisions: Decisions | None = None
    """Of a hand."""
    pace: Pace | None = None
    bytes_a_hand: float | None = None
    hands_a_game: float | None = None
    sources: tuple[str, ...] = ()
    """The events, such as "spring-cup (2,400 hands)"."""
    remark: str = ""
    """Why nothing was measured on the events that there are."""

    def variances(self, unit: Unit) -> Variances | None:
        """What is known of the boards in a unit."""
        return self.points if unit is Unit.POINTS else self.elo


@dataclass(frozen=True, slots=True)
class Amount:
    """A number at least, expected, and at most; None where there is no end."""

    least: float
    expected: float
    most: float | None

    def times(self, factor: float, most_factor: float | None = None) -> "Amount":
        """So many times as much."""
        most = None if self.most is None else self.most * (most_factor or factor)
        return Amount(self.least * factor, self.expected * factor, most)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What an event costs and what it resolves."""

    matches: Amount
    boards: Amount
    hands: Amount
    decisions: Decisions
    """Expected, of all hands."""
    most_decisions_a_hand: Decisions
    expected_s: float
    """At the pace that was measured, else of a quiet machine."""
    worst_s: float | None
    """None where there is no end."""
    bytes: float
    resolutions: tuple[Resolution, ...]
    """In the unit that decides: one where it was measured, else one for each likeness of bots."""
    other_resolutions: tuple[Resolution, ...]
    """In the other unit, where that was measured, or where a test decides and points rank."""
    stoppings: tuple[Stopping, ...]
    """Of a sequential test."""
    assumptions: tuple[str, ...]
    """What was not measured, a sentence each."""
    warnings: tuple[str, ...]

    @property
    def resolution(self) -> Resolution:
        """The one that was measured, or that of the kind of bots in the middle."""
        return self.resolutions[len(self.resolutions) // 2]
