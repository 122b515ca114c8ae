"""The bounds of a sandbox, as a definition gives them."""

import pytest

from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import SpecError
from fivehundred.wire.sandbox import Sandbox
from fivehundred.wire.spec import Plan, check_spec, parse_spec

TEXT = """
name: "cup"
entrants {{ name: "one" launch {{ command: "bot" {} }} }}
entrants {{ name: "two" address: "127.0.0.1:5001" }}
"""


def plan(sandbox: str) -> Plan:
    return check_spec(parse_spec(TEXT.format(sandbox), "cup.textproto"))


def violations(sandbox: str) -> list[tuple[str, str]]:
    with pytest.raises(SpecError) as raised:
        plan(sandbox)
    return [(each.field, each.message) for each in raised.value.violations]


def test_no_sandbox_holds_a_bot_where_none_is_asked_for() -> None:
    assert [each.sandbox for each in plan("").entrants] == [None, None]


def test_bounds_have_defaults() -> None:
    entrant = plan("sandbox { kind: SANDBOX_KIND_BUBBLEWRAP }").entrants[0]

    assert entrant.sandbox == Sandbox(1 << 30, 64, 3600, 64 << 20)


def test_bounds_are_taken_as_given() -> None:
    bounds = "memory_bytes: 50000000 processes: 3 cpu_seconds: 7 file_bytes: 4096"

    entrant = plan(f"sandbox {{ kind: SANDBOX_KIND_BUBBLEWRAP {bounds} }}").entrants[0]

    assert entrant.sandbox == Sandbox(50_000_000, 3, 7, 4096)


@pytest.mark.parametrize(
    ("bound", "field"),
    [
        ("memory_bytes: 1000", "memory_bytes"),
        ("memory_bytes: 18446744073709551615", "memory_bytes"),
        ("processes: 1", "processes"),
        ("processes: 4097", "processes"),
        ("cpu_seconds: 4294967295", "cpu_seconds"),
        ("file_bytes: 1", "file_bytes"),
    ],
)
def test_a_bound_that_means_nothing_is_named(bound: str, field: str) -> None:
    found = violations(f"sandbox {{ kind: SANDBOX_KIND_BUBBLEWRAP {bound} }}")

    assert [path for path, _ in found] == [f"entrants[0].launch.sandbox.{field}"]
    assert "or 0 for the default" in found[0][1]


def test_bounds_without_a_kind_are_refused() -> None:
    assert violations("sandbox { processes: 5 }") == [
        (
            "entrants[0].launch.sandbox.kind",
            "a sandbox without a kind: write SANDBOX_KIND_BUBBLEWRAP",
        )
    ]


def test_a_kind_of_a_later_version_is_refused() -> None:
    spec = parse_spec(TEXT.format(""), "cup.textproto")
    spec.entrants[0].launch.sandbox.kind = tournament_pb2.SandboxKind.ValueType(9)

    with pytest.raises(SpecError, match=r"sandbox\.kind: 9 is no kind of sandbox"):
        check_spec(spec)
