"""What earlier tournaments of a database teach the planning of another.

Those count that played the same rule set, with as many entrants a match and the same kind of play,
newest first, as far as a number of hands goes.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import add

from fivehundred.storage.results import hand_line
from fivehundred.storage.store import Store
from fivehundred.storage.values import StoredHand, StoredTournament
from fivehundred.table.clocks import kind_of
from fivehundred.table.values import AskKind, TimeControl
from fivehundred.tournament.board_results import (
    Finishes,
    Points,
    board_finishes,
    game_finishes,
    points_of,
)
from fivehundred.tournament.formats.forms import LadderForm, SequentialForm
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.planning import Event, Known
from fivehundred.tournament.planning.costs import Decisions, Limits, Pace
from fivehundred.tournament.planning.courses import beside
from fivehundred.tournament.planning.evidence import (
    BoardResult,
    BoardWins,
    Table,
    measured_elo,
    measured_points,
    table_of,
)
from fivehundred.tournament.whole_boards import latest, whole_boards
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import NotFound, SpecError
from fivehundred.wire.record import record_to_bytes
from fivehundred.wire.ruleset import rules_hash
from fivehundred.wire.spec import Plan, check_spec

MOST_HANDS = 40_000
"""So many hands are read, unless told otherwise."""
OVERHEAD_BYTES = 350
"""Of a hand beside its record: its key, digest, checksum, indexes and event."""
US = 1e6

Wins = tuple[tuple[float, ...], ...]
"""By team, how often it has beaten each other one."""

OnProgress = Callable[[int, int], None]
"""Is told how many hands have been read, and how many there are to read."""


def event_of(plan: Plan) -> Event:
    """What planning needs to know of a tournament's definition."""
    return Event(
        rules=plan.rules,
        names=tuple(entrant.name for entrant in plan.entrants),
        form=plan.form,
        boards_per_match=plan.boards_per_match,
        games=plan.games,
        max_deals=plan.max_deals,
        common=plan.common_boards,
        tables=plan.tables,
        limits=_limits(plan.time),
        anchor=plan.anchor,
        is_launched=any(entrant.launch is not None for entrant in plan.entrants),
    )


def known_from(
    store: Store,
    plan: Plan,
    most_hands: int = MOST_HANDS,
    on_progress: OnProgress = lambda done, total: None,
) -> Known:
    """What the tournaments of a database teach.

    Where the planned one is among them, only those before it: what could be known beforehand.
    """
    found = _alike(store, plan, most_hands)
    if not found:
        return Known(remark=_why_nothing(store, plan.name))
    total = sum(hands for _, _, hands in found)
    measured = _Measured()
    for stored, earlier, hands in found:
        measured.take(
            _Reading(stored, earlier).all_of(store, hands, measured.hands, total, on_progress)
        )
    return measured.known()


def _alike(store: Store, plan: Plan, most_hands: int) -> list[tuple[StoredTournament, Plan, int]]:
    """The tournaments that count, and how many hands of each are read."""
    found = []
    left, wanted = most_hands, rules_hash(plan.rules)
    for stored in _stored_before(store, plan.name):
        if stored.rules_hash != wanted or left <= 0:
            continue
        earlier = _plan_of(stored)
        if earlier is None or not _is_alike(earlier, plan):
            continue
        hands = min(left, store.hand_count(stored.name))
        if hands:
            found.append((stored, earlier, hands))
            left -= hands
    return found


def _stored_before(store: Store, name: str) -> Iterator[StoredTournament]:
    """The tournaments before one of a name, or all where there is none; newest first."""
    try:
        after: str | None = store.tournament(name).name
    except NotFound:
        after = None
    return store.all_tournaments(after)


def _why_nothing(store: Store, name: str) -> str:
    """Why nothing of a database could be measured on."""
    try:
        store.tournament(name)
    except NotFound:
        return "no tournament in it has hands of the same rules, table size and play"
    return (
        f"{name!r} is in it, so that only earlier tournaments count, and none has hands of the same"
        " rules, table size and play"
    )


def _plan_of(stored: StoredTournament) -> Plan | None:
    """Its plan; None where this version cannot read it any more."""
    try:
        return check_spec(tournament_pb2.TournamentSpec.FromString(stored.spec))
    except SpecError:
        return None


def _is_alike(one: Plan, other: Plan) -> bool:
    return one.games == other.games and _slots(one) == _slots(other)


def _slots(plan: Plan) -> int:
    return plan.form.slots(plan.rules, len(plan.entrants))


@dataclass(slots=True)
class _Measured:
    """Sums over tournaments."""

    points: list[BoardResult] = field(default_factory=list)
    wins: list[BoardWins] = field(default_factory=list)
    kinds: Counter[AskKind] = field(default_factory=Counter)
    elapsed_us: int = 0
    bytes: int = 0
    hands: int = 0
    games: int = 0
    busy: float = 0.0
    """Tables at once, by hands."""
    names: list[str] = field(default_factory=list)

    def take(self, other: "_Measured") -> None:
        """Adds another's sums."""
        self.points += other.points
        self.wins += other.wins
        self.kinds += other.kinds
        self.elapsed_us += other.elapsed_us
        self.bytes += other.bytes
        self.hands += other.hands
        self.games += other.games
        self.busy += other.busy
        self.names += other.names

    def known(self) -> Known:
        """What they teach."""
        if not self.hands:
            return Known()
        each = Decisions(*(self.kinds[kind] / self.hands for kind in AskKind))
        answers_s = self.elapsed_us / US / self.hands
        return Known(
            points=measured_points(self.points, self.names),
            elo=measured_elo(self.wins, self.names),
            decisions=each,
            pace=Pace(answers_s, self.busy / self.hands) if answers_s > 0 else None,
            bytes_a_hand=self.bytes / self.hands + OVERHEAD_BYTES,
            hands_a_game=self.hands / self.games if self.games else None,
            sources=tuple(self.names),
        )


def _beside(plan: Plan) -> float:
    """How many matches were under way at once."""
    form = plan.form
    if isinstance(form, SequentialForm):
        return min(plan.tables, form.ahead)
    if isinstance(form, LadderForm) and form.matches is None:
        return min(plan.tables, form.ahead)
    return beside(form.format(plan.rules, len(plan.entrants)), plan.tables)


class _Reading:
    """Reads the hands of one tournament."""

    def __init__(self, stored: StoredTournament, plan: Plan) -> None:
        self._stored = stored
        self._plan = plan
        self._lines = HandColumns()
        self._sums = _Measured()

    def all_of(
        self, store: Store, hands: int, before: int, total: int, on_progress: OnProgress
    ) -> _Measured:
        """The sums of so many of its hands."""
        for number, hand in enumerate(store.hands(self._stored.name), start=1):
            self._add(hand)
            on_progress(before + number, total)
            if number == hands:
                break
        self._add_boards()
        plan, sums = self._plan, self._sums
        sums.busy = sums.hands * _beside(plan)
        sums.names.append(f"{self._stored.name} ({sums.hands:,} hands)")
        return sums

    def _add(self, hand: StoredHand) -> None:
        sums, record = self._sums, hand.record
        self._lines.append(hand_line(record, self._plan.rules))
        sums.hands += 1
        sums.games += record.ended.result.game_over
        sums.bytes += len(record_to_bytes(record)[0])
        for decided in record.decisions:
            sums.kinds[kind_of(decided.action)] += 1
            sums.elapsed_us += decided.receipt.elapsed_us

    def _add_boards(self) -> None:
        plan, rows = self._plan, self._lines.rows()
        counted = rows.chosen(latest(rows, games=plan.games))
        for boards in whole_boards(counted, plan.rules, games=plan.games):
            points = points_of(boards, plan.rules)
            self._sums.points += self._results(points)
            finishes = game_finishes(boards, plan.rules) if plan.games else board_finishes(points)
            self._sums.wins += self._wins(finishes)

    def _results(self, points: Points) -> Iterator[BoardResult]:
        columns = points.teams.tolist(), points.points.tolist(), points.hands.tolist()
        for teams, values, hands in zip(*columns, strict=True):
            table, order = self._table(teams)
            yield BoardResult(table, tuple(values[at] for at in order), hands)

    def _wins(self, finishes: Finishes) -> Iterator[BoardWins]:
        """By board, over its games, who has beaten whom."""
        found: dict[tuple[int, Table], Wins] = {}
        columns = finishes.board.tolist(), finishes.teams.tolist(), finishes.level.tolist()
        for board, teams, levels, is_open in zip(*columns, finishes.is_open.tolist(), strict=True):
            table, order = self._table(teams)
            placed = [levels[at] for at in order]
            game = _beaten(placed, is_open=is_open)
            before = found.get((board, table))
            found[board, table] = game if before is None else _sum(before, game)
        return (BoardWins(table, wins) for (_, table), wins in found.items())

    def _table(self, teams: Sequence[Sequence[int]]) -> tuple[Table, list[int]]:
        """The table of a row's teams, and the place of each of its teams in the row."""
        names = [tuple(sorted(self._plan.entrants[at].name for at in team)) for team in teams]
        order = sorted(range(len(names)), key=names.__getitem__)
        return table_of(names), order


def _sum(one: Wins, other: Wins) -> Wins:
    return tuple(tuple(map(add, first, second)) for first, second in zip(one, other, strict=True))


def _beaten(levels: Sequence[int], *, is_open: bool) -> Wins:
    """By team and team what a game brought; the last level counts only where it is not open."""
    last = max(levels)

    def part(one: int, other: int) -> float:
        if levels[one] != levels[other]:
            return float(levels[one] < levels[other])
        return 0.0 if one == other or (is_open and levels[one] == last) else 0.5

    teams = range(len(levels))
    return tuple(tuple(part(one, other) for other in teams) for one in teams)


def _limits(time: TimeControl) -> Limits:
    return Limits(
        bid=time.bid_us / US,
        discard=time.discard_us / US,
        play=time.play_us / US,
        bank=time.bank_us / US,
        increment=time.increment_us / US,
        first=time.first_decision_us / US,
        connect=time.connect_us / US,
    )
