"""Rule sets on the terminal: as a list, as text and as tables."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields
from enum import Enum
from typing import TYPE_CHECKING, Any

from rich.table import Table

from fivehundred.cli.output import console, plain_table
from fivehundred.cli.rules_english import Paragraph, describe
from fivehundred.cli.rules_english_words import number
from fivehundred.cli.rules_source import NamedRules, family
from fivehundred.rules.actions import Bid
from fivehundred.rules.bids import HAND_SIZE, TOP_LEVEL, bid_value
from fivehundred.rules.cards import SUIT_LETTERS, strain_name
from fivehundred.rules.ruleset import (
    AuctionRounds,
    BidOrder,
    CallRules,
    RuleSet,
    SideModel,
    SpecialBid,
    SpecialKind,
)

if TYPE_CHECKING:
    from fivehundred.cli.rules_diff import Comparison

PIPS = ("lowest_pip", "highest_pip")
ABSENT = "-"
"""Stands for the value of what a rule set does not have."""


def summary(name: str, rules: RuleSet) -> dict[str, Any]:
    """What tells one rule set from another in a list."""
    return {
        "name": name,
        "description": family(name, rules),
        "players": rules.players,
        "cards": rules.deck_size,
        "kitty": rules.kitty_size,
        "personal_kitty": rules.personal_kitty,
        "dead_hands": rules.dead_hands,
        "sides": _sides(rules),
        "auction": _auction(rules),
        "target": rules.target,
    }


def _sides(rules: RuleSet) -> str:
    if rules.side_model in (SideModel.TEAMS_2, SideModel.TEAMS_3):
        return f"{number(rules.sides)} teams"
    return "called partner" if rules.side_model is SideModel.CALLED else "each alone"


def _auction(rules: RuleSet) -> str:
    one_each = rules.auction_rounds is AuctionRounds.ONE_EACH
    return "one call each" if one_each else "until passed"


def print_presets(summaries: Sequence[dict[str, Any]]) -> None:
    """Print rule sets, one a row, with what tells them apart."""
    columns = ("name", "description", "cards", "kitty", "sides", "auction", "target")
    table = plain_table(*columns, numbers=("cards", "target"))
    for row in summaries:
        cells = row | {"kitty": _beside_the_hands(row)}
        table.add_row(*(str(cells[column]) for column in columns))
    console().print(table)


def _beside_the_hands(row: dict[str, Any]) -> str:
    """The cards that nobody is dealt to hold: ``3``, ``1 + 2 each``, ``3 + dead 10``."""
    parts = [str(row["kitty"])]
    if row["personal_kitty"]:
        parts.append(f"{row['personal_kitty']} each")
    if row["dead_hands"]:
        parts.append(f"dead {HAND_SIZE * row['dead_hands']}")
    return " + ".join(parts)


def print_text(named: NamedRules) -> None:
    """Print the rules in English, wrapped to a terminal, then what each contract scores."""
    _say(f"{named.name}: {family(named.name, named.rules)}", style="bold")
    _print_paragraphs(describe(named.rules))
    _say("\nThe table of points", style="bold")
    console().print(_scoring_table(named.rules))


def _print_paragraphs(paragraphs: Iterable[Paragraph], indent: str = "") -> None:
    chapter = ""
    for paragraph in paragraphs:
        if paragraph.chapter != chapter:
            chapter = paragraph.chapter
            _say(f"\n{indent}{chapter}", style="bold")
        _say(f"{indent}{paragraph}")


def _say(text: str, style: str | None = None) -> None:
    console().print(text, style=style, soft_wrap=not sys.stdout.isatty())


def print_parameters(rules: RuleSet) -> None:
    """Print every parameter, then what each contract scores."""
    table = plain_table("parameter", "value")
    for field in fields(rules):
        if field.name != "special_bids":
            table.add_row(field.name, _value_text(field.name, getattr(rules, field.name)))
    for special in rules.special_bids:
        table.add_row("special_bids", special_text(special))
    console().print(table)
    console().print(_scoring_table(rules))


def print_comparison(a: NamedRules, b: NamedRules, found: "Comparison") -> None:
    """Print what differs: parameters, then the sentences that only one of the two has."""
    if found.play_alike:
        _say(f"{a.name} and {b.name} play alike.")
    table = plain_table("parameter", a.name, b.name)
    for each in found.differences:
        idle = "" if each.has_effect else " (no effect)"
        table.add_row(each.name + idle, each.a, each.b)
    if found.differences:
        console().print(table)
    for named, paragraphs in ((a, found.only_a), (b, found.only_b)):
        if paragraphs:
            _say(f"Only in {named.name}", style="bold")
            for paragraph in paragraphs:
                _say(f"{_heading(paragraph)}: {paragraph}")
            _say("")


def _heading(paragraph: Paragraph) -> str:
    return paragraph.bid or paragraph.chapter


def parameter_texts(rules: RuleSet) -> dict[str, str]:
    """Every parameter as text; the parts of the call and of each special bid by themselves."""
    texts = {}
    for field in fields(rules):
        value = getattr(rules, field.name)
        if field.name == "special_bids":
            texts["special_bids"] = " ".join(special.name for special in value) or ABSENT
        elif isinstance(value, CallRules):
            texts |= {f"call.{name}": text for name, text in _parts(value)}
        elif value is None and field.name == "call":
            texts["call"] = ABSENT
        else:
            texts[field.name] = _value_text(field.name, value)
    for special in rules.special_bids:
        texts |= {f"{special.name}.{name}": text for name, text in _parts(special)}
    return texts


def _value_text(name: str, value: object) -> str:
    if isinstance(value, CallRules):
        return _pairs_text(value)
    if isinstance(value, tuple):
        return _numbers_text(name, value)
    return _word(value)


def _numbers_text(name: str, numbers: tuple[int, ...]) -> str:
    if name == "strain_order":
        return " ".join(map(strain_name, numbers))
    if name in PIPS:
        return " ".join(f"{suit} {pip}" for suit, pip in zip(SUIT_LETTERS, numbers, strict=True))
    return " ".join(f"{strain_name(strain)} {value}" for strain, value in enumerate(numbers))


def special_text(special: SpecialBid) -> str:
    """``MIS: kind LOSE_ALL, value 250, …``."""
    return f"{special.name}: {_pairs_text(special)}"


def _pairs_text(value: CallRules | SpecialBid) -> str:
    return ", ".join(f"{name} {text}" for name, text in _parts(value))


def _parts(value: CallRules | SpecialBid) -> list[tuple[str, str]]:
    parts = []
    for field in fields(value):
        part = getattr(value, field.name)
        if field.name == "ranks_above":
            part = Bid(*part)
        if field.name != "name":
            parts.append((field.name, _word(part) or ABSENT))
    return parts


def _word(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case Enum():
            return value.name
        case _:
            return str(value)


def _scoring_table(rules: RuleSet) -> Table:
    """The value of every contract: a row a level, a column a strain, then the special bids."""
    names = tuple(map(strain_name, rules.strain_order))
    table = plain_table("contract", *names, numbers=names)
    for row in scoring_rows(rules):
        table.add_row(*row)
    return table


def scoring_rows(rules: RuleSet) -> list[tuple[str, ...]]:
    """The cells of the scoring table, the contract's first.

    Signals are in it where values decide which bid is higher.
    """
    is_compared = rules.bid_order is BidOrder.VALUE and rules.signal_seats
    lowest = rules.min_bid if is_compared else rules.min_contract
    rows = [_level_row(rules, level) for level in range(lowest, TOP_LEVEL + 1)]
    return rows + [_special_row(rules, special) for special in rules.special_bids]


def _level_row(rules: RuleSet, level: int) -> tuple[str, ...]:
    values = (bid_value(rules, Bid(level, strain)) for strain in rules.strain_order)
    return (str(level), *map(str, values))


def _special_row(rules: RuleSet, special: SpecialBid) -> tuple[str, ...]:
    suited = special.kind is SpecialKind.TAKE_ALL
    names = map(strain_name, rules.strain_order)
    return (special.name, *(str(special.value) if suited or name == "NT" else "" for name in names))
