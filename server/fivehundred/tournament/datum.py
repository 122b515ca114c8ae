"""The datum table: what one fixed bot in all seats makes of the same deals, as known luck.

The datum's points are a function of the deal alone. On a board that is played in all its seatings
everybody has held all the cards, so that such luck has cancelled already and the adjustment does
nothing; where seatings are missing, it takes out what the datum shows of the luck. Raw and
adjusted points stand side by side. The coefficient is fixed beforehand, or fitted by least squares
on these very results; it is told in either case, and so is the datum bot.

Formula: `fivehundred.ratings.control_variate`, within boards and with the strengths taken out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from fivehundred.ratings.control_variate import Adjusted, fitted, fixed
from fivehundred.ratings.values import Estimate, rounded
from fivehundred.rules.cards import Card
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament import scale
from fivehundred.tournament.board_results import Points, points_of
from fivehundred.tournament.honesty.designs import side_rows
from fivehundred.tournament.honesty.facts import FactRows
from fivehundred.tournament.lines import Floats, HandRows, Numbers
from fivehundred.tournament.whole_boards import WholeBoards, members_of, seated_once, starts

CANCELS = (
    "every board has been played in all its seatings: a function of the deal cancels exactly, "
    "and the coefficient changes nothing"
)
TOO_FEW = "too few boards for a coefficient"
NEGLIGIBLE = 1e-6
"""Points per hand that are no luck, only rounding."""


@dataclass(frozen=True, slots=True, order=True)
class DealKey:
    """Which deal of a tournament, and who dealt it."""

    board: int
    hand: int
    attempt: int
    dealer: int


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: the pack in the order in which it was dealt."""

    key: DealKey
    deck: tuple[Card, ...]


DatumPoints = Mapping[DealKey, tuple[int, ...]]
"""By deal what each side scores when the datum bot has all the seats."""


@dataclass(frozen=True, slots=True)
class DatumRow:
    """An entrant's points per hand with and without the known luck; the mean of all is 0."""

    entrant: str
    raw: Estimate
    adjusted: Estimate
    luck: float | None
    """The datum's points per hand in the seats where the entrant sat; None without boards."""


@dataclass(frozen=True, slots=True)
class Datum:
    """What a datum table tells of the luck in a tournament."""

    bot: str
    deals: int
    rows: tuple[DatumRow, ...]
    coefficient: float | None
    """None where there are too few boards for one."""
    is_fitted: bool
    explained: float | None
    """The share of the variance between boards that the datum explains (R²)."""
    explained_of_hands: float | None
    """The same of single hands, whose luck no other seating takes out."""
    hands: int = 0
    remark: str = ""


def datum(
    facts: FactRows,
    rules: RuleSet,
    points: DatumPoints,
    entrants: Sequence[str],
    *,
    bot: str,
    coefficient: float | None = None,
) -> Datum:
    """Adjust the points of hands that are in the order of their keys, of whole boards or not.

    Every deal of theirs is among the datum's points. ``coefficient`` None: it is fitted.
    """
    if not len(facts):
        return _nothing(bot, entrants)
    luck = _luck(facts, points)
    tables = list(_tables(facts.hands, luck, rules))
    found = _adjust(*_stacked(tables, len(entrants)), coefficient)
    by_hand = side_rows(facts, len(entrants))
    known = luck - luck.mean(axis=1, keepdims=True)
    single = _adjust(by_hand.response, known.ravel(), by_hand.taken_out, None)
    used = 0.0 if found is None else found.coefficient
    cancels = all(np.abs(_gaps(told.points)).max() < NEGLIGIBLE for _, told in tables)
    return Datum(
        bot=bot,
        deals=len(points),
        rows=tuple(_rows(tables, used, entrants)),
        coefficient=None if found is None else rounded(used),
        is_fitted=coefficient is None,
        explained=None if found is None else rounded(found.explained),
        explained_of_hands=None if single is None else rounded(single.explained),
        hands=len(facts),
        remark=CANCELS if cancels else TOO_FEW if found is None else "",
    )


Table = tuple[Points, Points]
"""The points of boards of one size of table, and the datum's in the same seats."""


def _luck(facts: FactRows, points: DatumPoints) -> Numbers:
    """By hand and side the datum's points."""
    hands = facts.hands
    columns = hands.board, hands.hand, hands.attempt, facts.dealer
    keys = zip(*(column.tolist() for column in columns), strict=True)
    return np.array([points[DealKey(*key)] for key in keys], dtype=np.int64)


def _tables(hands: HandRows, luck: Numbers, rules: RuleSet) -> Iterator[Table]:
    """By the number of different entrants at the table."""
    slots = seated_once(hands.entrants)[1].sum(axis=1)
    for size in np.unique(slots).tolist():
        of = hands.chosen(slots == size)
        boards = WholeBoards(of, starts(of.match, of.board), size, members_of(rules, size))
        known = replace(boards, hands=replace(of, change=luck[slots == size]))
        yield points_of(boards, rules), points_of(known, rules)


def _gaps(points: Floats) -> Floats:
    return np.asarray(points - points.mean(axis=1, keepdims=True))


def _stacked(tables: Sequence[Table], entrants: int) -> tuple[Floats, Floats, sparse.csr_array]:
    """A row for each team of each board: its gap, the datum's, and whose strength is in it."""
    gaps, luck, strengths = [], [], []
    for own, known in tables:
        boards, sides, members = own.teams.shape
        weight = np.sqrt(own.hands)[:, None]
        gaps.append((weight * _gaps(own.points)).ravel())
        luck.append((weight * _gaps(known.points)).ravel())
        row = np.repeat(np.arange(boards * sides), members)
        share = np.repeat(weight[:, 0] / members, sides * members)
        seated = sparse.coo_array(
            (share, (row, own.teams.ravel())), shape=(boards * sides, entrants)
        ).tocsr()
        strengths.append(_against_table(seated, boards, sides))
    return np.concatenate(gaps), np.concatenate(luck), sparse.vstack(strengths, format="csr")


def _against_table(seated: sparse.csr_array, boards: int, sides: int) -> sparse.csr_array:
    mean = sparse.kron(sparse.eye_array(boards), np.full((sides, sides), 1 / sides), format="csr")
    return sparse.csr_array(seated - mean @ seated)


def _adjust(
    result: Floats, luck: Floats, strengths: sparse.csr_array, coefficient: float | None
) -> Adjusted | None:
    """What the luck explains of the results once the strengths are out of both."""
    inverse = np.linalg.pinv((strengths.T @ strengths).toarray(), hermitian=True)
    left, known = (
        column - strengths @ (inverse @ (strengths.T @ column)) for column in (result, luck)
    )
    if np.abs(known).max() < NEGLIGIBLE:
        known = np.zeros_like(known)
    if coefficient is None:
        return fitted(left.tolist(), known.tolist())
    return fixed(left.tolist(), known.tolist(), coefficient)


def _rows(tables: Sequence[Table], coefficient: float, names: Sequence[str]) -> Iterator[DatumRow]:
    raw = scale.of_points([own for own, _ in tables], names)
    less = [replace(own, points=own.points - coefficient * known.points) for own, known in tables]
    adjusted = scale.of_points(less, names)
    luck, hands = np.zeros(len(names)), np.zeros(len(names))
    for _, known in tables:
        for member in range(known.teams.shape[2]):
            teams, weight = known.teams[:, :, member], known.hands[:, None]
            np.add.at(luck, teams, weight * _gaps(known.points))
            np.add.at(hands, teams, np.broadcast_to(weight, teams.shape))
    for at, name in enumerate(names):
        told = rounded(luck[at] / hands[at]) if hands[at] else None
        yield DatumRow(name, raw.estimate(at), adjusted.estimate(at), told)


def _nothing(bot: str, names: Sequence[str]) -> Datum:
    blank = Estimate(remark="no boards")
    rows = tuple(DatumRow(name, blank, blank, None) for name in names)
    return Datum(bot, 0, rows, None, False, None, None, remark="no boards")
