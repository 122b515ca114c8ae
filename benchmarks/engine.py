"""Hands and decisions a second of the rules alone, in one thread, for every preset.

A hand is dealt, called, exchanged, played and scored through `Hand`; every decision is drawn evenly
from the legal ones. Packs are shuffled beforehand. The clock counts the processor time of the
thread, with the drawing of decisions; what that costs by itself is told. Where ``open_spiel`` can
be imported, its euchre is driven in the same way.

Example: python benchmarks/engine.py --seconds 0.5 --json
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from random import Random
from time import thread_time
from typing import Protocol

from fivehundred.rules import hand as hand_module
from fivehundred.rules.actions import Action, Exchange, Legal, LegalExchange
from fivehundred.rules.cards import SUITS, Card, mask, members
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.wire.presets import DEFAULT_PRESET, load_preset, preset_names

SEED = 500
ROUNDS = 5
"""Of each row; the one in the middle counts."""
BATCH = 100
"""Hands between two looks at the clock."""

Draw = Callable[[], float]
"""A number from 0 up to 1."""
Batch = Callable[[], tuple[float, int]]
"""Plays `BATCH` hands; tells the seconds and the decisions."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a game is played, in processor time."""

    name: str
    hands_per_second: float
    decisions_per_second: float
    decisions_per_hand: float


@dataclass(frozen=True, slots=True)
class Result:
    """What one run has found; the standard game comes first."""

    engine: str
    drawing_us: float
    speeds: list[Speed]
    ratios: dict[str, float]
    """By game how many decisions the standard game makes in the time of one of its own."""


class State(Protocol):
    """A game of OpenSpiel under way."""

    def is_terminal(self) -> bool:
        """Whether it is over."""

    def is_chance_node(self) -> bool:
        """Whether a card is to be dealt."""

    def legal_actions(self) -> list[int]:
        """What may be done."""

    def apply_action(self, action: int) -> None:
        """Do it."""


def main() -> None:
    """Run the benchmark and print what it found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="for a row; 1 by default")
    parser.add_argument("--preset", action="append", help="may be given again; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    result = measure(options.preset or preset_names(), options.seconds)
    print(json.dumps(asdict(result)) if options.json else "\n".join(report(result)))


def measure(names: Iterable[str], seconds: float) -> Result:
    """The speed of each preset, of drawing by itself and of OpenSpiel's euchre if it is there."""
    others = [name for name in names if name != DEFAULT_PRESET]
    rows = [preset_speed(name, seconds) for name in (DEFAULT_PRESET, *others)]
    rows += euchre_speeds(seconds)
    return Result(
        engine="pure" if hand_module.__file__.endswith(".py") else "compiled",
        drawing_us=drawing_us(load_preset(DEFAULT_PRESET)),
        speeds=rows,
        ratios={row.name: rows[0].decisions_per_second / row.decisions_per_second for row in rows},
    )


def report(result: Result) -> Iterator[str]:
    """The result as a table."""
    yield f"{result.engine} rules; drawing takes {result.drawing_us:.2f} µs of each decision"
    yield f"{'':28}{'hands/s':>9}{'decisions/s':>13}{'a hand':>8}{DEFAULT_PRESET + ' makes':>16}"
    for row in result.speeds:
        yield (
            f"{row.name:28}{row.hands_per_second:>9,.0f}{row.decisions_per_second:>13,.0f}"
            f"{row.decisions_per_hand:>8.1f}{result.ratios[row.name]:>15.2f}x"
        )


def preset_speed(name: str, seconds: float) -> Speed:
    """The speed of a preset."""
    rules, random = load_preset(name), Random(SEED)

    def batch() -> tuple[float, int]:
        packs = [shuffled(rules, random) for _ in range(BATCH)]
        start = thread_time()
        decisions = sum(play(rules, pack, random.random) for pack in packs)
        return thread_time() - start, decisions

    return speed(name, batch, seconds)


def speed(name: str, batch: Batch, seconds: float) -> Speed:
    """The middle of some rounds of batches, each of which tells its time and its decisions."""
    return sorted(
        (one_round(name, batch, seconds / ROUNDS) for _ in range(ROUNDS)),
        key=lambda each: each.decisions_per_second,
    )[ROUNDS // 2]


def one_round(name: str, batch: Batch, seconds: float) -> Speed:
    """The mean over batches until the time is up."""
    spent, hands, decisions = 0.0, 0, 0
    while spent < seconds:
        more, made = batch()
        spent, hands, decisions = spent + more, hands + BATCH, decisions + made
    return Speed(name, hands / spent, decisions / spent, decisions / hands)


def shuffled(rules: RuleSet, random: Random) -> list[Card]:
    """The pack in some order."""
    cards = list(deck(rules))
    random.shuffle(cards)
    return cards


def play(rules: RuleSet, pack: Sequence[Card], draw: Draw) -> int:
    """Play one hand; gives the number of decisions."""
    hand = Hand(rules, deal(rules, pack, 0), 0, (0,) * rules.sides)
    decisions = 0
    while hand.turn is not None:
        hand.apply(drawn(hand.legal(), draw))
        decisions += 1
    return decisions


def drawn(legal: Legal, draw: Draw) -> Action:
    """One of the legal actions."""
    if isinstance(legal, LegalExchange):
        return drawn_exchange(legal, draw)
    return legal[int(draw() * len(legal))]


def drawn_exchange(legal: LegalExchange, draw: Draw) -> Exchange:
    """Any cards thrown, and all that may be settled settled in some way."""
    held = list(members(legal.holding))
    thrown = mask([held.pop(int(draw() * len(held))) for _ in range(legal.throw)])
    called, seats = list(members(legal.callable_after(thrown))), legal.choosable
    return Exchange(
        thrown,
        joker_suit=int(draw() * len(SUITS)) if legal.nominable & ~thrown else None,
        called=called[int(draw() * len(called))] if called else None,
        partners=(seats[int(draw() * len(seats))],) if legal.partners else (),
    )


def drawing_us(rules: RuleSet) -> float:
    """Microseconds that it takes to draw a decision, what is legal being known."""
    random = Random(SEED)
    legals: list[Legal] = []
    for _ in range(BATCH):
        hand = Hand(rules, deal(rules, shuffled(rules, random), 0), 0, (0,) * rules.sides)
        while hand.turn is not None:
            legals.append(hand.legal())
            hand.apply(drawn(legals[-1], random.random))
    start = thread_time()
    for legal in legals:
        drawn(legal, random.random)
    return (thread_time() - start) / len(legals) * 1e6


def euchre_speeds(seconds: float) -> list[Speed]:
    """OpenSpiel's euchre: its deal is many chance actions, so it is told with and without it."""
    try:
        game = import_module("pyspiel").load_game("euchre")
    except ImportError:
        return []
    draw = Random(SEED).random

    def whole() -> tuple[float, int]:
        start = thread_time()
        decisions = sum(play_on(dealt(game.new_initial_state(), draw), draw) for _ in range(BATCH))
        return thread_time() - start, decisions

    def undealt() -> tuple[float, int]:
        states = [dealt(game.new_initial_state(), draw) for _ in range(BATCH)]
        start = thread_time()
        decisions = sum(play_on(state, draw) for state in states)
        return thread_time() - start, decisions

    return [
        speed("OpenSpiel euchre", whole, seconds),
        speed("OpenSpiel euchre, undealt", undealt, seconds),
    ]


def dealt(state: State, draw: Draw) -> State:
    """A game of OpenSpiel after its chance actions."""
    while state.is_chance_node():
        draw_action(state, draw)
    return state


def play_on(state: State, draw: Draw) -> int:
    """Play a game of OpenSpiel to its end; gives the number of decisions."""
    decisions = 0
    while not state.is_terminal():
        draw_action(state, draw)
        decisions += 1
    return decisions


def draw_action(state: State, draw: Draw) -> None:
    """Carry out one of the legal actions."""
    actions = state.legal_actions()
    state.apply_action(actions[int(draw() * len(actions))])


if __name__ == "__main__":
    main()
