"""Results of a log: what the standings need of a hand, and standings as the contract says them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fivehundred.ratings.values import Estimate
from fivehundred.rules.actions import Bid
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.scoring import is_made
from fivehundred.table.clocks import Clocks
from fivehundred.table.values import HandRecord
from fivehundred.tournament.formats import table_size
from fivehundred.tournament.seatings import seatings
from fivehundred.tournament.standings import HandLine, Standing, standings
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.spec import Plan


def ranking(plan: Plan, lines: Iterable[HandLine], bots: Sequence[str]) -> tournament_pb2.Standings:
    """The standings of a tournament's hands; ``bots`` are ``name@version`` by entrant."""
    names = [entrant.name for entrant in plan.entrants]
    table = standings(lines, names, plan.rules, games=plan.games, anchor=plan.anchor)
    bot_of = dict(zip(names, bots, strict=False))
    return tournament_pb2.Standings(
        rows=[_row(row, bot_of.get(row.entrant, "")) for row in table.rows],
        ranked_by=table.ranked_by,
        confidence=table.confidence,
        hands=table.hands,
    )


class HandLines:
    """Tells what the standings need of hands; those of one match are given in their order."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        size = table_size(plan.rules, len(plan.entrants))
        self._last = plan.boards_per_match - 1, len(seatings(plan.rules, size)) - 1
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
        return is_over and (key.board % boards, key.seating) == self._last


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
        tricks_won=result.tricks_won,
        contractor=contractor,
        made=result.contract is not None and is_made(rules, result.contract, result.tricks_won),
        faults=tuple((each.seat, each.fault.kind.name) for each in record.decisions if each.fault),
        forfeited_by=record.ended.forfeited_by,
        game_over=result.game_over,
        winners=result.winners,
        outcome=result.outcome,
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
    )


def _estimate(estimate: Estimate) -> tournament_pb2.Estimate:
    return tournament_pb2.Estimate(
        value=estimate.value,
        standard_error=estimate.standard_error,
        low=estimate.low,
        high=estimate.high,
        remark=estimate.remark,
    )
