from dataclasses import replace
from random import Random

import pytest

from any_action import any_action
from fivehundred.rules.actions import PASS, Bid
from fivehundred.rules.cards import SPADES
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.check import Mismatch, carry_out, check_record, end_of
from fivehundred.table.values import (
    Decided,
    Fault,
    FaultKind,
    HandEnded,
    HandKey,
    HandRecord,
    HandStarted,
    Receipt,
)

RULES = RuleSet()
NO_TIME = Receipt(0, 0, 0, 0)


@pytest.fixture
def record() -> HandRecord:
    """A hand of six spades by seat 1, played to its end at random."""
    started = HandStarted(HandKey("t", 0, 0, 0), ("b@1",) * 4, (0, 1, 0, 1), 0, deck(RULES), (0, 0))
    hand, decisions, random = new_hand(), list[Decided](), Random(1)
    while hand.turn is not None:
        action = any_action(hand.legal(), random, passes=1) if decisions else Bid(6, SPADES)
        decisions.append(Decided(hand.turn, action, NO_TIME))
        hand.apply(action)
    assert hand.result is not None
    return HandRecord(b"", started, tuple(decisions), HandEnded(hand.result))


def new_hand() -> Hand:
    return Hand(RULES, deal(RULES, deck(RULES), 0), 0, (0, 0))


def mismatch(record: HandRecord) -> Mismatch:
    with pytest.raises(Mismatch) as raised:
        check_record(RULES, record, capped=False)
    return raised.value


def test_a_hand_that_was_played_is_in_order(record: HandRecord) -> None:
    hand = check_record(RULES, record, capped=False)

    assert hand.result == record.ended.result


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("bots", ("b@1",)),
        ("entrants", (0, 1)),
        ("scores_before", (0, 0, 0)),
        ("dealer", 4),
        ("deck", deck(RULES)[1:]),
    ],
)
def test_a_start_that_the_rules_do_not_know_is_named(
    record: HandRecord, field: str, value: object
) -> None:
    changed = replace(record.started, **{field: value})  # type: ignore[arg-type]  # any of them

    assert mismatch(replace(record, started=changed)).field == field


def test_a_wrong_decision_is_named_with_its_number(record: HandRecord) -> None:
    wrong = replace(record.decisions[2], seat=0)
    decisions = (*record.decisions[:2], wrong, *record.decisions[3:])

    found = mismatch(replace(record, decisions=decisions))

    assert (found.field, found.decision) == ("seat", 2)
    assert found.reason.endswith("it is seat 3's turn")
    assert str(found) == f"decision 3: {found.reason}"


def test_an_action_that_is_not_legal_is_refused(record: HandRecord) -> None:
    hand = new_hand()
    bid = record.decisions[0]
    carry_out(hand, bid)

    with pytest.raises(Mismatch, match="may not be called: call one of") as raised:
        carry_out(hand, replace(bid, seat=2))

    assert raised.value.field == "action"


def test_only_the_declared_substitute_stands_for_a_fault(record: HandRecord) -> None:
    late = replace(record.decisions[0], fault=Fault(FaultKind.TIMEOUT, ""))

    carry_out(new_hand(), replace(late, action=PASS))
    with pytest.raises(Mismatch, match="cannot stand for a fault: the substitute is P"):
        carry_out(new_hand(), late)


def test_the_first_difference_of_a_result_is_named(record: HandRecord) -> None:
    result = replace(record.ended.result, change=(1, 2), next_dealer=3)

    found = mismatch(replace(record, ended=HandEnded(result)))

    assert (found.field, found.decision) == ("result.change", None)
    assert found.reason.startswith("its change is (1, 2), the rules give ")


def test_a_hand_that_is_not_over_has_no_end(record: HandRecord) -> None:
    assert mismatch(replace(record, decisions=record.decisions[:-1])).field == "result"


def test_only_an_entrant_with_a_seat_forfeits(record: HandRecord) -> None:
    ended = end_of(new_hand(), record.started, 1, capped=False)

    assert ended.forfeited_by == 1
    assert ended.result.winners == (0,)
    with pytest.raises(Mismatch, match="entrant 2 forfeits without a seat"):
        end_of(new_hand(), record.started, 2, capped=False)


def test_the_cap_on_deals_decides_a_game_by_its_score(record: HandRecord) -> None:
    hand = check_record(RULES, record, capped=False)

    capped = end_of(hand, record.started, None, capped=True).result

    assert not record.ended.result.game_over
    assert capped.game_over
    best = max(capped.change)
    assert list(capped.winners) == [side for side in (0, 1) if capped.change[side] == best]
