"""Suspension as a state machine; times are seconds."""

from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivehundred.tournament.suspension import Condition, Suspension, Suspensions

POLICY = Suspension(faults=3, probe_us=5_000_000, patience_us=60_000_000)
C = Condition


def failing(number: int, now: float = 0.0) -> Suspensions:
    """Two entrants, of which the first has made so many faults in a row."""
    known = Suspensions(POLICY, 2)
    for _ in range(number):
        known.decided(0, now, is_fault=True)
    return known


def test_so_many_faults_in_a_row_put_an_entrants_matches_off_and_nobody_elses() -> None:
    known = failing(2)
    assert known.put_off_by((0, 1)) is None

    assert known.decided(0, 1.0, is_fault=True)

    assert (known.condition(0), known.condition(1)) == (C.SUSPENDED, C.PLAYING)
    assert (known.put_off_by((1, 0)), known.put_off_by((1,))) == (0, None)


def test_a_success_begins_the_count_anew() -> None:
    known = failing(2)
    known.decided(0, 1.0, is_fault=False)
    known.decided(0, 2.0, is_fault=True)

    assert (known.condition(0), known.faults(0)) == (C.PLAYING, 1)


def test_a_suspended_bot_is_greeted_at_each_probe() -> None:
    known = failing(3, now=100.0)
    assert (known.next_time(), known.to_greet(104.9), known.to_greet(107.0)) == (105.0, [], [0])

    assert not known.greeted(0, has_answered=False)

    assert (known.next_time(), known.to_greet(111.9)) == (112.0, [])
    assert known.condition(0) is C.SUSPENDED


def test_one_that_answers_is_tried_with_one_match() -> None:
    known = failing(3)
    known.greeted(0, has_answered=True)
    assert (known.condition(0), known.put_off_by((0, 1))) == (C.GREETED, None)

    known.handed_out((0, 1), 6.0)

    assert (known.condition(0), known.put_off_by((0, 1))) == (C.TRIED, 0)
    assert known.next_time() == 11.0


def test_one_fault_suspends_again_and_a_success_lets_back() -> None:
    again, back = failing(3), failing(3)
    for known in (again, back):
        known.greeted(0, has_answered=True)
        known.handed_out((0, 1), 6.0)

    again.decided(0, 7.0, is_fault=True)
    back.decided(0, 7.0, is_fault=False)

    assert (again.condition(0), back.condition(0)) == (C.SUSPENDED, C.PLAYING)
    assert (back.next_time(), back.faults(0)) == (None, 0)


def test_patience_begins_once_and_then_matches_are_played_faults_and_all() -> None:
    known = failing(3, now=0.0)
    known.greeted(0, has_answered=True)
    known.decided(0, 59.0, is_fault=True)
    assert (known.pass_time(59.9), known.put_off_by((0,))) == ([], 0)

    assert known.pass_time(60.0) == [0]

    assert (known.condition(0), known.put_off_by((0,))) == (C.ENDURED, None)
    assert (known.next_time(), known.to_greet(1000.0)) == (None, [])
    assert not known.decided(0, 70.0, is_fault=True)


@pytest.mark.parametrize("success", [True, False])
def test_only_a_success_makes_one_whose_patience_is_over_suspendable_again(success: bool) -> None:
    known = failing(3)
    known.pass_time(60.0)
    if success:
        known.decided(0, 61.0, is_fault=False)
    for _ in range(3):
        known.decided(0, 62.0, is_fault=True)

    assert known.condition(0) is (C.SUSPENDED if success else C.ENDURED)


def test_a_greeting_that_comes_too_late_changes_nothing() -> None:
    known = failing(3)
    known.decided(0, 4.0, is_fault=False)

    assert not known.greeted(0, has_answered=False)
    assert known.condition(0) is C.PLAYING


@dataclass
class Walk:
    """A run of one entrant's life: what happens, and how it stood after each step."""

    known: Suspensions = field(default_factory=lambda: Suspensions(POLICY, 1))
    now: float = 0.0
    since: float | None = None
    """Since when its matches have been put off, with breaks for tries."""

    def step(self, what: str, seconds: float) -> tuple[Condition, Condition]:
        before = self.known.condition(0)
        self.now += seconds
        self.known.pass_time(self.now)
        if what in ("fault", "success"):
            self.known.decided(0, self.now, is_fault=what == "fault")
        elif what == "match" and self.known.put_off_by((0,)) is None:
            self.known.handed_out((0,), self.now)
        elif what in ("answer", "silence") and self.known.to_greet(self.now):
            self.known.greeted(0, has_answered=what == "answer")
        return before, self.known.condition(0)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["fault", "fault", "fault", "success", "match", "answer", "silence"]),
        st.sampled_from([0.0, 0.5, 3.0, 10.0]),
    ),
    max_size=80,
)


@settings(max_examples=200, deadline=None)
@given(STEPS)
def test_whatever_happens_nobody_waits_longer_than_patience_or_is_put_off_without_cause(
    steps: list[tuple[str, float]],
) -> None:
    walk, in_a_row = Walk(), 0
    for what, seconds in steps:
        before, after = walk.step(what, seconds)
        in_a_row = 0 if what == "success" else in_a_row + (what == "fault")
        if after is C.SUSPENDED and before is C.PLAYING:
            assert in_a_row >= POLICY.faults
            walk.since = walk.now
        if after in (C.PLAYING, C.ENDURED):
            walk.since = None
            assert walk.known.put_off_by((0,)) is None
        if walk.since is not None:
            assert walk.now - walk.since < 60.0
            due = walk.known.next_time()
            assert due is not None and due <= walk.since + 60.0
        if what == "success":
            assert after is C.PLAYING


@settings(max_examples=100, deadline=None)
@given(STEPS, STEPS)
def test_entrants_do_not_touch_each_other(
    ours: list[tuple[str, float]], theirs: list[tuple[str, float]]
) -> None:
    alone, together = Suspensions(POLICY, 1), Suspensions(POLICY, 2)
    now = 0.0
    for (mine, seconds), (other, _) in zip(ours, theirs, strict=False):
        now += seconds
        alone.decided(0, now, is_fault=mine == "fault")
        together.decided(0, now, is_fault=mine == "fault")
        together.decided(1, now, is_fault=other == "fault")

        assert together.condition(0) is alone.condition(0)


def test_a_run_from_suspension_to_return_takes_every_step() -> None:
    walk = Walk()
    steps = [("fault", 0.0)] * 3 + [("silence", 5.0), ("answer", 5.0), ("match", 0.0)]
    seen = [walk.step(*step)[1] for step in [*steps, ("success", 1.0)]]

    assert [first for first, second in pairwise([*seen, None]) if first is not second] == [
        C.PLAYING,
        C.SUSPENDED,
        C.GREETED,
        C.TRIED,
        C.PLAYING,
    ]
