"""Facts of hands beyond the result: dealer, contract, time, lag, faults, and what was decided."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fivehundred.rules.bids import ladder
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import (
    NOBODY,
    Flags,
    HandColumns,
    HandRows,
    Numbers,
)
from fivehundred.tournament.whole_boards import latest, whole_boards

NO_CONTRACT = -1
SPECIAL = 0
"""The level of a special bid."""
NOT_KNOWN = -1
"""The time, or the player, of a hand whose log does not tell it."""
FIXED = 11
"""How many numbers of a hand do not depend on the size of the table."""


@dataclass(frozen=True, slots=True)
class ContractFacts:
    """What was promised and by whom, and the tricks that came of it."""

    bid: str
    """As it is written, such as ``7H`` or ``MIS``."""
    level: int
    """`SPECIAL` for a special bid."""
    contractor: int
    """His seat."""
    sides: tuple[int, ...]
    """The contractor's, and those of the partners whom he has found."""
    over: int
    """Tricks above the promise, below it where negative; for a lose-all bid minus those taken."""


@dataclass(frozen=True, slots=True)
class HandFacts:
    """One hand; ``line`` is what the standings know of it."""

    line: HandLine
    number: int
    """The hand's id: ids rise in the order in which hands were stored."""
    dealer: int
    bots: tuple[str, ...]
    """``name@version`` by seat."""
    decisions: tuple[int, ...]
    """How many decisions each seat made."""
    charged_us: tuple[int, ...]
    """What they were charged in all, by seat."""
    lag_us: int
    """The daemon's own lag inside the hand's first decisions, as many as there are seats.

    Every hand has those, unless it was forfeited before, however long it is: nothing that happens
    in a hand bears on them."""
    course: int
    """63 bits of a digest of all that was decided, in order."""
    contract: ContractFacts | None = None
    """None where nobody declared."""
    stored_time_us: int | None = None
    """When it was stored, in microseconds since 1970; None where the log does not tell."""
    player: str | None = None
    """The machine and worker process that played it, such as ``host/0``; None as above."""


@dataclass(frozen=True, slots=True, eq=False)
class FactRows:
    """Very many hands, a column for each fact."""

    hands: HandRows
    number: Numbers
    dealer: Numbers
    bots: Numbers
    """By hand and seat the place among the names."""
    decisions: Numbers
    """By hand and seat."""
    charged_us: Numbers
    """By hand and seat."""
    faults: Numbers
    """By hand and seat."""
    lag_us: Numbers
    course: Numbers
    contractor: Numbers
    """His seat; `NOBODY` where nobody declared."""
    bid: Numbers
    """The place among the bids; `NO_CONTRACT` where nobody declared."""
    level: Numbers
    contracting: Flags
    """By hand and side."""
    over: Numbers
    stored_time_us: Numbers
    """`NOT_KNOWN` where the log does not tell."""
    player: Numbers
    """The place among the players' names; `NOT_KNOWN` where the log does not tell."""

    def __len__(self) -> int:
        return len(self.number)

    def chosen(self, rows: Numbers | Flags) -> "FactRows":
        """Some of the hands."""
        return FactRows(
            self.hands.chosen(rows),
            self.number[rows],
            self.dealer[rows],
            self.bots[rows],
            self.decisions[rows],
            self.charged_us[rows],
            self.faults[rows],
            self.lag_us[rows],
            self.course[rows],
            self.contractor[rows],
            self.bid[rows],
            self.level[rows],
            self.contracting[rows],
            self.over[rows],
            self.stored_time_us[rows],
            self.player[rows],
        )


class FactColumns:
    """Facts of hands of one rule set as columns that grow; no record is kept."""

    def __init__(self, rules: RuleSet, facts: Iterable[HandFacts] = ()) -> None:
        self.rules = rules
        self.bot_names: list[str] = []
        """The bots seen so far, ``name@version``."""
        self.player_names: list[str] = []
        """The machines and worker processes seen so far."""
        self.bids = [str(bid) for bid in ladder(rules)]
        """All bids of the rules, from low to high."""
        self._places: dict[str, int] = {}
        self._player_places: dict[str, int] = {}
        self._bid_places = {bid: place for place, bid in enumerate(self.bids)}
        self._lines = HandColumns()
        self._numbers = array("q")
        for hand in facts:
            self.append(hand)

    def __len__(self) -> int:
        return len(self._lines)

    def append(self, hand: HandFacts) -> None:
        """Append a hand."""
        self._lines.append(hand.line)
        contract = hand.contract
        faults = [0] * self.rules.players
        for seat, _ in hand.line.faults:
            faults[seat] += 1
        sides = 0 if contract is None else sum(1 << side for side in contract.sides)
        self._numbers.extend(
            (
                hand.number,
                hand.dealer,
                hand.lag_us,
                hand.course,
                NO_CONTRACT if contract is None else self._bid_places[contract.bid],
                NO_CONTRACT if contract is None else contract.level,
                sides,
                0 if contract is None else contract.over,
                NOBODY if contract is None else contract.contractor,
                NOT_KNOWN if hand.stored_time_us is None else hand.stored_time_us,
                NOT_KNOWN
                if hand.player is None
                else _place(self._player_places, self.player_names, hand.player),
                *(_place(self._places, self.bot_names, bot) for bot in hand.bots),
                *hand.decisions,
                *hand.charged_us,
                *faults,
            )
        )

    def rows(self) -> FactRows:
        """All hands, in the order in which they came."""
        seats, sides = self.rules.players, self.rules.sides
        table = np.array(self._numbers, dtype=np.int64).reshape(-1, FIXED + 4 * seats)
        by_seat = [table[:, FIXED + part * seats : FIXED + (part + 1) * seats] for part in range(4)]
        hands = self._lines.rows()
        if not len(table):
            hands = _shaped(hands, seats, sides)
        return FactRows(
            hands=hands,
            number=table[:, 0],
            dealer=table[:, 1],
            bots=by_seat[0],
            decisions=by_seat[1],
            charged_us=by_seat[2],
            faults=by_seat[3],
            lag_us=table[:, 2],
            course=table[:, 3],
            contractor=table[:, 8],
            bid=table[:, 4],
            level=table[:, 5],
            contracting=(table[:, 6:7] >> np.arange(sides) & 1).astype(np.bool_),
            over=table[:, 7],
            stored_time_us=table[:, 9],
            player=table[:, 10],
        )

    def counted(self, *, games: bool) -> FactRows:
        """The hands of whole boards, as they count for the standings, in the order of their keys.

        ``games``: boards are games to the target, not single hands.
        """
        rows = self.rows()
        newest = rows.chosen(latest(rows.hands, games=games))
        whole = np.zeros(len(newest), dtype=np.bool_)
        place = _board_places(newest.hands)
        for boards in whole_boards(newest.hands, self.rules, games=games):
            whole |= np.isin(place, _board_places(boards.hands))
        return newest.chosen(whole)


def _place(places: dict[str, int], names: list[str], name: str) -> int:
    """The place of a name among the names, at whose end it comes where it is new."""
    if name not in places:
        places[name] = len(names)
        names.append(name)
    return places[name]


def _board_places(hands: HandRows) -> Numbers:
    """A number for each match and board."""
    return hands.match << 32 | hands.board


def _shaped(hands: HandRows, seats: int, sides: int) -> HandRows:
    """No hands, as columns of the right widths."""
    blank = np.zeros((0, seats), dtype=np.int64)
    empty = hands.match[:0]
    none = empty.astype(np.bool_)
    change = np.zeros((0, sides), dtype=np.int64)
    return HandRows(
        empty, empty, empty, empty, empty, blank, change, empty, none, empty, none, empty
    )
