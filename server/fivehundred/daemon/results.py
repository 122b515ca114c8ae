"""Standings of a stored tournament, as the contract says them."""

from collections.abc import Iterator

from fivehundred.ratings.values import Estimate
from fivehundred.rules.actions import Bid
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.scoring import is_made
from fivehundred.storage.store import Store
from fivehundred.table.values import HandRecord
from fivehundred.tournament.standings import HandLine, Standing, standings
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.spec import Plan, check_spec


def plan_of(store: Store, name: str) -> Plan:
    """The plan of a stored tournament, its seed included."""
    return check_spec(tournament_pb2.TournamentSpec.FromString(store.tournament(name).spec))


def standings_of(store: Store, name: str) -> tournament_pb2.Standings:
    """The standings of a tournament as its log stands now."""
    plan = plan_of(store, name)
    table = standings(
        hand_lines(store, name, plan.rules),
        [entrant.name for entrant in plan.entrants],
        plan.rules,
        games=plan.games,
        anchor=plan.anchor,
    )
    bots = dict(
        zip((entrant.name for entrant in plan.entrants), store.tournament(name).bots, strict=False)
    )
    return tournament_pb2.Standings(
        rows=[_row(row, bots.get(row.entrant, "")) for row in table.rows],
        ranked_by=table.ranked_by,
        confidence=table.confidence,
        hands=table.hands,
    )


def hand_lines(store: Store, name: str, rules: RuleSet) -> Iterator[HandLine]:
    """What the standings need of every hand of a tournament."""
    return (hand_line(hand.record, rules) for hand in store.hands(name))


def hand_line(record: HandRecord, rules: RuleSet) -> HandLine:
    """What the standings need of one hand."""
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
    )


def _estimate(estimate: Estimate) -> tournament_pb2.Estimate:
    return tournament_pb2.Estimate(
        value=estimate.value,
        standard_error=estimate.standard_error,
        low=estimate.low,
        high=estimate.high,
        remark=estimate.remark,
    )
