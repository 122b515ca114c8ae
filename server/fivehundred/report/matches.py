"""Results by match: who met whom in which round or series, and how it ended."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from fivehundred.ratings.values import rounded
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.formats import (
    Bracket,
    Fixed,
    Format,
    Outcome,
    Pairing,
    SeriesView,
    Stages,
    StageView,
    Swiss,
)
from fivehundred.tournament.formats.forms import (
    EliminationForm,
    Form,
    GauntletForm,
    LadderForm,
    MixedTeamsForm,
    SequentialForm,
    SoloTablesForm,
    StagesForm,
    SwissForm,
)
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.outcomes import OpenMatches, match_outcome

KINDS: dict[type[Form], str] = {
    GauntletForm: "gauntlet",
    SoloTablesForm: "solo_tables",
    MixedTeamsForm: "mixed_teams",
    SwissForm: "swiss",
    EliminationForm: "elimination",
    LadderForm: "ladder",
    SequentialForm: "sequential",
    StagesForm: "stages",
}
WITHOUT_ROUNDS = ("ladder", "sequential")


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over, and of how many hands or games."""

    outcome: Outcome
    of: int


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match; the numbers are None until it is over."""

    entrants: tuple[str, ...]
    points: float | None = None
    """Per hand."""
    won: float | None = None
    """Hands or games; ties are shared."""
    score: float | None = None
    """What the match is worth to it: the share of the others that it has beaten."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match and its result."""

    number: int
    """As the log has it, from 0."""
    round: int | None
    """From 1; None where the format has no rounds."""
    series: int | None
    """From 1, within the stage; None where the format has no series."""
    sides: tuple[Side, ...]
    of: int
    """Hands or games; 0 until it is over."""

    @property
    def is_over(self) -> bool:
        """Whether all its hands have been played."""
        return self.of > 0

    @property
    def winners(self) -> tuple[Side, ...]:
        """Those with the best score; none where all have the same."""
        best = max((each.score or 0.0 for each in self.sides), default=0.0)
        found = tuple(each for each in self.sides if each.score == best)
        return () if len(found) == len(self.sides) else found


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """A series of an elimination."""

    number: int
    round: int
    branch: str
    """"winners", "losers" or "final"."""
    entrants: tuple[str, ...]
    """None until both are known, one where the other is a bye."""
    matches: tuple[int, ...]
    wins: tuple[int, int]
    winner: str
    """Empty while it is open."""
    decided: str
    """"wins", "played on", "points", "seed" or "bye"; empty while it is open."""


@dataclass(frozen=True, slots=True)
class StageResult:
    """A stage, or the whole tournament where it has one format."""

    number: int
    kind: str
    """The format, as a definition names it."""
    is_fixed: bool
    """Whether its matches were known beforehand, whatever their outcomes."""
    entrants: tuple[str, ...]
    """By seed."""
    matches: tuple[Match, ...]
    """Those known so far; of a fixed format those that are over."""
    series: tuple[SeriesResult, ...]
    byes: tuple[str, ...]
    """Of each round so far who has its bye; empty where nobody does."""


def kind_of(form: Form) -> str:
    """What a definition calls a format."""
    return KINDS.get(type(form), "round_robin")


def played_matches(
    lines: Iterable[HandLine],
    made: Format,
    rules: RuleSet,
    boards_per_match: int,
    *,
    games: bool,
) -> dict[int, Played]:
    """The matches that are over, by number; ``made`` has taken their outcomes."""
    found = {}
    for whole in OpenMatches(rules, boards_per_match, games=games).over(lines):
        pairing = made.pairing(whole[0].match)
        if pairing is not None and set(pairing.entrants) == set(whole[0].entrants):
            known = match_outcome(pairing, whole, rules, games=games)
            of = sum(line.game_over for line in whole) if games else len(whole)
            found[pairing.number] = Played(known, of)
    return dict(sorted(found.items()))


def stage_results(
    made: Format, form: Form, names: Sequence[str], rules: RuleSet, played: Mapping[int, Played]
) -> tuple[StageResult, ...]:
    """The stages that have begun; ``names`` are those of all entrants."""
    if isinstance(made, Stages) and isinstance(form, StagesForm):
        begun = zip(made.begun, (each for each, _ in form.stages), strict=False)
    else:
        begun = zip([StageView(made, tuple(range(len(names))), 0)], [form], strict=True)
    return tuple(
        _Stage(stage, kind_of(each), names, rules, played).result(number)
        for number, (stage, each) in enumerate(begun, start=1)
    )


class _Stage:
    """Reads one stage."""

    def __init__(
        self,
        stage: StageView,
        kind: str,
        names: Sequence[str],
        rules: RuleSet,
        played: Mapping[int, Played],
    ) -> None:
        self._stage = stage
        self._kind = kind
        self._names = [names[entrant] for entrant in stage.entrants]
        self._rules = rules
        self._played = played
        self._series = stage.format.series if isinstance(stage.format, Bracket) else ()
        self._series_of = {
            match: at for at, each in enumerate(self._series, start=1) for match in each.matches
        }

    def result(self, number: int) -> StageResult:
        """The stage of a number from 1."""
        made = self._stage.format
        byes = made.bye_of_round if isinstance(made, Swiss) else ()
        return StageResult(
            number=number,
            kind=self._kind,
            is_fixed=isinstance(made, Fixed),
            entrants=tuple(self._names),
            matches=tuple(map(self._match, self._pairings())),
            series=tuple(self._told(at, each) for at, each in enumerate(self._series, start=1)),
            byes=tuple("" if bye is None else self._names[bye] for bye in byes),
        )

    def _pairings(self) -> Iterator[Pairing]:
        made, first = self._stage.format, self._stage.first
        if isinstance(made, Fixed):
            here = (number - first for number in self._played)
            found = (made.pairing(number) for number in here)
            yield from (pairing for pairing in found if pairing is not None)
            return
        number = 0
        while (pairing := made.pairing(number)) is not None:
            yield pairing
            number += 1

    def _match(self, pairing: Pairing) -> Match:
        number = self._stage.first + pairing.number
        played = self._played.get(number)
        size, sides = len(pairing.entrants), self._rules.sides
        in_teams = size == self._rules.players > sides
        slots = [tuple(range(at, size, sides)) for at in range(sides)] if in_teams else None
        return Match(
            number=number,
            round=None if self._kind in WITHOUT_ROUNDS else pairing.round + 1,
            series=self._series_of.get(pairing.number),
            sides=tuple(
                self._side(pairing, members, played)
                for members in slots or [(slot,) for slot in range(size)]
            ),
            of=0 if played is None else played.of,
        )

    def _side(self, pairing: Pairing, slots: Sequence[int], played: Played | None) -> Side:
        names = tuple(self._names[pairing.entrants[slot]] for slot in slots)
        if played is None:
            return Side(names)
        known, size = played.outcome, len(slots)
        share = fsum(known.shares[slot] for slot in slots) if known.shares else None
        return Side(
            entrants=names,
            points=rounded(fsum(known.points[slot] for slot in slots) / size),
            won=None if share is None else rounded(share * played.of),
            score=rounded(fsum(known.scores[slot] for slot in slots) / size),
        )

    def _told(self, number: int, series: SeriesView) -> SeriesResult:
        is_known = bool(series.entrants) and series.winner is not None
        return SeriesResult(
            number=number,
            round=series.round + 1,
            branch=series.branch.value,
            entrants=tuple(self._names[entrant] for entrant in series.entrants),
            matches=tuple(self._stage.first + match for match in series.matches),
            wins=series.wins,
            winner=self._names[series.winner or 0] if is_known else "",
            decided="" if series.decided is None else series.decided.value,
        )
