"""What a definition says of its format, checked."""

from collections.abc import Callable, Sequence

from fivehundred.tournament.formats.forms import (
    Compared,
    EliminationForm,
    Form,
    GauntletForm,
    LadderForm,
    MixedTeamsForm,
    RoundRobinForm,
    SequentialForm,
    SoloTablesForm,
    StagesForm,
    SwissForm,
)
from fivehundred.tournament.formats.ladder import Stay
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.mistakes import near

MAX_ROUNDS = 1_000_000
MAX_AHEAD = 4096
MAX_STAGES = 16
MAX_BEST_OF = 999
MAX_STAYS = 4096
MAX_RATING = 10_000
MAX_ELO = 2000
MAX_MARGIN = 100_000
LEAST_CHANCE = 1e-6
MAX_HINTS = 10
"""So many names that are none are answered with what may have been meant."""
AHEAD = 16
EXTRA = 10

Fail = Callable[[str, str], None]
"""Is told a field's path and what is wrong with it."""


def check_format(message: tournament_pb2.Format, names: Sequence[str], fail: Fail) -> Form:
    """The form of a definition's format; ``names`` are those of the entrants."""
    return _Reading(names, fail).form("format", message)


class _Reading:
    """Reads forms, and tells what is wrong with them."""

    def __init__(self, names: Sequence[str], fail: Fail) -> None:
        self._names = list(names)
        self._number_of = {name: number for number, name in enumerate(names)}
        self._fail = fail
        self._hints = 0

    def form(self, path: str, message: tournament_pb2.Format) -> Form:
        """The form of a format at a path."""
        match message.WhichOneof("format"):
            case "gauntlet":
                return self._gauntlet(f"{path}.gauntlet", message.gauntlet)
            case "solo_tables":
                solo = message.solo_tables
                cycles = self._number(f"{path}.solo_tables.cycles", solo.cycles, 1, MAX_ROUNDS)
                return SoloTablesForm(cycles, solo.design_seed)
            case "mixed_teams":
                mixed = message.mixed_teams
                cycles = self._number(f"{path}.mixed_teams.cycles", mixed.cycles, 1, MAX_ROUNDS)
                return MixedTeamsForm(cycles, mixed.design_seed)
            case "swiss":
                return SwissForm(self._number(f"{path}.swiss.rounds", message.swiss.rounds, 0))
            case "elimination":
                return self._elimination(f"{path}.elimination", message.elimination)
            case "ladder":
                return self._ladder(f"{path}.ladder", message.ladder)
            case "sequential":
                return self._sequential(f"{path}.sequential", message.sequential)
            case "stages":
                return self._stages(f"{path}.stages", message.stages)
            case _:
                rounds = message.round_robin.rounds
                return RoundRobinForm(self._number(f"{path}.round_robin.rounds", rounds, 1))

    def _gauntlet(self, path: str, message: tournament_pb2.Gauntlet) -> Form:
        challengers = tuple(
            self._entrant(f"{path}.challengers[{at}]", name)
            for at, name in enumerate(message.challengers)
        )
        seen: dict[str, int] = {}
        for at, name in enumerate(message.challengers):
            if (first := seen.setdefault(name, at)) < at and name in self._number_of:
                wrong = f"{name!r} is challengers[{first}] already: name it once"
                self._fail(f"{path}.challengers[{at}]", wrong)
        return GauntletForm(challengers, self._number(f"{path}.rounds", message.rounds, 1))

    def _elimination(self, path: str, message: tournament_pb2.Elimination) -> Form:
        best_of = self._number(f"{path}.best_of", message.best_of, 1, MAX_BEST_OF)
        extra = message.extra if message.HasField("extra") else EXTRA
        return EliminationForm(
            losses=message.losses or 1,
            best_of=best_of,
            extra=self._number(f"{path}.extra", extra, 0, MAX_BEST_OF),
        )

    def _ladder(self, path: str, message: tournament_pb2.Ladder) -> Form:
        for at, rating in enumerate(message.ratings):
            self._within(f"{path}.ratings[{at}]", rating, MAX_RATING, "rating")
        return LadderForm(
            matches=self._number(f"{path}.matches", message.matches, 0, MAX_ROUNDS) or None,
            ahead=self._number(f"{path}.ahead", message.ahead, AHEAD, MAX_AHEAD),
            stays=self._stays(path, message.stays),
            ratings=tuple(message.ratings) or None,
        )

    def _stays(self, path: str, messages: Sequence[tournament_pb2.Stay]) -> tuple[Stay, ...] | None:
        """The stays that are listed, and those of everybody else."""
        if not messages:
            return None
        if len(messages) > MAX_STAYS:
            self._fail(f"{path}.stays", f"{len(messages)} stays: at most {MAX_STAYS}")
            return None
        stays = [self._stay(f"{path}.stays[{at}]", each) for at, each in enumerate(messages)]
        listed = {stay.entrant for stay in stays}
        others = [Stay(each) for each in range(len(self._names)) if each not in listed]
        return (*stays, *others)

    def _stay(self, path: str, message: tournament_pb2.Stay) -> Stay:
        entrant, first = self._entrant(f"{path}.entrant", message.entrant), message.first
        if not message.HasField("until"):
            return Stay(entrant, first)
        if message.until < first:
            wrong = f"{message.entrant!r} leaves before match {message.until}"
            self._fail(
                f"{path}.until", f"{wrong} and comes at match {first}: write {first} or more"
            )
        return Stay(entrant, first, message.until)

    def _sequential(self, path: str, message: tournament_pb2.Sequential) -> Form:
        tested, hypotheses = self._test(path, message)
        most = self._number(f"{path}.most_matches", message.most_matches, 0, MAX_ROUNDS)
        if not most:
            self._fail(f"{path}.most_matches", "no cap: say after how many matches to give up")
        default = SequentialForm(tested, hypotheses, most)
        return SequentialForm(
            tested=tested,
            hypotheses=hypotheses,
            most=most,
            least=message.least_matches or min(default.least, most),
            ahead=self._number(f"{path}.ahead", message.ahead, AHEAD, MAX_AHEAD),
            alpha=self._chance(f"{path}.alpha", message.alpha, default.alpha),
            beta=self._chance(f"{path}.beta", message.beta, default.beta),
            is_normalised=message.pair_scores.scale == tournament_pb2.ELO_SCALE_NORMALISED,
        )

    def _test(
        self, path: str, message: tournament_pb2.Sequential
    ) -> tuple[Compared, tuple[float, float]]:
        scores, margins = message.pair_scores, message.margins
        match message.WhichOneof("test"):
            case "margins":
                tested = Compared.MARGINS
                hypotheses = margins.margin0, margins.margin1
                for name, value in (("margin0", margins.margin0), ("margin1", margins.margin1)):
                    self._within(f"{path}.margins.{name}", value, MAX_MARGIN, "margin")
            case "pair_scores":
                tested, hypotheses = Compared.PAIR_SCORES, (scores.elo0, scores.elo1)
                for name, value in (("elo0", scores.elo0), ("elo1", scores.elo1)):
                    self._within(f"{path}.pair_scores.{name}", value, MAX_ELO, "Elo difference")
                self._scale(f"{path}.pair_scores.scale", scores.scale)
            case _:
                self._fail(path, "no test: give one of margins, pair_scores")
                return Compared.MARGINS, (0.0, 1.0)
        return tested, hypotheses

    def _scale(self, path: str, scale: int) -> None:
        if scale not in tournament_pb2.EloScale.values():
            names = ", ".join(tournament_pb2.EloScale.keys()[1:])
            self._fail(path, f"{scale} is no scale: write one of {names}")

    def _stages(self, path: str, message: tournament_pb2.Stages) -> Form:
        parts = message.stages
        if not parts:
            self._fail(path, "no stages: list at least one")
            return RoundRobinForm()
        if len(parts) > MAX_STAGES:
            self._fail(path, f"{len(parts)} stages: at most {MAX_STAGES}")
        return StagesForm(
            tuple(
                (self._stage(f"{path}.stages[{at}]", stage), stage.entrants)
                for at, stage in enumerate(parts[:MAX_STAGES])
            )
        )

    def _stage(self, path: str, message: tournament_pb2.Stage) -> Form:
        inner = message.format
        kind = inner.WhichOneof("format")
        if (play := inner.WhichOneof("play")) is not None:
            wrong = f"what is played is said once for all stages: move it to format.{play}"
            self._fail(f"{path}.format.{play}", wrong)
        if kind in ("stages", "sequential", "gauntlet"):
            wrong = f"a {kind} cannot be a stage: take another format"
            self._fail(f"{path}.format.{kind}", wrong)
            return RoundRobinForm()
        if kind == "ladder" and not inner.ladder.matches:
            wrong = "a stage has an end: say how many matches the ladder has"
            self._fail(f"{path}.format.ladder.matches", wrong)
        if kind == "ladder" and inner.ladder.stays:
            wrong = "who comes into a stage is decided by the one before: leave it out"
            self._fail(f"{path}.format.ladder.stays", wrong)
            return LadderForm(matches=1)
        return self.form(f"{path}.format", inner)

    def _entrant(self, path: str, name: str) -> int:
        if name not in self._number_of:
            self._hints += 1
            meant = near(name, self._names) if self._hints <= MAX_HINTS else ""
            self._fail(path, f"{name!r} is none of the entrants{meant}")
            return 0
        return self._number_of[name]

    def _within(self, path: str, value: float, most: int, what: str) -> None:
        if not abs(value) <= most:
            self._fail(path, f"{value:g} is no {what}: write a number from {-most} to {most}")

    def _number(self, path: str, number: int, default: int, most: int = MAX_ROUNDS) -> int:
        if number > most:
            self._fail(path, f"{number} is too many: at most {most}")
        return number or default

    def _chance(self, path: str, chance: float, default: float) -> float:
        if chance and not LEAST_CHANCE <= chance < 0.5:
            wrong = f"{chance:g} is no error rate: write {LEAST_CHANCE:.6f} or more, below 0.5"
            self._fail(path, wrong)
            return default
        return chance or default
