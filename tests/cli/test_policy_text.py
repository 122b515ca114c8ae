"""Time controls and fault policies in words."""

import pytest
from google.protobuf import text_format

from fivehundred.cli.policy_text import policy_text, time_text
from fivehundred.v1.tournament_pb2 import FaultPolicy, TimeControl

REST = "first decision 2 s more; connect 20 s"
SUSPENDED = "suspend an entrant for 60 s at most, greeted every 5 s"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", f"bid 1 s, discard 1 s, play 1 s; {REST}"),
        (
            "play { nanos: 500000000 } bank { seconds: 10 } increment { seconds: 1 }",
            f"bid 1 s, discard 1 s, play 0.5 s; bank 10 s, 1 s more a hand; {REST}",
        ),
        (
            "soft { nanos: 300000000 } soft_strikes: 5",
            f"bid 1 s, discard 1 s, play 1 s; 0.3 s after 5 answers over 0.3 s in a match; {REST}",
        ),
    ],
    ids=["defaults", "bank", "soft"],
)
def test_a_time_control_is_told_with_its_defaults(text: str, words: str) -> None:
    assert time_text(text_format.Parse(text, TimeControl())) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "10 faults of an entrant in a match forfeit the rest of the match"),
        (
            "strikes: 1 forfeit: FORFEIT_SCOPE_HAND",
            "1 fault of an entrant in a match forfeits the hand",
        ),
        (
            "forfeit: FORFEIT_SCOPE_BOARD",
            "10 faults of an entrant in a match forfeit the rest of the board",
        ),
        (
            "never_forfeit: true suspension {}",
            f"faults never forfeit; 10 faults in a row {SUSPENDED}",
        ),
    ],
    ids=["defaults", "hand", "board", "suspension"],
)
def test_a_fault_policy_is_told_with_its_defaults(text: str, words: str) -> None:
    assert policy_text(text_format.Parse(text, FaultPolicy())) == words
