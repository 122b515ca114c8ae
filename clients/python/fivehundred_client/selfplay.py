"""Self-play for training: many hands in lock step in one process, seen through numpy arrays.

::

    hands = SelfPlay(RuleSet(), 1024)
    views = hands.reset(seed=1)
    while training:
        actions = choose(views.legal, ...)          # one number a row, legal in its row
        rewards, done = hands.step(actions)         # views now show the next decisions

`fivehundred_client.arrays` tells what the arrays hold and how actions are numbered. A trained
policy plays in tournaments as a `BatchBot`, by the same arrays (`arrays.views_of`).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fivehundred.rules.actions import LegalExchange, LegalPlays
from fivehundred.rules.cards import JOKERS, Cards
from fivehundred.rules.errors import IllegalAction
from fivehundred.rules.hand import Hand, SeatView, Trick
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.dealing import deck_order
from fivehundred_client.arrays import (
    CARDS,
    Bools,
    Numbers,
    Settling,
    Step,
    Views,
    Writer,
    action_numbers,
    cards_as_bools,
    empty_views,
)

SECRET_BYTES = 32


class SelfPlay:
    """Hands that go on together, a choice each at every `step`.

    ``views`` shows each row what the seat in turn sees: its own view and nothing else. The arrays
    are always the same ones, written anew at every step: copy what is to be kept. ``hands`` are the
    hands behind them, which know all cards, and ``boards`` the boards that they are deals of.

    With ``auto_reset`` a row whose hand has ended shows the first decision of its next hand;
    otherwise its step is OVER, nothing is legal there and its actions are ignored until `reset`.
    """

    def __init__(self, rules: RuleSet, n: int, *, auto_reset: bool = True) -> None:
        self.rules = rules
        self.numbers = action_numbers(rules)
        self.views = empty_views(rules, n)
        self._blank = empty_views(rules, 1)
        self.hands: list[Hand] = []
        self.boards: list[int] = []
        self._n = n
        self._rows = np.arange(n)
        self._auto_reset = auto_reset
        self._secret = b""
        self._settling: dict[int, Settling] = {}
        self._restart()

    def reset(self, seed: int | bytes) -> Views:
        """Deal anew: row r has the deals of board r, then r + n, r + 2n and so on.

        Deals are those of a tournament with this secret of 32 bytes, or with this number as a
        secret, big-endian; board b has dealer b mod players.
        """
        self._secret = seed if isinstance(seed, bytes) else seed.to_bytes(SECRET_BYTES, "big")
        self._restart()
        self.boards = list(range(self._n))
        self.hands = [self.hand_of(board) for board in self.boards]
        for row in range(self._n):
            self._begin(row)
        self._spread()
        return self.views

    def step(self, actions: ArrayLike) -> tuple[Numbers, Bools]:
        """Carry out an action in each row; the change of each side's score, and where hands ended.

        The rewards have shape n, sides (int32) and are 0 where no hand has ended. Raises
        `IllegalAction`, and changes nothing, where an action is not legal. A row that is over
        takes any whole number, which is ignored.
        """
        if len(self.hands) != self._n:
            raise RuntimeError("reset first: no hand has been dealt")
        numbers = self._checked(np.asarray(actions))
        rewards = np.zeros((self._n, self.rules.sides), np.int32)
        done = np.zeros(self._n, np.bool_)
        for row, (hand, number) in enumerate(zip(self.hands, numbers, strict=True)):
            if hand.turn is None:
                continue
            self._choose(row, hand, number)
            if hand.result is not None:
                rewards[row] = hand.result.change
                done[row] = True
                self._end(row)
        self._spread()
        return rewards, done

    def hand_of(self, board: int) -> Hand:
        """The new hand of a board; to train on other deals or at other scores, override it.

        It is a `Hand` under ``rules`` in which nobody has called yet.
        """
        rules = self.rules
        dealer = board % rules.players
        cards = deck_order(self._secret, board, 0, 0, rules)
        return Hand(rules, deal(rules, cards, dealer), dealer, (0,) * rules.sides)

    def _checked(self, actions: NDArray[np.generic]) -> list[int]:
        if actions.shape != (self._n,) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(f"actions of shape {actions.shape}: give {self._n} whole numbers")
        numbers: list[int] = actions.tolist()
        size, legal = self.numbers.size, self.views.legal
        inside = all(0 <= number < size for number in numbers)
        if not inside or not legal[self._rows, actions].all():
            self._refuse(numbers)
        return numbers

    def _refuse(self, numbers: list[int]) -> None:
        """Raise for the first row whose action is not legal; rows that are over allow any."""
        for row, number in enumerate(numbers):
            inside = 0 <= number < self.numbers.size
            over = self.views.step[row] == Step.OVER
            if not over and not (inside and self.views.legal[row, number]):
                raise IllegalAction(f"action {number} is not legal in row {row}")

    def _restart(self) -> None:
        n = self._n
        self._writer = Writer(self.rules, self.views)
        self._settling.clear()
        self._holdings: list[Cards] = [0] * n
        self._plays: list[Cards] = [0] * n
        self._thrown: list[Cards] = [0] * n
        self._exposed: list[Cards] = [0] * n
        self._plain = [False] * n
        """Where only what `_spread` writes is legal."""
        self._shown: list[SeatView | None] = [None] * n

    def _begin(self, row: int) -> None:
        """Show a new hand."""
        for array, blank in zip(self.views.arrays(), self._blank.arrays(), strict=True):
            array[row] = blank[0]
        self._shown[row] = None
        self._show(row, self.hands[row])

    def _end(self, row: int) -> None:
        if self._auto_reset:
            self.boards[row] += self._n
            self.hands[row] = self.hand_of(self.boards[row])
            self._begin(row)
            return
        views = self.views
        views.step[row], views.seat[row], views.legal[row] = Step.OVER, -1, False
        self._plain[row] = False
        self._holdings[row] = self._thrown[row] = self._exposed[row] = self._plays[row] = 0

    def _choose(self, row: int, hand: Hand, number: int) -> None:
        settling = self._settling.get(row)
        if settling is None:
            hand.apply(self.numbers.action(number))
        else:
            settling.choose(number)
            if settling.step is not None:
                self._show_settling(row, settling)
                return
            del self._settling[row]
            hand.apply(settling.exchange)
        if hand.result is None:
            self._show(row, hand)

    def _show(self, row: int, hand: Hand) -> None:
        """Show what the seat in turn sees and may do."""
        assert hand.turn is not None
        legal = hand.legal()
        if isinstance(legal, LegalExchange):
            settling = Settling(self.numbers, legal)
            if settling.step is None:
                hand.apply(settling.exchange)
                self._show(row, hand)
                return
            self._settling[row] = settling
            self._show_view(row, hand.view(hand.turn))
            self._show_settling(row, settling)
            return
        self._show_view(row, hand.view(hand.turn))
        if isinstance(legal, LegalPlays):
            self._show_plays(row, legal)
        else:
            self._plays[row], self._plain[row] = 0, False
            self._writer.write_calls(row, legal)

    def _show_view(self, row: int, view: SeatView) -> None:
        """Write what has changed since the row was last written."""
        before, self._shown[row] = self._shown[row], view
        self._holdings[row] = view.holding
        self._thrown[row] = view.thrown
        self._exposed[row] = view.exposed
        if before is None:
            self._writer.write(row, view)
            return
        self.views.seat[row] = view.seat
        if view.contract is None or view.contract is not before.contract:
            self._show_auction(row, view, len(before.auction))
        if view.tricks:
            self._show_card(row, len(view.tricks) - 1, view.tricks[-1])
            if view.tricks_won != before.tricks_won:
                self.views.tricks_won[row] = view.tricks_won

    def _show_auction(self, row: int, view: SeatView, known: int) -> None:
        for place in range(known, len(view.auction)):
            self._writer.write_call(row, place, *view.auction[place])
        if view.contract is not None:
            self._writer.write_contract(row, view)

    def _show_card(self, row: int, place: int, trick: Trick) -> None:
        """Write the last card of a trick: all others have been written."""
        self.views.tricks[row, place, trick.seats[-1]] = trick.cards[-1]
        if len(trick.seats) == 1:
            self._writer.write_trick(row, place, trick)

    def _show_plays(self, row: int, legal: LegalPlays) -> None:
        if not self._plain[row]:
            self._plain[row] = True
            self.views.step[row] = Step.PLAY
            self.views.legal[row] = False
        self._plays[row] = legal.cards
        if legal.nameable and legal.cards & JOKERS:
            self._show_naming(row, legal)

    def _show_naming(self, row: int, legal: LegalPlays) -> None:
        """Show the plays of jokers that have to name a suit."""
        self._plain[row] = False
        self._plays[row] = legal.cards & ~JOKERS
        for play in legal:
            if play.named is not None:
                self.views.legal[row, self.numbers.number(play)] = True

    def _show_settling(self, row: int, settling: Settling) -> None:
        self._plays[row], self._plain[row] = 0, False
        self._holdings[row] = settling.legal.holding & ~settling.thrown
        self._thrown[row] = settling.thrown
        self._writer.write_options(row, settling)

    def _spread(self) -> None:
        """Write what is written for all rows at once."""
        views = self.views
        sets = [*self._holdings, *self._thrown, *self._exposed, *self._plays]
        holding, thrown, exposed, plays = cards_as_bools(sets).reshape(4, self._n, CARDS)
        views.holding[:], views.thrown[:], views.exposed[:] = holding, thrown, exposed
        views.legal[:, self.numbers.plays] = plays
