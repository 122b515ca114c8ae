"""A tournament's rules that contradict themselves are refused with the field and what would do."""

import pytest

from fivehundred.rules.ruleset import RuleSet
from fivehundred.v1 import ruleset_pb2
from fivehundred.wire.errors import SpecError
from fivehundred.wire.presets import DEFAULT_PRESET, load_preset, preset_names
from fivehundred.wire.ruleset import rules_hash, ruleset_to_proto
from fivehundred.wire.spec import check_spec, parse_spec, spec_to_text

TWO = 'name: "cup" entrants { registered: "one" } entrants { registered: "two" }'
MIS = "kind: SPECIAL_KIND_LOSE_ALL value: 250 ranks_above { level: 7 strain: STRAIN_NO_TRUMP }"
GAME = "kind: SPECIAL_KIND_TAKE_ALL value: 1000 ranks_above { level: 10 strain: STRAIN_NO_TRUMP }"


def rules_of(choice: str) -> RuleSet:
    """The rules of a tournament whose rules are chosen so."""
    return check_spec(parse_spec(f"{TWO} rules {{ {choice} }}", "cup.textproto")).rules


def override(fields: str, preset: str = DEFAULT_PRESET) -> str:
    """The choice of a preset with some fields changed."""
    return f'preset: "{preset}" override {{ {fields} }}'


def special(fields: str) -> str:
    """The choice of the default with one special bid."""
    return override(f"special_bids {{ {fields} }}")


NUMBERED = "give the level and strain of a numbered bid, as in level: 7 strain: STRAIN_NO_TRUMP"
CALLED = 'preset: "ko-3p-33" override { side_model: SIDE_MODEL_CALLED call {'

CONTRADICTIONS = {
    "an unknown preset": (
        'preset: "au-4p-34"',
        "preset: no preset 'au-4p-34'; did you mean au-4p-43 or",
    ),
    "a field that cannot be cleared": (
        'clear: "target"',
        "clear: 'target' cannot be cleared: only special_bids and call can",
    ),
    "too many players": (override("players: 7"), "players: 7 is impossible: 2 to 6 play"),
    "too few players": (override("players: 1"), "players: 1 is impossible: 2 to 6 play"),
    "a pip too low": (
        override("lowest_pip { spades: 1 clubs: 5 diamonds: 4 hearts: 4 }"),
        "lowest_pip: 1 for S: give 2 to 10",
    ),
    "a pip left out": (
        override("lowest_pip { spades: 5 clubs: 5 diamonds: 4 }"),
        "lowest_pip: 0 for H: give 2 to 10",
    ),
    "a pip too high": (
        override("highest_pip { spades: 10 clubs: 14 diamonds: 10 hearts: 10 }"),
        "highest_pip: 14 for C: give 10 to 13",
    ),
    "too many jokers": (override("jokers: 3"), "jokers: 3 is impossible: a pack has 0, 1 or 2"),
    "too many dead hands": (
        override("dead_hands: 2"),
        "dead_hands: 2 is impossible: there is none or 1",
    ),
    "too large personal kitties": (
        override("personal_kitty: 3"),
        "personal_kitty: 3 is impossible: give 0, 1 or 2 cards",
    ),
    "too few cards for the players": (
        override("players: 6"),
        "lowest_pip: the pack of 43 is 17 short: lower the lowest pips",
    ),
    "too few cards for a dead hand": (
        override("dead_hands: 1"),
        "lowest_pip: the pack of 43 is 7 short: lower the lowest pips",
    ),
    "too few cards for personal kitties": (
        override("personal_kitty: 1"),
        "lowest_pip: the pack of 43 is 1 short: lower the lowest pips",
    ),
    "three players in two teams": (
        override("side_model: SIDE_MODEL_TEAMS_2", "ko-3p-33"),
        "side_model: 3 players make no 2 teams: 4 or 6 do",
    ),
    "two teams of one": (
        override("side_model: SIDE_MODEL_TEAMS_2", "ko-2p-23"),
        "side_model: 2 players make no 2 teams: 4 or 6 do",
    ),
    "three teams of four players": (
        override("side_model: SIDE_MODEL_TEAMS_3"),
        "side_model: 4 players make no 3 teams: 6 do",
    ),
    "three teams of one": (
        override("side_model: SIDE_MODEL_TEAMS_3", "ko-3p-33"),
        "side_model: 3 players make no 3 teams: 6 do",
    ),
    "a call without a called game": (
        override("call { share: SHARE_FULL }"),
        "call: has a meaning only where side_model is CALLED: leave it out",
    ),
    "a called game without a call": (
        override("side_model: SIDE_MODEL_CALLED"),
        "call: is missing: side_model CALLED needs it",
    ),
    "a called game of two": (
        override("side_model: SIDE_MODEL_CALLED call { }", "ko-2p-23"),
        "side_model: CALLED needs 3 players or more, not 2",
    ),
    "a second partner from a level that is none": (
        override("call { second_partner_from: 11 }", "uspc-5p-53"),
        "call.second_partner_from: give 0 or a level from 6 to 10",
    ),
    "a second partner among three": (
        f"{CALLED} second_partner_from: 8 }} }}",
        "call.second_partner_from: two partners need 4 players or more: give 0",
    ),
    "a way of calling that is none": (
        override("call { method: 9 }", "au-5p-53"),
        "call.method: 9 is none of CALL_CARD, CHOOSE_PLAYER",
    ),
    "a strain twice": (
        override("strain_order: [1, 2, 3, 4, 4]"),
        "strain_order: name each of S C D H NT once, from low to high",
    ),
    "a strain left out": (
        override("strain_order: [1, 2, 3, 4]"),
        "strain_order: name each of S C D H NT once, from low to high",
    ),
    "a strain that is none": (
        override("strain_order: [1, 2, 3, 4, 6]"),
        "strain_order: 6 is no strain",
    ),
    "a lowest bid too low": (override("min_bid: 5"), "min_bid: 5 is impossible: give 6, 7 or 8"),
    "a lowest bid too high": (override("min_bid: 9"), "min_bid: 9 is impossible: give 6, 7 or 8"),
    "a lowest contract under the lowest bid": (
        override("min_bid: 7"),
        "min_contract: 6: give 7 (min_bid) to 10",
    ),
    "a lowest contract too high": (
        override("min_contract: 11"),
        "min_contract: 11: give 6 (min_bid) to 10",
    ),
    "more signallers than players": (
        override("min_contract: 7 signal_seats: 5"),
        "signal_seats: 5: give 0 to 4 (players)",
    ),
    "nothing to signal with": (
        override("signal_seats: 2"),
        "signal_seats: nothing to signal with: give 0, or a min_bid under min_contract",
    ),
    "a special bid named as a pass": (
        special(f'name: "P" {MIS}'),
        "special_bids[0].name: 'P': use capital letters A to Z, and more than P",
    ),
    "a special bid without a name": (special(MIS), "special_bids[0].name: '': use capital letters"),
    "a special bid in small letters": (
        special(f'name: "mis" {MIS}'),
        "special_bids[0].name: 'mis': use capital letters A to Z",
    ),
    "two special bids of one name": (
        override(f'special_bids {{ name: "A" {MIS} }} special_bids {{ name: "A" {GAME} }}'),
        "special_bids[0].name: A occurs 2 times: give each its own",
    ),
    "a special bid without a kind": (
        special('name: "MIS" value: 250'),
        "special_bids[0].kind: 0 is none of LOSE_ALL, TAKE_ALL",
    ),
    "a special bid worth nothing": (
        special(f'name: "MIS" {MIS} value: 0').replace("value: 250", ""),
        "special_bids[0].value: 0: give 1 to 100000",
    ),
    "a special bid over no strain": (
        special('name: "MIS" kind: SPECIAL_KIND_LOSE_ALL value: 250 ranks_above { level: 7 }'),
        f"special_bids[0].ranks_above: {NUMBERED}",
    ),
    "a special bid over no bid": (
        special('name: "MIS" kind: SPECIAL_KIND_LOSE_ALL value: 250'),
        f"special_bids[0].ranks_above: {NUMBERED}",
    ),
    "a special bid over a strain only": (
        special(f'name: "MIS" {MIS}').replace("level: 7", ""),
        f"special_bids[0].ranks_above: {NUMBERED}",
    ),
    "a special bid over a special one": (
        special(f'name: "MIS" {MIS}').replace("level: 7", 'level: 7 special: "OM"'),
        f"special_bids[0].ranks_above: OM is no numbered bid: {NUMBERED}",
    ),
    "a special bid over no level": (
        special(f'name: "MIS" {MIS}').replace("level: 7", "level: 11"),
        "special_bids[0].ranks_above: no such bid: give a bid from level 6 to 10",
    ),
    "a special bid over a bid that is too low": (
        override(f'min_bid: 8 min_contract: 8 special_bids {{ name: "MIS" {MIS} }}'),
        "special_bids[0].ranks_above: no such bid: give a bid from level 8 to 10",
    ),
    "a special bid that needs a level that is none": (
        special(f'name: "MIS" {MIS} needs_level: 11'),
        "special_bids[0].needs_level: 11: give 0 or 6 to 10",
    ),
    "a special bid that needs itself": (
        special(f'name: "MIS" {MIS} needs_partner_bid: "MIS"'),
        "special_bids[0].needs_partner_bid: MIS is no other special bid: name one, or leave it out",
    ),
    "a special bid that needs an unknown one": (
        special(f'name: "MIS" {MIS} needs_partner_bid: "OM"'),
        "special_bids[0].needs_partner_bid: OM is no other special bid",
    ),
    "a special bid that needs a partner where there is none": (
        override(
            f'special_bids {{ name: "MIS" {MIS} }}'
            f'special_bids {{ name: "DBL" {MIS} needs_partner_bid: "MIS" }}',
            "ko-3p-33",
        ),
        "special_bids[1].needs_partner_bid: partners bid only where side_model is TEAMS_k",
    ),
    "forced tricks of a bid to take all": (
        special(f'name: "GAME" {GAME} points_per_forced_trick: 10'),
        "special_bids[0].points_per_forced_trick: is for a LOSE_ALL bid: give 0",
    ),
    "forced tricks beyond measure": (
        special(f'name: "MIS" {MIS} points_per_forced_trick: 100001'),
        "special_bids[0].points_per_forced_trick: give 0 to 100000",
    ),
    "a strain worth nothing": (
        override("base_value { spades: 40 clubs: 60 diamonds: 80 hearts: 100 }"),
        "base_value: 0 for NT: give 1 to 100000",
    ),
    "a slam beyond measure": (
        override("slam_minimum: 100001"),
        "slam_minimum: 100001: give 0 for none, or 1 to 100000",
    ),
    "tricks too dear": (
        override("defender_trick_points: 11"),
        "defender_trick_points: 11: give 0 to 10",
    ),
    "a ceiling beyond measure": (
        override("defender_ceiling: 100001"),
        "defender_ceiling: 100001: give 1 to 100000, or 0 for none",
    ),
    "no target": (override("target: 0"), "target: 0: give 1 to 100000"),
    "a floor above zero": (override("floor: 10"), "floor: 10: give -100000 to -1, or 0 for none"),
    "a floor beyond measure": (
        override("floor: -100001"),
        "floor: -100001: give -100000 to -1, or 0 for none",
    ),
    "a value that is none": (
        override("growth: 7"),
        "growth: 7 is none of PLUS_100, TIMES_BASE",
    ),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_told_with_what_would_do(name: str) -> None:
    choice, message = CONTRADICTIONS[name]

    with pytest.raises(SpecError) as refused:
        rules_of(choice)

    assert str(refused.value).startswith(f"rules.{message}")


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_may_be_named(name: str) -> None:
    assert rules_of(f'preset: "{name}"') == load_preset(name)


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("base", ["au-4p-43", "uspc-5p-53"])
def test_a_rule_set_may_be_written_out(name: str, base: str) -> None:
    spec = parse_spec(TWO, "cup")
    spec.rules.preset = base
    spec.rules.clear.extend(["special_bids", "call"])
    spec.rules.override.CopyFrom(ruleset_to_proto(load_preset(name)))

    read = check_spec(parse_spec(spec_to_text(spec), "cup"))

    assert read.rules == load_preset(name)


def test_fields_of_a_preset_may_be_overridden() -> None:
    choice = override("target: 1000 floor: 0 slam_minimum: 0", "us-4p-45")

    rules = rules_of(choice)

    assert (rules.target, rules.floor, rules.slam_minimum) == (1000, None, 0)
    assert rules.deck_size == 45


@pytest.mark.parametrize(
    "fields",
    [
        "nominate_before_lead: true",
        "joker_lead: JOKER_LEAD_AS_TRUMP",
        "joker_follow: JOKER_FOLLOW_ANYTIME",
        "joker_forced: JOKER_FORCED_ALWAYS",
        "misere_joker_low: true",
    ],
)
def test_without_jokers_what_is_said_of_them_has_no_effect(fields: str) -> None:
    rules = rules_of(override(fields, "hist-4p-44"))

    assert rules_hash(rules) == rules_hash(load_preset("hist-4p-44"))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_several_at_the_target_matter_only_where_any_points_win(number: int) -> None:
    several = ruleset_pb2.SeveralReach.Name(ruleset_pb2.SeveralReach.ValueType(number))

    own = rules_of(override(f"several_reach: {several}"))
    anyhow = rules_of(override(f"several_reach: {several}", "us-4p-45"))

    assert rules_hash(own) == rules_hash(RuleSet())
    assert anyhow.several_reach.value == number
    assert (rules_hash(anyhow) == rules_hash(load_preset("us-4p-45"))) is (number == 2)
