import pytest

from fivehundred.ratings.live import Result

pytest.importorskip("openskill", reason="there is no package openskill")

from fivehundred.ratings import live_skill  # it imports the package


def test_a_bot_in_both_seats_of_a_team_moves_once() -> None:
    skills = {0: live_skill.Skill(), 1: live_skill.Skill()}

    both = live_skill.updated(skills, Result(((0, 0), (1, 1)), (1, 2)))

    assert both == live_skill.updated(skills, Result(((0,), (1,)), (1, 2)))
    assert both[0].mu == pytest.approx(27.635389493140497)


def test_a_tau_of_nothing_counts() -> None:
    skills = {0: live_skill.Skill(), 1: live_skill.Skill()}
    result = Result(((0,), (1,)), (1, 2))

    still = live_skill.updated(skills, result, tau=0.0)

    assert still[0].sigma < live_skill.updated(skills, result)[0].sigma


def test_an_entrant_on_two_sides_is_refused() -> None:
    with pytest.raises(ValueError, match="two sides"):
        live_skill.replay([Result(((0, 1), (1, 2)), (1, 2))])


def test_ties_under_plackett_luce_are_refused() -> None:
    with pytest.raises(ValueError, match="ties"):
        live_skill.replay([Result(((0,), (1,), (2,)), (1, 2, 2))], live_skill.Model.PLACKETT_LUCE)


def test_tied_bots_of_equal_skill_stay_equal_and_below_the_winner() -> None:
    found = live_skill.replay([Result(((0,), (1,), (2,), (3,)), (1, 2, 2, 4))])

    assert found[1] == found[2]
    assert found[0].mu > found[1].mu > found[3].mu


def test_a_skill_is_shown_three_sigma_below_its_mean() -> None:
    assert live_skill.Skill(25.0, 5.0).ordinal == 10.0
