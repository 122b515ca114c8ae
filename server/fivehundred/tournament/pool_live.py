"""Running ratings of a pool, for live display only: they depend on the order of the log.

Tournaments follow one another by the time of their creation, the boards of each in the order of
its log, so that the order in which databases are named does not show.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from fivehundred.ratings import live
from fivehundred.ratings.live import Result
from fivehundred.tournament.pools import Board, Pool


@dataclass(frozen=True, slots=True)
class LiveRating:
    """A player's running numbers."""

    player: str
    elo: float
    mu: float | None
    """Of openskill; None where it is not installed, or the player sat on several sides only."""
    sigma: float | None


def live_ratings(pool: Pool) -> tuple[LiveRating, ...]:
    """The running ratings, best Elo first."""
    names = pool.players()
    number = {name: at for at, name in enumerate(names)}
    results = list(_results(pool, number))
    elo = live.replay(results)
    skills = _skills(results)
    rows = [
        LiveRating(name, elo[at], *skills.get(at, (None, None))) for at, name in enumerate(names)
    ]
    return tuple(sorted(rows, key=lambda row: (-row.elo, row.player)))


def has_openskill() -> bool:
    """Whether the optional library is installed."""
    return find_spec("openskill") is not None


def _results(pool: Pool, number: dict[str, int]) -> Iterator[Result]:
    for board in sorted(pool.boards, key=_time):
        sides = tuple(tuple(number[player] for player in team) for team in board.teams)
        for finish in board.finishes:
            yield Result(sides, tuple(1 + level for level in finish.levels))


def _time(board: Board) -> tuple[int, str, bytes, int, bytes]:
    event = board.event
    return event.create_time_us, event.name, event.commitment, board.place, board.play


def _skills(results: Sequence[Result]) -> dict[int, tuple[float, float]]:
    if not has_openskill():
        return {}
    from fivehundred.ratings import live_skill

    apart = [result for result in results if _is_apart(result)]
    skills = live_skill.replay(apart)
    return {player: (skill.mu, skill.sigma) for player, skill in skills.items()}


def _is_apart(result: Result) -> bool:
    """Whether nobody sits on several sides."""
    sides = [set(side) for side in result.sides]
    return len(set().union(*sides)) == sum(map(len, sides))
