"""The clocks of a match: limits, banks, slow answers, and that a log gives them all back."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fivehundred.rules.actions import LegalExchange
from fivehundred.table.clocks import Clock, Clocks
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import (
    Ask,
    AskKind,
    Decided,
    Event,
    Fault,
    FaultKind,
    FaultPolicy,
    HandRecord,
    Receipt,
    Reply,
    TimeControl,
)

MakeSpec = Callable[..., MatchSpec]
Answer = Callable[[Ask], Reply]
PlayOut = Callable[[Table, Answer], tuple[list[Event], list[HandRecord]]]
LATE = Fault(FaultKind.TIMEOUT, "no answer in time")
PLAY = AskKind.PLAY


@pytest.mark.parametrize(
    ("kind", "limit"), [(AskKind.BID, 100), (AskKind.DISCARD, 200), (AskKind.PLAY, 300)]
)
def test_each_kind_has_its_own_limit(kind: AskKind, limit: int) -> None:
    clock = Clock(TimeControl(bid_us=100, discard_us=200, play_us=300, first_decision_us=0))

    assert clock.own_limit_us(kind) == limit


def test_the_first_decision_of_a_match_has_more_time_and_no_other() -> None:
    clock = Clock(TimeControl(play_us=100, bank_us=50, first_decision_us=1000))

    first, receipt = clock.own_limit_us(PLAY), clock.charge(PLAY, 1090, 0)

    assert (first, receipt.bank_left_us, clock.own_limit_us(PLAY)) == (1100, 50, 100)


def test_what_is_over_the_limit_comes_out_of_the_bank_and_never_more_than_it_has() -> None:
    clock = Clock(TimeControl(play_us=100, bank_us=50, first_decision_us=0))

    assert clock.charge(PLAY, 130, 0) == Receipt(130, 0, 130, 20)
    assert clock.charge(PLAY, 400, 0) == Receipt(400, 0, 400, 0)


def test_lag_is_not_charged() -> None:
    clock = Clock(TimeControl(play_us=100, bank_us=50, first_decision_us=0))

    assert clock.charge(PLAY, 1130, 1000) == Receipt(1130, 1000, 130, 20)
    assert clock.charge(PLAY, 30, 31).charged_us == 0


def test_the_increment_refills_the_bank_hand_by_hand_up_to_what_it_was() -> None:
    clock = Clock(TimeControl(play_us=100, bank_us=50, increment_us=30, first_decision_us=0))
    clock.charge(PLAY, 140, 0)
    banks = [clock.bank_us]
    for _ in range(2):
        clock.credit()
        banks.append(clock.bank_us)

    assert banks == [10, 40, 50]


def test_so_many_answers_may_be_slow_then_soft_is_the_limit() -> None:
    time = TimeControl(play_us=100, first_decision_us=0, soft_us=40, soft_strikes=2)
    clock, limits = Clock(time), []
    for elapsed in (41, 40, 99, 40, 41):
        limits.append(clock.own_limit_us(PLAY))
        clock.charge(PLAY, elapsed, 0)

    assert limits == [100, 100, 100, 40, 40]


def test_the_bank_stands_behind_a_soft_limit_as_behind_any() -> None:
    time = TimeControl(play_us=100, bank_us=50, first_decision_us=0, soft_us=40, soft_strikes=1)
    clock = Clock(time)
    clock.charge(PLAY, 99, 0)

    assert clock.charge(PLAY, 60, 0).bank_left_us == 30


def test_the_time_of_a_first_decision_is_added_to_the_soft_limit_too() -> None:
    time = TimeControl(play_us=100, first_decision_us=1000, soft_us=40, soft_strikes=1)
    clock = Clock(time)
    clock.charge(PLAY, 1040, 0)

    assert clock.own_limit_us(PLAY) == 100


def test_lag_makes_no_answer_slow() -> None:
    time = TimeControl(play_us=100, first_decision_us=0, soft_us=40, soft_strikes=1)
    clock = Clock(time)
    clock.charge(PLAY, 99, 60)

    assert clock.own_limit_us(PLAY) == 100


def test_each_seat_of_an_entrant_has_a_clock_of_its_own() -> None:
    clocks = Clocks(TimeControl(play_us=100, bank_us=50, first_decision_us=0))
    clocks.of(1, 0).charge(PLAY, 150, 0)

    assert [clocks.of(1, 0).bank_us, clocks.of(1, 2).bank_us, clocks.of(0, 0).bank_us] == [
        0,
        50,
        50,
    ]


def test_an_ask_tells_the_soft_limit_once_it_is_the_limit(make_spec: MakeSpec) -> None:
    time = TimeControl(bid_us=100, play_us=100, first_decision_us=0, soft_us=40, soft_strikes=1)
    table = Table(make_spec(time=time))
    table.start()
    limits = []
    while (ask := table.ask()) is not None:
        if (ask.entrant, ask.seat) == (1, 1):
            limits.append(ask.limit_us)
            table.reply(Reply(ask.legal.default(), 90))
        else:
            assert ask.limit_us == 100
            table.reply(Reply(ask.legal.default(), 10))

    assert limits == [100, 40]


def test_an_answer_that_was_charged_more_than_its_limit_is_a_timeout(make_spec: MakeSpec) -> None:
    table = Table(make_spec(time=TimeControl(bid_us=100, first_decision_us=0)))
    table.start()
    ask = table.ask()
    assert ask is not None

    decided = table.reply(Reply(ask.legal.default(), elapsed_us=150, lag_us=49))[0]

    assert isinstance(decided, Decided) and decided.fault is not None
    assert decided.fault == Fault(FaultKind.TIMEOUT, "answered after 101 µs")


@pytest.mark.parametrize(
    ("elapsed", "lag", "fault", "is_void"),
    [
        (150, 60, None, True),
        (150, 50, None, True),
        (100, 60, None, False),
        (150, 20, LATE, False),
        (150, 50, LATE, False),
        (150, 60, Fault(FaultKind.ILLEGAL, ""), True),
    ],
    ids=["lag", "just", "in time", "late", "late by a hair", "another fault"],
)
def test_voids_are_over_their_limit_by_lag_alone(
    make_spec: MakeSpec, elapsed: int, lag: int, fault: Fault | None, is_void: bool
) -> None:
    spec = make_spec(boards=1, time=TimeControl(bid_us=100, play_us=100, first_decision_us=0))
    table = Table(spec)
    table.start()
    numbers = iter(range(1000))
    while (ask := table.ask()) is not None:
        is_third = next(numbers) == 2
        answer = fault if is_third and fault else ask.legal.default()
        table.reply(Reply(answer, elapsed, lag) if is_third else Reply(answer, 10))
    record = table.take_records()[0]

    assert Clocks(spec.time).voids(record) == ((record.decisions[2].seat,) if is_void else ())


LIMITS = st.integers(1, 1000)
TIMES = st.builds(
    TimeControl,
    bid_us=LIMITS,
    discard_us=LIMITS,
    play_us=LIMITS,
    bank_us=st.integers(0, 3000),
    increment_us=st.integers(0, 500),
    first_decision_us=st.integers(0, 1000),
    soft_us=st.integers(0, 900),
    soft_strikes=st.integers(1, 6),
)


def drawn_answer(seed: int) -> Answer:
    """Answers at random: mostly in time, some beyond, some with lag, some that are faults."""
    draws = Random(seed)

    def answer(ask: Ask) -> Reply:
        elapsed = draws.randrange(2 * ask.limit_us + 2)
        lag = draws.choice((0, 0, draws.randrange(2 * ask.limit_us + 2)))
        if draws.random() < 0.1:
            return Reply(LATE, max(elapsed, ask.limit_us + lag), lag)
        if isinstance(ask.legal, LegalExchange):
            return Reply(ask.legal.default(), elapsed, lag)
        return Reply(draws.choice(list(ask.legal)), elapsed, lag)

    return answer


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(TIMES, st.integers(0, 2**32), st.integers(0, 10_000))
def test_clocks_charge_what_the_log_says_and_a_replay_gives_every_limit_again(
    make_spec: MakeSpec, time: TimeControl, seed: int, cut: int
) -> None:
    spec = replace(make_spec(boards=1), time=time, policy=FaultPolicy(None))
    table, answer = Table(spec), drawn_answer(seed)
    events, limits = table.start(), []
    while (ask := table.ask()) is not None:
        assert table.ask() == ask  # Asked again, it has no more time.
        limits.append(ask.limit_us)
        events += table.reply(answer(ask))
    records = table.take_records()

    decided = [event for event in events if isinstance(event, Decided)]
    for each, limit in zip(decided, limits, strict=True):
        receipt = each.receipt
        assert 0 <= receipt.charged_us <= receipt.elapsed_us
        assert 0 <= receipt.bank_left_us <= time.bank_us
        assert each.fault is not None or receipt.charged_us <= limit
    clocks = Clocks(time)
    assert [limit for record in records for limit in clocks.limits_us(record)] == limits

    cut %= len(events)
    resumed = Table(spec)
    missing = resumed.replay(events[:cut])
    known = sum(isinstance(event, Decided) for event in events[:cut] + missing)
    ask = resumed.ask()
    assert (ask.limit_us if ask else None) == (limits[known] if known < len(limits) else None)
