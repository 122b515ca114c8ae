import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
LADDER = '{"id": 1, "ask": "ladder"}\n'


@pytest.fixture
def pipe() -> Iterator[subprocess.Popen[str]]:
    """The program with pipes to and from it."""
    with subprocess.Popen(
        [PROGRAM, "referee"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def ask(process: subprocess.Popen[str], line: str) -> Any:
    """Send one line and wait for the answer."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(line)
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def test_a_file_of_questions_is_answered_line_by_line(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_bytes(LADDER.encode() + b'\n{"id": 2, "ask": "x"}\n\xff\n{"id": 3}')

    outcome = cli("referee", str(questions))

    answers = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.exit_code == 0
    assert outcome.err == ""
    assert [each["id"] for each in answers] == [1, 2, None, 3]
    assert ["error" in each for each in answers] == [False, True, True, True]


@pytest.mark.parametrize(
    ("name", "reason"), [("nothing", "No such file or directory"), (".", "Is a directory")]
)
def test_a_file_that_cannot_be_read_is_a_mistake(
    cli: Callable[..., Any], tmp_path: Path, name: str, reason: str
) -> None:
    file = tmp_path / name

    outcome = cli("referee", str(file))

    assert outcome.exit_code == 2
    assert outcome.err == f"error: {file} cannot be read: {reason}\n"


def test_each_question_of_a_pipe_is_answered_at_once(pipe: subprocess.Popen[str]) -> None:
    assert ask(pipe, LADDER)["answer"]["bids"][0] == "6S"
    assert ask(pipe, "nonsense\n")["error"]["field"] == ""
    assert ask(pipe, '{"id": 9, "ask": "deck"}\n')["id"] == 9

    out, err = pipe.communicate()
    assert (out, err, pipe.returncode) == ("", "", 0)


def test_an_interrupt_says_nothing(pipe: subprocess.Popen[str]) -> None:
    ask(pipe, LADDER)
    pipe.send_signal(signal.SIGINT)

    out, err = pipe.communicate()
    assert (out, err, pipe.returncode) == ("", "", 130)


def test_a_reader_that_goes_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)

    ended = subprocess.run(
        [PROGRAM, "referee", "-"],
        input=LADDER.encode() * 3,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )

    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")
