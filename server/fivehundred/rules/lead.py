"""Who leads to the first trick, and in what order the seats follow."""

from collections.abc import Sequence

from fivehundred.rules.ruleset import FirstLead, RuleSet
from fivehundred.rules.values import Contract


def first_leader(rules: RuleSet, contract: Contract, dealer: int, playing: Sequence[int]) -> int:
    """The seat that leads to the first trick."""
    if rules.first_lead is FirstLead.CONTRACTOR:
        return contract.contractor
    leader = (dealer + 1) % rules.players
    while leader not in playing:
        leader = (leader + 1) % rules.players
    return leader


def order_from(playing: Sequence[int], leader: int) -> tuple[int, ...]:
    """The playing seats in turn, the leader first."""
    place = playing.index(leader)
    return (*playing[place:], *playing[:place])
