"""The English of a rule set says all of it: two games that differ are never told alike."""

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from enum import Enum
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, TypeVar

import pytest

from fivehundred.cli.rules_english import describe
from fivehundred.cli.rules_text import scoring_rows
from fivehundred.rules.actions import Bid
from fivehundred.rules.auction import Auction
from fivehundred.rules.bids import bid_ladder, bid_value
from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import (
    MISERE,
    OPEN_MISERE,
    AllPass,
    AuctionRounds,
    BidOrder,
    CallRules,
    Exposure,
    JokerFollow,
    JokerForced,
    PersonalKittyUse,
    Reentry,
    RuleSet,
    SideModel,
    SpecialBid,
    SpecialKind,
)
from fivehundred.rules.validate import canonical, validate
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred.wire.ruleset import rules_hash
from random_rules import random_rules

V = TypeVar("V", RuleSet, CallRules, SpecialBid)
Told = tuple[object, ...]

GAME = SpecialBid("GAME", SpecialKind.TAKE_ALL, 1000, (10, 4), partner_plays=True)
SLAM = SpecialBid("SLAM", SpecialKind.TAKE_ALL, 1000, (10, 4), takes_kitty=False)
BARE = SpecialBid("BARE", SpecialKind.LOSE_ALL, 500, (10, 2), takes_kitty=False, partner_plays=True)
FIFTY_TWO = {"lowest_pip": (2, 2, 2, 2), "highest_pip": (10, 10, 10, 10)}

NUMBERS: dict[str, tuple[object, ...]] = {
    "players": (2, 3, 4, 5, 6),
    "jokers": (0, 1, 2),
    "dead_hands": (0, 1),
    "personal_kitty": (0, 1, 2),
    "min_bid": (6, 7, 8),
    "min_contract": (6, 7, 8, 9, 10),
    "signal_seats": (0, 1, 2, 3, 4, 5, 6),
    "slam_minimum": (0, 125, 250, 300),
    "defender_trick_points": (0, 1, 5, 10),
    "defender_ceiling": (None, 480, 490),
    "target": (300, 500, 1000),
    "floor": (None, -500, -1000),
    "strain_order": ((0, 1, 2, 3, 4), (1, 0, 3, 2, 4), (4, 3, 2, 1, 0)),
    "base_value": ((40, 60, 80, 100, 120), (20, 40, 60, 80, 100), (41, 60, 80, 100, 120)),
    "lowest_pip": ((5, 5, 4, 4), (4, 4, 4, 4), (2, 2, 2, 2), (7, 7, 7, 7), (4, 5, 4, 4)),
    "highest_pip": ((10, 10, 10, 10), (12, 12, 13, 13), (12, 12, 12, 12), (10, 10, 10, 11)),
}
CALL_NUMBERS: dict[str, tuple[object, ...]] = {"second_partner_from": (0, 6, 7, 8, 9, 10)}
SPECIAL_NUMBERS: dict[str, tuple[object, ...]] = {
    "name": ("MIS", "NULLO"),
    "value": (250, 500),
    "ranks_above": ((7, 4), (8, 0), (10, 2), (10, 4)),
    "needs_level": (0, 7, 8, 10),
    "needs_partner_bid": ("", "MIS", "OM"),
    "points_per_forced_trick": (0, 10, 20),
}


def with_changes(value: V, /, **changes: Any) -> V:
    """A value with some fields changed."""
    return replace(value, **changes)


HOUSES = {
    "played out": with_changes(RuleSet(), all_pass=AllPass.PLAY_OUT),
    "forced": with_changes(
        RuleSet(),
        special_bids=(replace(MISERE, points_per_forced_trick=10), GAME),
        defender_ceiling=490,
    ),
    "nothing for tricks": with_changes(RuleSet(), defender_trick_points=0),
    "two jokers": with_changes(
        load_preset("qc-4p-46-vi"), nominate_before_lead=True, special_bids=(MISERE, GAME)
    ),
    "by value": with_changes(load_preset("hist-4p-44"), special_bids=(MISERE, BARE, GAME, SLAM)),
    "no kitty": with_changes(load_preset("hist-6p-60"), special_bids=(MISERE, GAME)),
    "called": with_changes(load_preset("au-5p-53"), special_bids=(MISERE, BARE, GAME, SLAM)),
    "chosen": with_changes(load_preset("uspc-5p-53"), special_bids=(MISERE, BARE, SLAM)),
    "dead": with_changes(
        RuleSet(), **FIFTY_TWO, dead_hands=1, side_model=SideModel.CALLED, call=CallRules()
    ),
    "own kitties": with_changes(
        RuleSet(), **FIFTY_TWO, personal_kitty=2, side_model=SideModel.CALLED, call=CallRules()
    ),
    "signals": with_changes(
        load_preset("us-4p-45-inkle"),
        auction_rounds=AuctionRounds.UNTIL_PASSED,
        special_bids=(MISERE, OPEN_MISERE),
    ),
}


@cache
def told(rules: RuleSet) -> Told:
    """All that is said of a rule set: the text, and the table with its heading."""
    text = tuple(str(paragraph) for paragraph in describe(rules))
    return (*text, rules.strain_order, *scoring_rows(rules))


def game(rules: RuleSet) -> RuleSet:
    """The canonical form, without what has no effect on play although the hash tells it apart."""
    plain = canonical(rules)
    if not any(special.kind is SpecialKind.LOSE_ALL for special in plain.special_bids):
        must_never = plain.joker_forced is JokerForced.MISERE
        plain = replace(plain, joker_forced=JokerForced.NEVER) if must_never else plain
    if not plain.signal_seats:
        plain = replace(plain, min_bid=plain.min_contract)
    if not has_trick_points(plain):
        plain = replace(plain, defender_ceiling=None)
    specials = tuple(plain_special(plain, special) for special in plain.special_bids)
    return replace(plain, special_bids=specials)


def has_trick_points(rules: RuleSet) -> bool:
    """Whether tricks ever score."""
    forced = any(special.points_per_forced_trick for special in rules.special_bids)
    played_out = rules.all_pass is AllPass.PLAY_OUT
    return bool(rules.defender_trick_points) or forced or played_out


def plain_special(rules: RuleSet, special: SpecialBid) -> SpecialBid:
    """A special bid without the parts that have no effect."""
    if rules.side_model is SideModel.SOLO:
        special = replace(special, partner_plays=False)
    if not rules.kitty_size and not rules.personal_kitty:
        special = replace(special, takes_kitty=True)
    if rules.bid_order is BidOrder.VALUE:
        special = replace(special, ranks_above=(bid_value(rules, Bid(*special.ranks_above)), 0))
    return special


def other_values(value: Any, numbers: dict[str, tuple[object, ...]]) -> Iterator[Any]:
    """A value with one field changed, in every way that is asked for."""
    for field in fields(value):
        now = getattr(value, field.name)
        for other in alternatives(now, numbers.get(field.name, ())):
            if other != now:
                yield with_changes(value, **{field.name: other})


def alternatives(now: object, listed: tuple[object, ...]) -> list[object]:
    """What a field might be instead."""
    if isinstance(now, bool):
        return [True, False]
    return list(type(now)) if isinstance(now, Enum) else list(listed)


@cache
def variations(rules: RuleSet) -> tuple[RuleSet, ...]:
    """Every valid rule set that differs in one parameter, or in one part of one."""
    candidates = [*other_values(rules, NUMBERS), *special_variations(rules)]
    if rules.call is not None:
        calls = other_values(rules.call, CALL_NUMBERS)
        candidates += [replace(rules, call=call) for call in calls]
    for model in SideModel:
        call = (rules.call or CallRules()) if model is SideModel.CALLED else None
        candidates.append(replace(rules, side_model=model, call=call))
    return tuple(each for each in candidates if is_valid(each))


def special_variations(rules: RuleSet) -> Iterator[RuleSet]:
    """The rule set with other special bids."""
    bids = rules.special_bids
    lists = [(), bids[:-1], bids[::-1], (*bids, GAME), (*bids, BARE), (MISERE, OPEN_MISERE)]
    for at, bid in enumerate(bids):
        changed = other_values(bid, SPECIAL_NUMBERS)
        lists += [(*bids[:at], other, *bids[at + 1 :]) for other in changed]
    return (replace(rules, special_bids=each) for each in lists if each != bids)


def is_valid(rules: RuleSet) -> bool:
    """Whether a rule set agrees with itself."""
    try:
        validate(rules)
    except InvalidRuleSet:
        return False
    return True


BASES = {name: load_preset(name) for name in preset_names()} | HOUSES


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_has_a_text_with_every_chapter(name: str) -> None:
    rules = load_preset(name)

    chapters = list(dict.fromkeys(paragraph.chapter for paragraph in describe(rules)))

    assert chapters == [
        *("The game", "The pack", "The deal", "The sides", "The auction"),
        *(("Special bids",) if rules.special_bids else ()),
        *("The exchange", "The play", "The score", "The end of the game"),
    ]


@pytest.mark.parametrize("name", BASES)
def test_sentences_are_whole_and_said_once(name: str) -> None:
    for rules in (BASES[name], *variations(BASES[name])):
        for paragraph in describe(rules):
            assert len(set(paragraph.sentences)) == len(paragraph.sentences)
            for sentence in paragraph.sentences:
                assert re.fullmatch(r"[A-Z0-9].*[^ ]\.", sentence), sentence
                assert not re.search(r"  | [,;.]|\.\.", sentence), sentence


@pytest.mark.parametrize("name", BASES)
def test_a_change_of_one_parameter_is_told(name: str) -> None:
    base = BASES[name]
    validate(base)

    for other in variations(base):
        if rules_hash(other) == rules_hash(base):
            assert (
                told(other)[: -len(scoring_rows(other))] == told(base)[: -len(scoring_rows(base))]
            )
        elif game(other) != game(base):
            assert told(other) != told(base), differing(base, other)


def differing(base: RuleSet, other: RuleSet) -> dict[str, object]:
    """What was changed, for the message of a failure."""
    names = [field.name for field in fields(base)]
    return {
        name: getattr(other, name) for name in names if getattr(other, name) != getattr(base, name)
    }


def test_no_two_different_games_are_told_alike() -> None:
    chance = Random(500)
    known: dict[Told, RuleSet] = {}
    for _ in range(120):
        rules = chance.choice(list(BASES.values()))
        for _ in range(8):
            rules = chance.choice(variations(rules))
            first = known.setdefault(told(rules), rules)
            assert game(first) == game(rules), differing(first, rules)
    assert len(known) > 200


def test_no_two_rule_sets_at_random_are_told_alike() -> None:
    chance = Random(5005)
    known: dict[Told, RuleSet] = {}
    for _ in range(60):
        rules = random_rules(chance)
        for other in (rules, *variations(rules)):
            first = known.setdefault(told(other), other)
            assert game(first) == game(other), differing(first, other)


CLOSED = [
    field.name
    for field in fields(RuleSet)
    if isinstance(field.default, bool | Enum) and field.name != "side_model"
]


@pytest.mark.parametrize("name", CLOSED)
def test_every_value_of_a_parameter_is_told_from_every_other(name: str) -> None:
    default = getattr(RuleSet(), name)
    for one, other in combinations(alternatives(default, ()), 2):
        pairs = [
            (with_changes(base, **{name: one}), with_changes(base, **{name: other}))
            for base in BASES.values()
        ]
        assert any(told(a) != told(b) for a, b in pairs if is_valid(a) and is_valid(b))


@pytest.mark.parametrize("name", [field.name for field in fields(RuleSet)])
def test_every_parameter_changes_the_text_of_some_rule_set(name: str) -> None:
    changed = [
        other
        for base in BASES.values()
        for other in variations(base)
        if name in differing(base, other) and told(other) != told(base)
    ]

    assert changed


def test_every_kind_of_sides_is_told() -> None:
    said = {
        str(paragraph)
        for name in ("ko-3p-33", "au-4p-43", "au-6p-63", "ext-6p-63-pairs", "au-5p-53")
        for paragraph in describe(load_preset(name))
        if paragraph.chapter == "The sides"
    }

    assert len(said) == 5


@pytest.mark.parametrize("name", BASES)
def test_a_special_bid_stands_where_the_text_says(name: str) -> None:
    rules = BASES[name]
    if rules.bid_order is BidOrder.VALUE:
        return
    heights = {str(bid): height for bid, height in bid_ladder(rules).height.items()}
    for paragraph in describe(rules):
        found = re.search(r"It stands between (\w+) and (\w+)\.", str(paragraph))
        if found:
            own = heights[paragraph.bid]
            numbered = [heights[found[1]], heights[found[2]]]
            assert numbered[0] < own < numbered[1]


@pytest.mark.parametrize("name", BASES)
def test_the_lowest_bid_is_the_one_that_opens_the_auction(name: str) -> None:
    rules = BASES[name]
    opening = [bid for bid in Auction(rules, 0).legal() if isinstance(bid, Bid)]
    lowest = min(bid.level for bid in opening if not bid.special)
    words = {6: "six", 7: "seven", 8: "eight"}[lowest]

    auction = " ".join(str(each) for each in describe(rules) if each.chapter == "The auction")

    assert re.search(rf"(lowest numbered bid is|may bid from) {words}\b", auction)


@pytest.mark.parametrize("name", BASES)
def test_there_is_no_talk_of_what_is_not_there(name: str) -> None:
    rules = BASES[name]
    text = " ".join(map(str, describe(rules)))

    if not rules.jokers:
        assert text.lower().count("joker") == text.count("There is no joker.") == 1
    if not rules.kitty_size and not rules.personal_kitty:
        assert text.count("kitty") == text.count("No cards are left for a kitty.") == 1
    if rules.side_model is SideModel.SOLO:
        assert "partner" not in text and "team" not in text
    if not rules.signal_seats:
        assert "signal" not in text
    if all(special.exposure is Exposure.NONE for special in rules.special_bids):
        assert "face up" not in text


def test_a_joker_that_may_interrupt_is_told_with_what_it_shows() -> None:
    rules = replace(RuleSet(), joker_follow=JokerFollow.ANYTIME)

    assert "a player may always play it, even if he has that suit" in str(describe(rules))


SAID: dict[str, tuple[str, dict[str, Any], str]] = {
    "partners sit out": ("au-6p-63", {}, "partners lay their cards face down and take no part."),
    "bids of one name": (
        "qc-4p-46-vi",
        {},
        "five bids are, from low to high, GAME-S, GAME-C, GAME-D, GAME-H and GAME-NT.",
    ),
    "signals": ("us-4p-45-inkle", {}, "is only a signal: it cannot be played and scores nothing."),
    "two with kitties": (
        "hist-2p-24",
        {},
        "Then the other player takes his own kitty and throws any two cards.",
    ),
    "two, of whom one exchanges": (
        "hist-2p-24",
        {"personal_kitty_use": PersonalKittyUse.CONTRACTOR},
        "The kitty of the other player stays as it is.",
    ),
    "a dead hand": ("uspc-2p-33-dead", {}, "as if to a player on the dealer's left, before all"),
    "a pass that holds until a bid": (
        "au-4p-43",
        {"reentry": Reentry.FREE},
        "Whoever has passed may bid again as soon as somebody else has bid.",
    ),
    "a pass that holds until another strain": (
        "au-4p-43",
        {"reentry": Reentry.AFTER_STRAIN_CHANGE},
        "or goes to or from no trump (MIS or OM counts as no trump).",
    ),
    "a winner who may raise": (
        "au-4p-43",
        {"winner_may_raise": True},
        "the highest bidder may first raise his own bid, once.",
    ),
    "the first dealer": (
        "au-4p-43",
        {},
        "The first dealer is drawn by lot. After each hand that is played the deal moves one seat",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_what_a_stranger_asked_is_said(name: str) -> None:
    preset, changes, words = SAID[name]
    rules = with_changes(load_preset(preset), **changes)

    assert words in " ".join(map(str, describe(rules)))
