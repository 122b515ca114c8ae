"""What a tournament's events say of its course: numbered, in order, one for every hand."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from sqlalchemy import select

from fivehundred.storage.database import reading
from fivehundred.storage.schema import tournaments, watch_events
from fivehundred.storage.store import Store
from fivehundred.storage.values import TournamentState

State = TournamentState
ENDS = {State.FINISHED, State.ABORTED, State.FAILED}
AFTER: dict[State, set[State]] = {
    State.CREATED: {State.RUNNING, State.ABORTED},
    # RUNNING comes again where it is told who is suspended.
    State.RUNNING: {State.RUNNING, State.DRAINING, State.PAUSED, *ENDS},
    State.DRAINING: {State.DRAINING, State.PAUSED, *ENDS},
    State.PAUSED: {State.RUNNING, State.ABORTED},
    State.FINISHED: set(),
    State.ABORTED: set(),
    State.FAILED: set(),
}
"""By state, those that may follow."""


def event_problems(store: Store, name: str, ids: Sequence[int]) -> Iterator[str]:
    """What is wrong with a tournament's events; ``ids`` are its hands'."""
    own = tournaments.c
    now = select(own.state, own.reason).where(own.name == name)
    columns = watch_events.c
    query = select(columns.number, columns.hand, columns.state, columns.reason)
    query = query.where(columns.tournament == name).order_by(columns.number)
    told: list[int] = []
    states: list[tuple[int, str]] = []
    with reading(store.engine) as connection:
        state_now, reason_now = connection.execute(now).one()
        for expected, (number, hand, state, reason) in enumerate(connection.execute(query), 1):
            if number != expected:
                yield f"event {expected} is missing: event {number} follows"
                return
            if (hand is None) == (state is None) or (hand is not None and reason):
                yield f"event {number} is neither a hand's nor a state's"
            elif hand is not None:
                told.append(hand)
            else:
                states.append((state, reason))
            if hand is not None and states and states[-1][0] == State.FINISHED:
                yield f"event {number} tells of a hand after the end"
    common = set(ids) & set(told)
    if [hand for hand in told if hand in common] != sorted(common):
        yield "its events tell of its hands in another order than they were stored in"
    yield from _course_problems((state_now, reason_now), states)


def _course_problems(now: tuple[int, str], states: Sequence[tuple[int, str]]) -> Iterator[str]:
    course = [state for state, _ in states]
    if not course or course[0] != State.CREATED:
        yield "its events do not begin with CREATED"
        return
    for before, after in pairwise(course):
        if after not in AFTER.get(State(before), set()):
            yield f"its events say {_name(after)} after {_name(before)}"
            return
    if states[-1] != now:
        last = f"{_name(course[-1])} ({states[-1][1]})" if states[-1][1] else _name(course[-1])
        yield f"it is {_name(now[0])}, its last event says {last}"


def _name(state: int) -> str:
    return State(state).name if state in set(State) else f"state {state}"
