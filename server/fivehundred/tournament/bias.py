"""Bias: whether points depend on what should not matter, and whether anybody was not himself.

Everything is a function of the hands of whole boards. A level's estimate is in points per hand
against the mean of all levels, after the strengths of the entrants have been taken out; its error
is clustered by board. At a duplicate table every entrant sits everywhere equally often, so that
seat and dealer have nothing in common with the strengths; elsewhere the fit tells them apart, or
says that it cannot.

All tests of a report are one family: each p-value is also given adjusted by Holm's method.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fivehundred.ratings.values import CONFIDENCE
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.honesty.designs import by_side, hand_rows, one_hot, side_rows
from fivehundred.tournament.honesty.determinism import Determinism, determinism
from fivehundred.tournament.honesty.effects import Joint, Level, joint_effects
from fivehundred.tournament.honesty.facts import NOT_KNOWN, FactColumns, FactRows
from fivehundred.tournament.honesty.holm import holm
from fivehundred.tournament.honesty.residuals import Residual, Use, held, residuals, uses
from fivehundred.tournament.lines import Floats, Numbers

LEVEL = 0.05
"""What a flag means: with no bias at all, the chance that a report has any."""

SEAT = "seat"
DEALER = "dealer"
TABLE_ORDER = "table order"
SCHEDULE = "schedule"

NO_TIME = "the order in which boards were stored stands for it"
NO_PLAYER = "the daemon's lag inside decisions stands for it"


@dataclass(frozen=True, slots=True)
class BiasTest:
    """One thing that should not matter, its levels, and one test of all of them."""

    name: str
    levels: tuple[Level, ...]
    chi_squared: float | None
    f: float | None
    freedom: int
    error_freedom: float | None
    p_value: float | None
    """None where there is no test; the remark says why."""
    p_adjusted: float | None
    """By Holm's method over all tests of the report."""
    is_flagged: bool
    remark: str


@dataclass(frozen=True, slots=True)
class BiasReport:
    """All checks of one tournament's hands."""

    hands: int
    boards: int
    """Boards of matches."""
    confidence: float
    level: float
    tests: tuple[BiasTest, ...]
    residuals: tuple[Residual, ...]
    uses: tuple[Use, ...]
    determinism: Determinism
    tests_in_all: int
    """How many tests there are in the family: those above and those of the residuals."""
    not_kept: tuple[str, ...] = ()
    """What the log does not tell of some hands, and what stands for it."""

    @property
    def flagged(self) -> tuple[BiasTest | Residual, ...]:
        """What is beyond the bound."""
        every: tuple[BiasTest | Residual, ...] = (*self.tests, *self.residuals)
        return tuple(each for each in every if each.is_flagged)


def bias(facts: FactColumns, entrants: Sequence[str], *, games: bool) -> BiasReport:
    """Check the hands of a tournament; ``games``: boards are games, not single hands."""
    names = list(entrants)
    counted = facts.counted(games=games)
    joints = bias_tests(counted, len(names), facts.rules)
    found = residuals(counted, names, facts.player_names)
    chances = [joint.p_value for _, joint in joints] + [each.p_value for each in found]
    adjusted = holm(chances)
    bounds = adjusted[len(joints) :]
    places = np.stack([counted.hands.match, counted.hands.board], axis=1)
    return BiasReport(
        hands=len(counted),
        boards=len(np.unique(places, axis=0)),
        confidence=CONFIDENCE,
        level=LEVEL,
        tests=tuple(
            _told(name, joint, chance)
            for (name, joint), chance in zip(joints, adjusted, strict=False)
        ),
        residuals=tuple(
            held(each, chance, LEVEL) for each, chance in zip(found, bounds, strict=True)
        ),
        uses=tuple(uses(counted, names, _bots(counted, facts.bot_names, len(names)))),
        determinism=determinism(counted, facts.bot_names),
        tests_in_all=sum(1 for chance in chances if chance is not None),
        not_kept=tuple(_not_kept(counted)),
    )


def bias_tests(facts: FactRows, entrants: int, rules: RuleSet) -> list[tuple[str, Joint]]:
    """The tests by name, each by itself."""
    return [
        (SEAT, _by_sides(facts, entrants, _seats(facts), seat_names(rules))),
        (DEALER, _by_sides(facts, entrants, _from_dealer(facts), dealer_names(rules))),
        (TABLE_ORDER, _table_order(facts, entrants)),
        (SCHEDULE, _schedule(facts, entrants)),
    ]


def seat_names(rules: RuleSet) -> list[str]:
    """The seats of each side, since they score together."""
    together = [range(side, rules.players, rules.sides) for side in range(rules.sides)]
    noun = "seat" if rules.players == rules.sides else "seats"
    return [f"{noun} {', '.join(map(str, seats))}" for seats in together]


def dealer_names(rules: RuleSet) -> list[str]:
    """The seats of each side by how far they are to the left of the dealer."""
    together = [range(side, rules.players, rules.sides) for side in range(rules.sides)]
    return [", ".join(f"dealer+{seat}" if seat else "dealer" for seat in at) for at in together]


def _seats(facts: FactRows) -> Floats:
    hands, sides = facts.hands.change.shape
    return np.broadcast_to(np.eye(sides), (hands, sides, sides))


def _from_dealer(facts: FactRows) -> Floats:
    sides = facts.hands.change.shape[1]
    return one_hot((np.arange(sides)[None, :] - facts.dealer[:, None]) % sides, sides)


def _by_sides(facts: FactRows, entrants: int, levels: Floats, names: Sequence[str]) -> Joint:
    rows = side_rows(facts, entrants)
    hands = [len(facts)] * len(names)
    return joint_effects(rows, by_side(levels), names, hands)


def _table_order(facts: FactRows, entrants: int) -> Joint:
    """Who is named first in a pairing against all the others at the table."""
    first = _first_named(facts)[:, None] == facts.hands.entrants
    seats, sides = first.shape[1], facts.hands.change.shape[1]
    share = first.reshape(len(facts), seats // sides, sides).mean(axis=1)
    levels = np.stack([share, 1 - share], axis=2)
    names = ["named first", "named later"]
    return joint_effects(
        side_rows(facts, entrants), by_side(levels), names, [len(facts)] * len(names)
    )


def _first_named(facts: FactRows) -> Numbers:
    """By hand the entrant that its pairing names first: in seat 0 of a match's first seating."""
    hands = facts.hands
    if not len(facts):
        return hands.match
    matches, at = np.unique(hands.match, return_inverse=True)
    named = np.zeros(len(matches), dtype=np.int64)
    is_first = hands.seating == 0
    named[at[is_first]] = hands.entrants[is_first, 0]
    return np.asarray(named[at])


def _schedule(facts: FactRows, entrants: int) -> Joint:
    """The points that a table makes on average: the first half of the matches and the second.

    Differences within a table have no such effect: whoever plays late, his opponents do too.
    """
    matches, at = np.unique(facts.hands.match, return_inverse=True)
    is_late = (2 * at >= len(matches)).astype(np.int64)
    names = ["early matches", "late matches"]
    hands = np.bincount(is_late, minlength=2).tolist()
    return joint_effects(hand_rows(facts, entrants), one_hot(is_late, 2), names, hands)


def _not_kept(facts: FactRows) -> Iterator[str]:
    """What hands that an older version has stored do not tell."""
    kept = (
        ("time of day", facts.stored_time_us, NO_TIME),
        ("machine or process", facts.player, NO_PLAYER),
    )
    for what, column, instead in kept:
        missing = int((column == NOT_KNOWN).sum())
        if missing:
            some = "" if missing == len(facts) else f" of {missing} of the {len(facts)} hands"
            yield f"the log keeps no {what}{some}: {instead}"


def _bots(facts: FactRows, bot_names: Sequence[str], entrants: int) -> list[str]:
    """The bot, or the bots, that have played for each entrant."""
    pairs = np.stack([facts.hands.entrants.ravel(), facts.bots.ravel()], axis=1)
    found: list[list[str]] = [[] for _ in range(entrants)]
    for entrant, bot in np.unique(pairs, axis=0).tolist():
        found[entrant].append(bot_names[bot])
    return [", ".join(names) for names in found]


def _told(name: str, joint: Joint, adjusted: float | None) -> BiasTest:
    return BiasTest(
        name=name,
        levels=joint.levels,
        chi_squared=joint.chi_squared,
        f=joint.f,
        freedom=joint.freedom,
        error_freedom=joint.error_freedom,
        p_value=joint.p_value,
        p_adjusted=adjusted,
        is_flagged=adjusted is not None and adjusted < LEVEL,
        remark=joint.remark,
    )
