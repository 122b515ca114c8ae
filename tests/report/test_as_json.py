import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fivehundred.report.as_json import as_json
from fivehundred.report.values import Report

ReportOf = Callable[[str], Report]

ALL = ("cup", "empty", "lone", "games", "open", "solo", "test", "knockout", "stages")
KEYS = {
    *("format", "tournament", "ranked_by", "ranking_reason", "confidence", "hands_counted"),
    *("anchor", "test", "standings", "crosstable", "chances", "progress", "times", "bias"),
    *("parts", "method", "stages", "matches"),
}
TOURNAMENT = {
    *("name", "state", "is_finished", "reason", "created", "rules", "rules_hash"),
    *("seed_commitment", "seed", "log_digest", "is_log_digest_final", "matches"),
    *("hands_stored", "entrants", "parameters", "rule_parameters", "definition", "software"),
}


def numbers(value: Any) -> Iterator[float]:
    """All numbers within a value."""
    match value:
        case dict():
            yield from (number for each in value.values() for number in numbers(each))
        case list() | tuple():
            yield from (number for each in value for number in numbers(each))
        case int() | float():
            yield value


@pytest.mark.parametrize("name", ALL)
def test_the_keys_are_always_the_same_and_all_numbers_finite(
    report_of: ReportOf, name: str
) -> None:
    told = json.loads(json.dumps(as_json(report_of(name)), allow_nan=False))

    assert told.keys() == KEYS
    assert told["tournament"].keys() == TOURNAMENT
    assert told["format"] == 1
    assert all(map(math.isfinite, numbers(told)))


def test_the_numbers_are_those_of_the_standings(report_of: ReportOf) -> None:
    report = report_of("cup")

    told = json.loads(json.dumps(as_json(report)))

    for row, standing in zip(told["standings"], report.standings.rows, strict=True):
        assert row["entrant"] == standing.entrant
        assert row["points_per_hand"]["value"] == standing.points_per_hand.value
        assert row["elo"]["high"] == standing.elo.high
    chances = {
        (each["entrant"], each["opponent"]): each["chance_better"] for each in told["chances"]
    }
    best, second, _ = report.names
    assert chances[best, second] + chances[second, best] == pytest.approx(1)
    assert told["progress"][-1]["estimates"][best] == told["standings"][0]["points_per_hand"]


def test_the_seed_is_told_when_it_is_revealed_and_not_before(report_of: ReportOf) -> None:
    finished = as_json(report_of("cup"))["tournament"]
    under_way = as_json(report_of("open"))["tournament"]

    assert finished["seed"] == bytes(range(32)).hex()
    assert f'seed: "{finished["seed"]}"' in finished["definition"]
    assert under_way["seed"] is None
    assert finished["seed"] not in json.dumps(under_way)
    assert under_way["seed_commitment"] == finished["seed_commitment"]
    assert (finished["is_log_digest_final"], under_way["is_log_digest_final"]) == (True, False)


def test_a_mean_after_an_early_stop_says_what_it_is(report_of: ReportOf) -> None:
    told = as_json(report_of("test"))["test"]

    assert (told["unit"], told["hypotheses"]) == ("points per hand", (0, 20))
    assert told["mean_low"] < told["mean"] < told["mean_high"]
    assert "not corrected for the early stop" in told["mean_remark"]


def test_the_matches_say_who_met_and_won(report_of: ReportOf) -> None:
    told = json.loads(json.dumps(as_json(report_of("stages"))))

    assert [(each["stage"], each["format"]) for each in told["stages"]] == [
        (1, "swiss"),
        (2, "elimination"),
    ]
    assert told["stages"][0]["byes"] == [{"round": 1, "entrant": "cid"}]
    assert told["stages"][1]["series"][0]["decided"]
    first = told["matches"][0]
    assert (first["match"], first["stage"], first["round"], first["of"]) == (0, 1, 1, 2)
    assert [side["entrants"] for side in first["sides"]] == [["ann"], ["bob"]]
    assert sum(side["won"] for side in first["sides"]) == first["of"]
    assert [each["match"] for each in told["matches"]] == list(range(len(told["matches"])))
