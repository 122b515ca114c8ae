"""A tournament's definition is read, checked, and refused in words that help."""

from pathlib import Path

import pytest

from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import FaultPolicy, ForfeitScope, TimeControl
from fivehundred.tournament.formats.forms import RoundRobinForm
from fivehundred.tournament.suspension import Suspension
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import SpecError
from fivehundred.wire.spec import (
    EntrantSpec,
    Plan,
    check_spec,
    is_address,
    parse_spec,
    spec_to_text,
)

EXAMPLES = sorted((Path(__file__).parents[2] / "tournaments").glob("*.textproto"))


def rounds_of(plan: Plan) -> int:
    """The rounds of a plan, which is of a round robin."""
    assert isinstance(plan.form, RoundRobinForm)
    return plan.form.rounds


TWO = """
name: "cup"
entrants { name: "one" address: "127.0.0.1:5001" }
entrants { registered: "two" }
"""

MISTAKES = [
    (
        'name: "x"\n\nentrnts { name: "a" }',
        "t:3: no field `entrnts` in TournamentSpec; did you mean `entrants`?",
    ),
    (
        "entrants {\n  lunch { }\n}",
        "t:2: no field `lunch` in Entrant; did you mean `launch`?",
    ),
    (
        "entrants { zzz: 1 }",
        "t:1: no field `zzz` in Entrant; its fields are name, launch, address, registered",
    ),
    (
        "rules { override { side_model: SIDE_MODEL_TEAM_2 } }",
        "t:1: no value `SIDE_MODEL_TEAM_2` in SideModel; did you mean `SIDE_MODEL_TEAMS_2` or",
    ),
    ('tables: "x"', 't:1: Couldn\'t parse integer: "x"'),
    ("\ntables: -1", "t:2: Value out of range: -1"),
    ('name "x"', 't:1: Expected ":"'),
    ('entrants {\n name: "a"\n', 't:2: Expected "}"'),
    (
        '{"name": "x",\n "entrnts": []}',
        "t:2: no field `entrnts` in TournamentSpec; did you mean `entrants`?",
    ),
    ('{"name": "x",\n "a" 3}', "t:2: Expecting ':' delimiter"),
    (
        '{"rules": {"override":\n {"sideModel": "SIDE_MODEL_SOLE"}}}',
        "t:2: no value `SIDE_MODEL_SOLE` in SideModel; did you mean `SIDE_MODEL_SOLO` or",
    ),
    ('{"tables": -1}', "t: Value out of range: -1"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_a_mistake_is_told_with_its_line_and_what_was_meant(text: str, message: str) -> None:
    with pytest.raises(SpecError) as refused:
        parse_spec(text, "t")

    assert str(refused.value).startswith(message)


def test_json_is_read_as_well() -> None:
    text = '{"name": "cup", "timeControl": {"bid": "0.5s"}, "tables": 3}'

    spec = parse_spec(text, "cup.json")

    assert (spec.name, spec.time_control.bid.nanos, spec.tables) == ("cup", 500_000_000, 3)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_in_order_and_survive_as_text(path: Path) -> None:
    spec = parse_spec(path.read_text(encoding="utf-8"), path.name)

    plan = check_spec(spec)

    assert plan.name == path.stem
    assert parse_spec(spec_to_text(spec), "again") == spec


def test_the_demo_plays_two_thousand_hands() -> None:
    demo = next(path for path in EXAMPLES if path.stem == "demo")

    plan = check_spec(parse_spec(demo.read_text(encoding="utf-8"), demo.name))

    assert [entrant.name for entrant in plan.entrants] == ["random", "basic", "careful", "reckless"]
    assert 6 * rounds_of(plan) * plan.boards_per_match * 2 == 2400


def test_defaults_fill_what_is_left_out() -> None:
    plan = check_spec(parse_spec(TWO, "cup"))

    assert plan == Plan(
        name="cup",
        rules=RuleSet(),
        entrants=(
            EntrantSpec("one", address="127.0.0.1:5001"),
            EntrantSpec("two", registered="two"),
        ),
        form=RoundRobinForm(),
        boards_per_match=4,
        games=False,
        common_boards=False,
        max_deals=1,
        time=TimeControl(),
        policy=FaultPolicy(10),
        tables=16,
        seed=b"",
        anchor=None,
    )


def test_what_is_given_is_taken() -> None:
    text = """
    rules { preset: "us-4p-45" }
    format { round_robin { rounds: 3 } games { boards_per_match: 2 max_deals: 50 } }
    time_control { play { nanos: 250000000 } bank { seconds: 9 } increment { seconds: 1 } }
    fault_policy { never_forfeit: true }
    tables: 7
    anchor: "two"
    """

    plan = check_spec(parse_spec(TWO + text + f'seed: "{"0F" * 32}"', "cup"))

    assert plan.rules.deck_size == 45
    assert (rounds_of(plan), plan.games, plan.boards_per_match, plan.max_deals) == (3, True, 2, 50)
    assert plan.time == TimeControl(play_us=250_000, bank_us=9_000_000, increment_us=1_000_000)
    assert (plan.policy, plan.tables, plan.anchor) == (FaultPolicy(None), 7, 1)
    assert plan.seed == b"\x0f" * 32


def test_soft_limits_scopes_and_suspensions_are_taken() -> None:
    text = """
    time_control { soft { nanos: 500000000 } soft_strikes: 3 }
    fault_policy { strikes: 4 forfeit: FORFEIT_SCOPE_BOARD suspension { probe { seconds: 2 } } }
    """

    plan = check_spec(parse_spec(TWO + text, "cup"))

    assert plan.time == TimeControl(soft_us=500_000, soft_strikes=3)
    assert plan.policy == FaultPolicy(4, ForfeitScope.BOARD)
    assert plan.suspension == Suspension(10, 2_000_000, 60_000_000)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["fivehundred", "bot", "serve", "fivehundred_bots.basic:Basic"], "basic"),
        (["./my_bot.py"], "my-bot"),
    ],
)
def test_a_launched_entrant_may_take_its_command_s_name(command: list[str], name: str) -> None:
    spec = parse_spec(TWO, "cup")
    spec.entrants.add(launch=tournament_pb2.Launch(command=command))

    assert check_spec(spec).entrants[2] == EntrantSpec(name, launch=tuple(command))


WRONG = [
    ('name: "Cup!"', "name", "'Cup!' is no name: write 1 to 63 of a-z"),
    ("entrants { }", "entrants[2]", "no bot: give one of launch, address, registered"),
    ("entrants { }", "entrants[2].name", "no name, and none follows from the bot: give one"),
    (
        'entrants { launch { command: "python3" command: "bot.py" } }',
        "entrants[2].name",
        "no name, and none follows from the bot: give one",
    ),
    (
        'entrants { name: "x" launch { } }',
        "entrants[2].launch.command",
        "no program: list the program and its arguments",
    ),
    (
        'entrants { name: "x" address: "localhost" }',
        "entrants[2].address",
        "'localhost' is no address: write host:port or unix:/path",
    ),
    ('entrants { registered: "No" }', "entrants[2].registered", "'No' is no name: write"),
    (
        'entrants { name: "one" registered: "x" }',
        "entrants[2].name",
        "'one' is the name of entrants[0] too: give another",
    ),
    ('rules { preset: "au-4p-44" }', "rules.preset", "no preset 'au-4p-44'; did you mean au-4p-43"),
    ("time_control { bid { seconds: 0 } }", "time_control.bid", "0 s: write more than 0"),
    ("time_control { bank { seconds: -1 } }", "time_control.bank", "-1 s: write 0 or more"),
    ("time_control { play { seconds: 3601 } }", "time_control.play", "3601 s: at most 3600 s"),
    (
        "time_control { increment { seconds: 1 } }",
        "time_control.increment",
        "an increment without a bank to grow: set bank as well",
    ),
    (
        "fault_policy { strikes: 3 never_forfeit: true }",
        "fault_policy.strikes",
        "3 strikes, but never_forfeit is set: leave one of them out",
    ),
    (
        "fault_policy { forfeit: FORFEIT_SCOPE_HAND never_forfeit: true }",
        "fault_policy.forfeit",
        "a forfeit of the hand, but never_forfeit is set: leave one of them out",
    ),
    (
        "fault_policy { forfeit: 9 }",
        "fault_policy.forfeit",
        "9 is no scope: write one of FORFEIT_SCOPE_MATCH, FORFEIT_SCOPE_BOARD, FORFEIT_SCOPE_HAND",
    ),
    (
        "fault_policy { suspension { probe { seconds: 0 } } }",
        "fault_policy.suspension.probe",
        "0 s: write more than 0",
    ),
    (
        "fault_policy { suspension { patience { seconds: 2 } } }",
        "fault_policy.suspension.patience",
        "2 s is over before the bot is greeted at all: write at least the probe's 5 s",
    ),
    (
        "time_control { play { nanos: 500000000 } soft { seconds: 1 } soft_strikes: 3 }",
        "time_control.soft",
        "1 s is not less than the limit of a play: write less than 0.5 s",
    ),
    (
        "time_control { soft { nanos: 999 } soft_strikes: 3 }",
        "time_control.soft",
        "0 s: write more than 0",
    ),
    (
        "time_control { soft { nanos: 500000000 } }",
        "time_control.soft_strikes",
        "no soft strikes: write how many slow answers",
    ),
    (
        "time_control { soft_strikes: 3 }",
        "time_control.soft_strikes",
        "3 soft strikes without a soft limit: set soft as well",
    ),
    ("tables: 4097", "tables", "4097 is too many: at most 4096"),
    ('seed: "00ff"', "seed", "4 characters that are no seed: write 64 hexadecimal digits"),
    ('anchor: "ome"', "anchor", "no entrant 'ome'; did you mean `one`?"),
    (
        "format { games { max_deals: 20000 } }",
        "format.games.max_deals",
        "20000 is too many: at most 10000",
    ),
]


@pytest.mark.parametrize(("text", "field", "message"), WRONG)
def test_a_wrong_field_is_told(text: str, field: str, message: str) -> None:
    spec = parse_spec(TWO, "cup")
    spec.MergeFrom(parse_spec(text, "cup"))

    with pytest.raises(SpecError) as refused:
        check_spec(spec)

    told = [violation for violation in refused.value.violations if violation.field == field]
    assert told, refused.value.violations
    assert told[0].message.startswith(message)


def test_every_wrong_field_is_told_at_once() -> None:
    spec = parse_spec('tables: 5000 seed: "x" anchor: "y" rules { preset: "z" }', "cup")

    with pytest.raises(SpecError) as refused:
        check_spec(spec)

    fields = {violation.field for violation in refused.value.violations}
    assert fields == {"name", "entrants", "rules.preset", "tables", "seed", "anchor"}


@pytest.mark.parametrize(
    ("preset", "entrants", "rounds", "boards", "wrong"),
    [
        ("au-4p-43", 1001, 1, 1, "entrants: 1001 entrants: at most 1000"),
        (
            "uspc-5p-53",
            80,
            1,
            1,
            "format.round_robin: 80 entrants make 24040016 matches: at most 1000000",
        ),
        (
            "au-4p-43",
            1000,
            3,
            1,
            "format.round_robin: 1000 entrants make 1498500 matches: at most 1000000",
        ),
        (
            "au-4p-43",
            2,
            1_000_000,
            5000,
            (
                "format.boards.boards_per_match: "
                "1000000 matches of 5000 boards make 5000000000: at most 4294967296"
            ),
        ),
    ],
)
def test_a_tournament_too_large_is_told(
    preset: str, entrants: int, rounds: int, boards: int, wrong: str
) -> None:
    spec = parse_spec('name: "cup"', "cup")
    spec.rules.preset = preset
    for number in range(entrants):
        spec.entrants.add(registered=f"e{number}")
    spec.format.round_robin.rounds = rounds
    spec.format.boards.boards_per_match = boards

    with pytest.raises(SpecError) as refused:
        check_spec(spec)

    assert str(refused.value) == wrong


@pytest.mark.parametrize(
    ("text", "dialled", "listened_at"),
    [
        ("127.0.0.1:1", True, True),
        ("[::1]:65535", True, True),
        ("localhost:0", False, True),
        ("unix:/tmp/x", True, True),
        ("127.0.0.1:99999", False, False),
        ("127.0.0.1:" + "9" * 5000, False, False),
        ("127.0.0.1", False, False),
        (":5000", False, False),
        ("unix:", False, False),
    ],
)
def test_an_address_has_a_host_and_a_port_or_a_path(
    text: str, dialled: bool, listened_at: bool
) -> None:
    assert is_address(text) is dialled
    assert is_address(text, least_port=0) is listened_at
