"""Every vector of the rules reference, asked of the referee as anybody would ask it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fivehundred.referee import answer_line
from vectors import COMPARED, VECTORS, disagreements

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
ABOUT = {"id", "source", "says", "question"}
REFERENCE = {
    "A": "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21",
    "B": "01 02 03 04 05 06 07 08 09 10 11 12",
    "C": "01 03 05 06 08 10 11 13 15 16 18 20 21 23 25 26 28 30 31 33 35 36 38",
    "D": "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20",
    "E": "01 03 05 06 08 10 11 13 15 16 18 20 21 23 25 26 28 30 31 33 35 36 38 40",
    "F": "01 03 05 06 08 10 11 13 15 16 18 20",
    "G": "01 03 05 06 08 10 11 13 15 16 18 20 21 23 25 26 28 30 31 33 35 36 38 40 41 43 45 46",
    "H": "01 03 05 06 08 10 11 13 15 16 18 20 21 23 25 26 28 30 31 33 35",
}


def question_line(vector: Mapping[str, Any]) -> str:
    """A vector's question as the referee reads it."""
    return json.dumps({"id": vector["id"], **vector["question"]})


def base(vector: Mapping[str, Any]) -> str:
    """The reference's own id of a vector."""
    return str(vector["id"]).partition("/")[0]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_the_referee_answers_as_the_reference_says(vector: Mapping[str, Any]) -> None:
    reply = json.loads(answer_line(question_line(vector)))

    assert reply["id"] == vector["id"]
    assert disagreements(vector, reply) == []


def test_no_vector_of_the_reference_is_missing() -> None:
    expected = {
        table + number for table, numbers in REFERENCE.items() for number in numbers.split()
    }

    assert {base(vector) for vector in VECTORS} == expected


def test_every_line_is_whole_and_stands_for_itself() -> None:
    names = [vector["id"] for vector in VECTORS]

    assert len(set(names)) == len(names)
    for vector in VECTORS:
        expected = vector.keys() - ABOUT
        assert vector.keys() >= ABOUT, vector["id"]
        assert expected == {"error"} or (expected and expected <= COMPARED), vector["id"]


def test_the_program_answers_every_question_in_order() -> None:
    questions = "".join(question_line(vector) + "\n" for vector in VECTORS)

    ended = subprocess.run(
        [PROGRAM, "referee"], input=questions, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 0, ended.stderr
    replies = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [reply["id"] for reply in replies] == [vector["id"] for vector in VECTORS]
    assert [
        wrong for pair in zip(VECTORS, replies, strict=True) for wrong in disagreements(*pair)
    ] == []
