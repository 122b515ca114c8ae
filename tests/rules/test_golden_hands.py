"""One whole hand of every preset, kept as text: every decision and what every seat then sees.

A hand follows from its preset and its board number alone. The board gives the deal and the dealer;
`_choose` draws the actions from ``Random(f"{preset} {board}")`` and uses nothing of it but
``random()``, the one method whose numbers Python promises never to change. The boards were picked
so that each hand shows what its preset is about. ``make golden`` writes the files anew.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from enum import Enum
from pathlib import Path
from random import Random
from re import search
from typing import TypeVar

import pytest

from fivehundred.rules.actions import (
    PASS,
    Action,
    Bid,
    Call,
    Exchange,
    Legal,
    LegalCalls,
    LegalExchange,
    Play,
)
from fivehundred.rules.cards import SUIT_LETTERS, Cards, card_name, mask, members, names
from fivehundred.rules.hand import Contract, Deal, Hand, HandResult, SeatView, Trick
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import CallRules, RuleSet
from fivehundred.table.dealing import deck_order
from fivehundred.wire.presets import load_preset, preset_names

Golden = Callable[[str, str], None]
T = TypeVar("T")

SECRET = bytes(32)
SCORES_BEFORE = (120, 40, 200, 60, 180, 340)
BOARDS = {
    "au-3p-33": 13,
    "au-4p-43": 1206,
    "au-5p-53": 527,
    "au-6p-63": 381,
    "ext-6p-63-pairs": 27007,
    "hist-2p-24": 25,
    "hist-2p-25": 21,
    "hist-3p-32": 132,
    "hist-4p-44": 11,
    "hist-5p-52": 0,
    "hist-6p-60": 3,
    "hist-6p-61": 19,
    "ko-2p-23": 74,
    "ko-3p-33": 4,
    "ko-4p-43": 91,
    "ko-5p-53": 11,
    "ko-6p-63": 6,
    "qc-4p-46-mcgill": 75,
    "qc-4p-46-vi": 5,
    "us-4p-43-nullo": 457,
    "us-4p-45": 18,
    "us-4p-45-inkle": 0,
    "uspc-2p-24": 42,
    "uspc-2p-33-dead": 17,
    "uspc-3p-33": 56,
    "uspc-4p-42": 0,
    "uspc-4p-43": 1,
    "uspc-5p-53": 0,
    "uspc-6p-62": 0,
    "uspc-6p-63": 16,
}


@pytest.mark.parametrize("preset", preset_names())
def test_a_whole_hand_is_what_it_was(preset: str, golden: Golden) -> None:
    golden(f"hands/{preset}.txt", record(preset, BOARDS[preset]))


def test_every_preset_has_its_hand_and_nothing_else_has_one() -> None:
    kept = Path(__file__).parents[1] / "golden" / "hands"

    assert {path.name for path in kept.iterdir()} == {f"{name}.txt" for name in preset_names()}


@pytest.mark.parametrize(
    ("preset", "shown"),
    [
        pytest.param("au-4p-43", r"contract MIS by 3", id="misère"),
        pytest.param("au-3p-33", r"contract OM by 0(.|\n)*exposed .*\d", id="open misère"),
        pytest.param("us-4p-43-nullo", r"contract DBL by 1", id="double nullo"),
        pytest.param("qc-4p-46-vi", r"=JKR.* 2=JK2", id="a joker follows a joker"),
        pytest.param("ext-6p-63-pairs", r"contract 7NT by 5 joker=S", id="nominated joker"),
        pytest.param("ko-3p-33", r"=JKR:[SCDH]", id="a joker led names a suit"),
        pytest.param("au-5p-53", r"called=3D partners=4", id="called partner"),
        pytest.param("uspc-5p-53", r"partners=2 4", id="two chosen partners"),
        pytest.param("us-4p-45-inkle", r"seat \d: 6NT", id="inkle"),
        pytest.param("ko-4p-43", r"change 250 0", id="all ten tricks"),
    ],
)
def test_the_hands_show_what_is_rare(preset: str, shown: str) -> None:
    assert search(shown, record(preset, BOARDS[preset]))


def record(preset: str, board: int) -> str:
    """A whole hand of a preset as text."""
    rules = load_preset(preset)
    dealer = board % rules.players
    dealt = deal(rules, deck_order(SECRET, board, 0, 0, rules), dealer)
    hand = Hand(rules, dealt, dealer, SCORES_BEFORE[: rules.sides])
    lines = [*_header(preset, board, hand), *_decisions(hand, Random(f"{preset} {board}"))]
    assert hand.result is not None
    return "\n".join([*lines, *_result(hand.result)]) + "\n"


def _decisions(hand: Hand, random: Random) -> Iterator[str]:
    seen: list[dict[str, str]] = [{} for _ in hand.deal.holdings]
    views: list[SeatView | None] = [None] * len(seen)
    yield "views before the first decision; from then on what has changed in each seat's"
    yield from _changes(hand, views)
    number = 0
    while hand.turn is not None:
        number += 1
        seat, phase, legal = hand.turn, hand.phase, hand.legal()
        action = _choose(legal, random)
        hand.apply(action)
        yield f"{number} {phase.name} seat {seat}: {action} | legal: {_legal(legal)}"
        yield from _changes(hand, views)


# The choice of actions


def _choose(legal: Legal, random: Random) -> Action:
    """One legal action: low bids rather than high ones, any exchange, any card."""
    if isinstance(legal, LegalCalls):
        return _choose_call(legal, random)
    if isinstance(legal, LegalExchange):
        return _choose_exchange(legal, random)
    plays = list(legal)
    return plays[_below(len(plays), random)]


def _choose_call(legal: LegalCalls, random: Random) -> Call:
    """A special bid now and then, one of the six lowest bids about every other time, or a pass."""
    bids = [call for call in legal.calls if isinstance(call, Bid)]
    special = [bid for bid in bids if bid.special]
    drawn = random.random()
    if special and drawn < 0.25:
        return special[_below(len(special), random)]
    return bids[_below(min(6, len(bids)), random)] if bids and drawn < 0.6 else PASS


def _choose_exchange(legal: LegalExchange, random: Random) -> Exchange:
    """Any cards; the joker nominated and a card called more often than not; partners as many."""
    thrown = mask(_some(list(members(legal.holding)), legal.throw, random))
    nominates = legal.nominable & ~thrown and random.random() < 0.7
    suit = _below(4, random) if nominates else None
    cards = list(members(legal.callable & (-1 if legal.may_call_own else ~thrown)))
    called = cards[_below(len(cards), random)] if cards and random.random() < 0.9 else None
    partners = _some(list(legal.choosable), min(legal.partners, len(legal.choosable)), random)
    return Exchange(thrown, suit, called, tuple(partners))


def _some(things: list[T], number: int, random: Random) -> list[T]:
    return [things.pop(_below(len(things), random)) for _ in range(number)]


def _below(bound: int, random: Random) -> int:
    return int(random.random() * bound)


# The text of a hand


def _header(preset: str, board: int, hand: Hand) -> Iterator[str]:
    yield f"preset {preset}, board {board}"
    yield f"rules that differ from au-4p-43: {_rules(hand.rules)}"
    yield f"pack of {hand.rules.deck_size}, kitty of {hand.rules.kitty_size}"
    yield f"dealer: seat {hand.dealer}"
    yield from _deal(hand.deal)


def _rules(rules: RuleSet) -> str:
    default = RuleSet()
    texts = (
        f"{each.name} {_value(getattr(rules, each.name))}"
        for each in fields(RuleSet)
        if getattr(rules, each.name) != getattr(default, each.name)
    )
    return "; ".join(texts) or "none"


def _value(value: object) -> str:
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, CallRules):
        each = (f"{field.name}={_value(getattr(value, field.name))}" for field in fields(value))
        return f"({', '.join(each)})"
    if isinstance(value, tuple):
        return " ".join(getattr(each, "name", str(each)) for each in value) or "-"
    return str(value)


def _deal(dealt: Deal) -> Iterator[str]:
    yield from (f"  seat {seat}: {names(cards)}" for seat, cards in enumerate(dealt.holdings))
    yield from (f"  personal {seat}: {names(cards)}" for seat, cards in enumerate(dealt.personal))
    yield f"  kitty: {names(dealt.kitty) or '-'}"
    if dealt.dead:
        yield f"  dead: {names(dealt.dead)}"


def _legal(legal: Legal) -> str:
    if isinstance(legal, LegalCalls):
        return " ".join(_runs(legal.calls))
    if isinstance(legal, LegalExchange):
        return _legal_exchange(legal)
    naming = _letters(legal.nameable)
    return names(legal.cards) + (f", a joker naming one of {naming}" if naming else "")


def _runs(calls: tuple[Call, ...]) -> Iterator[str]:
    """The calls, neighbouring numbered bids drawn together as ``6S..7NT(10)``."""
    run: list[Call] = []
    for call in (*calls, None):
        if isinstance(call, Bid) and not call.special:
            run.append(call)
            continue
        if run:
            yield f"{run[0]}..{run[-1]}({len(run)})" if len(run) > 1 else str(run[0])
        run = []
        if call is not None:
            yield str(call)


def _legal_exchange(legal: LegalExchange) -> str:
    parts = [f"throw {legal.throw} of {names(legal.holding)}"]
    if legal.nominable:
        parts.append(f"nominate {names(legal.nominable)}")
    if legal.callable:
        own = "own or not" if legal.may_call_own else "not those thrown"
        parts.append(f"call one of {names(legal.callable)} ({own})")
    if legal.partners:
        parts.append(f"choose {legal.partners} of {_numbers(legal.choosable)}")
    return ", ".join(parts)


def _changes(hand: Hand, views: list[SeatView | None]) -> Iterator[str]:
    """What has changed in the seats' views: once where it is the same for all seats."""
    changes: list[dict[str, str]] = []
    for seat, before in enumerate(views):
        views[seat] = after = hand.view(seat)
        changes.append(_changed_fields(before, after))
    common = {field: text for field, text in changes[0].items() if _same(field, changes)}
    if common:
        yield f"  all: {_fields(common)}"
    for seat, changed in enumerate(changes):
        own = {field: text for field, text in changed.items() if field not in common}
        if own:
            yield f"  {seat}: {_fields(own)}"


def _same(field: str, changes: list[dict[str, str]]) -> bool:
    return len({changed.get(field) for changed in changes}) == 1


def _fields(texts: dict[str, str]) -> str:
    return "; ".join(f"{field} {text}" for field, text in texts.items())


def _changed_fields(before: SeatView | None, after: SeatView) -> dict[str, str]:
    return {
        each.name: _field(each.name, getattr(before, each.name, None), getattr(after, each.name))
        for each in fields(SeatView)
        if before is None or getattr(before, each.name) != getattr(after, each.name)
    }


def _field(name: str, before: object, after: object) -> str:
    match name:
        case "holding" | "thrown" | "exposed":
            assert isinstance(after, int)
            return _cards(before if isinstance(before, int) else 0, after)
        case "auction":
            assert isinstance(after, tuple)
            return _auction(before if isinstance(before, tuple) else (), after)
        case "contract":
            return _contract(after if isinstance(after, Contract) else None)
        case "tricks":
            assert isinstance(after, tuple)
            return _tricks(before if isinstance(before, tuple) else (), after)
        case _:
            return _numbers(after) if isinstance(after, tuple) else str(after)


def _cards(before: Cards, after: Cards) -> str:
    come, gone = after & ~before, before & ~after
    if not before:
        return names(after) or "-"
    words = [*(f"+{word}" for word in names(come).split())]
    return " ".join([*words, *(f"-{word}" for word in names(gone).split())])


def _auction(before: tuple[tuple[int, Call], ...], after: tuple[tuple[int, Call], ...]) -> str:
    grown = before and after[: len(before)] == before
    new = after[len(before) :] if grown else after
    return ("+ " if grown else "") + (" ".join(f"{seat}:{call}" for seat, call in new) or "-")


def _tricks(before: tuple[Trick, ...], after: tuple[Trick, ...]) -> str:
    """The tricks that are not as they were, by number from 1."""
    changed = (
        f"{number}: {_trick(trick)}"
        for number, trick in enumerate(after, start=1)
        if before[number - 1 : number] != (trick,)
    )
    assert len(after) >= len(before)
    return ", ".join(changed) or "-"


def _trick(trick: Trick) -> str:
    plays = [Play(card) for card in trick.cards]
    plays[0] = Play(trick.cards[0], trick.named)
    pairs = zip(trick.seats, plays, strict=True)
    return " ".join(f"{seat}={play}" for seat, play in pairs)


def _contract(contract: Contract | None) -> str:
    if contract is None:
        return "-"
    text = f"{contract.bid} by {contract.contractor}"
    if contract.joker_suit is not None:
        text += f" joker={SUIT_LETTERS[contract.joker_suit]}"
    if contract.called is not None:
        text += f" called={card_name(contract.called)}"
    return text + (f" partners={_numbers(contract.partners)}" if contract.partners else "")


def _result(result: HandResult) -> Iterator[str]:
    yield f"result: {result.outcome.name}"
    yield f"  contract {_contract(result.contract)}"
    yield f"  tricks_won {_numbers(result.tricks_won)}"
    yield f"  change {_numbers(result.change)}"
    yield f"  game_over {result.game_over}; winners {_numbers(result.winners)}"
    yield f"  next_dealer {result.next_dealer}"


def _letters(suits: int) -> str:
    return " ".join(SUIT_LETTERS[suit] for suit in members(suits))


def _numbers(numbers: tuple[object, ...]) -> str:
    return " ".join(map(str, numbers)) or "-"
