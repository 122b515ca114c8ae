"""What a hand scores, and whether it ends the game."""

from fivehundred.rules.ruleset import FloorEffect, SeveralReach, Share, SpecialKind, WinCondition
from second_opinion.bids import Bid, value
from second_opinion.state import State


class Score(State):
    """A hand whose tricks have been taken."""

    def _score(self) -> None:
        bid = self.contract
        ours = {self.rules.side_of(seat) for seat in self._side}
        climbs = [self._climb(side, ours) for side in range(self.rules.sides)]
        change = [climb[-1] - climb[0] for climb in climbs]
        made = False
        if bid is not None:
            taken = sum(taker in self._side for taker in self.takers)
            made = self._is_made(bid, taken)
            self._settle(bid, made, taken, ours, change)
        after = [old + new for old, new in zip(self.scores, change, strict=True)]
        winners, losers = self._end_of_game(after, made, ours, climbs)
        self._finish(
            outcome="PLAYED",
            contract=bid.name if bid else "P",
            change=change,
            next_dealer=self._after(self.dealer),
            winners=winners,
            losers=losers,
        )

    def _climb(self, side: int, ours: set[int]) -> list[int]:
        """The score of a side before the hand and after each trick, by points for tricks alone."""
        ceiling = self.rules.defender_ceiling
        scores = [self.scores[side]]
        for taker in self.takers:
            now = scores[-1]
            then = now + (0 if side in ours else self._trick_points(side, taker))
            scores.append(then if ceiling is None else max(now, min(then, ceiling)))
        return scores

    def _trick_points(self, side: int, taker: int) -> int:
        """What a trick brings a side that does not play the contract."""
        if self._lose_all():
            return self._forced_points() if taker in self._side else 0
        if self.rules.side_of(taker) != side:
            return 0
        return 10 if self.contract is None else self.rules.defender_trick_points

    def _is_made(self, bid: Bid, taken: int) -> bool:
        if bid.special is None:
            return taken >= bid.level
        return taken == (0 if bid.special.kind is SpecialKind.LOSE_ALL else 10)

    def _settle(self, bid: Bid, made: bool, taken: int, ours: set[int], change: list[int]) -> None:
        """Adds the value of the contract to the changes of those it concerns."""
        worth = value(self.rules, bid.name)
        if not made and self.rules.defenders_collect:
            for side in set(range(self.rules.sides)) - ours:
                change[side] += worth
        if made and bid.special is None and taken == 10:
            worth = max(worth, self.rules.slam_minimum)
        call = self.rules.call
        if call is not None and call.share is Share.HALF and len(ours) > 1:
            worth //= 2
        for side in ours:
            if made:
                change[side] += worth
            elif self.rules.set_back:
                change[side] -= worth

    def _end_of_game(
        self, after: list[int], made: bool, ours: set[int], climbs: list[list[int]]
    ) -> tuple[list[int], list[int]]:
        """The winners and those who lose by the floor; nobody where the game goes on."""
        winners = self._at_target(after, made, ours, climbs)
        losers = self._at_floor(after)
        if losers and not winners:
            rest = [side for side in range(len(after)) if side not in losers]
            winners = _highest(rest, after)
        return winners, losers

    def _at_floor(self, after: list[int]) -> list[int]:
        floor = self.rules.floor
        spared = self.rules.floor_effect is FloorEffect.LOSES_UNLESS_ALL_NEGATIVE
        if floor is None or (spared and max(after) < 0):
            return []
        return [side for side, score in enumerate(after) if score <= floor]

    def _at_target(
        self, after: list[int], made: bool, ours: set[int], climbs: list[list[int]]
    ) -> list[int]:
        reached = [side for side, score in enumerate(after) if score >= self.rules.target]
        # who has failed has no precedence, were he at the target by an earlier tie
        own = [side for side in reached if made and side in ours]
        if self.rules.win_condition is WinCondition.OWN_CONTRACT:
            return own
        several = self.rules.several_reach
        if own and several is not SeveralReach.HIGHEST:
            return own
        if several is SeveralReach.CONTRACTOR_THEN_EARLIEST:
            moments = {side: self._moment(climbs[side]) for side in reached}
            reached = [side for side in reached if moments[side] == min(moments.values())]
        best = _highest(reached, after)
        return best if len(best) == 1 else []

    def _moment(self, climb: list[int]) -> int:
        """The trick at which a side came to the target, or after the last."""
        at = [trick for trick, score in enumerate(climb) if score >= self.rules.target]
        return at[0] if at else len(climb)


def _highest(sides: list[int], scores: list[int]) -> list[int]:
    """The sides with the most points, all of them where they are equal."""
    best = max((scores[side] for side in sides), default=0)
    return [side for side in sides if scores[side] == best]
