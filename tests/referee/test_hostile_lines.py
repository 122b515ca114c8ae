"""Ten thousand lines that are nearly questions: each gets one answer, and never an exception."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError

from fivehundred.referee import answer_bytes
from fivehundred.v1 import record_pb2
from fivehundred.wire.record import facts_digest

LINES = 10_000
FORGED = 400
JUNK: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    3.0,
    0.5,
    1e308,
    10**40,
    2**63,
    "",
    "P",
    "JKR:C",
    "AS",
    "4H",
    "2S",
    "NT",
    "OM",
    "\ud800",
    "\0",
    "é" * 50,
    "x" * 5000,
    [],
    {},
    [[]],
    [None],
    {"": {}},
    ["AS"] * 70,
    list(range(100)),
]
HOUSE: dict[str, Any] = {
    "preset": "au-5p-53",
    "override": {
        "lowest_pip": [2, 2, 2, 2],
        "call": {"method": "CHOOSE_PLAYER", "second_partner_from": 8, "share": "FULL"},
        "special_bids": [
            {
                "name": "NULLO",
                "kind": "LOSE_ALL",
                "value": 250,
                "ranks_above": "8S",
                "takes_kitty": True,
                "exposure": "BEFORE_LEAD",
            }
        ],
        "floor": None,
        "win_condition": "ANY_POINTS",
    },
}
EXTRA: list[dict[str, Any]] = [
    {"ask": "ladder", "id": 1, "rules": HOUSE},
    {"ask": "callable", "id": 2, "rules": HOUSE, "contract": "8S", "contractor": 0},
    {"ask": "order", "id": 3, "rules": HOUSE, "contract": "NULLO", "contractor": 0, "dealer": 1},
    {
        "ask": "plays",
        "id": 4,
        "contract": "7NT",
        "contractor": 1,
        "seat": 3,
        "holding": ["JKR", "AH"],
        "trick": [[1, "AS"], [2, "4D"]],
        "led": ["C"],
        "joker_suit": "H",
        "nominated": ["JKR"],
        "shown_void": [],
        "last_trick": False,
    },
    {
        "ask": "score",
        "id": 5,
        "rules": "uspc-3p-33",
        "contract": "7H",
        "contractor": 0,
        "before": [0, 480, 490],
        "tricks": [5, 3, 2],
        "taken": [0, 1, 0, 2, 0, 1, 0, 1, 2, 0],
    },
]

Place = tuple[Any, Any]


def places(value: Any) -> Iterator[Place]:
    """Every container in a value with each of its keys."""
    keys: list[Any] = []
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    for key in keys:
        yield value, key
        yield from places(value[key])


def mutated(question: dict[str, Any], random: Random) -> dict[str, Any]:
    """A question with something replaced, left out, added, doubled or moved."""
    changed = deepcopy(question)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        found = list(places(changed))
        if not found:
            break
        holder, key = random.choice(found)
        other, other_key = random.choice(found)
        match random.randrange(5):
            case 0:
                holder[key] = deepcopy(random.choice(JUNK))
            case 1:
                del holder[key]
            case 2:
                holder[key] = deepcopy(other[other_key])
            case 3:
                holder[key] = [holder[key], deepcopy(holder[key])]
            case _ if isinstance(holder, dict):
                holder[random.choice(("seat", "throw", "x", "", "rules", "kitty"))] = key
            case _:
                holder.insert(key, deepcopy(random.choice(JUNK)))
    return changed


def spoilt(line: bytes, random: Random) -> bytes:
    """A line cut, doubled, or with some bytes changed."""
    at = random.randrange(len(line))
    match random.randrange(5):
        case 0:
            return line[:at]
        case 1:
            return line[at:]
        case 2:
            other = random.randrange(len(line))
            return line[:at] + line[other:]
        case 3:
            changed = bytearray(line)
            for _ in range(random.choice((1, 2, 8))):
                changed[random.randrange(len(line))] = random.randrange(256)
            return bytes(changed).replace(b"\n", b" ")
        case _:
            word = random.choice((b"NaN", b"1e999", b'"id":2,', b"\\ud800", b"[" * 2000, b"9" * 9))
            return line[:at] + word + line[at:]


def read_strictly(line: bytes) -> Any:
    """The value of a line; raises `ValueError` or `RecursionError` where it is not plain JSON."""

    def no_number(text: str) -> None:
        raise ValueError(text)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            raise ValueError("a member stands twice")
        return members

    value = json.loads(line.decode(), parse_constant=no_number, object_pairs_hook=once)
    json.dumps(value, allow_nan=False)
    return value


def check(line: bytes) -> None:
    """One line, one JSON object: an answer or an error, with the question's id."""
    text = answer_bytes(line)
    assert text.isascii() and "\n" not in text
    answered = read_strictly(text.encode())
    assert set(answered) in ({"id", "answer"}, {"id", "error"})
    if "error" in answered:
        assert set(answered["error"]) == {"field", "message"}
        assert all(isinstance(each, str) for each in answered["error"].values())
        assert answered["error"]["message"]
    try:
        question = read_strictly(line)
    except (ValueError, RecursionError):
        return
    wanted = question.get("id") if isinstance(question, dict) else None
    assert answered["id"] == wanted


def test_ten_thousand_malformed_lines_get_an_answer_each(
    examples: list[tuple[dict[str, Any], dict[str, Any]]],
    recorded: Callable[[str, int], record_pb2.HandRecord],
) -> None:
    played = {"ask": "hand", "id": 6, "rules": "hist-2p-24"}
    record = MessageToDict(recorded("hist-2p-24", 3))
    questions = [question for question, _ in examples]
    questions += [*EXTRA, {**played, "record": record}]
    random = Random(500)

    for _ in range(LINES):
        question = random.choice(questions)
        if random.random() < 0.6:
            check(json.dumps(mutated(question, random)).encode())
        else:
            check(spoilt(json.dumps(question).encode(), random))


def test_records_whose_digest_has_been_made_to_fit_get_an_answer_each(
    recorded: Callable[[str, int], record_pb2.HandRecord],
) -> None:
    record = MessageToDict(recorded("au-5p-53", 3))
    random = Random(500)

    for _ in range(FORGED):
        message = record_pb2.HandRecord()
        with suppress(ParseError, ValueError, TypeError, SystemError, AttributeError):
            ParseDict(mutated(record, random), message)
        message.digest = facts_digest(message)
        question = {"ask": "hand", "id": 7, "rules": "au-5p-53", "record": MessageToDict(message)}
        check(json.dumps(question).encode())
