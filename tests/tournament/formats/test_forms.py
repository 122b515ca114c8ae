"""What a definition says of its format, made into the format that is played."""

import random

import pytest

from fivehundred.ratings.sequential import Decision, Plan, Scale, decide, of_margins, of_pair_scores
from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.formats import Fixed, Outcome, Sequential, outcome
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


@pytest.mark.parametrize(
    ("form", "entrants", "wrong"),
    [
        (SwissForm(), 501, "501 entrants in a Swiss tournament: at most 500"),
        (SwissForm(33), 100, "33 rounds of a Swiss tournament: at most 32"),
        (EliminationForm(2, 21), 1000, "1000 entrants in series of 21: at most the best of 19"),
        (EliminationForm(1, 999), 21, "21 entrants in series of 999: at most the best of 951"),
        (LadderForm(ahead=17), 1000, "1000 entrants with 17 matches ahead: at most 16 ahead"),
        (MixedTeamsForm(), 201, "201 entrants in a balanced design: at most 200"),
    ],
)
def test_what_would_take_long_to_pair_is_refused(form: Form, entrants: int, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        form.format(FOUR, entrants)


@pytest.mark.parametrize(
    ("form", "entrants"),
    [
        (SwissForm(32), 500),
        (EliminationForm(2, 19), 1000),
        (EliminationForm(2, 1), 1000),
        (LadderForm(ahead=16), 1000),
        (LadderForm(ahead=4096), 4),
        (RoundRobinForm(), 1000),
        (GauntletForm((0,)), 1000),
    ],
)
def test_the_largest_that_are_allowed_are_paired(form: Form, entrants: int) -> None:
    made = form.format(FOUR, entrants)

    assert made.size.least >= 0
    assert made.next() is not None


def test_a_ladder_has_an_entrant_for_each_side() -> None:
    with pytest.raises(
        ValueError, match="2 entrants cannot fill tables of 3 sides: a ladder needs"
    ):
        LadderForm().format(THREE, 2)
    assert LadderForm().slots(THREE, 2) == 3


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

    expected = decide(Plan(most=400), dict(enumerate(values)), of_margins(0.0, 10.0))

    result, judged = verdict_of(form, values)
    if expected.decision is Decision.UNDECIDED:
        assert (result, judged) == (None, None)
    else:
        assert (result, judged) == (expected.decision, expected.pairs)


@pytest.mark.parametrize("is_normalised", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_verdict_on_pair_scores_is_that_of_the_test(seed: int, is_normalised: bool) -> None:
    draw = random.Random(seed)
    hypotheses = 0.0, draw.choice((20.0, 60.0))
    form = SequentialForm(Compared.PAIR_SCORES, hypotheses, most=300, is_normalised=is_normalised)
    values = draw.choices((0, 0.25, 0.5, 0.75, 1), (1, 2, 4, 2, 1 + seed), k=300)
    scale = Scale.NORMALISED if is_normalised else Scale.LOGISTIC

    expected = decide(Plan(most=300), dict(enumerate(values)), of_pair_scores(*hypotheses, scale))

    result, judged = verdict_of(form, values)
    assert (result or Decision.UNDECIDED, judged or 300) == (expected.decision, expected.pairs)


def test_a_verdict_says_what_has_been_seen_before_the_first_look_as_well() -> None:
    form = SequentialForm(Compared.MARGINS, (0.0, 10.0), most=40, least=30)
    match = form.format(FOUR, 2)
    margins = [3.0, -8.0, 20.0]
    for number, margin in enumerate(margins):
        turn = -1 if number % 2 else 1
        match.record(outcome(number, (turn * margin, 0.0)))

    verdict = form.verdict(match)

    assert (verdict.decision, verdict.pairs) == (Decision.OPEN, 3)
    assert verdict.mean == pytest.approx(5.0)
    assert verdict.ratio == pytest.approx(of_margins(0.0, 10.0)(margins))
    assert form.verdict(match) == verdict


def test_a_long_test_costs_each_match_the_same() -> None:
    form = SequentialForm(Compared.MARGINS, (-0.01, 0.01), most=20_000)
    draw = random.Random(1)

    result, judged = verdict_of(form, [draw.gauss(0, 50) for _ in range(20_000)])

    assert (result, judged) == (None, None)


def test_pair_scores_are_shares_of_a_board() -> None:
    form = SequentialForm(Compared.PAIR_SCORES, (0.0, 80.0), most=300)

    assert verdict_of(form, [(1.0, 0.75, 0.5)[at % 3] for at in range(300)])[0] is Decision.H1
    assert verdict_of(form, [(0.5, 0.25, 0.5)[at % 3] for at in range(300)])[0] is Decision.H0
