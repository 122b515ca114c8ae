"""Matches for the tests of the table."""

import random
from collections.abc import Callable, Iterator

import pytest

from fivehundred.rules.actions import LegalExchange
from fivehundred.table.table import MatchSpec, Table
from fivehundred.table.values import (
    Ask,
    Event,
    Fault,
    FaultPolicy,
    HandRecord,
    Reply,
    TimeControl,
)
from fivehundred.tournament.seatings import seatings
from fivehundred.wire.presets import load_preset
from fivehundred.wire.ruleset import rules_hash

MakeSpec = Callable[..., MatchSpec]
Answer = Callable[[Ask], Reply]
PlayOut = Callable[[Table, Answer], tuple[list[Event], list[HandRecord]]]


@pytest.fixture
def make_spec() -> MakeSpec:
    """Makes a match of one entrant a side."""

    def make(
        preset: str = "au-4p-43",
        *,
        games: bool = False,
        boards: int = 2,
        time: TimeControl | None = None,
        policy: FaultPolicy | None = None,
    ) -> MatchSpec:
        rules = load_preset(preset)
        return MatchSpec(
            tournament="test",
            number=0,
            rules=rules,
            rules_hash=rules_hash(rules),
            entrants=tuple(range(rules.sides)),
            bots=tuple(f"bot{side}@1" for side in range(rules.sides)),
            boards=tuple(range(boards)),
            seatings=seatings(rules, rules.sides),
            games=games,
            max_deals=12,
            time=time or TimeControl(),
            policy=policy or FaultPolicy(),
            seed=bytes(range(32)),
        )

    return make


@pytest.fixture
def play_out() -> PlayOut:
    """Plays a fresh table to its end; gives its events and the records of its hands."""

    def play(table: Table, answer: Answer) -> tuple[list[Event], list[HandRecord]]:
        events = table.start()
        while (ask := table.ask()) is not None:
            events += table.reply(answer(ask))
        return events, table.take_records()

    return play


@pytest.fixture
def random_answer() -> Callable[[int], Answer]:
    """Answers at random from a seed, taking one millisecond; faulty with a probability."""

    def make(seed: int, fault: Fault | None = None, probability: float = 0.0) -> Answer:
        draws = random.Random(seed)

        def answer(ask: Ask) -> Reply:
            if fault is not None and draws.random() < probability:
                return Reply(fault, ask.limit_us)
            if isinstance(ask.legal, LegalExchange):
                return Reply(ask.legal.default(), 1000)
            return Reply(draws.choice(list(ask.legal)), 1000)

        return answer

    return make


@pytest.fixture(params=["au-4p-43", "ko-3p-33", "qc-4p-46-vi"])
def preset(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each of the families that differ most at the table."""
    yield request.param
