"""The vectors of the rules reference, and how an answer is held against one."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "conformance" / "vectors.jsonl"
VECTORS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
COMPARED = {"answer", "sets", "has", "lacks"}


def leaves(expected: object, found: object, path: str = "") -> Iterator[tuple[str, object, object]]:
    """What is expected and what is found, member by member; None where a member is missing."""
    if not isinstance(expected, Mapping):
        yield path, expected, found
        return
    for name, value in expected.items():
        inner = found.get(name) if isinstance(found, Mapping) else None
        yield from leaves(value, inner, f"{path}.{name}".lstrip("."))


def is_same_set(expected: Any, found: Any) -> bool:
    """Whether two lists have the same elements, none more often; lists of lists one by one."""
    if not isinstance(found, list):
        return False
    if expected and all(isinstance(each, list) for each in expected):
        return len(expected) == len(found) and all(map(is_same_set, expected, found))
    return Counter(map(str, expected)) == Counter(map(str, found))


def agrees(manner: str, expected: Any, found: Any) -> bool:
    """Whether a member of an answer is as a vector wants it."""
    if manner == "answer":
        return type(expected) is type(found) and bool(expected == found)
    if manner == "sets":
        return is_same_set(expected, found)
    is_in = [isinstance(found, list) and each in found for each in expected]
    return isinstance(found, list) and (all(is_in) if manner == "has" else not any(is_in))


def disagreements(vector: Mapping[str, Any], reply: Mapping[str, Any]) -> list[str]:
    """Where the reply to a vector's question is not as it should be."""
    if "error" in vector:
        field = reply.get("error", {}).get("field")
        wanted = vector["error"]["field"]
        return [] if field == wanted else [f"no error at {wanted}: {reply}"]
    if "error" in reply:
        return [f"{reply['error']}"]
    return [
        f"{manner} {path}: expected {expected}, found {found}"
        for manner in COMPARED & vector.keys()
        for path, expected, found in leaves(vector[manner], reply["answer"])
        if not agrees(manner, expected, found)
    ]
