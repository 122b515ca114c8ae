"""The matches of a tournament; a match depends on the definition and on the outcomes before it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fivehundred.table.table import MatchSpec
from fivehundred.tournament.formats.fixed import Fixed
from fivehundred.tournament.formats.forms import StagesForm
from fivehundred.tournament.formats.ladder import Ladder
from fivehundred.tournament.formats.stages import Stages
from fivehundred.tournament.formats.values import Format, Pairing
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.outcomes import OpenMatches, match_outcome
from fivehundred.tournament.seatings import seatings
from fivehundred.wire.ruleset import rules_hash
from fivehundred.wire.spec import Plan


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a plan plays. Its format takes outcomes, so that each who plays has an own schedule."""

    plan: Plan
    format: Format
    rules_hash: bytes

    @property
    def is_fixed(self) -> bool:
        """Whether the matches are known beforehand, whatever their outcomes."""
        return isinstance(self.format, Fixed)

    @property
    def absent(self) -> frozenset[int]:
        """The entrants who have left a ladder and have nothing to play any more."""
        return self.format.absent if isinstance(self.format, Ladder) else frozenset()

    def find(self) -> None:
        """Finds what pairings follow from, where that is a search of seconds: beside a loop."""
        if isinstance(self.format, Fixed | Stages):
            self.format.find()

    @property
    def matches_planned(self) -> int:
        """How many matches there are; 0 while that is open."""
        return self.format.total or 0

    @property
    def hands(self) -> int:
        """Hands planned; 0 where games decide how many, or outcomes."""
        plan = self.plan
        if plan.games or isinstance(plan.form, StagesForm):
            return 0
        slots = plan.form.slots(plan.rules, len(plan.entrants))
        return self.matches_planned * plan.boards_per_match * len(seatings(plan.rules, slots))

    def at_once(self, tables: int) -> int:
        """How many matches can be under way at once, at so many tables."""
        most = self.format.size.most
        return tables if most is None else min(tables, most)

    def is_over(self, played: int) -> bool:
        """Whether that many matches are all that there are, or ever will be."""
        return played >= self.matches_planned if self.is_fixed else self.format.is_over

    @property
    def pairings(self) -> Iterator[Pairing]:
        """The matches that are known, in order."""
        number = 0
        while (pairing := self.format.pairing(number)) is not None:
            yield pairing
            number += 1

    def match(self, number: int, bots: Sequence[str]) -> MatchSpec:
        """The match of a number; raises `LookupError` where it is none, or is not known yet."""
        pairing = self.format.pairing(number)
        if pairing is None:
            raise LookupError(f"match {number} is not planned")
        return self.match_of(pairing, bots)

    def match_of(self, pairing: Pairing, bots: Sequence[str]) -> MatchSpec:
        """What a pairing plays; ``bots`` are ``name@version`` by entrant."""
        turn = pairing.round if self.plan.common_boards else pairing.number
        first_board = turn * self.plan.boards_per_match
        return self.match_at(pairing.number, pairing.entrants, first_board, bots)

    def match_at(
        self, number: int, entrants: tuple[int, ...], first_board: int, bots: Sequence[str]
    ) -> MatchSpec:
        """What a match plays, whatever the format."""
        plan = self.plan
        return MatchSpec(
            tournament=plan.name,
            number=number,
            rules=plan.rules,
            rules_hash=self.rules_hash,
            entrants=entrants,
            bots=tuple(bots[entrant] for entrant in entrants),
            boards=tuple(range(first_board, first_board + plan.boards_per_match)),
            seatings=seatings(plan.rules, len(entrants)),
            games=plan.games,
            max_deals=plan.max_deals,
            time=plan.time,
            policy=plan.policy,
            seed=plan.seed,
        )

    def take(self, lines: Sequence[HandLine]) -> bool:
        """Takes the hands of a match that is over; whether it is one that was to be played.

        Matches are given in the order of their numbers, or as they end.
        """
        pairing = self.format.pairing(lines[0].match)
        if pairing is None or set(pairing.entrants) != set(lines[0].entrants):
            return False
        rules, games = self.plan.rules, self.plan.games
        self.format.record(match_outcome(pairing, lines, rules, games=games))
        return True

    def take_all(self, lines: Iterable[HandLine]) -> int:
        """Takes the hands of a log; gives how many of its matches are over."""
        plan = self.plan
        whole = list(OpenMatches(plan.rules, plan.boards_per_match, games=plan.games).over(lines))
        whole.sort(key=lambda match: match[0].match)
        return sum(map(self.take, whole))


def schedule(plan: Plan) -> Schedule:
    """The schedule of a plan, nothing played yet."""
    made = plan.form.format(plan.rules, len(plan.entrants))
    return Schedule(plan, made, rules_hash(plan.rules))
