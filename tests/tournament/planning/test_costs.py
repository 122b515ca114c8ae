"""Decisions and the longest match."""

import pytest

from fivehundred.rules.ruleset import AuctionRounds, PersonalKittyUse, Reentry, RuleSet, SideModel
from fivehundred.tournament.planning.costs import (
    Decisions,
    Limits,
    Pace,
    expected_decisions,
    most_decisions,
    worst_match_s,
)


@pytest.mark.parametrize(
    ("rules", "most"),
    [
        (RuleSet(), Decisions(27 + 4, 1, 40)),
        (RuleSet(auction_rounds=AuctionRounds.ONE_EACH), Decisions(4, 1, 40)),
        (RuleSet(reentry=Reentry.FREE), Decisions(28 * 4, 1, 40)),
        (RuleSet(players=3, side_model=SideModel.SOLO), Decisions(27 + 3, 1, 30)),
        (
            RuleSet(personal_kitty=1, personal_kitty_use=PersonalKittyUse.ALL),
            Decisions(27 + 4, 4, 40),
        ),
    ],
    ids=["au-4p-43", "one call each", "free re-entry", "three players", "a kitty each"],
)
def test_the_longest_hand_follows_from_the_rules(rules: RuleSet, most: Decisions) -> None:
    assert most_decisions(rules) == most
    assert expected_decisions(rules).total <= most.total


def test_the_longest_match_uses_up_every_limit_and_bank() -> None:
    limits = Limits(bid=1, discard=2, play=3, bank=10, increment=0.5, first=4)

    seconds = worst_match_s(RuleSet(), limits, hands=2, entrants=2)

    hands = 2 * (31 * 1 + 1 * 2 + 40 * 3)
    clocks = 8 * (10 + 4)
    assert seconds == hands + clocks + 2 * 4 * 0.5


def test_more_tables_are_faster_up_to_those_that_were_measured_and_the_daemons_own_work() -> None:
    pace = Pace(answers_s=0.1, at_once=4.0)

    assert pace.hand_s(1, 40) == pytest.approx(0.1 + 0.006)
    assert pace.hand_s(4, 40) == pytest.approx(0.025 + 0.006)
    assert pace.hand_s(64, 40) == pace.hand_s(4, 40)
