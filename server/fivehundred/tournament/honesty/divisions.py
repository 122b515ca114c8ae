"""Divisions: the boards in parts that should be alike.

* *stretch*: eight equal parts in the order in which the boards were stored.
* *lag*: four parts by how late the daemon's own machine was in the first decisions of the board's
  hands, one of each seat, as the mean of a decision. Lag summed over a hand would grow with its
  length, and the mean over all its decisions with how many of them are cards; both follow what
  happened in the hand. These come before it.
* *hour*: the calendar hour (UTC) in which a board's last hand was stored; of an event of many hours
  the parts are of some hours, so that there are not too many.
* *hour of day*: the same hour of every day together.
* *machine* and *process*: who played the board's last hand, the machine or its worker process.

What a log does not tell of a board puts it in no part. A division of one part says nothing and is
left out, and so is one that divides the boards as an earlier one of its kind does.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np

from fivehundred.tournament.honesty.designs import BoardRows
from fivehundred.tournament.honesty.facts import NOT_KNOWN, FactRows
from fivehundred.tournament.lines import Flags, Numbers

STRETCH = "stretch"
LAG = "lag"
HOUR = "hour"
HOUR_OF_DAY = "hour of day"
MACHINE = "machine"
PROCESS = "process"

STRETCHES = 8
LAGS = 4
MOST_HOURS = 24
"""Parts by calendar hour; the more there are, the less each can tell."""
WIDTHS = (1, 2, 3, 4, 6, 8, 12)
"""Hours in a part, before whole days."""
DAY = 24
HOUR_US = 3_600_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """A division of the boards."""

    by: str
    names: tuple[str, ...]
    """Of the parts, in order."""
    of_board: Numbers
    """By board its part; `NOT_KNOWN` where it is in none."""


def divisions(facts: FactRows, boards: BoardRows, players: Sequence[str]) -> list[Division]:
    """All that say something; ``players`` are the names of the facts' players."""
    last = _last_hands(facts, boards)
    found = [_stretches(facts.number[last]), _lags(facts, boards)]
    found += _unlike(_by_time(facts.stored_time_us[last]))
    found += _unlike(_by_player(facts.player[last], players))
    return [division for division in found if len(division.names) > 1]


def _last_hands(facts: FactRows, boards: BoardRows) -> Numbers:
    """By board the hand that was stored last, as a place among the hands."""
    in_order = np.lexsort((facts.number, boards.of_hand))
    ends = np.cumsum(np.bincount(boards.of_hand)) - 1
    return np.asarray(in_order[ends])


def _unlike(found: Iterator[Division]) -> Iterator[Division]:
    """Those that do not divide the boards just as an earlier one does."""
    seen: list[Numbers] = []
    for division in found:
        if not any(_is_same(division.of_board, other) for other in seen):
            yield division
        seen.append(division.of_board)


def _is_same(one: Numbers, other: Numbers) -> bool:
    pairs = len(np.unique(np.stack([one, other]), axis=1).T)
    return pairs == len(np.unique(one)) == len(np.unique(other))


def _stretches(number: Numbers) -> Division:
    """Equal parts by when a board's last hand was stored."""
    parts = min(STRETCHES, len(number))
    rank = np.argsort(np.argsort(number, kind="stable"), kind="stable")
    names = tuple(f"{at + 1} of {parts}" for at in range(parts))
    return Division(STRETCH, names, rank * parts // len(number))


def _lags(facts: FactRows, boards: BoardRows) -> Division:
    """Parts by lag, equal as far as equal lags allow; a board without a decision is in none."""
    seats = facts.decisions.shape[1]
    decisions = np.bincount(boards.of_hand, np.minimum(facts.decisions.sum(axis=1), seats))
    is_known = decisions > 0
    lag = np.bincount(boards.of_hand, facts.lag_us)[is_known] / decisions[is_known]
    of_board = np.full(len(decisions), NOT_KNOWN, dtype=np.int64)
    if not len(lag):
        return Division(LAG, (), of_board)
    bounds = np.unique(np.quantile(lag, np.arange(1, LAGS) / LAGS, method="inverted_cdf"))
    part = np.searchsorted(bounds, lag, side="left")
    kept, of_board[is_known] = np.unique(part, return_inverse=True)
    tops = [float(lag[part == each].max()) / 1000 for each in kept]
    return Division(LAG, tuple(f"up to {top:.3g} ms a decision" for top in tops), of_board)


def _by_time(time_us: Numbers) -> Iterator[Division]:
    is_known = time_us != NOT_KNOWN
    hour = time_us // HOUR_US
    width = _width(hour[is_known])
    yield _division(HOUR, hour // width, is_known, lambda at: _calendar(at * width, width))
    yield _division(HOUR_OF_DAY, hour % DAY, is_known, lambda at: f"{at:02d} UTC")


def _width(hours: Numbers) -> int:
    """How many hours are a part, so that there are not too many parts."""
    widths = chain(WIDTHS, (DAY << doubled for doubled in count()))
    return next(each for each in widths if len(np.unique(hours // each)) <= MOST_HOURS)


def _calendar(hour: int, width: int) -> str:
    start = f"{np.datetime64(hour, 'h')}".replace("T", " ") + ":00 UTC"
    return start if width == 1 else f"{start} and {width - 1} h on"


def _by_player(player: Numbers, players: Sequence[str]) -> Iterator[Division]:
    is_known = player != NOT_KNOWN
    machines = sorted({_machine(name) for name in players})
    processes = sorted(players, key=_order)
    for by, names, name_of in ((MACHINE, machines, _machine), (PROCESS, processes, str)):
        place = np.array([names.index(name_of(name)) for name in players] + [NOT_KNOWN])
        yield _division(by, place[player], is_known, names.__getitem__)


def _machine(player: str) -> str:
    return player.partition("/")[0]


def _order(player: str) -> tuple[str, int, str]:
    """A machine's daemon, then its workers by number."""
    machine, _, worker = player.partition("/")
    return machine, len(worker), worker


def _division(by: str, level: Numbers, is_known: Flags, name: Callable[[int], str]) -> Division:
    """The levels that there are, in order, as parts."""
    kept, part = np.unique(level[is_known], return_inverse=True)
    of_board = np.full(len(level), NOT_KNOWN, dtype=np.int64)
    of_board[is_known] = part
    return Division(by, tuple(map(name, kept.tolist())), of_board)
