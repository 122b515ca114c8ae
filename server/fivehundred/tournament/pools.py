"""Pools: the whole boards of many tournaments, kept apart where they cannot be compared.

A player is a bot of one version, ``name@version``, under whatever entrants' names it has played. A
pool is one rule set, one table size, one team form and one event form. A deal is known by the
secret that it was derived from and its board, so that a tournament that is given twice, or again in
a copy of its database, counts once; deals are the clusters of every error.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import TypeVar

import numpy as np

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.board_results import board_finishes, game_finishes, points_of
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.whole_boards import WholeBoards, latest, whole_boards

Value = TypeVar("Value", bound=Hashable)

Key = tuple[int, int, int, int, int]
"""Of a hand in its tournament: match, board, seating, hand, attempt."""

Team = tuple[str, ...]
"""The players who score together, sorted; a player alone where a side is one bot."""


class TeamForm(Enum):
    """Who scores together."""

    SIDES = "sides"
    """Partners who are one bot."""
    MIXED = "mixed teams"
    """Partners who are different bots."""
    SOLO = "solo"
    """Nobody."""


class EventForm(Enum):
    """What a board is."""

    BOARDS = "boards"
    """One deal; points per hand rank."""
    GAMES = "games"
    """A sequence of deals to the target; Elo ranks."""


@dataclass(frozen=True, slots=True)
class PoolKey:
    """What all boards of a pool have in common."""

    rules_hash: bytes
    slots: int
    """How many entrants meet in a match: the table size."""
    team: TeamForm
    event: EventForm

    def order(self) -> tuple[bytes, int, str, str]:
        """Where a list of pools has it."""
        return self.rules_hash, self.slots, self.team.value, self.event.value


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament, as far as its boards depend on it."""

    name: str
    commitment: bytes
    """Of its seed; tells tournaments of one name apart."""
    secret: bytes
    """From which its deals are derived."""
    rules: RuleSet
    rules_hash: bytes
    games: bool
    create_time_us: int = 0


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand with who played it and how."""

    line: HandLine
    players: tuple[str, ...]
    """By seat."""
    play: bytes
    """A digest of everything dealt, decided and scored, and of the players: equal for repeats."""
    place: int = 0
    """In the log."""


@dataclass(frozen=True, slots=True)
class Finish:
    """How a board or a game came out."""

    levels: tuple[int, ...]
    """By team: 0 for the best, equal where they are level."""
    is_open: bool
    """Whether those of the last level are merely beaten, not level among themselves."""


@dataclass(frozen=True, slots=True)
class Board:
    """A whole board: what it brought each team."""

    pool: PoolKey
    event: Event
    number: int
    play: bytes
    """Equal for exact repeats."""
    teams: tuple[Team, ...]
    points: tuple[float, ...]
    """Each team's mean per hand."""
    hands: int
    finishes: tuple[Finish, ...]
    """The board's own, or that of each of its games."""
    place: int
    """Of its last hand in the log."""

    @property
    def deal(self) -> tuple[bytes, int]:
        """What tells its deal, or its sequence of deals, from any other."""
        return self.event.secret, self.number

    @property
    def is_self_play(self) -> bool:
        """Whether all its teams are the same."""
        return len(set(self.teams)) == 1

    def players(self) -> set[str]:
        """Everybody at its table."""
        return {player for team in self.teams for player in team}

    def precedence(self) -> tuple[bytes, int, bytes, str, bytes, int, int]:
        """A place among boards that no order of reading changes."""
        event = self.event
        known = event.name, event.commitment, event.create_time_us, self.place
        return *self.deal, self.play, *known


@dataclass(frozen=True, slots=True)
class Counted:
    """The whole boards of a tournament, and how many hands are of none."""

    boards: tuple[Board, ...]
    loose: int
    """Hands of boards that are not whole, or whose attempt was void."""
    changed: int
    """Whole boards in the midst of which an entrant's bot changed its version; left out."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a tournament has brought into a pool."""

    name: str
    commitment: bytes
    boards: int
    """Repeats and self-play included."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The boards of a pool, sorted, each once."""

    key: PoolKey
    rules: RuleSet
    boards: tuple[Board, ...]
    """Without self-play."""
    tournaments: tuple[Share, ...]
    """Each once, whatever the number of its copies."""
    self_play: int
    """Boards whose teams were all the same; they say nothing of strength."""
    uneven_self_play: int
    """Those of them in which equal teams scored differently: their bot is not deterministic."""
    repeats: int
    """Boards that were exact repeats of others, and were left out."""

    def players(self) -> tuple[str, ...]:
        """Everybody who has played, by name."""
        return tuple(sorted(set().union(*(board.players() for board in self.boards))))


def team_form(rules: RuleSet, slots: int) -> TeamForm:
    """The form of a table of so many entrants."""
    if rules.sides == rules.players:
        return TeamForm.SOLO
    return TeamForm.MIXED if slots == rules.players else TeamForm.SIDES


def counted(event: Event, hands: Iterable[PlayedHand]) -> Counted:
    """The whole boards of a tournament's hands, in whatever order these are given."""
    told = {_key(hand.line): hand for hand in hands}
    boards: list[Board] = []
    whole = changed = 0
    for tables in _whole(event, [hand.line for hand in told.values()]):
        key = _pool_key(event, tables.slots)
        for table, result in zip(_hands(tables, told), _results(tables, event), strict=True):
            whole += len(table)
            if _is_steady(table):
                boards.append(_board(event, key, table, result))
            else:
                changed += 1
    return Counted(tuple(boards), len(told) - whole, changed)


def pools(boards: Iterable[Board]) -> tuple[Pool, ...]:
    """The pools of boards, in whatever order these are given; exact repeats count once."""
    found: dict[PoolKey, list[Board]] = defaultdict(list)
    for board in boards:
        found[board.pool].append(board)
    keys = sorted(found, key=PoolKey.order)
    return tuple(_pool(key, sorted(found[key], key=Board.precedence)) for key in keys)


def _pool(key: PoolKey, boards: Sequence[Board]) -> Pool:
    once = list({(*board.deal, board.play): board for board in reversed(boards)}.values())[::-1]
    own = [board for board in once if board.is_self_play]
    return Pool(
        key=key,
        rules=boards[0].event.rules,
        boards=tuple(board for board in once if not board.is_self_play),
        tournaments=tuple(_shares(boards)),
        self_play=len(own),
        uneven_self_play=sum(len(set(board.points)) > 1 for board in own),
        repeats=len(boards) - len(once),
    )


def _shares(boards: Iterable[Board]) -> Iterator[Share]:
    found: dict[tuple[str, bytes], set[tuple[bytes, int, bytes]]] = defaultdict(set)
    for board in boards:
        found[board.event.name, board.event.commitment].add((*board.deal, board.play))
    for (name, commitment), plays in sorted(found.items()):
        yield Share(name, commitment, len(plays))


@dataclass(frozen=True, slots=True)
class _Result:
    """What a board came to, by team of entrants."""

    teams: tuple[tuple[int, ...], ...]
    points: tuple[float, ...]
    finishes: tuple[Finish, ...]


def _whole(event: Event, lines: Sequence[HandLine]) -> list[WholeBoards]:
    if not lines:
        return []
    rows = HandColumns(lines).rows()
    kept = rows.chosen(latest(rows, games=event.games))
    return whole_boards(kept, event.rules, games=event.games)


def _hands(tables: WholeBoards, told: Mapping[Key, PlayedHand]) -> Iterator[list[PlayedHand]]:
    """The hands of each board."""
    hands = tables.hands
    columns = (hands.match, hands.board, hands.seating, hands.hand, hands.attempt)
    keys = list(zip(*(column.tolist() for column in columns), strict=True))
    edges = [*tables.starts.tolist(), len(keys)]
    for start, end in pairwise(edges):
        yield [told[key] for key in keys[start:end]]


def _results(tables: WholeBoards, event: Event) -> Iterator[_Result]:
    """What each board came to."""
    points = points_of(tables, event.rules)
    if event.games:
        games = game_finishes(tables, event.rules)
        ends = np.flatnonzero(tables.hands.is_over)
        board = np.searchsorted(tables.starts, ends, side="right") - 1
    else:
        games, board = board_finishes(points), np.arange(len(points.board))
    finishes: dict[int, list[Finish]] = defaultdict(list)
    rows = zip(board.tolist(), games.level.tolist(), games.is_open.tolist(), strict=True)
    for at, levels, is_open in rows:
        finishes[at].append(Finish(tuple(levels), is_open))
    named = zip(points.teams.tolist(), points.points.tolist(), strict=True)
    for at, (teams, brought) in enumerate(named):
        yield _Result(tuple(map(tuple, teams)), tuple(brought), tuple(finishes[at]))


def _key(line: HandLine) -> Key:
    return line.match, line.board, line.seating, line.hand, line.attempt


def _is_steady(table: Iterable[PlayedHand]) -> bool:
    """Whether every entrant is one player throughout."""
    players: dict[int, str] = {}
    return all(
        players.setdefault(entrant, player) == player
        for hand in table
        for entrant, player in zip(hand.line.entrants, hand.players, strict=True)
    )


def _pool_key(event: Event, slots: int) -> PoolKey:
    form = EventForm.GAMES if event.games else EventForm.BOARDS
    return PoolKey(event.rules_hash, slots, team_form(event.rules, slots), form)


def _board(event: Event, pool: PoolKey, table: Sequence[PlayedHand], result: _Result) -> Board:
    player = dict(zip(table[0].line.entrants, table[0].players, strict=True))
    teams = [tuple(sorted(player[entrant] for entrant in team)) for team in result.teams]
    order = sorted(range(len(teams)), key=lambda at: (teams[at], result.points[at]))
    return Board(
        pool=pool,
        event=event,
        number=table[0].line.board,
        play=sha256(b"".join(sorted(hand.play for hand in table))).digest(),
        teams=_shared(tuple(teams[at] for at in order)),
        points=tuple(result.points[at] for at in order),
        hands=len(table),
        finishes=_shared(
            tuple(
                Finish(tuple(finish.levels[at] for at in order), finish.is_open)
                for finish in result.finishes
            )
        ),
        place=max(hand.place for hand in table),
    )


@lru_cache(maxsize=1 << 16)
def _shared(value: Value) -> Value:
    """One value for all that are equal: what very many boards have in common takes little room."""
    return value
