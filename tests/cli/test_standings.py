import io
from statistics import fmean, stdev

import pytest
from rich.console import Console

from fivehundred.cli.standings import (
    estimate_text,
    faults_text,
    print_standings,
    verdict_text,
)
from fivehundred.ratings.sequential import margin_ratio
from fivehundred.v1 import tournament_pb2
from fivehundred.v1.tournament_pb2 import (
    Estimate,
    FaultCounts,
    MarginTest,
    PairScoreTest,
    Sequential,
    Standing,
    Standings,
)


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(value=12.34, low=7.84, high=16.84), "+12.3 ±4.5"),
        (Estimate(value=12.0, low=2.0, high=16.0), "+12.0 (+2.0 … +16.0)"),
        (Estimate(value=12.0, low=2.0), "+12.0 (+2.0 … ∞)"),
        (Estimate(value=-12.0, high=2.0), "-12.0 (-∞ … +2.0)"),
        (Estimate(value=1.0), "+1.0 (no interval)"),
        (Estimate(low=3.0), "> +3.0"),
        (Estimate(high=3.0), "< +3.0"),
        (Estimate(), "–"),
    ],
)
def test_an_estimate_shows_its_interval_or_what_is_known_of_it(
    estimate: Estimate, text: str
) -> None:
    assert estimate_text(estimate, "+.1f") == text


def test_faults_are_named_by_kind() -> None:
    assert faults_text(FaultCounts(timeout=3, illegal=1)) == "3 timeout, 1 illegal"
    assert faults_text(FaultCounts(), forfeits=2) == "2 forfeited"
    assert faults_text(FaultCounts()) == "–"


def test_the_table_has_the_ranks_as_ranges_and_says_what_ranks() -> None:
    row = Standing(
        entrant="careful",
        bot="careful@1",
        rank_best=1,
        rank_worst=2,
        hands=120,
        points_per_hand=Estimate(value=5.0, low=1.0, high=9.0),
        elo=Estimate(remark="won everything"),
        wins=7,
        games=15,
        contracts=40,
        contracts_made=30,
        voids=2,
    )
    out = io.StringIO()

    standings = Standings(rows=[row], ranked_by="points_per_hand", confidence=0.95, hands=240)
    print_standings(Console(file=out, width=200), standings)

    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert "1–2 careful careful@1 120 +5.0 ±4.0 – 7.0/15 30/40 – 2" in lines
    assert "ranked by points per hand; 95% intervals; 240 hands" in lines
    assert "careful: Elo: won everything" in lines


def printed(standings: Standings, test: Sequential | None = None) -> list[str]:
    out = io.StringIO()
    print_standings(Console(file=out, width=200), standings, test)
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


def test_what_the_format_says_has_columns_where_it_says_it() -> None:
    swiss = Standing(entrant="ann", rank_best=1, rank_worst=2, place=1, score=2.5, buchholz=4)
    late = Standing(entrant="bob", rank_best=1, rank_worst=2)

    lines = printed(Standings(rows=[swiss, late], ranked_by="place", confidence=0.95))

    assert any(line.startswith("place score Buchholz rank entrant") for line in lines)
    assert "1 2.5 4 1–2 ann – 0 – – 0.0/0 0/0 – 0" in lines
    assert "– – – 1–2 bob – 0 – – 0.0/0 0/0 – 0" in lines
    assert any(line.startswith("ranked by place, as the format decides") for line in lines)


MARGINS = Sequential(margins=MarginTest(margin0=0, margin1=5))
SCORES = Sequential(pair_scores=PairScoreTest(elo0=0, elo1=40))
NORMALISED = Sequential(pair_scores=PairScoreTest(elo0=-5, elo1=5, scale=2))  # type: ignore[arg-type] # by number


@pytest.mark.parametrize(
    ("told", "test", "text"),
    [
        (
            {"decision": "h1", "matches": 61, "ratio": 3.04, "mean": 9.5, "remark": "biased"},
            MARGINS,
            (
                "test: H1 (+5 points per hand) is taken, not H0 (+0 points per hand),"
                " after 61 matches; log-likelihood ratio +3.04 (bounds -2.94 and +2.94);"
                " mean margin +9.5 ±6.6 points per hand; biased"
            ),
        ),
        (
            {"decision": "h0", "matches": 30, "ratio": -3.0, "mean": 0.48},
            SCORES,
            (
                "test: H0 (+0 Elo) is taken, not H1 (+40 Elo), after 30 matches;"
                " log-likelihood ratio -3.00 (bounds -2.94 and +2.94);"
                " share of boards won 0.48"
            ),
        ),
        (
            {"decision": "open", "matches": 1},
            NORMALISED,
            (
                "test: open between H0 (-5 normalised Elo) and H1 (+5 normalised Elo),"
                " after 1 match; log-likelihood ratio not defined yet (bounds -2.94 and +2.94)"
            ),
        ),
        (
            {"decision": "undecided", "matches": 400, "ratio": 1.5, "mean": 2.0},
            None,
            (
                "test: undecided between H0 and H1: the most matches came first, after 400 matches;"
                " log-likelihood ratio +1.50 (bounds -2.94 and +2.94);"
                " mean +2 in the unit of the test"
            ),
        ),
    ],
    ids=["h1", "h0", "open", "undecided"],
)
def test_a_sequential_test_is_told_in_one_sentence(
    told: dict[str, float | str], test: Sequential | None, text: str
) -> None:
    result = tournament_pb2.TestResult(lower=-2.94, upper=2.94, **told)  # type: ignore[arg-type] # fields by name

    assert verdict_text(result, test) == text
    assert text in printed(Standings(confidence=0.95, test=result), test)


def test_a_share_is_of_games_where_games_are_played() -> None:
    result = tournament_pb2.TestResult(decision="h1", matches=35, ratio=3.0, mean=1)

    lines = printed(Standings(ranked_by="elo", confidence=0.95, test=result), SCORES)

    assert any("; share of games won 1.00" in line for line in lines)


def test_the_interval_of_a_margin_is_that_of_the_margins() -> None:
    margins = [float(number) for number in range(-20, 40)]
    ratio = margin_ratio(margins, 0, 5)
    result = tournament_pb2.TestResult(matches=60, ratio=ratio, mean=fmean(margins))
    reach = 2.001 * stdev(margins) / 60**0.5

    assert f"mean margin +9.5 ±{reach:.1f} points per hand" in verdict_text(result, MARGINS)


def test_a_margin_between_the_hypotheses_has_no_interval() -> None:
    result = tournament_pb2.TestResult(matches=60, ratio=0, mean=2.5)

    assert verdict_text(result, MARGINS).endswith("mean margin +2.5 points per hand")


def test_the_table_fits_a_narrow_terminal() -> None:
    row = Standing(entrant="a-careful-entrant", bot="careful@1.2", rank_best=1, rank_worst=2)
    out = io.StringIO()

    print_standings(Console(file=out, width=60), Standings(rows=[row], confidence=0.95))

    lines = out.getvalue().splitlines()
    assert sum("a-careful-entrant" in line for line in lines) > 1
    assert {"rank", "points/hand", "faults", "voids"} <= set(out.getvalue().split())
    assert max(map(len, lines)) <= 60
