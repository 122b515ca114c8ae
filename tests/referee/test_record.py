from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

from fivehundred.v1 import cards_pb2, record_pb2
from fivehundred.wire.record import facts_digest

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., tuple[str, str]]
Recorded = Callable[[str, int], record_pb2.HandRecord]

PRESET = "au-5p-53"


def verdict(ask: Ask, message: record_pb2.HandRecord, rules: str = PRESET) -> dict[str, Any]:
    """What the referee says of a record whose digest has been made to fit."""
    message.digest = facts_digest(message)
    return ask("hand", rules=rules, record=MessageToDict(message))


@pytest.mark.parametrize("preset", ["au-4p-43", "au-5p-53", "hist-2p-24", "qc-4p-46-vi"])
@pytest.mark.parametrize("seed", range(3))
def test_a_hand_that_was_played_is_verified(
    ask: Ask, recorded: Recorded, preset: str, seed: int
) -> None:
    message = recorded(preset, seed)

    answered = ask("hand", rules=preset, record=MessageToDict(message))

    assert answered == {"verified": True, "digest": message.digest.hex()}


def test_a_changed_fact_shows_in_the_digest(ask: Ask, recorded: Recorded) -> None:
    message = recorded(PRESET, 1)
    message.facts.key.board += 1

    answered = ask("hand", rules=PRESET, record=MessageToDict(message))

    assert answered["wrong"]["field"] == "digest"


def test_other_rules_are_not_its_own(ask: Ask, recorded: Recorded) -> None:
    assert verdict(ask, recorded(PRESET, 1), "uspc-5p-53")["wrong"]["field"] == "rules_hash"


def test_a_decision_out_of_turn_is_named(ask: Ask, recorded: Recorded) -> None:
    message = recorded(PRESET, 1)
    message.facts.decisions[2].seat += 1

    wrong = verdict(ask, message)["wrong"]

    assert (wrong["decision"], wrong["field"]) == (2, "seat")


def test_a_play_that_is_not_legal_is_named(ask: Ask, recorded: Recorded) -> None:
    message = recorded(PRESET, 1)
    last = len(message.facts.decisions) - 1
    message.facts.decisions[last].play.card = message.facts.decisions[last - 1].play.card

    wrong = verdict(ask, message)["wrong"]

    assert (wrong["decision"], wrong["field"]) == (last, "action")


def test_a_substitute_is_the_declared_one(ask: Ask, recorded: Recorded) -> None:
    message = recorded(PRESET, 1)
    message.facts.decisions[0].call.level = 10
    message.facts.decisions[0].call.strain = cards_pb2.STRAIN_NO_TRUMP
    message.facts.decisions[0].fault = record_pb2.FAULT_KIND_TIMEOUT

    wrong = verdict(ask, message)["wrong"]

    assert (wrong["decision"], wrong["field"]) == (0, "action")
    assert "the substitute is P" in wrong["reason"]


def test_what_is_wrong_with_the_play_is_told_before_the_digest(
    ask: Ask, recorded: Recorded
) -> None:
    message = recorded(PRESET, 1)
    message.facts.decisions[2].seat += 1

    wrong = ask("hand", rules=PRESET, record=MessageToDict(message))["wrong"]

    assert (wrong["decision"], wrong["field"]) == (2, "seat")


def test_a_wrong_result_is_named(ask: Ask, recorded: Recorded) -> None:
    message = recorded(PRESET, 1)
    message.facts.result.change[0] += 10

    assert verdict(ask, message)["wrong"]["field"] == "result.change"


def test_a_hand_that_ends_too_early_is_named(ask: Ask, recorded: Recorded) -> None:
    message = recorded(PRESET, 1)
    del message.facts.decisions[-1]
    del message.receipts[-1]

    assert verdict(ask, message)["wrong"]["field"] == "result"


def test_decisions_after_the_end_are_named(ask: Ask, recorded: Recorded) -> None:
    message = recorded(PRESET, 1)
    message.facts.decisions.append(message.facts.decisions[-1])
    message.receipts.append(message.receipts[-1])

    wrong = verdict(ask, message)["wrong"]

    assert wrong["decision"] == len(message.facts.decisions) - 1
    assert "follows the hand's end" in wrong["reason"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda facts: facts.deck.pop(), "deck"),
        (lambda facts: facts.scores_before.pop(), "scores_before"),
        (lambda facts: facts.bots.pop(), "bots"),
        (lambda facts: facts.entrants.pop(), "entrants"),
        (lambda facts: facts.deck.append(99), "facts"),
        (lambda facts: setattr(facts, "dealer", 7), "dealer"),
        (lambda facts: setattr(facts, "schema_version", 2), "facts"),
        (lambda facts: setattr(facts.result, "outcome", 9), "facts"),
        (lambda facts: facts.decisions[0].ClearField("call"), "facts"),
    ],
)
def test_a_record_that_makes_no_hand_is_named(
    ask: Ask, recorded: Recorded, change: Callable[[Any], object], field: str
) -> None:
    message = recorded(PRESET, 1)
    change(message.facts)

    assert verdict(ask, message)["wrong"]["field"] == field


@pytest.mark.parametrize(
    "record",
    [None, 7, [], "hand", {"fact": {}}, {"facts": 3}, {"digest": 5}, {"facts": {"deck": ["X"]}}],
)
def test_what_is_no_record_is_refused(refused: Refused, record: object) -> None:
    assert refused("hand", record=record)[0] == "record"
