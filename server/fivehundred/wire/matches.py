"""The matches of a tournament, in order; a match depends on its number alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fivehundred.table.table import MatchSpec
from fivehundred.tournament.formats import RoundRobin, expected_hands, round_robin, table_size
from fivehundred.tournament.seatings import Seating, seatings
from fivehundred.wire.ruleset import rules_hash
from fivehundred.wire.spec import Plan


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a plan plays: its pairings, its seatings and how many hands that makes."""

    plan: Plan
    pairings: RoundRobin
    seatings: tuple[Seating, ...]
    rules_hash: bytes

    @property
    def sittings(self) -> int:
        """Boards times seatings of one match."""
        return self.plan.boards_per_match * len(self.seatings)

    @property
    def hands(self) -> int:
        """Hands planned; 0 where games decide how many."""
        plan = self.plan
        if plan.games:
            return 0
        return expected_hands(plan.rules, len(plan.entrants), plan.rounds, plan.boards_per_match)

    def matches(self, bots: Sequence[str]) -> Iterator[MatchSpec]:
        """Every match; ``bots`` are ``name@version`` by entrant."""
        return (self.match(number, bots) for number in range(len(self.pairings)))

    def match(self, number: int, bots: Sequence[str]) -> MatchSpec:
        """One match."""
        plan, pairing = self.plan, self.pairings[number]
        first = number * plan.boards_per_match
        return MatchSpec(
            tournament=plan.name,
            number=number,
            rules=plan.rules,
            rules_hash=self.rules_hash,
            entrants=pairing.entrants,
            bots=tuple(bots[entrant] for entrant in pairing.entrants),
            boards=tuple(range(first, first + plan.boards_per_match)),
            seatings=self.seatings,
            games=plan.games,
            max_deals=plan.max_deals,
            time=plan.time,
            policy=plan.policy,
            seed=plan.seed,
        )


def schedule(plan: Plan) -> Schedule:
    """The schedule of a plan."""
    size = table_size(plan.rules, len(plan.entrants))
    pairings = round_robin(len(plan.entrants), plan.rounds, size)
    return Schedule(plan, pairings, seatings(plan.rules, size), rules_hash(plan.rules))
