"""Tables of different bots: all solo, or as partners who change, in balanced designs."""

from collections.abc import Iterator

from fivehundred.tournament.formats.designs import DIFFERENT, Design, Shape
from fivehundred.tournament.formats.orders import Order, imbalance, orders
from fivehundred.tournament.formats.values import Pairing, entrants_of


class DesignedTables:
    """The tables of a design, cycle after cycle; a sequence of pairings by number.

    To add cycles changes none of those before. Base tables are found as they are needed, or all
    with `find`.
    """

    def __init__(self, shape: Shape, entrants: int, cycles: int, seed: int) -> None:
        self._design = Design(shape, entrants, seed)
        self._cycles = cycles
        self._round_length = self._design.length * self._design.circle.length

    def __len__(self) -> int:
        return self._round_length * self._cycles

    def __getitem__(self, number: int) -> Pairing:
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} pairings, no number {number}")
        cycle, at = divmod(number, self._round_length)
        by, base = divmod(at, self._design.length)
        table = self._design.circle.moved(self._design.cycle(cycle)[base], by)
        return Pairing(number, cycle, table)

    def __iter__(self) -> Iterator[Pairing]:
        return (self[number] for number in range(len(self)))

    def partner_imbalance(self) -> int:
        """How much oftener some pair are partners than another, over all cycles."""
        return self._design.partner_imbalance(self._cycles)

    def opponent_imbalance(self) -> int:
        """How much oftener some pair are opponents than another, over all cycles."""
        return self._design.opponent_imbalance(self._cycles)

    def seat_imbalance(self) -> int:
        """How many more matches one sits in at some distance to another, over all cycles.

        Counted at solo tables of four and more, which play in rotations; three play in all orders.
        """
        return self._design.seat_imbalance(self._cycles)

    def find(self) -> None:
        """Finds all base tables that are needed; seconds of search for larger fields."""
        self._design.cycle(min(self._cycles, DIFFERENT) - 1)


class OneTable:
    """A field that is one solo table: the same entrants, in an order that changes."""

    def __init__(self, entrants: int, cycles: int) -> None:
        self._orders = orders(entrants)
        self._entrants = entrants
        self._cycles = cycles

    def __len__(self) -> int:
        return self._cycles

    def __getitem__(self, number: int) -> Pairing:
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} pairings, no number {number}")
        return Pairing(number, number, self._order(number))

    def __iter__(self) -> Iterator[Pairing]:
        return (self[number] for number in range(len(self)))

    def partner_imbalance(self) -> int:
        """Nobody has a partner."""
        return 0

    def opponent_imbalance(self) -> int:
        """Everybody meets everybody each time."""
        return 0

    def seat_imbalance(self) -> int:
        """How many more matches one sits in at some distance to another, over all cycles."""
        return imbalance(self._entrants, [self._order(cycle) for cycle in range(self._cycles)])

    def _order(self, cycle: int) -> Order:
        return self._orders[cycle % len(self._orders)]


def solo_tables(
    entrants: int, table_size: int, *, cycles: int = 1, seed: int = 0
) -> DesignedTables | OneTable:
    """Solo tables at which everybody meets everybody equally often, or nearly so.

    They are far fewer than all the tables of a round robin: about ``entrants`` squared a cycle.
    """
    if not 2 <= table_size <= entrants:
        raise ValueError(f"{entrants_of(entrants)} cannot fill tables of {table_size}")
    _check_cycles(cycles)
    if entrants == table_size:
        return OneTable(entrants, cycles)
    return DesignedTables(Shape(table_size, table_size), entrants, cycles, seed)


def mixed_teams(
    entrants: int, players: int, sides: int, *, cycles: int = 1, seed: int = 0
) -> DesignedTables:
    """Tables of different bots in teams, at which everybody has everybody as a partner.

    A slot is a seat of the first seating: slot s is of side ``s % sides``.
    """
    if players % sides or sides < 2 or players <= sides:
        raise ValueError(f"{players} players cannot be {sides} teams of two or more")
    if entrants < players:
        raise ValueError(
            f"{entrants_of(entrants)} cannot fill a table of {players} different ones:"
            f" {players} or more are right"
        )
    _check_cycles(cycles)
    return DesignedTables(Shape(players, sides), entrants, cycles, seed)


def _check_cycles(cycles: int) -> None:
    if cycles < 1:
        raise ValueError(f"{cycles} cycles have no match: 1 or more are right")
