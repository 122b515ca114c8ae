"""Rule sets as tables."""

from collections.abc import Sequence
from dataclasses import fields
from enum import Enum

from rich.table import Table

from fivehundred.cli.output import console, plain_table
from fivehundred.rules.actions import Bid
from fivehundred.rules.bids import TOP_LEVEL, bid_value
from fivehundred.rules.cards import SUIT_LETTERS, strain_name
from fivehundred.rules.ruleset import CallRules, RuleSet, SpecialBid, SpecialKind
from fivehundred.wire.presets import load_preset

PIPS = ("lowest_pip", "highest_pip")


def print_presets(names: Sequence[str]) -> None:
    """Print rule sets, one a row, with what tells them apart."""
    table = plain_table("name", "players", "cards", "kitty", "sides", "target", numbers=())
    for name in names:
        rules = load_preset(name)
        sizes = (rules.players, rules.deck_size, rules.kitty_size)
        table.add_row(name, *map(str, sizes), rules.side_model.name, str(rules.target))
    console().print(table)


def print_rules(rules: RuleSet) -> None:
    """Print every parameter, then what each contract scores."""
    table = plain_table("parameter", "value")
    for field in fields(rules):
        if field.name != "special_bids":
            table.add_row(field.name, _value_text(field.name, getattr(rules, field.name)))
    for special in rules.special_bids:
        table.add_row("special_bids", special_text(special))
    console().print(table)
    console().print(_scoring_table(rules))


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
    pairs = []
    for field in fields(value):
        part = getattr(value, field.name)
        if field.name == "ranks_above":
            part = Bid(*part)
        if field.name != "name":
            pairs.append(f"{field.name} {_word(part) or '-'}")
    return ", ".join(pairs)


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
    """The value of every bid: a row a level, a column a strain, then the special bids."""
    names = tuple(map(strain_name, rules.strain_order))
    table = plain_table("contract", *names, numbers=names)
    for level in range(rules.min_bid, TOP_LEVEL + 1):
        values = (bid_value(rules, Bid(level, strain)) for strain in rules.strain_order)
        table.add_row(str(level), *map(str, values))
    for special in rules.special_bids:
        suited = special.kind is SpecialKind.TAKE_ALL
        cells = [str(special.value) if suited or name == "NT" else "" for name in names]
        table.add_row(special.name, *cells)
    return table
