"""What holds in every rule set: games end, cards are kept, records replay, scores add up."""

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from any_action import any_action
from fivehundred.rules.cards import Cards, card_name, mask
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.validate import canonical, validate
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import Decided, Event, FaultPolicy, HandRecord, Reply, TimeControl
from fivehundred.v1 import record_pb2
from fivehundred.wire.record import (
    event_from_bytes,
    event_to_bytes,
    record_from_proto,
    record_to_proto,
)
from fivehundred.wire.ruleset import EMPTY, rules_hash, ruleset_from_proto, ruleset_to_proto
from random_rules import random_rules, rule_sets
from second_opinion import dealt_hand

DRAWN = 2_000
MOST_DEALS = 4
quickly = settings(
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=300,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
seeds = st.integers(0, 2**32)


def test_every_rule_set_drawn_is_valid_and_every_value_is_drawn() -> None:
    random = Random(1)
    drawn = [random_rules(random) for _ in range(DRAWN)]
    for rules in drawn:
        validate(rules)

    parts = [*drawn, *(special for rules in drawn for special in rules.special_bids)]
    parts += [rules.call for rules in drawn if rules.call is not None]
    seen = {value for part in parts for value in _values(part)}
    enums = {type(value) for value in seen if isinstance(value, Enum)}
    assert len(enums) == 20
    assert {value for enum in enums for value in enum} <= seen
    for name in ("winner_may_raise", "nominate_before_lead", "misere_joker_low", "set_back"):
        assert {getattr(rules, name) for rules in drawn} == {False, True}
    assert {rules.players for rules in drawn} == set(range(2, 7))
    assert {rules.jokers for rules in drawn} == {0, 1, 2}
    assert {rules.deck_size for rules in drawn} >= set(range(23, 67))
    assert {rules.kitty_size for rules in drawn} >= set(range(20))
    assert {pip for rules in drawn for pip in rules.lowest_pip} == set(range(2, 11))
    assert {pip for rules in drawn for pip in rules.highest_pip} == set(range(10, 14))
    assert {rules.signal_seats for rules in drawn} == set(range(7))
    assert {rules.min_contract for rules in drawn} == set(range(6, 11))
    assert {rules.call.second_partner_from for rules in drawn if rules.call} == {0, *range(6, 11)}


def _values(part: object) -> Iterator[Enum]:
    for each in fields(part):  # type: ignore[arg-type]  # all parts are dataclasses
        value = getattr(part, each.name)
        if isinstance(value, Enum):
            yield value


@quickly
@given(rule_sets())
def test_equal_canonical_forms_have_equal_hashes(rules: RuleSet) -> None:
    same = canonical(rules)

    validate(same)
    assert canonical(same) == same
    assert rules_hash(same) == rules_hash(rules)
    assert ruleset_from_proto(ruleset_to_proto(rules), EMPTY) == rules


@quickly
@given(rule_sets(), seeds)
def test_the_canonical_form_plays_alike(rules: RuleSet, seed: int) -> None:
    random = Random(seed)
    cards = list(deck(rules))
    random.shuffle(cards)
    dealt = deal(rules, cards, 0)
    hand = Hand(rules, dealt, 0, (0,) * rules.sides)
    twin = Hand(canonical(rules), dealt, 0, (0,) * rules.sides)
    assert deal(canonical(rules), cards, 0) == dealt

    while hand.turn is not None:
        legal = hand.legal()
        assert (twin.turn, twin.legal()) == (hand.turn, legal)
        assert twin.view(hand.turn) == hand.view(hand.turn)
        action = any_action(legal, random, passes=0)
        hand.apply(action)
        twin.apply(action)

    assert twin.result == hand.result


@quickly
@given(rule_sets(), seeds)
def test_a_game_ends_within_the_cap_and_replays(rules: RuleSet, seed: int) -> None:
    spec = match(rules, seed)
    table, events = Table(spec), list[Event]()
    records = play(table, events, Random(seed))

    assert table.over
    assert 1 <= len(records) <= MOST_DEALS
    assert [record.ended.result.game_over for record in records[:-1]] == [False] * (
        len(records) - 1
    )
    assert records[-1].ended.result.game_over
    again = Table(spec)
    assert again.replay(event_from_bytes(event_to_bytes(event)) for event in events) == []
    assert again.over


@quickly
@given(rule_sets(), seeds, st.floats(0, 1))
def test_a_log_cut_anywhere_leads_to_the_same_table(
    rules: RuleSet, seed: int, share: float
) -> None:
    spec = match(rules, seed)
    table, events = Table(spec), list[Event]()
    records = play(table, events, Random(seed))
    cut = int(share * len(events))

    again = Table(spec)
    events_again = events[:cut] + again.replay(events[:cut])
    for event in events[len(events_again) :]:
        if isinstance(event, Decided):
            received = event.receipt
            events_again += again.reply(Reply(event.action, received.elapsed_us, received.lag_us))

    assert events_again == events
    assert again.over
    ended = again.take_records()
    assert ended == records[len(records) - len(ended) :]


@quickly
@given(rule_sets(), seeds)
def test_the_scores_of_a_game_are_the_sums_of_its_hands(rules: RuleSet, seed: int) -> None:
    records = play(Table(match(rules, seed)), [], Random(seed))
    scores = [0] * rules.sides
    for record in records:
        assert list(record.started.scores_before) == scores
        told = second_opinion_of(rules, record)
        assert told["change"] == list(record.ended.result.change)
        scores = [score + gain for score, gain in zip(scores, told["change"], strict=True)]
        assert told["after"] == scores

    last = records[-1].ended.result
    if len(records) == MOST_DEALS and not told["over"]:
        best = [side for side, score in enumerate(scores) if score == max(scores)]
        assert list(last.winners) == best
    else:
        assert sorted(last.winners) == sorted(told["winners"])


@quickly
@given(rule_sets(), seeds)
def test_no_card_is_lost_or_doubled(rules: RuleSet, seed: int) -> None:
    for record in play(Table(match(rules, seed)), [], Random(seed)):
        started = record.started
        dealt = deal(rules, started.deck, started.dealer)
        hand = Hand(rules, dealt, started.dealer, started.scores_before)
        for decided in record.decisions:
            assert_kept(hand)
            hand.apply(decided.action)
        assert_kept(hand)


@quickly
@given(rule_sets(), seeds)
def test_a_record_is_the_same_after_the_wire(rules: RuleSet, seed: int) -> None:
    for record in play(Table(match(rules, seed)), [], Random(seed)):
        sent = record_to_proto(record).SerializeToString(deterministic=True)
        received = record_pb2.HandRecord.FromString(sent)

        assert record_from_proto(received) == record
        assert record_to_proto(record_from_proto(received)) == received


def match(rules: RuleSet, seed: int) -> MatchSpec:
    """A match of one game, everybody playing for himself."""
    return MatchSpec(
        tournament="test",
        number=0,
        rules=rules,
        rules_hash=rules_hash(rules),
        entrants=tuple(range(rules.sides)),
        bots=tuple(f"bot{side}@1" for side in range(rules.sides)),
        boards=(seed % 100,),
        seatings=(tuple(map(rules.side_of, range(rules.players))),),
        games=True,
        max_deals=MOST_DEALS,
        time=TimeControl(),
        policy=FaultPolicy(),
        seed=seed.to_bytes(32, "big"),
    )


def play(table: Table, events: list[Event], random: Random) -> list[HandRecord]:
    """Play a match at random, adding to its events; gives its records."""
    events += table.start()
    while (ask := table.ask()) is not None:
        reply = Reply(any_action(ask.legal, random, passes=0), random.randrange(2000))
        events += table.reply(reply)
    return table.take_records()


def second_opinion_of(rules: RuleSet, record: HandRecord) -> dict[str, list[int]]:
    """What the second opinion says of a hand, from its own deal to its score."""
    started = record.started
    names = list(map(card_name, started.deck))
    second = dealt_hand(rules, names, started.dealer, list(started.scores_before))
    for decided in record.decisions:
        assert second.turn == decided.seat
        second.act(str(decided.action))
    assert second.result is not None
    return second.result


def assert_kept(hand: Hand) -> None:
    """Assert that every card is in one place: held, played, thrown, in a kitty or dead."""
    rules, view = hand.rules, hand.view(0)
    played = [1 << card for trick in view.tricks for card in trick.cards]
    thrown = [hand.view(seat).thrown for seat in range(rules.players)]
    seen: Cards = 0
    for cards in (*hand.holdings, *played, *thrown, hand.deal.dead):
        assert not seen & cards
        seen |= cards
    kitties = hand.deal.kitty | sum(hand.deal.personal)
    assert seen | kitties == mask(deck(rules))
