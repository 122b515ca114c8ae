"""What a definition says of its format, made into the format that is played."""

import random

import pytest

from fivehundred.ratings.sequential import Decision, Plan, decide
from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.formats import Fixed, Outcome, Sequential
from fivehundred.tournament.formats.forms import (
    Compared,
    EliminationForm,
    Form,
    GauntletForm,
    LadderForm,
    MixedTeamsForm,
    RoundRobinForm,
    SequentialForm,
    SoloTablesForm,
    StagesForm,
    SwissForm,
)
from fivehundred.tournament.seatings import seatings

FOUR = RuleSet()
THREE = RuleSet(players=3, side_model=SideModel.SOLO)
FORMS: list[tuple[Form, RuleSet, int]] = [
    (RoundRobinForm(2), FOUR, 4),
    (RoundRobinForm(), THREE, 2),
    (RoundRobinForm(), THREE, 5),
    (GauntletForm((0,), 3), FOUR, 3),
    (GauntletForm((0, 1)), THREE, 3),
    (SoloTablesForm(), THREE, 7),
    (MixedTeamsForm(2), FOUR, 6),
    (SwissForm(), FOUR, 7),
    (SwissForm(2), THREE, 6),
    (EliminationForm(2), FOUR, 5),
    (LadderForm(12), FOUR, 4),
    (StagesForm(((RoundRobinForm(), 0), (EliminationForm(), 3))), FOUR, 5),
]


@pytest.mark.parametrize(("form", "rules", "entrants"), FORMS)
def test_every_match_has_the_slots_that_are_said_and_can_be_seated(
    form: Form, rules: RuleSet, entrants: int
) -> None:
    made = form.format(rules, entrants)

    first = made.next()

    assert first is not None
    assert len(first.entrants) == form.slots(rules, entrants)
    assert seatings(rules, len(first.entrants))


def test_designs_are_found_once() -> None:
    form = MixedTeamsForm()
    first, again = (form.format(FOUR, 12) for _ in range(2))

    assert first is not again
    assert [first.next() for _ in range(5)] == [again.next() for _ in range(5)]
    assert isinstance(first, Fixed)


def verdict_of(form: SequentialForm, values: list[float]) -> tuple[Decision | None, int | None]:
    """What the format comes to where the first entrant's values are these; and after how many."""
    match: Sequential[Decision] = form.format(FOUR, 2)
    while (pairing := match.next()) is not None:
        value = values[pairing.number]
        points = (value, 0.0) if pairing.entrants == (0, 1) else (0.0, value)
        shares = (value, 1 - value) if pairing.entrants == (0, 1) else (1 - value, value)
        match.record(Outcome(pairing.number, (0.5, 0.5), points, shares))
    return match.result, match.judged


@pytest.mark.parametrize("seed", range(12))
def test_the_verdict_is_that_of_the_test_on_the_same_values(seed: int) -> None:
    draw = random.Random(seed)
    form = SequentialForm(Compared.MARGINS, (0.0, 10.0), most=400, ahead=5)
    values = [draw.gauss(draw.choice((-2, 5, 12)), 40) for _ in range(400)]

    expected = decide(Plan(most=400), dict(enumerate(values)), form.statistic)

    result, judged = verdict_of(form, values)
    if expected.decision is Decision.UNDECIDED:
        assert (result, judged) == (None, None)
    else:
        assert (result, judged) == (expected.decision, expected.pairs)


def test_pair_scores_are_shares_of_a_board() -> None:
    form = SequentialForm(Compared.PAIR_SCORES, (0.0, 80.0), most=300)

    assert verdict_of(form, [(1.0, 0.75, 0.5)[at % 3] for at in range(300)])[0] is Decision.H1
    assert verdict_of(form, [(0.5, 0.25, 0.5)[at % 3] for at in range(300)])[0] is Decision.H0
