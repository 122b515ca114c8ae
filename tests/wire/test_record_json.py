import json
from random import Random
from typing import Any

import pytest
from google.protobuf.json_format import MessageToJson

from fivehundred.table.check import Mismatch
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.presets import load_preset
from fivehundred.wire.record import record_to_proto
from fivehundred.wire.record_json import record_from_json
from random_hands import random_record

RECORD = random_record(load_preset("au-4p-43"), Random(3))
MESSAGE = record_to_proto(RECORD)


def changed(**members: Any) -> str:
    return json.dumps({**json.loads(MessageToJson(MESSAGE)), **members})


def test_a_record_is_read_with_its_digest() -> None:
    read = record_from_json(changed())

    assert (read.record, read.digest) == (RECORD, MESSAGE.digest)
    read.require_digest()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('{"fact": {}}', "no field `fact` in HandRecord; did you mean `facts`?"),
        ('{"facts": 3}', "no HandRecord in JSON: "),
        ("{", "no HandRecord in JSON: Expecting property name"),
        ('{"facts": {"dealer": "x"}}', "no HandRecord in JSON: invalid literal"),
        ("[" * 100_000, "no HandRecord"),
        ('{"notes": [{"text": "\\ud800"}]}', "no HandRecord in JSON: "),
    ],
)
def test_what_is_no_record_is_refused(text: str, part: str) -> None:
    with pytest.raises(MalformedMessage) as raised:
        record_from_json(text)

    assert part in raised.value.reason


@pytest.mark.parametrize("digest", ["", "AAAA"])
def test_facts_have_the_digest_that_is_stated(digest: str) -> None:
    with pytest.raises(Mismatch, match=f"the facts have {MESSAGE.digest.hex()}") as raised:
        record_from_json(changed(digest=digest)).require_digest()

    assert raised.value.field == "digest"


def test_facts_that_make_no_record_are_named() -> None:
    with pytest.raises(Mismatch, match="schema version 0: only 1 is known") as raised:
        record_from_json("{}")

    assert raised.value.field == "facts"
