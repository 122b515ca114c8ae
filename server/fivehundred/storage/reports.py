"""Reads a tournament's log once, record by record, for its report; no record is kept."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean, stdev

from google.protobuf.message import DecodeError

from fivehundred.ratings.values import Estimate, interval, rounded
from fivehundred.report.assembly import assembled
from fivehundred.report.matches import StageResult, played_matches, stage_results
from fivehundred.report.times import Times
from fivehundred.report.values import Entrant, Facts, Parameters, Report, SequentialTest
from fivehundred.storage.errors import StorageError
from fivehundred.storage.facts import stored_facts
from fivehundred.storage.results import LogResults, SequentialResult, stored_plan
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredHand, StoredTournament, TournamentState
from fivehundred.tournament.bias import BiasReport, bias
from fivehundred.tournament.formats import Sequential
from fivehundred.tournament.formats.forms import Compared, SequentialForm
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.honesty.facts import FactColumns
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.parts import Parts, parts
from fivehundred.tournament.standings import FormatResult, Standings, standings_of
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.matches import schedule
from fivehundred.wire.spec import Plan, spec_to_text

REVEALED = (TournamentState.FINISHED, TournamentState.ABORTED)
"""States in which the seed is shown."""
BETWEEN_WORDS = 200
"""Hands between two words of progress."""

Tell = Callable[[str, int, int], None]
"""Is told what is done, and how much of how much."""


def read_report(
    store: Store,
    name: str,
    software: str,
    *,
    rules: str,
    created: str,
    parameters: Parameters,
    rule_parameters: Parameters,
    tell: Tell = lambda what, done, total: None,
) -> Report:
    """The report of a stored tournament; raises `NotFound`.

    ``rules`` says which they are, ``created`` when the tournament was, the parameters what it is
    played with, all in words.
    """
    stored = store.tournament(name)
    plan = stored_plan(stored)
    reading = _Reading(plan)
    reading.read(store, tell)
    facts = replace(
        _facts(store, stored, plan, reading),
        software=software,
        rules=rules,
        created=created,
        parameters=parameters,
        rule_parameters=rule_parameters,
    )
    names = [entrant.name for entrant in plan.entrants]

    def rank(hands: HandColumns, result: FormatResult | None = None) -> Standings:
        anchor = plan.anchor
        return standings_of(
            hands, names, plan.rules, games=plan.games, anchor=anchor, result=result
        )

    return assembled(
        facts,
        rank(reading.results.columns, reading.results.format_result),
        reading.lines,
        plan.rules,
        form=plan.form,
        stages=reading.stages(names),
        games=plan.games,
        anchor="" if plan.anchor is None else names[plan.anchor],
        rank=rank,
        times=reading.times.used(names, plan.time),
        bias=reading.bias(names),
        parts=reading.parts(names),
        test=reading.test(),
        tell=lambda done, total: tell("estimates", done, total),
    )


class _Reading:
    """What is kept of the hands."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.lines: list[HandLine] = []
        self._planned = schedule(plan)
        self.results = LogResults(self._planned)
        self.times = Times()
        self._facts = FactColumns(plan.rules)

    def read(self, store: Store, tell: Tell) -> None:
        """Read all hands, in the order of their keys."""
        total = store.hand_count(self._plan.name)
        for done, hand in enumerate(_hands(store, self._plan.name), start=1):
            self.lines.append(self.results.add(hand.record))
            self.times.add(hand.record)
            self._facts.append(stored_facts(hand, self._plan.rules))
            if done % BETWEEN_WORDS == 0 or done == total:
                tell("hands", done, total)
        self._facts.player_names[:] = numbered(self._facts.player_names)

    def stages(self, names: Sequence[str]) -> tuple[StageResult, ...]:
        """The results by match."""
        plan, made = self._plan, self._planned.format
        played = played_matches(
            self.lines, made, plan.rules, plan.boards_per_match, games=plan.games
        )
        return stage_results(made, plan.form, names, plan.rules, played)

    def test(self) -> SequentialTest | None:
        """What a sequential test has come to; None for other formats."""
        made, form, found = self._planned.format, self._plan.form, self.results.test
        if found is None or not isinstance(made, Sequential):
            return None
        assert isinstance(form, SequentialForm)
        values = [form.tested_value(each) for each in made.evidence]
        return _test(found, form, values, self._plan)

    def bias(self, names: Sequence[str]) -> BiasReport | None:
        """The checks; None where there is nothing to check."""
        return bias(self._facts, names, games=self._plan.games) if self.lines else None

    def parts(self, names: Sequence[str]) -> Parts | None:
        """Where the points came from; None where there are none."""
        counted = self._facts.counted(games=self._plan.games) if self.lines else None
        return None if counted is None else parts(counted, names, self._facts.bids)


def numbered(players: Sequence[str]) -> list[str]:
    """Players whose machines have numbers for names: a report may be published."""
    machines = sorted({player.partition("/")[0] for player in players})
    numbers = {machine: f"machine {at}" for at, machine in enumerate(machines, start=1)}
    parts = [player.partition("/") for player in players]
    return [numbers[machine] + slash + worker for machine, slash, worker in parts]


def _hands(store: Store, name: str) -> Iterator[StoredHand]:
    """All hands of a tournament; raises `StorageError` where one cannot be read."""
    try:
        yield from store.hands(name)
    except (DecodeError, MalformedMessage) as error:
        raise StorageError(
            f"a hand of {name!r} cannot be read ({error}): `fivehundred verify` says which one"
        ) from None


def _test(
    found: SequentialResult, form: SequentialForm, values: Sequence[float], plan: Plan
) -> SequentialTest:
    """The sequential test in the report's own terms; ``values`` are what is tested, by match."""
    verdict, (low, high) = found.verdict, form.hypotheses
    one, other = (entrant.name for entrant in plan.entrants)
    if form.tested is Compared.MARGINS:
        unit = scale = "points per hand"
        tested = f"the points per hand of {one} less those of {other}, match by match"
    else:
        unit, scale = "share", "normalised Elo" if form.is_normalised else "Elo"
        what = "games" if plan.games else "hands"
        tested = f"the share of a match’s {what} that {one} has won against {other}, from 0 to 1"
    return SequentialTest(
        decision=verdict.decision.value,
        matches=verdict.pairs,
        ratio=verdict.ratio,
        lower=found.bounds.lower,
        upper=found.bounds.upper,
        mean=_plain_mean(values),
        remark=verdict.remark,
        first=f"H0 ({low:+g} {scale})",
        second=f"H1 ({high:+g} {scale})",
        tested=tested,
        unit=unit,
        hypotheses=(low, high),
        hypotheses_unit=scale,
    )


def _plain_mean(values: Sequence[float]) -> Estimate:
    """The mean with an interval as if the number of values had been fixed."""
    if not values:
        return Estimate(remark="no match is over")
    if len(values) < 2:
        return interval(rounded(values[0]), None, 0)
    error = stdev(values) / math.sqrt(len(values))
    return interval(rounded(fmean(values)), error, len(values) - 1)


def _facts(store: Store, stored: StoredTournament, plan: Plan, reading: _Reading) -> Facts:
    """The facts that the log itself tells."""
    is_final = bool(stored.log_digest)
    return Facts(
        tournament=stored.name,
        state=stored.state.name,
        reason=stored.reason,
        created="",
        software="",
        entrants=tuple(_entrants(stored, plan)),
        rules="",
        rules_hash=stored.rules_hash.hex(),
        seed_commitment=stored.commitment.hex(),
        seed=stored.seed.hex() if stored.state in REVEALED else "",
        log_digest=(stored.log_digest if is_final else store.log_digest(stored.name)).hex(),
        is_digest_final=is_final,
        matches=len({line.match for line in reading.lines}),
        hands_stored=len(reading.lines),
        parameters=(),
        rule_parameters=(),
        definition=_definition(stored),
    )


def _entrants(stored: StoredTournament, plan: Plan) -> list[Entrant]:
    bots = (*stored.bots, *("",) * len(plan.entrants))
    entropy = (*stored.entropy, *(b"",) * len(plan.entrants))
    return [
        Entrant(entrant.name, bot, added.hex())
        for entrant, bot, added in zip(plan.entrants, bots, entropy, strict=False)
    ]


def _definition(stored: StoredTournament) -> str:
    """The definition as text; without the seed while that is a secret."""
    spec = tournament_pb2.TournamentSpec.FromString(stored.spec)
    if stored.state not in REVEALED:
        spec.seed = ""
    return spec_to_text(spec)
