"""A recorded hand told step by step, by playing it again."""

from collections.abc import Iterator
from dataclasses import dataclass

from fivehundred.cli.failures import ConfigError
from fivehundred.rules.actions import Call
from fivehundred.rules.cards import Cards
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Contract, Deal, Phase, Trick
from fivehundred.table.values import Decided, HandRecord


@dataclass(frozen=True, slots=True)
class Step:
    """How a hand stands after some decisions; ``decided`` is the last one, None at the deal."""

    number: int
    decided: Decided | None
    phase: Phase
    """The phase in which the decision was made; the auction before the first."""
    holdings: tuple[Cards, ...]
    auction: tuple[tuple[int, Call], ...]
    contract: Contract | None
    tricks: tuple[Trick, ...]
    tricks_won: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A hand as it went: its deal, and how it stood before the first and after every decision."""

    record: HandRecord
    rules: RuleSet
    deal: Deal
    steps: tuple[Step, ...]
    games: bool = False
    """Whether the hand belongs to a game to the target; otherwise it stands for itself."""

    def step(self, number: int) -> Step:
        """How it stood after a number of decisions; raises `ConfigError` where there are fewer."""
        if number >= len(self.steps):
            raise ConfigError(f"there is no step {number}: the last one is {len(self.steps) - 1}")
        return self.steps[number]

    def winners(self) -> tuple[int | None, ...]:
        """The seat that won each trick, in order; None for one that was never completed."""
        tricks = self.steps[-1].tricks
        won: list[int | None] = [None] * len(tricks)
        for before, after in zip(self.steps, self.steps[1:], strict=False):
            for seat, count in enumerate(after.tricks_won):
                if count > before.tricks_won[seat]:
                    won[sum(before.tricks_won)] = seat
        return tuple(won)


def tell(record: HandRecord, rules: RuleSet, *, games: bool = False) -> Story:
    """Play a recorded hand again."""
    started = record.started
    dealt = deal(rules, started.deck, started.dealer)
    hand = Hand(rules, dealt, started.dealer, started.scores_before)
    return Story(record, rules, dealt, tuple(_steps(hand, record)), games)


def _steps(hand: Hand, record: HandRecord) -> Iterator[Step]:
    yield _step(hand, 0, None, hand.phase)
    for number, decided in enumerate(record.decisions, start=1):
        phase = hand.phase
        hand.apply(decided.action)
        yield _step(hand, number, decided, phase)


def _step(hand: Hand, number: int, decided: Decided | None, phase: Phase) -> Step:
    views = [hand.view(seat) for seat in range(hand.rules.players)]
    first = views[0]
    return Step(
        number=number,
        decided=decided,
        phase=phase,
        holdings=tuple(view.holding for view in views),
        auction=first.auction,
        contract=first.contract if hand.result is None else hand.result.contract,
        tricks=first.tricks,
        tricks_won=first.tricks_won,
    )
