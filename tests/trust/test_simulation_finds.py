"""The simulation finds what it is there to find: mistakes that are made on purpose."""

from collections.abc import Callable, Iterator

import pytest

from fivehundred.players import clock
from fivehundred.players.clock import Clock
from fivehundred.players.stream import DecisionStream
from fivehundred.storage.decisions import HandsUnderWay
from fivehundred.storage.store import Store
from fivehundred.table.clocks import Clock as TableClock
from fivehundred.table.values import Event
from fivehundred.v1 import bot_pb2
from simulation.judging import Simulator, simulator

SEEDS = 100
FORGIVEN_US = 1_000

Patch = pytest.MonkeyPatch


IN_PYTHON = pytest.mark.skipif(
    not str(clock.__file__).endswith(".py"),
    reason="compiled code calls itself without looking at what is put in its place",
)


@pytest.fixture
def simulated() -> Iterator[Simulator]:
    """What runs seeds."""
    with simulator() as each:
        yield each


def take_a_stale_answer_for_another(patch: Patch) -> None:
    """An answer whose decision is over counts for the one that waits."""
    answer_rightly = DecisionStream._answer

    def answer(self: DecisionStream, answer: bot_pb2.Answer, arrived: float) -> None:
        kind = answer.WhichOneof("kind")
        if kind is not None and self._pending:
            response = getattr(answer, kind)
            if response.decision_id not in self._pending:
                response.decision_id = next(iter(self._pending))
        answer_rightly(self, answer, arrived)

    patch.setattr(DecisionStream, "_answer", answer)


def charge_lag(patch: Patch) -> None:
    """The time in which the daemon stood still is the bot's."""
    measure_rightly = Clock.measure

    def measure(self: Clock, now: float) -> tuple[int, int]:
        return measure_rightly(self, now)[0], 0

    patch.setattr(Clock, "measure", measure)


def count_what_is_a_little_late(patch: Patch) -> None:
    """A clock that does not see the last millisecond."""
    measure_rightly = Clock.measure

    def measure(self: Clock, now: float) -> tuple[int, int]:
        elapsed_us, lag_us = measure_rightly(self, now)
        return max(0, elapsed_us - FORGIVEN_US), lag_us

    patch.setattr(Clock, "measure", measure)


def ask_before_writing(patch: Patch) -> None:
    """Decisions are written when there are many, not before the next is asked for."""
    flush_rightly = HandsUnderWay.flush

    def flush(self: HandsUnderWay, durable: int) -> None:
        if len(self.unwritten) > 10:
            flush_rightly(self, durable)

    patch.setattr(HandsUnderWay, "flush", flush)


def forget_the_last_decision(patch: Patch) -> None:
    """What a new daemon takes up lacks the last thing that happened."""
    read_rightly = Store.journal_events

    def read(self: Store, name: str) -> dict[int, list[Event]]:
        return {match: events[:-1] or events for match, events in read_rightly(self, name).items()}

    patch.setattr(Store, "journal_events", read)


def fill_the_bank(patch: Patch) -> None:
    """Every hand gives all of the bank back."""

    def credit(self: TableClock) -> None:
        self.bank_us = self._time.bank_us

    patch.setattr(TableClock, "credit", credit)


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (take_a_stale_answer_for_another, "but it was"),
        (charge_lag, "and was charged"),
        pytest.param(count_what_is_a_little_late, "but it was TIMEOUT", marks=IN_PYTHON),
        (ask_before_writing, "asked out of turn or twice"),
        (forget_the_last_decision, "asked out of turn or twice"),
        pytest.param(fill_the_bank, "with a bank of", marks=IN_PYTHON),
    ],
)
def test_a_planted_mistake_is_found(
    plant: Callable[[Patch], None], said: str, simulated: Simulator, monkeypatch: Patch
) -> None:
    plant(monkeypatch)

    problems = (problem for seed in range(SEEDS) for problem in simulated.problems(seed))

    assert any(said in problem for problem in problems)
