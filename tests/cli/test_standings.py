import io

import pytest
from rich.console import Console

from fivehundred.cli.standings import estimate_text, faults_text, print_standings
from fivehundred.v1.tournament_pb2 import Estimate, FaultCounts, Standing, Standings


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
