"""Standings: a function of the hands played, whatever the order in which they are given.

Only whole boards count: every seating present, in its latest attempt. Points per hand are the
least-squares strengths of `fivehundred.ratings.margins`. Elo compares, where boards are played,
the entrants' points on each whole board, two by two; where games are played, each winner of a game
with each loser. Both cluster their errors by board. At a table of several, the pairs of one board
are not independent; the cluster accounts for that.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from fivehundred.ratings import bradley_terry, margins
from fivehundred.ratings.bradley_terry import Game, Ratings
from fivehundred.ratings.margins import BoardPoints, HandPoints
from fivehundred.ratings.ranks import RankRange, is_clearly_better, rank_ranges
from fivehundred.ratings.values import CONFIDENCE, DIGITS, Estimate, Strengths
from fivehundred.rules.hand import Outcome
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.formats import table_size
from fivehundred.tournament.seatings import seatings


@dataclass(frozen=True, slots=True)
class HandLine:
    """What the standings need to know of one hand."""

    match: int
    board: int
    seating: int
    hand: int
    attempt: int
    entrants: tuple[int, ...]
    """By seat."""
    change: tuple[int, ...]
    """Of each side's score."""
    tricks_won: tuple[int, ...]
    contractor: int | None
    """His seat; None where all passed."""
    made: bool
    faults: tuple[tuple[int, str], ...] = ()
    """Seat and kind of each."""
    voids: tuple[int, ...] = ()
    """The seat of each decision that was over its limit by the daemon's own lag alone."""
    forfeited_by: int | None = None
    """The entrant whose forfeit ended the hand."""
    game_over: bool = False
    winners: tuple[int, ...] = ()
    """Sides."""
    outcome: Outcome = Outcome.PLAYED


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's row."""

    entrant: str
    rank_best: int
    rank_worst: int
    hands: int
    boards: int
    points_per_hand: Estimate
    elo: Estimate
    wins: float
    """Boards or games won; a tie is shared."""
    games: int
    """Boards or games counted for ``wins``."""
    faults: tuple[tuple[str, int], ...]
    """How often each kind, by name, over all hands of the latest attempts, counted or not."""
    forfeits: int
    contracts: int
    contracts_made: int
    voids: int = 0
    """Decisions over their limit by the daemon's own lag alone, over the same hands as faults."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The table, best first, and the number that ranks: "points_per_hand" or "elo"."""

    rows: tuple[Standing, ...]
    ranked_by: str
    confidence: float
    hands: int


def standings(
    lines: Iterable[HandLine],
    entrants: Sequence[str],
    rules: RuleSet,
    *,
    games: bool,
    anchor: int | None = None,
) -> Standings:
    """The standings of the hands so far; ``games``: games to the target, not boards of one hand.

    ``anchor`` is the entrant whose Elo is fixed at 1500.
    """
    latest = _latest_of_games(lines) if games else _latest_of_boards(lines)
    seating_count = len(seatings(rules, table_size(rules, len(entrants))))
    counted = _whole_boards(latest, seating_count, _is_whole_game if games else _is_whole_hand)
    boards = margins.board_points(_hand_points(counted, rules))
    won = _games_won(counted, rules) if games else _boards_won(boards)
    strengths = margins.fit(boards, entrants)
    ratings = bradley_terry.fit(_results(won), entrants, anchor)
    tally = _Tally(latest, counted, boards, won)
    rows = [
        tally.row(entrant, name, strengths.estimate(entrant), ratings.estimate(entrant))
        for entrant, name in enumerate(entrants)
    ]
    ranked = _by_elo(rows, ratings) if games else _by_points(rows, strengths)
    return Standings(ranked, "elo" if games else "points_per_hand", CONFIDENCE, len(counted))


@dataclass(frozen=True, slots=True)
class _Won:
    """How a board or a game came out: the entrants best first, those that are equal together."""

    board: int
    levels: tuple[tuple[int, ...], ...]
    are_last_equal: bool = True
    """Whether the last level counts as drawn among itself, not as merely beaten."""


class _Tally:
    """Counts by entrant."""

    def __init__(
        self,
        latest: Iterable[HandLine],
        counted: Iterable[HandLine],
        boards: Iterable[BoardPoints],
        won: Iterable[_Won],
    ) -> None:
        self.faults: dict[int, Counter[str]] = defaultdict(Counter)
        self.voids: Counter[int] = Counter()
        self.hands: Counter[int] = Counter()
        self.boards: Counter[int] = Counter()
        self.forfeits: Counter[int] = Counter()
        self.contracts: Counter[int] = Counter()
        self.made: Counter[int] = Counter()
        self.wins: dict[int, float] = defaultdict(float)
        self.games: Counter[int] = Counter()
        for line in latest:
            for seat, kind in line.faults:
                self.faults[line.entrants[seat]][kind] += 1
            for seat in line.voids:
                self.voids[line.entrants[seat]] += 1
        for line in counted:
            self._count(line)
        for board in boards:
            self.boards.update(board.entrants)
        for result in won:
            self._share(result)

    def row(self, entrant: int, name: str, points: Estimate, elo: Estimate) -> Standing:
        """The row of an entrant, not yet ranked."""
        return Standing(
            entrant=name,
            rank_best=0,
            rank_worst=0,
            hands=self.hands[entrant],
            boards=self.boards[entrant],
            points_per_hand=points,
            elo=elo,
            wins=round(self.wins[entrant], DIGITS),
            games=self.games[entrant],
            faults=tuple(sorted(self.faults[entrant].items())),
            forfeits=self.forfeits[entrant],
            contracts=self.contracts[entrant],
            contracts_made=self.made[entrant],
            voids=self.voids[entrant],
        )

    def _count(self, line: HandLine) -> None:
        self.hands.update(set(line.entrants))
        if line.forfeited_by is not None:
            self.forfeits[line.forfeited_by] += 1
        if line.contractor is not None:
            contractor = line.entrants[line.contractor]
            self.contracts[contractor] += 1
            self.made[contractor] += line.made

    def _share(self, result: _Won) -> None:
        best = result.levels[0]
        for entrant in best:
            self.wins[entrant] += 1 / len(best)
        for level in result.levels:
            self.games.update(level)


def _key(line: HandLine) -> tuple[int, int, int, int, int]:
    return line.match, line.board, line.seating, line.hand, line.attempt


def _latest_of_boards(lines: Iterable[HandLine]) -> list[HandLine]:
    """The lines of each board's latest attempt, sorted; a void seating voids the whole deal."""
    ordered = sorted({_key(line): line for line in lines}.items())
    latest: dict[tuple[int, int], int] = defaultdict(int)
    for _, line in ordered:
        place = line.match, line.board
        latest[place] = max(latest[place], line.attempt)
    return [line for _, line in ordered if line.attempt == latest[line.match, line.board]]


def _latest_of_games(lines: Iterable[HandLine]) -> list[HandLine]:
    """The lines of each game's latest attempt, sorted.

    A game that goes on after a void hand keeps the hands before it; hands of an attempt earlier
    than that of a hand before them belong to a game given up.
    """
    ordered = sorted({_key(line): line for line in lines}.items())
    hands = {key[:4]: line for key, line in ordered}
    kept: list[HandLine] = []
    attempt, game = 0, (-1, -1, -1)
    for place, line in hands.items():
        attempt = max(attempt, line.attempt) if place[:3] == game else line.attempt
        game = place[:3]
        if line.attempt == attempt:
            kept.append(line)
    return kept


def _is_whole_hand(seating: Sequence[HandLine]) -> bool:
    return len(seating) == 1


def _is_whole_game(seating: Sequence[HandLine]) -> bool:
    return seating[-1].game_over and seating[-1].hand == len(seating) - 1


def _whole_boards(
    lines: Iterable[HandLine],
    seating_count: int,
    is_whole: Callable[[Sequence[HandLine]], bool],
) -> list[HandLine]:
    boards: dict[tuple[int, int], dict[int, list[HandLine]]] = defaultdict(dict)
    for line in lines:
        boards[line.match, line.board].setdefault(line.seating, []).append(line)
    return [
        line
        for played in boards.values()
        if len(played) == seating_count and all(map(is_whole, played.values()))
        for seating in played.values()
        for line in seating
    ]


def _hand_points(lines: Iterable[HandLine], rules: RuleSet) -> Iterator[HandPoints]:
    for line in lines:
        yield HandPoints(line.board, line.entrants[: rules.sides], line.change)


def _boards_won(boards: Iterable[BoardPoints]) -> list[_Won]:
    won = []
    for board in boards:
        levels: dict[float, list[int]] = defaultdict(list)
        for entrant, points in zip(board.entrants, board.points, strict=True):
            levels[points].append(entrant)
        best_first = tuple(tuple(levels[points]) for points in sorted(levels, reverse=True))
        won.append(_Won(board.board, best_first))
    return won


def _games_won(lines: Iterable[HandLine], rules: RuleSet) -> list[_Won]:
    return [_game_won(line, rules) for line in lines if line.game_over]


def _game_won(line: HandLine, rules: RuleSet) -> _Won:
    sides = line.entrants[: rules.sides]
    winners = tuple(sorted({sides[side] for side in line.winners}))
    losers = tuple(sorted(set(sides) - set(winners)))
    if not winners:
        return _Won(line.board, (losers,))
    if not losers:
        return _Won(line.board, (winners,))
    return _Won(line.board, (winners, losers), are_last_equal=False)


def _results(won: Iterable[_Won]) -> Iterator[Game]:
    """Who did better than whom, pair by pair; losers of a game do not compare."""
    for result in won:
        levels = result.levels
        for better, worse in combinations(levels, 2):
            for first in better:
                for second in worse:
                    yield Game(first, second, 1.0, result.board)
        for level in levels if result.are_last_equal else levels[:-1]:
            for first, second in combinations(level, 2):
                yield Game(first, second, 0.5, result.board)


def _by_points(rows: Sequence[Standing], strengths: Strengths) -> tuple[Standing, ...]:
    ranges = rank_ranges(
        range(len(rows)), lambda first, second: is_clearly_better(strengths, first, second)
    )
    estimates = [row.points_per_hand for row in rows]
    return _ranked(rows, ranges, estimates, strengths.groups)


def _by_elo(rows: Sequence[Standing], ratings: Ratings) -> tuple[Standing, ...]:
    ranges = rank_ranges(range(len(rows)), ratings.is_better)
    return _ranked(rows, ranges, [row.elo for row in rows], ratings.strengths.groups)


def _ranked(
    rows: Sequence[Standing],
    ranges: Sequence[RankRange],
    estimates: Sequence[Estimate],
    groups: Sequence[tuple[int, ...]],
) -> tuple[Standing, ...]:
    """Best first: group by group, those without an upper bound on top, without a lower last."""

    def precedence(entrant: int) -> tuple[int, int, float, str]:
        estimate = estimates[entrant]
        group = next(at for at, members in enumerate(groups) if entrant in members)
        tier, number = _tier(estimate)
        on_main_scale = tier in (0, 2) or group == 0
        return 0 if on_main_scale else group, tier, -number, rows[entrant].entrant

    return tuple(
        replace(rows[entrant], rank_best=ranges[entrant].best, rank_worst=ranges[entrant].worst)
        for entrant in sorted(range(len(rows)), key=precedence)
    )


def _tier(estimate: Estimate) -> tuple[int, float]:
    if estimate.value is not None:
        return 1, estimate.value
    if estimate.low is not None:
        return 0, estimate.low
    if estimate.high is not None:
        return 2, estimate.high
    return 3, 0.0
