"""A bot that makes many decisions at once, as a model over arrays likes to."""

from collections.abc import Iterable, Sequence
from typing import cast

from fivehundred.rules.actions import Action, Call, Exchange, Play
from fivehundred_client.bot import Bot, NoAnswer, action_of
from fivehundred_client.turn import AnyTurn, BidTurn, DiscardTurn, PlayTurn


class BatchBot(Bot):
    """A bot that is asked for many decisions in one call of `decide`.

    A call has all decisions of a message, where it is served also of what else is waiting, at most
    ``max_in_flight`` where that is not 0. They are of any kinds, tables and seats. What is decided
    must not depend on what else is in the call, nor on how many there are: then the log is the same
    whatever came together. Where a call raises, each of its decisions is asked alone, so `decide`
    has to bear being asked again.
    """

    def decide(self, turns: Sequence[AnyTurn]) -> Sequence[Action]:
        """The actions of all turns, in their order; ``turn.legal`` tells what each is asked for."""
        return [turn.legal.default() for turn in turns]

    def bid(self, turn: BidTurn) -> Call:
        """The call of a turn that came alone."""
        return cast(Call, self._alone(turn))

    def discard(self, turn: DiscardTurn) -> Exchange:
        """The exchange of a turn that came alone."""
        return cast(Exchange, self._alone(turn))

    def play(self, turn: PlayTurn) -> Play:
        """The play of a turn that came alone."""
        return cast(Play, self._alone(turn))

    def _alone(self, turn: AnyTurn) -> Action:
        (given,) = decided(self, [turn])
        return action_of(turn.legal, given, "decide")


def decided(bot: BatchBot, turns: Sequence[AnyTurn]) -> list[object]:
    """What a call of the bot gives, one for each turn; raises `NoAnswer` where it does not."""
    given: object = bot.decide(turns)
    if not isinstance(given, Iterable):
        raise NoAnswer(f"decide gave {given!r}, which is no list of actions")
    actions = list(given)
    if len(actions) != len(turns):
        asked = "1 turn" if len(turns) == 1 else f"{len(turns)} turns"
        said = "1 action" if len(actions) == 1 else f"{len(actions)} actions"
        raise NoAnswer(f"decide gave {said} for {asked}")
    return actions
