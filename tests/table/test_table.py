"""The match as a state machine."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fivehundred.rules.hand import Outcome
from fivehundred.table.forfeit import forfeit_change
from fivehundred.table.table import MatchSpec, ReplayError, Table
from fivehundred.table.values import (
    Ask,
    Decided,
    Event,
    Fault,
    FaultKind,
    FaultPolicy,
    ForfeitScope,
    HandEnded,
    HandRecord,
    HandStarted,
    Receipt,
    Reply,
    TimeControl,
)

MakeSpec = Callable[..., MatchSpec]
Answer = Callable[[Ask], Reply]
PlayOut = Callable[[Table, Answer], tuple[list[Event], list[HandRecord]]]
RandomAnswer = Callable[..., Answer]
LATE = Fault(FaultKind.TIMEOUT, "no answer within 1000 ms")


def default(ask: Ask) -> Reply:
    return Reply(ask.legal.default(), 1000)


def test_every_board_is_played_in_every_seating(
    make_spec: MakeSpec, play_out: PlayOut, preset: str
) -> None:
    spec = make_spec(preset)

    _, records = play_out(Table(spec), default)

    keys = [(record.started.key.board, record.started.key.seating) for record in records]
    assert keys == [(b, s) for b in (0, 1) for s in range(len(spec.seatings))]


def test_the_seatings_of_a_board_share_its_deck_and_dealer(
    make_spec: MakeSpec, play_out: PlayOut
) -> None:
    _, records = play_out(Table(make_spec()), default)

    first, second = records[0].started, records[1].started
    assert (first.deck, first.dealer) == (second.deck, second.dealer)
    assert (first.entrants, second.entrants) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert records[2].started.deck != first.deck


@pytest.mark.parametrize("games", [False, True], ids=["boards", "games"])
def test_a_log_replays_from_any_event(
    make_spec: MakeSpec,
    play_out: PlayOut,
    random_answer: RandomAnswer,
    preset: str,
    games: bool,
) -> None:
    spec = make_spec(preset, games=games)
    answer = random_answer(7, LATE, 0.05)
    events, records = play_out(Table(spec), answer)
    for cut in range(0, len(events), 17):
        table = Table(spec)

        missing = table.replay(events[:cut])

        rest = missing + _finish(table, events[cut + len(missing) :])
        assert events[:cut] + rest == events
        assert table.take_records() == records[_ended(events[:cut]) :]


def _finish(table: Table, logged: list[Event]) -> list[Event]:
    """Answer as the log says."""
    decided = iter([event for event in logged if isinstance(event, Decided)])
    events: list[Event] = []
    while table.ask() is not None:
        event = next(decided)
        received = event.receipt
        reply = Reply(event.fault or event.action, received.elapsed_us, received.lag_us)
        events += table.reply(reply)
    return events


def _ended(events: list[Event]) -> int:
    return sum(isinstance(event, HandEnded) for event in events)


def test_a_replay_names_what_the_match_would_not_have_done(
    make_spec: MakeSpec, play_out: PlayOut
) -> None:
    spec = make_spec()
    events, _ = play_out(Table(spec), default)
    started, decided = events[0], events[1]
    assert isinstance(started, HandStarted) and isinstance(decided, Decided)

    wrongs: list[list[Event]] = [
        [replace(started, dealer=3)],
        [started, replace(decided, seat=2)],
        [started, replace(decided, receipt=replace(decided.receipt, charged_us=1))],
        [started, decided, started],
    ]
    for wrong in wrongs:
        with pytest.raises(ReplayError):
            Table(spec).replay(wrong)


def test_a_fault_is_replaced_by_the_declared_action_and_recorded(make_spec: MakeSpec) -> None:
    table = Table(make_spec())
    table.start()

    (decided,) = table.reply(Reply(LATE, 1_000_000))

    assert isinstance(decided, Decided)
    assert (str(decided.action), decided.fault) == ("P", LATE)


def test_an_entrant_forfeits_after_its_strikes_and_the_rest_of_the_match_with_it(
    make_spec: MakeSpec, play_out: PlayOut
) -> None:
    spec = make_spec(policy=FaultPolicy(strikes=2))

    def answer(ask: Ask) -> Reply:
        return Reply(LATE, ask.limit_us) if ask.entrant == 1 else default(ask)

    _, records = play_out(Table(spec), answer)

    assert [record.ended.forfeited_by for record in records] == [1, 1, 1, 1]
    assert {record.ended.result.outcome for record in records} == {Outcome.FORFEITED}
    assert [record.ended.result.change for record in records] == [
        (100, -520),
        (-520, 100),
        (100, -520),
        (-520, 100),
    ]
    assert records[0].ended.result.winners == (0,)


def forfeited(records: list[HandRecord]) -> list[bool]:
    return [record.ended.forfeited_by is not None for record in records]


@pytest.mark.parametrize(
    ("scope", "faults", "expected"),
    [
        (ForfeitScope.HAND, 2, [True, False, False, False, False, False]),
        (ForfeitScope.HAND, 3, [True, False, False, False, False, False]),
        (ForfeitScope.HAND, 4, [True, True, False, False, False, False]),
        (ForfeitScope.BOARD, 2, [True, True, False, False, False, False]),
        (ForfeitScope.BOARD, 4, [True, True, True, True, False, False]),
        (ForfeitScope.MATCH, 2, [True] * 6),
    ],
)
def test_a_forfeit_costs_its_scope_and_strikes_are_counted_anew(
    make_spec: MakeSpec,
    play_out: PlayOut,
    scope: ForfeitScope,
    faults: int,
    expected: list[bool],
) -> None:
    spec = make_spec(boards=3, policy=FaultPolicy(strikes=2, forfeit=scope))
    left = [LATE] * faults

    def answer(ask: Ask) -> Reply:
        return Reply(left.pop(), ask.limit_us) if ask.entrant == 1 and left else default(ask)

    events, records = play_out(Table(spec), answer)

    assert forfeited(records) == expected
    assert Table(spec).replay(events) == []


def test_a_second_seating_that_forfeits_its_board_leaves_the_first_as_it_was_played(
    make_spec: MakeSpec, play_out: PlayOut
) -> None:
    spec = make_spec(boards=2, policy=FaultPolicy(strikes=1, forfeit=ForfeitScope.BOARD))
    asked = iter(range(1000))

    _, records = play_out(
        Table(spec), lambda ask: Reply(LATE, 1000) if next(asked) == 4 else default(ask)
    )

    assert forfeited(records) == [False, True, False, False]


@pytest.mark.parametrize("scope", ForfeitScope)
def test_a_game_ends_with_a_forfeit_of_more_than_a_hand_or_by_its_score(
    make_spec: MakeSpec, play_out: PlayOut, scope: ForfeitScope
) -> None:
    policy = FaultPolicy(strikes=1, forfeit=scope)
    spec = make_spec(games=True, boards=1, policy=policy)
    spec = replace(spec, rules=replace(spec.rules, floor=None))
    left = [LATE]

    def answer(ask: Ask) -> Reply:
        return Reply(left.pop(), 1000) if left else default(ask)

    events, records = play_out(Table(spec), answer)

    first = records[0].ended
    assert first.forfeited_by is not None
    assert first.result.game_over is (scope is not ForfeitScope.HAND)
    assert forfeited(records).count(True) == (1 if scope is ForfeitScope.HAND else 2)
    assert records[1].started.dealer == (1 if scope is ForfeitScope.HAND else 0)
    assert Table(spec).replay(events) == []


def test_hundreds_of_boards_are_forfeited_at_once(make_spec: MakeSpec, play_out: PlayOut) -> None:
    spec = make_spec(boards=600, policy=FaultPolicy(strikes=1))

    _, records = play_out(Table(spec), lambda ask: Reply(LATE, ask.limit_us))

    assert len(records) == 1200


def test_a_forfeit_is_no_better_than_the_worst_hand(make_spec: MakeSpec) -> None:
    rules = make_spec("qc-4p-46-vi").rules

    assert forfeit_change(rules, (0,)) == (0, 1000)


def test_without_strikes_nothing_is_ever_forfeited(make_spec: MakeSpec, play_out: PlayOut) -> None:
    spec = make_spec(policy=FaultPolicy(strikes=None))

    _, records = play_out(Table(spec), lambda ask: Reply(LATE, ask.limit_us))

    assert [record.ended.forfeited_by for record in records] == [None] * 4


def test_time_beyond_the_limit_is_taken_from_the_bank_and_lag_is_not_charged(
    make_spec: MakeSpec,
) -> None:
    time = TimeControl(bid_us=100, bank_us=1000, first_decision_us=0)
    table = Table(make_spec(time=time))
    table.start()
    ask = table.ask()
    assert ask is not None and (ask.limit_us, ask.bank_left_us) == (1100, 1000)

    (decided,) = table.reply(Reply(ask.legal.default(), elapsed_us=950, lag_us=500))

    assert isinstance(decided, Decided)
    receipt = decided.receipt
    assert (receipt.charged_us, receipt.bank_left_us) == (450, 650)


def test_the_first_decision_of_a_seat_has_more_time(make_spec: MakeSpec) -> None:
    table = Table(make_spec(time=TimeControl(bid_us=100, play_us=100, first_decision_us=5000)))
    table.start()
    limits = []
    for _ in range(4):
        ask = table.ask()
        assert ask is not None
        limits.append(ask.limit_us)
        table.reply(default(ask))

    assert limits == [5100] * 4


def test_the_last_receipt_comes_with_the_next_decision(make_spec: MakeSpec) -> None:
    table = Table(make_spec(boards=4))
    table.start()
    receipts: dict[tuple[int, int], Receipt] = {}
    for _ in range(20):
        ask = table.ask()
        assert ask is not None
        assert ask.last_receipt == receipts.get((ask.entrant, ask.seat))
        decided = table.reply(default(ask))[0]
        assert isinstance(decided, Decided)
        receipts[ask.entrant, ask.seat] = decided.receipt


def test_a_game_that_nobody_wins_is_decided_by_its_score_at_the_cap(
    make_spec: MakeSpec, play_out: PlayOut
) -> None:
    spec = make_spec(games=True, boards=1)

    _, records = play_out(Table(spec), default)

    last = records[11].ended.result
    assert (len(records), last.game_over, last.winners) == (24, True, (0, 1))
