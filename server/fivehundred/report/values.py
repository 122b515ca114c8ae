"""What a report says, as values; entrants are named, and listed best first where it matters."""

from collections.abc import Mapping
from dataclasses import dataclass

from fivehundred.ratings.values import Estimate
from fivehundred.report.crosstable import Meeting
from fivehundred.report.matches import StageResult
from fivehundred.report.progress import Moment
from fivehundred.report.shares import Shares
from fivehundred.report.times import TimesUsed
from fivehundred.tournament.bias import BiasReport
from fivehundred.tournament.formats.forms import Form
from fivehundred.tournament.parts import Parts
from fivehundred.tournament.standings import Standings

Parameters = tuple[tuple[str, str], ...]
"""Names and values, as text."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part, in the order of the definition."""

    name: str
    bot: str
    """As ``name@version``; empty where it is not known yet."""
    entropy: str
    """What it has added to the deals, in hexadecimal digits; empty for nothing."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What identifies a tournament and lets others check it; bytes in hexadecimal digits."""

    tournament: str
    state: str
    """As the contract names it, such as "FINISHED"."""
    reason: str
    """Why it failed or rests, in words; mostly empty."""
    created: str
    """When it was created: ``2026-11-30 14:30:00 UTC``."""
    software: str
    """The version of the program that has written the report."""
    entrants: tuple[Entrant, ...]
    rules: str
    """The preset's name, and whether it was changed."""
    rules_hash: str
    seed_commitment: str
    seed: str
    """Empty until it is revealed."""
    log_digest: str
    """Of the hands as they are now; the final one once the tournament is finished."""
    is_digest_final: bool
    matches: int
    """Matches of which there are hands."""
    hands_stored: int
    """All hands of the log, those that do not count too."""
    parameters: Parameters
    """Of the tournament."""
    rule_parameters: Parameters
    """Of the rule set, all of them."""
    definition: str
    """The tournament's definition as text, without a seed that is not revealed."""

    def bot_of(self, entrant: str) -> str:
        """The bot of an entrant, as ``name@version``; empty where it is not known yet."""
        return next((each.bot for each in self.entrants if each.name == entrant), "")

    @property
    def is_finished(self) -> bool:
        """Whether it has been played to its end."""
        return self.state == "FINISHED"

    @property
    def is_over(self) -> bool:
        """Whether no hand will be added."""
        return self.state in ("FINISHED", "ABORTED", "FAILED")


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """What a sequential test has come to."""

    decision: str
    """"open", "h0", "h1" or "undecided"."""
    matches: int
    """Matches, in the schedule's order, that it rests on."""
    ratio: float | None
    """The log-likelihood ratio; None where it is not defined yet."""
    lower: float
    """At or below it the first hypothesis is taken."""
    upper: float
    """At or above it the second is taken."""
    mean: Estimate
    """Of what is tested, over those matches. Its interval is the plain one of Student's t, which is
    not corrected for the early stop."""
    remark: str
    first: str
    """The first hypothesis in words."""
    second: str
    tested: str
    """What is compared, match by match, in words."""
    unit: str
    """Of the mean: "points per hand" or "share"."""
    hypotheses: tuple[float, float]
    hypotheses_unit: str
    """"points per hand", "Elo" or "normalised Elo"."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report says."""

    facts: Facts
    standings: Standings
    number: str
    """The number that charts show: "points_per_hand" or "elo"."""
    form: Form
    """The format, as it was defined."""
    teams: int
    """How many sides of a table are told apart: more than two where Elo is by finishing order."""
    stages: tuple[StageResult, ...]
    """The results by match; one stage where the format has no stages."""
    shares: Mapping[str, Shares]
    """By entrant."""
    games: bool
    """Whether games to the target were played, not boards of one hand."""
    anchor: str
    """The entrant whose Elo is fixed; empty for the mean of all."""
    chances: Mapping[tuple[str, str], float | None]
    """By two entrants the chance that the first is the stronger; None where results cannot say."""
    crosstable: Mapping[tuple[str, str], Meeting]
    """By first and second entrant."""
    progress: tuple[Moment, ...]
    times: tuple[TimesUsed, ...]
    bias: BiasReport | None
    """What the checks of bias and honesty have found; None where there is no hand."""
    parts: Parts | None
    """Where the points came from; None where there is no hand."""
    test: SequentialTest | None = None
    """None where the format is no sequential test."""

    def shares_of(self, entrant: str) -> Shares:
        """The shares of an entrant; empty estimates where nothing is known of him."""
        return self.shares.get(entrant, Shares(Estimate(), Estimate()))

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants, best first."""
        return tuple(row.entrant for row in self.standings.rows)
