from collections.abc import Callable
from dataclasses import replace
from time import time_ns
from typing import Any

from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.facts import hand_facts, read_deals, read_facts, stored_facts
from fivehundred.storage.journal import Journal
from fivehundred.storage.rows import MACHINE
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredHand
from fivehundred.tournament.honesty.facts import NOT_KNOWN, FactColumns

RULES = RuleSet()


def test_the_facts_of_a_hand_are_those_of_its_record(make_record: Callable[..., Any]) -> None:
    facts = hand_facts(make_record(board=3, seating=1, match=2), RULES, 17)

    assert (facts.number, facts.dealer, facts.contract) == (17, 0, None)
    assert facts.bots == ("left@1", "right@2") * 2
    assert facts.decisions == (1, 1, 1, 1)
    assert facts.charged_us == (9, 4, 4, 4)
    assert facts.lag_us == 3
    assert facts.line.faults == ((0, "TIMEOUT"),)
    assert (facts.line.match, facts.line.board, facts.line.seating) == (2, 3, 1)


def test_lag_is_that_of_the_decisions_that_every_hand_has(make_record: Callable[..., Any]) -> None:
    record = make_record()
    longer = replace(record, decisions=record.decisions * 3)

    facts = hand_facts(longer, RULES, 1)

    assert facts.decisions == (3, 3, 3, 3)
    assert facts.lag_us == hand_facts(record, RULES, 1).lag_us == 3


async def test_the_origin_of_a_hand_is_read(
    store: Store, make_tournament: Callable[..., Any], make_record: Callable[..., Any]
) -> None:
    store.create_tournament(make_tournament(boards=1))
    before, journal = time_ns() // 1000, Journal(store)
    for seating, worker in enumerate((None, 1)):
        journal.finish_hand("cup", 0, make_record(seating=seating), worker)
    await journal.settle()
    journal.close()

    facts = read_facts(store, "cup", RULES)

    rows = facts.counted(games=False)
    assert all(before <= time <= time_ns() // 1000 for time in rows.stored_time_us.tolist())
    assert [facts.player_names[place] for place in rows.player] == [MACHINE, f"{MACHINE}/1"]


def test_a_hand_without_origin_has_none(make_record: Callable[..., Any]) -> None:
    stored = StoredHand(1, b"", make_record())

    facts = stored_facts(stored, RULES)
    rows = FactColumns(RULES, [facts]).rows()

    assert (facts.stored_time_us, facts.player) == (None, None)
    assert (rows.stored_time_us.tolist(), rows.player.tolist()) == ([NOT_KNOWN], [NOT_KNOWN])


def test_equal_decisions_are_an_equal_course(make_record: Callable[..., Any]) -> None:
    one, other = (hand_facts(make_record(board=board), RULES, 1) for board in (1, 2))

    assert one.course == other.course
    assert one.course >= 0


def test_all_hands_are_read_once_with_progress(
    store: Store, make_tournament: Callable[..., Any], play_match: Callable[..., None]
) -> None:
    store.create_tournament(make_tournament(boards=3))
    play_match(store)
    told: list[tuple[int, int]] = []

    facts = read_facts(store, "cup", RULES, lambda done, total: told.append((done, total)))

    rows = facts.counted(games=False)
    assert len(facts) == len(rows) == 6
    assert told == [(6, 6)]
    assert facts.bot_names == ["left@1", "right@2"] or facts.bot_names == ["right@2", "left@1"]
    records = {hand.id: hand.record for hand in store.hands("cup")}
    for at, number in enumerate(rows.number.tolist()):
        record = records[number]
        assert rows.decisions[at].sum() == len(record.decisions)
        assert rows.hands.change[at].tolist() == list(record.ended.result.change)
        assert rows.faults[at].sum() == sum(1 for each in record.decisions if each.fault)


def test_each_deal_is_read_once(
    store: Store, make_tournament: Callable[..., Any], play_match: Callable[..., None]
) -> None:
    store.create_tournament(make_tournament(boards=3))
    play_match(store)

    deals = list(read_deals(store, "cup"))

    assert [deal.key.board for deal in deals] == [0, 1, 2]
    records = [hand.record.started for hand in store.hands("cup") if hand.key.seating == 1]
    assert [deal.deck for deal in deals] == [started.deck for started in records]
