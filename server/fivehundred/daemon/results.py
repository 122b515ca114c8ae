"""Plans and standings of stored tournaments."""

from collections.abc import Iterator

from fivehundred.storage.results import HandLines, LogResults, stored_plan
from fivehundred.storage.store import Store
from fivehundred.tournament.hand_line import HandLine
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.matches import Schedule, schedule
from fivehundred.wire.spec import Plan


def plan_of(store: Store, name: str) -> Plan:
    """The plan of a stored tournament; its seed is the secret that its deals are derived from."""
    return stored_plan(store.tournament(name))


def schedule_of(store: Store, name: str) -> Schedule:
    """The schedule of a stored tournament, with the outcomes that its log has."""
    planned = schedule(plan_of(store, name))
    if not planned.is_fixed:
        planned.take_all(hand_lines(store, planned.plan))
    return planned


def standings_of(store: Store, name: str) -> tournament_pb2.Standings:
    """The standings of a tournament as its log stands now."""
    results = LogResults(schedule(plan_of(store, name)))
    for hand in store.hands(name):
        results.add(hand.record)
    return results.standings(store.tournament(name).bots)


def final_standings(store: Store, name: str) -> bytes:
    """The standings as they are kept at a tournament's end."""
    return standings_of(store, name).SerializeToString(deterministic=True)


def hand_lines(store: Store, plan: Plan) -> Iterator[HandLine]:
    """What the standings need of every hand of a tournament."""
    lines = HandLines(plan)
    return (lines.line(hand.record) for hand in store.hands(plan.name))
