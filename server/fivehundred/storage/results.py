"""Results of a log: what the standings need of a hand, and standings as the contract says them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fivehundred.ratings.sequential import Bounds, Verdict
from fivehundred.ratings.values import Estimate
from fivehundred.rules.actions import Bid
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.scoring import is_made
from fivehundred.storage.values import StoredTournament
from fivehundred.table.clocks import Clocks
from fivehundred.table.values import HandRecord
from fivehundred.tournament.formats import Bracket, Ladder, Sequential, Stages, Swiss
from fivehundred.tournament.formats.forms import SequentialForm
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.outcomes import OpenMatches
from fivehundred.tournament.seatings import seatings
from fivehundred.tournament.standings import FormatResult, Standing, standings_of
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.matches import Schedule
from fivehundred.wire.spec import Plan, check_spec


@dataclass(frozen=True, slots=True)
class SequentialResult:
    """What a sequential test has come to, and the bounds that it was held against."""

    verdict: Verdict
    bounds: Bounds


def stored_plan(stored: StoredTournament) -> Plan:
    """Its plan, by the rules that are kept beside the definition; the seed is its deals' secret."""
    spec = tournament_pb2.TournamentSpec.FromString(stored.spec)
    return replace(check_spec(spec, stored.rules), seed=stored.deal_secret)


def ranking(
    plan: Plan,
    lines: HandColumns | Iterable[HandLine],
    bots: Sequence[str],
    result: FormatResult | None = None,
    test: SequentialResult | None = None,
) -> tournament_pb2.Standings:
    """The standings of a tournament's hands; ``bots`` are ``name@version`` by entrant.

    ``result`` is what the format makes of them, where it places anybody; ``test`` what a sequential
    test does.
    """
    names = [entrant.name for entrant in plan.entrants]
    columns = lines if isinstance(lines, HandColumns) else HandColumns(lines)
    table = standings_of(
        columns, names, plan.rules, games=plan.games, anchor=plan.anchor, result=result
    )
    bot_of = dict(zip(names, bots, strict=False))
    return tournament_pb2.Standings(
        rows=[_row(row, bot_of.get(row.entrant, "")) for row in table.rows],
        ranked_by=table.ranked_by,
        confidence=table.confidence,
        hands=table.hands,
        test=None if test is None else _test(test),
    )


class LogResults:
    """What the hands of a log come to: their standings, and what the format makes of its matches.

    The hands of one match are given in their order; matches in that of their numbers, or as they
    have ended.
    """

    def __init__(self, planned: Schedule) -> None:
        self.columns = HandColumns()
        self._planned = planned
        plan = planned.plan
        self._read = HandLines(plan)
        self._open = OpenMatches(plan.rules, plan.boards_per_match, games=plan.games)

    def __len__(self) -> int:
        return len(self.columns)

    def add(self, record: HandRecord) -> HandLine:
        """Counts one more hand; gives what was counted."""
        line = self._read.line(record)
        self.columns.append(line)
        if not self._planned.is_fixed and (whole := self._open.add(line)) is not None:
            self._planned.take(whole)
        return line

    @property
    def must_all_play(self) -> bool:
        """Whether every entrant has a match in the end; on a ladder one may come too late."""
        return not isinstance(self._planned.format, Ladder)

    @property
    def format_result(self) -> FormatResult | None:
        """What the format itself makes of the matches so far; None where it places nobody."""
        made = self._planned.format
        if isinstance(made, Swiss):
            entrants = range(len(self._planned.plan.entrants))
            scores = tuple(map(made.score, entrants))
            return FormatResult(made.ranking(), scores, tuple(map(made.buchholz, entrants)))
        return FormatResult(made.ranking()) if isinstance(made, Bracket | Stages) else None

    @property
    def test(self) -> SequentialResult | None:
        """What a sequential test has come to; None for other formats."""
        made, form = self._planned.format, self._planned.plan.form
        if not isinstance(made, Sequential) or not isinstance(form, SequentialForm):
            return None
        return SequentialResult(form.verdict(made), form.bounds)

    def standings(self, bots: Sequence[str]) -> tournament_pb2.Standings:
        """The standings; ``bots`` are ``name@version`` by entrant."""
        return ranking(self._planned.plan, self.columns, bots, self.format_result, self.test)


class HandLines:
    """Tells what the standings need of hands; those of one match are given in their order."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._clocks: dict[int, Clocks] = {}
        """Of the matches under way; how long a decision may take follows from those before it."""

    def line(self, record: HandRecord) -> HandLine:
        """What they need of the next hand."""
        match = record.started.key.match
        clocks = self._clocks.pop(match, None) or Clocks(self._plan.time)
        if not self._is_last(record):
            self._clocks[match] = clocks
        return replace(hand_line(record, self._plan.rules), voids=clocks.voids(record))

    def _is_last(self, record: HandRecord) -> bool:
        key, boards = record.started.key, self._plan.boards_per_match
        is_over = record.ended.result.game_over or not self._plan.games
        if not is_over or (key.board + 1) % boards:
            return False
        slots = len(set(record.started.entrants))
        return key.seating == len(seatings(self._plan.rules, slots)) - 1


def hand_line(record: HandRecord, rules: RuleSet) -> HandLine:
    """What the standings need of one hand but its voids."""
    key, result = record.started.key, record.ended.result
    declared = result.contract is not None and isinstance(result.contract.bid, Bid)
    contractor = result.contract.contractor if declared and result.contract else None
    return HandLine(
        match=key.match,
        board=key.board,
        seating=key.seating,
        hand=key.hand,
        attempt=key.attempt,
        entrants=record.started.entrants,
        change=result.change,
        contractor=contractor,
        made=result.contract is not None and is_made(rules, result.contract, result.tricks_won),
        faults=tuple((each.seat, each.fault.kind.name) for each in record.decisions if each.fault),
        forfeited_by=record.ended.forfeited_by,
        game_over=result.game_over,
        winners=result.winners,
    )


def _row(row: Standing, bot: str) -> tournament_pb2.Standing:
    counts = {kind.lower(): count for kind, count in row.faults}
    return tournament_pb2.Standing(
        entrant=row.entrant,
        bot=bot,
        rank_best=row.rank_best,
        rank_worst=row.rank_worst,
        hands=row.hands,
        boards=row.boards,
        points_per_hand=_estimate(row.points_per_hand),
        elo=_estimate(row.elo),
        wins=row.wins,
        games=row.games,
        faults=tournament_pb2.FaultCounts(**counts),
        forfeits=row.forfeits,
        contracts=row.contracts,
        contracts_made=row.contracts_made,
        voids=row.voids,
        place=row.place,
        score=row.score,
        buchholz=row.buchholz,
    )


def _test(test: SequentialResult) -> tournament_pb2.TestResult:
    verdict = test.verdict
    return tournament_pb2.TestResult(
        decision=verdict.decision.value,
        matches=verdict.pairs,
        ratio=verdict.ratio,
        lower=test.bounds.lower,
        upper=test.bounds.upper,
        mean=verdict.mean,
        remark=verdict.remark,
    )


def _estimate(estimate: Estimate) -> tournament_pb2.Estimate:
    return tournament_pb2.Estimate(
        value=estimate.value,
        standard_error=estimate.standard_error,
        low=estimate.low,
        high=estimate.high,
        remark=estimate.remark,
    )
