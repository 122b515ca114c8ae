"""Formats as a definition says them: what is left out is filled in, what is wrong is told."""

import pytest

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
from fivehundred.tournament.formats.ladder import Stay
from fivehundred.wire.errors import SpecError
from fivehundred.wire.spec import Plan, check_spec, parse_spec

FOUR = "".join(f'entrants {{ registered: "{name}" }} ' for name in ("ann", "bob", "cat", "dan"))
TWO = 'entrants { registered: "ann" } entrants { registered: "bob" } '


def plan(format_text: str, *, entrants: str = FOUR, preset: str = "au-4p-43") -> Plan:
    """The plan of a tournament with a format."""
    rules = f'rules {{ preset: "{preset}" }}'
    text = f'name: "cup" {rules} {entrants} format {{ {format_text} }}'
    return check_spec(parse_spec(text, "cup"))


STAGES = """stages {
  stages { format { swiss { rounds: 2 } } }
  stages { format { elimination { } } entrants: 2 }
}"""
FORMS: list[tuple[str, Form]] = [
    ("", RoundRobinForm(1)),
    ("round_robin { rounds: 3 }", RoundRobinForm(3)),
    ('gauntlet { challengers: "cat" }', GauntletForm((2,), 1)),
    ("mixed_teams { cycles: 2 design_seed: 7 }", MixedTeamsForm(2, 7)),
    ("swiss { }", SwissForm(0)),
    ("elimination { }", EliminationForm(1, 1, 10)),
    ("elimination { losses: 2 best_of: 3 extra: 0 }", EliminationForm(2, 3, 0)),
    ("ladder { }", LadderForm(None, 16, None, None)),
    (
        'ladder { matches: 9 ahead: 2 stays { entrant: "bob" first: 3 until: 5 } }',
        LadderForm(9, 2, (Stay(1, 3, 5), Stay(0), Stay(2), Stay(3))),
    ),
    (
        STAGES,
        StagesForm(((SwissForm(2), 0), (EliminationForm(), 2))),
    ),
]


@pytest.mark.parametrize(("text", "form"), FORMS)
def test_what_is_left_out_is_filled_in(text: str, form: Form) -> None:
    assert plan(text).form == form


def test_solo_tables_are_of_rules_without_partners() -> None:
    assert plan("solo_tables { }", preset="ko-3p-33").form == SoloTablesForm(1, 0)


def test_sequential_tests_are_of_two() -> None:
    margins = "sequential { most_matches: 99 margins { margin0: 0 margin1: 5 } }"
    scores = (
        "sequential { most_matches: 10 alpha: 0.01 beta: 0.1 pair_scores { elo0: -5 elo1: 5 "
        "scale: ELO_SCALE_NORMALISED } } boards { boards_per_match: 1 }"
    )

    assert plan(margins, entrants=TWO).form == SequentialForm(Compared.MARGINS, (0, 5), 99)
    assert plan(scores, entrants=TWO).form == SequentialForm(
        Compared.PAIR_SCORES, (-5, 5), 10, least=10, alpha=0.01, beta=0.1, is_normalised=True
    )


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("gauntlet { }", "format.gauntlet: a gauntlet needs a challenger: name 1 or more"),
        (
            'gauntlet { challengers: "bop" }',
            "format.gauntlet.challengers[0]: 'bop' is none of the entrants; did you mean `bob`?",
        ),
        (
            'gauntlet { challengers: ["ann", "bob", "cat", "dan"] }',
            "format.gauntlet: 0 entrants beside the challengers cannot fill tables of 2",
        ),
        (
            'gauntlet { challengers: ["ann", "bob", "ann"] }',
            "format.gauntlet.challengers[2]: 'ann' is challengers[0] already: name it once",
        ),
        (
            "elimination { best_of: 99 } boards { boards_per_match: 100001 }",
            "format.boards.boards_per_match: 100001 is too many: at most 100000",
        ),
        (
            'ladder { stays { entrant: "bob" first: 9 until: 3 } }',
            (
                "format.ladder.stays[0].until: 'bob' leaves before match 3 and comes at match 9: "
                "write 9 or more"
            ),
        ),
        (
            "ladder { " + 4097 * 'stays { entrant: "bob" }' + " }",
            "format.ladder.stays: 4097 stays: at most 4096",
        ),
        *(
            (
                f"ladder {{ ratings: [{rating}, 0, 0, 0] }}",
                (
                    f"format.ladder.ratings[0]: {float(rating):g} is no rating: "
                    "write a number from -10000 to 10000"
                ),
            )
            for rating in ("1e308", "-1e7", "200000", "nan")
        ),
        ("solo_tables { }", "format.solo_tables: the seats of these rules have partners"),
        (
            "swiss { rounds: 3 }",
            "format.swiss: 4 entrants may have to meet twice in 3 rounds: 1 to 2 are right",
        ),
        ("elimination { losses: 3 }", "format.elimination: 3 losses: 1 or 2 put an entrant out"),
        ("elimination { best_of: 2 }", "format.elimination: the best of 2 may have no winner"),
        ("elimination { best_of: 1001 }", "format.elimination.best_of: 1001 is too many"),
        ("ladder { ratings: 1500 }", "format.ladder: 1 rating for 4 entrants: each needs one"),
        ("ladder { ratings: inf }", "format.ladder.ratings[0]: inf is no rating: write a number"),
        (
            'ladder { stays { entrant: "eve" } }',
            "format.ladder.stays[0].entrant: 'eve' is none of the entrants",
        ),
        ("sequential { most_matches: 9 }", "format.sequential: no test: give one of margins"),
        (
            "sequential { margins { } }",
            "format.sequential.most_matches: no cap",
        ),
        (
            "sequential { most_matches: 30 margins { margin1: 1 } }",
            "format.sequential: 4 entrants: a sequential test compares two",
        ),
        (
            "sequential { most_matches: 30 alpha: 0.5 margins { margin1: 1 } }",
            "format.sequential.alpha: 0.5 is no error rate: write 0.000001 or more, below 0.5",
        ),
        ("stages { }", "format.stages: no stages: list at least one"),
        (
            "stages { stages { format { swiss { } boards { } } } }",
            "format.stages.stages[0].format.boards: what is played is said once for all stages",
        ),
        (
            "stages { stages { format { stages { } } } }",
            "format.stages.stages[0].format.stages: a stages cannot be a stage",
        ),
        (
            "stages { stages { format { ladder { } } } }",
            "format.stages.stages[0].format.ladder.matches: a stage has an end",
        ),
        (
            "stages { stages { entrants: 3 } }",
            "format.stages: 3 of 4 entrants come into the first stage: all do",
        ),
        (
            "stages { stages { } stages { entrants: 9 } }",
            "format.stages: 9 entrants cannot come out of a stage of 4: 2 to 4 are right",
        ),
        (
            "elimination { } boards { common: true }",
            "format.boards.common: matches of this format have fresh boards: leave it out",
        ),
    ],
)
def test_what_is_wrong_is_told(text: str, wrong: str) -> None:
    with pytest.raises(SpecError) as refused:
        plan(text)

    assert wrong in str(refused.value)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "sequential { most_matches: 30 margins { margin0: 1 margin1: 1 } }",
            "format.sequential: hypotheses 1 and 1: the second has to be greater",
        ),
        (
            "sequential { most_matches: 30 margins { margin1: 1 } } games { }",
            "format.games: margins are of boards: play boards, or test pair_scores",
        ),
        (
            "sequential { most_matches: 30 pair_scores { elo1: 9 } }",
            "format.boards.boards_per_match: 4 boards a match: a pair score is of 1",
        ),
        (
            "sequential { most_matches: 30 margins { margin0: -1e308 margin1: 1 } }",
            (
                "format.sequential.margins.margin0: -1e+308 is no margin: "
                "write a number from -100000 to 100000"
            ),
        ),
        (
            (
                "sequential { most_matches: 30 pair_scores { elo1: 1e6 } } "
                "boards { boards_per_match: 1 }"
            ),
            (
                "format.sequential.pair_scores.elo1: 1e+06 is no Elo difference: "
                "write a number from -2000 to 2000"
            ),
        ),
        (
            (
                "sequential { most_matches: 30 pair_scores { elo1: 6 scale: 77 } } "
                "boards { boards_per_match: 1 }"
            ),
            (
                "format.sequential.pair_scores.scale: 77 is no scale: write one of "
                "ELO_SCALE_LOGISTIC, ELO_SCALE_NORMALISED"
            ),
        ),
        (
            "sequential { most_matches: 30 alpha: 5e-324 margins { margin1: 1 } }",
            (
                "format.sequential.alpha: 4.94066e-324 is no error rate: write 0.000001 or more, "
                "below 0.5"
            ),
        ),
        (
            "sequential { most_matches: 9 least_matches: 10 margins { margin1: 1 } }",
            "format.sequential: a first look after 10 of 9 matches: 1 to 9 are right",
        ),
    ],
)
def test_what_cannot_be_tested_is_told(text: str, wrong: str) -> None:
    with pytest.raises(SpecError) as refused:
        plan(text, entrants=TWO)

    assert str(refused.value) == wrong


def test_pair_scores_are_of_boards_with_two_seatings() -> None:
    text = "sequential { most_matches: 30 pair_scores { elo1: 9 } } boards { boards_per_match: 1 }"

    with pytest.raises(SpecError) as refused:
        plan(text, entrants=TWO, preset="ko-3p-33")

    assert str(refused.value) == (
        "format.sequential.pair_scores: a board of these rules has 6 seatings, and a pair score "
        "is of 2: test margins"
    )


def test_many_names_that_are_none_are_told_without_a_search_for_each() -> None:
    names = " ".join(f'challengers: "bob{number}"' for number in range(300))

    with pytest.raises(SpecError) as refused:
        plan(f"gauntlet {{ {names} }}")

    assert len(refused.value.violations) == 300
    assert sum("did you mean" in each.message for each in refused.value.violations) == 10
