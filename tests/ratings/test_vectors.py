"""Every reference vector of tests/ratings/vectors, by its id; its file says where it is from.

Where a library's behaviour is recorded that is wrong or infinite, what is asked for is tested and
the id carries a note.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from fivehundred.ratings import (
    bootstrap,
    bradley_terry,
    control_variate,
    factor_graph,
    first_seat,
    glicko,
    live,
    match,
    plackett_luce,
    sequential,
    teams,
    values,
    whole_history,
)
from fivehundred.ratings.bradley_terry import Game, elo_difference, expected_score
from fivehundred.ratings.finishing_orders import Order
from fivehundred.ratings.imps import imps
from fivehundred.ratings.margins import BoardPoints
from fivehundred.ratings.margins import fit as fit_margins
from fivehundred.ratings.sequential import Decision, Plan, Scale
from fivehundred.ratings.values import Estimate, Strengths

VECTORS = Path(__file__).parent / "vectors"
FILES = {path.stem: json.loads(path.read_text("utf-8")) for path in VECTORS.glob("*.json")}
SCALE = 400 / math.log(10)
SCALES = {"logistic": Scale.LOGISTIC, "normalized": Scale.NORMALISED}
OUTCOME = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}


def of(category: str, notes: Mapping[str, str] | None = None) -> pytest.MarkDecorator:
    """Parametrise with the vectors of a category, their ids with a note where there is one."""
    names = sorted(name for name, vector in FILES.items() if vector["category"] == category)
    ids = [f"{name} ({notes[name]})" if notes and name in notes else name for name in names]
    return pytest.mark.parametrize("name", names, ids=ids)


def plain(strengths: Strengths) -> Strengths:
    """The strengths with large-sample errors, as the reference programs give them."""
    size = len(strengths.values)
    return replace(strengths, correction=(1.0,) * size, freedom=(math.inf,) * size)


def errors(strengths: Strengths) -> list[float]:
    size = range(len(strengths.values))
    return [plain(strengths).estimate(entrant).standard_error or 0.0 for entrant in size]


def ratings(strengths: Strengths) -> list[float]:
    """Around 0, where all have one."""
    return [value - 1500 for value in strengths.values if value is not None]


def places(vector: Any) -> dict[str, int]:
    return {name: at for at, name in enumerate(vector["input"]["players"])}


def numbered(names: Sequence[str]) -> tuple[int, ...]:
    """Names such as b3 and p3 by their number, single letters by the alphabet."""
    return tuple(int(name[1:]) if len(name) > 1 else ord(name) for name in names)


def games_of(vector: Any) -> Iterator[Game]:
    place = places(vector)
    for first, second, wins, draws, losses in vector["input"]["results"]:
        for score, count in ((1.0, wins), (0.5, draws), (0.0, losses)):
            if count:
                yield Game(place[first], place[second], score, weight=count)


def test_every_vector_is_of_a_category_that_is_tested() -> None:
    tested = {
        "bootstrap",
        "bt_cluster_robust",
        "elo_expected_score",
        "glicko2",
        "imp_scale",
        "margin_control_variate",
        "margin_duplicate_pairs",
        "margin_rating_least_squares",
        "match_elo_pentanomial",
        "match_elo_wdl",
        "online_elo",
        "online_elo_multiplayer",
        "online_elo_team",
        "openskill",
        "openskill_sequence",
        "pairwise_bt_elo_mle",
        "plackett_luce_mle",
        "sprt_bounds",
        "sprt_llr",
        "sprt_pathological",
        "team_bt_mle",
        "trueskill",
        "whole_history_rating",
    }

    assert {vector["category"] for vector in FILES.values()} == tested
    assert all(name == vector["id"] for name, vector in FILES.items())


PERFECT = "inf and nan of the library: a bound and a finite chance"
ALIKE = "nan of the library, and an error of 0: neither error nor normalised Elo"
OPEN_END = "inf and nan of the library: no upper end"


@of("match_elo_wdl", {"elo_wdl_04_o": PERFECT, "elo_wdl_06_o": ALIKE, "elo_wdl_12_o": OPEN_END})
def test_elo_of_games(name: str) -> None:
    vector = FILES[name]
    result, near = vector["input"], vector["tolerance"]["abs"]
    own, library = vector["expected"]["independent"], vector["expected"]["fastchess"]

    found = match.of_games(match.Record(result["wins"], result["draws"], result["losses"]))

    assert found.score == pytest.approx(own["score"], abs=near)
    compare_match(found, own, library, near, own.get("elo_se_delta_method"))
    if "elo_ci95_from_score_ci" in own and own["se_score"] > 0:
        for end, wanted in zip(
            (found.elo.low, found.elo.high), own["elo_ci95_from_score_ci"], strict=True
        ):
            assert end is None if wanted == "inf" else end == pytest.approx(wanted, abs=near)
    if "los_normal" not in own:
        assert found.chance_better == pytest.approx(own["los_beta_uniform_prior"], abs=near)


@of("match_elo_pentanomial", {"elo_penta_04_o": PERFECT})
def test_elo_of_pairs(name: str) -> None:
    vector = FILES[name]
    result, near = vector["input"], vector["tolerance"]["abs"]
    own, library = vector["expected"]["independent"], vector["expected"]["fastchess"]

    found = match.of_pairs(match.PairRecord(pentanomial(result)))

    assert found.units == own["pairs"]
    assert found.score == pytest.approx(own["score"], abs=near)
    compare_match(found, own, library, near, None)


def compare_match(
    found: match.MatchElo, own: Any, library: Any, near: float, delta: float | None
) -> None:
    if library["elo"] == "inf":
        assert (found.elo.value, found.elo.high) == (None, None)
        assert found.elo.low is not None
        assert found.elo.remark == "all was won: there is no upper bound"
        assert expected_score(found.elo.low) ** found.units == pytest.approx(0.025)
        assert 0.99 < found.chance_better < 1
        return
    assert found.elo.value == pytest.approx(library["elo"], abs=near)
    if own["se_score"] == 0:
        assert (found.score_error, found.elo.remark) == (None, match.NO_SPREAD)
        assert (found.normalised_elo.value, found.chance_better) == (None, 0.5)
        return
    assert found.score_error == pytest.approx(own["se_score"], abs=near)
    if delta is not None:
        assert found.elo.standard_error == pytest.approx(delta, abs=near)
    if library["elo_err95"] != "nan":
        assert found.elo.low is not None
        assert found.elo.high is not None
        reach = (found.elo.high - found.elo.low) / 2
        assert reach == pytest.approx(library["elo_err95"], abs=near)
    low, high = found.normalised_elo.low, found.normalised_elo.high
    assert found.normalised_elo.value == pytest.approx(library["nelo"], abs=near)
    assert low is not None
    assert high is not None
    assert (high - low) / 2 == pytest.approx(library["nelo_err95"], abs=near)
    chance = own.get("los_normal", own.get("los_beta_uniform_prior"))
    assert found.chance_better == pytest.approx(chance, abs=near)
    if "nan" not in library["los_pct"]:
        told = float(library["los_pct"].split()[0])
        assert 100 * found.chance_better == pytest.approx(told, abs=0.0051)


def pentanomial(case: Any) -> tuple[int, int, int, int, int]:
    return case["LL"], case["LD"], case["WL"] + case["DD"], case["WD"], case["WW"]


@of("elo_expected_score")
def test_expected_scores_and_back(name: str) -> None:
    vector = FILES[name]
    near = vector["tolerance"]["abs"]

    scores = [expected_score(difference) for difference in vector["input"]["differences"]]

    assert scores == pytest.approx(vector["expected"]["expected"], abs=near)
    back = [elo_difference(score) for score in scores]
    assert back == pytest.approx(vector["expected"]["back"], abs=near)


@of("imp_scale")
def test_differences_on_the_scale_of_bridge(name: str) -> None:
    vector = FILES[name]

    assert [imps(points) for points in vector["input"]["differences"]] == vector["expected"]["imps"]


DEGENERATE = {
    "pairwise_all_wins_two_players_o": "refused by the library: two bounds",
    "pairwise_disconnected_groups_o": "one scale by force in the library: two scales",
    "pairwise_every_game_counted_twice_o": "bars too small in the library: SE by deal unchanged",
    "pairwise_one_way_bridge_o": "one scale by force in the library: no connection",
    "pairwise_perfect_winner_and_loser_o": "refused by the library: one-sided bounds",
    "pairwise_perfect_winner_in_group_o": "refused by the library: a lower bound",
    "pairwise_single_game_o": "refused by the library: two bounds",
    "pairwise_transitive_chain_all_wins_o": "refused by the library: no numbers",
}


@of("pairwise_bt_elo_mle", DEGENERATE)
def test_bradley_terry(name: str) -> None:
    vector = FILES[name]
    names, structure = vector["input"]["players"], vector["expected"]["structure"]

    found = bradley_terry.fit(games_of(vector), names)

    groups = [sorted(names[entrant] for entrant in group) for group in found.strengths.groups]
    wanted = [sorted(group) for group in structure["strongly_connected_components"]]
    assert sorted(groups) == sorted(wanted)
    if structure["finite_mle_exists"]:
        compare_with_newton(vector, names)
        compare_with_ordo(vector, names)
        compare_with_bayeselo(vector, names)
    else:
        check_degenerate(vector, names)
    if "statsmodels_glm_with_seat_term" in vector["expected"]:
        compare_with_seat_term(vector, names)
    if name == "pairwise_every_game_counted_twice_o":
        check_counted_twice(vector, names)


def compare_with_newton(vector: Any, names: Sequence[str]) -> None:
    expected, games = vector["expected"]["independent_newton_bt"], list(games_of(vector))
    near = vector["tolerance"]["independent"]
    by_model = bradley_terry.fit_with_model_errors(games, names).strengths
    robust = bradley_terry.fit(games, names).strengths
    anchored = bradley_terry.fit_with_model_errors(games, names, 0).strengths
    anchored_robust = bradley_terry.fit(games, names, 0).strengths

    for found, kind in (
        (ratings(robust), "ratings_mean_zero"),
        (ratings(anchored), "ratings"),
        (errors(by_model), "se_pool_mean_gauge"),
        (errors(robust), "se_pool_mean_gauge_robust"),
        (errors(anchored), "se_vs_anchor"),
        (errors(anchored_robust), "se_vs_anchor_robust"),
    ):
        assert found == pytest.approx([expected[kind][bot] for bot in names], abs=near)
    for one, two in combinations(range(len(names)), 2):
        gap = by_model.difference(one, two).standard_error
        assert gap == pytest.approx(
            expected["se_difference"][f"{names[one]}-{names[two]}"], abs=near
        )
        key = f"{names[one]}>{names[two]}"
        assert by_model.chance_better(one, two) == pytest.approx(expected["los"][key], abs=near)
        chance = expected["los_robust"][key]
        wanted = 0.5 if chance is None else chance
        assert plain(robust).chance_better(one, two) == pytest.approx(wanted, abs=near)


SIMULATED = {
    "pairwise_all_draws_o": "bars of rounding errors alone",
    "pairwise_random30_20000_games_o": "bars of like bots scatter from 14 to 20",
    "pairwise_swiss12_sparse_o": "too few games a bot for two kinds of error to agree",
    "pairwise_thin_bridge_draw_o": "too few games a bot for two kinds of error to agree",
}
"""Where Ordo's simulated bars are no measure, and why; Newton's fit measures the errors there."""


def compare_with_ordo(vector: Any, names: Sequence[str]) -> None:
    players = vector["expected"]["ordo_400scale_drawauto"]["players"]
    found = bradley_terry.fit(games_of(vector), names)
    near = vector["tolerance"]["ordo_rating"]

    told = [players[bot]["rating"] for bot in names]
    assert ratings(found.strengths) == pytest.approx(told, abs=near)
    if vector["id"] in SIMULATED:
        return
    for error, bot in zip(errors(found.strengths), names, strict=True):
        if players[bot]["error95"] != "-":
            assert 1.96 * error == pytest.approx(players[bot]["error95"], rel=0.1)


def compare_with_bayeselo(vector: Any, names: Sequence[str]) -> None:
    """Where nobody draws; with draws it differs by design."""
    told = vector["expected"].get("bayeselo_adv0_drawelo0.01_prior0")
    draws = any(draws for _, _, _, draws, _ in vector["input"]["results"])
    if told is None or draws:
        return
    found = ratings(bradley_terry.fit(games_of(vector), names).strengths)

    wanted = [told["ratings_scaled"][bot] for bot in names]
    assert found == pytest.approx(wanted, abs=vector["tolerance"]["bayeselo_rating"])


def compare_with_seat_term(vector: Any, names: Sequence[str]) -> None:
    expected = vector["expected"]["statsmodels_glm_with_seat_term"]
    near = vector["tolerance"]["independent"]
    found = first_seat.fit_with_model_errors(games_of(vector), names)

    wanted = [expected["ratings_mean_zero"][bot] for bot in names]
    assert ratings(found.strengths) == pytest.approx(wanted, abs=near)
    assert found.first_seat.value == pytest.approx(expected["first_seat_elo"], abs=near)
    assert found.first_seat.standard_error == pytest.approx(expected["first_seat_se"], abs=near)


def check_counted_twice(vector: Any, names: Sequence[str]) -> None:
    """Each game recorded twice under one deal has the errors of the game recorded once."""
    singles = [
        replace(game, cluster=None, weight=1.0)
        for game in games_of(vector)
        for _ in range(round(game.weight) // 2)
    ]
    once = [replace(game, cluster=at) for at, game in enumerate(singles)]

    twice = bradley_terry.fit(once + once, names).strengths

    assert errors(twice) == pytest.approx(errors(bradley_terry.fit(once, names).strengths))


def check_degenerate(vector: Any, names: Sequence[str]) -> None:
    """No number across groups, no infinite one, a bound or a remark for each without a rating."""
    found = bradley_terry.fit(games_of(vector), names)
    seated = first_seat.fit(games_of(vector), names)
    met = met_pairs(vector)
    for one, two in combinations(range(len(names)), 2):
        if not found.strengths.are_comparable(one, two):
            assert found.strengths.difference(one, two).value is None
            assert seated.strengths.difference(one, two).value is None
            chance = found.chance_better(one, two)
            if frozenset((one, two)) in met:
                assert chance is not None
                assert 0 < chance < 1
            else:
                assert chance is None
    for entrant in range(len(names)):
        estimate = found.estimate(entrant)
        assert estimate.value is not None or estimate.remark
        assert estimate.low is None or estimate.high is None or estimate.value is not None


def met_pairs(vector: Any) -> set[frozenset[int]]:
    return {frozenset((game.first, game.second)) for game in games_of(vector)}


@pytest.mark.parametrize(
    ("name", "winner", "loser"),
    [
        ("pairwise_all_wins_two_players_o", "A", "B"),
        ("pairwise_perfect_winner_and_loser_o", "A", "Z"),
        ("pairwise_perfect_winner_in_group_o", "A", None),
        ("pairwise_single_game_o", "A", "B"),
    ],
)
def test_who_won_everything_has_a_lower_bound_only(
    name: str, winner: str, loser: str | None
) -> None:
    vector = FILES[name]
    place = places(vector)

    found = bradley_terry.fit(games_of(vector), vector["input"]["players"])

    best = found.estimate(place[winner])
    assert (best.value, best.high) == (None, None)
    assert best.low is not None
    if loser is not None:
        worst = found.estimate(place[loser])
        assert (worst.value, worst.low) == (None, None)
        assert worst.high is not None
        chance = found.chance_better(place[winner], place[loser])
        assert chance is not None
        assert 0.5 < chance < 1


@of("bt_cluster_robust")
def test_bradley_terry_by_deal(name: str) -> None:
    vector = FILES[name]
    names, place, expected = vector["input"]["players"], places(vector), vector["expected"]
    near = vector["tolerance"]["rel"]
    games = [
        Game(place[first], place[second], score, deal)
        for first, second, deal, score in vector["input"]["rows"]
    ]
    by_deal = bradley_terry.fit(games, names).strengths
    by_model = bradley_terry.fit_with_model_errors(games, names).strengths
    seated, seated_model = (
        first_seat.fit(games, names),
        first_seat.fit_with_model_errors(games, names),
    )

    wanted = [expected["ratings_mean_zero"][bot] for bot in names]
    assert ratings(by_deal) == pytest.approx(wanted, rel=near)
    for strengths, kind in ((by_model, "model"), (by_deal, "cluster")):
        assert errors(strengths) == pytest.approx(
            [expected[f"se_{kind}"][bot] for bot in names], rel=near
        )
        for pair, chance in expected[f"los_{kind}"].items():
            one, two = (place[bot] for bot in pair.split(">"))
            assert plain(strengths).chance_better(one, two) == pytest.approx(chance, rel=near)
    seat = expected["with_seat_term"]
    assert ratings(seated.strengths) == pytest.approx(
        [seat["ratings"][bot] for bot in names], rel=near
    )
    assert seated.first_seat.value == pytest.approx(seat["first_seat_elo"], rel=near)
    error = seated_model.first_seat.standard_error
    assert error == pytest.approx(seat["first_seat_se"], rel=near)
    assert seated.first_seat.standard_error == pytest.approx(
        seat["first_seat_se_cluster"], rel=near
    )


@of("team_bt_mle", {"team_bt_inseparable_partners_o": "the pair is rated as one"})
def test_members_of_teams(name: str) -> None:
    vector = FILES[name]
    names, place, expected = vector["input"]["players"], places(vector), vector["expected"]
    near = vector["tolerance"]["rel"]
    games = [
        teams.TeamGame(tuple(place[bot] for bot in one), tuple(place[bot] for bot in two), score)
        for one, two, score in vector["input"]["rows"]
    ]

    found = teams.fit_with_model_errors(games, names)

    titles = ["+".join(names[entrant] for entrant in unit) for unit in found.units]
    wanted = expected.get("pair_as_one", expected.get("ratings_mean_zero"))
    assert titles == list(wanted)
    assert ratings(found.strengths) == pytest.approx(list(wanted.values()), rel=near)
    if "se_pool_mean_gauge" in expected:
        told = list(expected["se_pool_mean_gauge"].values())
        assert errors(found.strengths) == pytest.approx(told, rel=near)
    if "pair_as_one" in expected:
        assert not expected["separate_ratings_identifiable"]
        assert found.estimate(place["a"]) == found.estimate(place["b"])


@of(
    "plackett_luce_mle", {"plackett_luce_mle_perfect_first_o": "ValueError of the library: a bound"}
)
def test_plackett_luce(name: str) -> None:
    vector = FILES[name]
    expected, near = vector["expected"], vector["tolerance"]
    names = [f"b{bot}" for bot in range(vector["input"]["n_bots"])]
    orders = [
        Order(tuple((bot,) for bot in order)) for order in vector["input"]["finishing_orders"]
    ]

    found = plackett_luce.fit_with_model_errors(orders, names)

    if "finite_mle_exists" in expected:
        best = found.estimate(0)
        assert (best.value, best.high) == (None, None)
        assert best.low is not None
        assert best.low > max(ratings(found.strengths)) + 1500
        ridge = plackett_luce.fit_with_prior(orders, names, deviation=SCALE * math.sqrt(2))
        strengths = [value / SCALE for value in ratings(ridge)]
        assert strengths == pytest.approx(expected["ridge_0_5"]["log_strength"], abs=near["ridge"])
        deviations = [error / SCALE for error in errors(ridge)]
        assert deviations == pytest.approx(expected["ridge_0_5"]["sd"], abs=near["ridge"])
        return
    strengths = [value / SCALE for value in ratings(found.strengths)]
    assert strengths == pytest.approx(expected["log_strength"], abs=near["log_strength"])
    assert ratings(found.strengths) == pytest.approx(expected["elo_mean_zero"], abs=1e-5)
    assert errors(found.strengths) == pytest.approx(
        expected["se_elo_pool_mean_gauge"], abs=near["se"]
    )
    assert found.log_likelihood == pytest.approx(expected["loglik"], abs=1e-6)
    for solver in ("ilsr", "opt", "mm"):
        assert strengths == pytest.approx(expected[f"choix_{solver}"], abs=near["choix"])


@of(
    "margin_duplicate_pairs",
    {"margin_duplicate_deterministic_selfplay_o": "exactly 0, without an error bar"},
)
def test_margins_of_duplicate_deals(name: str) -> None:
    vector = FILES[name]
    rows, expected = vector["input"]["rows"], vector["expected"]
    pairs = rows["rows_full"] if isinstance(rows, dict) else rows
    near = vector["tolerance"]["rel"]
    gains = [(one - two) / 2 for one, two in pairs]
    boards = [
        BoardPoints(deal, (0, 1), (gain / 2, -gain / 2), 2) for deal, gain in enumerate(gains)
    ]

    strengths = fit_margins(boards, "AB")
    margin = strengths.difference(0, 1)

    assert len(pairs) == expected["pairs"]
    assert margin.value == pytest.approx(expected["mean_margin_per_hand"], rel=near)
    assert margin.value == pytest.approx(expected["mean_check"], rel=near)
    if expected["sd_pair_mean"] == 0:
        assert strengths.covariance[0][0] == expected["se_paired"] == 0
        assert margin == Estimate(0, remark=values.ALIKE)
        assert strengths.chance_better(0, 1) == 0.5
        assert sequential.margin_ratio(gains, 0, 10) is None
        return
    assert margin.standard_error == pytest.approx(expected["se_paired"], rel=near)
    assert margin.standard_error == pytest.approx(expected["se_cluster_statsmodels"], rel=near)
    bare = plain(strengths).difference(0, 1).standard_error
    assert bare == pytest.approx(expected["se_cluster_statsmodels_nocorrection"], rel=near)
    assert [margin.low, margin.high] == pytest.approx(expected["ci95_t"], rel=near)
    assert strengths.chance_better(0, 1) == pytest.approx(expected["los_t"], rel=near)
    for low, high in ((0, 10), (-5, 5)):
        ratio = sequential.margin_ratio(gains, low, high)
        wanted = expected[f"llr_gsprt_unknown_variance_{low}_{high}"]
        assert ratio == pytest.approx(wanted, rel=near)


@of("margin_rating_least_squares")
def test_margins_of_a_round_robin(name: str) -> None:
    vector = FILES[name]
    names, place, expected = vector["input"]["players"], places(vector), vector["expected"]
    near = vector["tolerance"]["rel"]
    tables: dict[tuple[int, int, int], list[float]] = defaultdict(list)
    for one, two, deal, margin in vector["input"]["rows"]:
        low, high = sorted((place[one], place[two]))
        tables[deal, low, high].append(margin / 2 if place[one] == low else -margin / 2)

    strengths = fit_margins(
        [
            BoardPoints(deal, (low, high), (fmean(halves), -fmean(halves)), len(halves))
            for (deal, low, high), halves in tables.items()
        ],
        names,
    )

    for kind in ("ratings_ols", "ratings_within_deal_differences"):
        wanted = [expected[kind][bot] for bot in names]
        assert strengths.values == pytest.approx(wanted, rel=near)
    for kind in ("se_cluster_by_deal", "se_within_deal_HC0"):
        assert errors(strengths) == pytest.approx([expected[kind][bot] for bot in names], rel=near)


@of("margin_control_variate")
def test_a_mean_freed_of_known_luck(name: str) -> None:
    vector = FILES[name]
    expected, near = vector["expected"], vector["tolerance"]["rel"]
    margins, luck = zip(*vector["input"]["rows"], strict=True)

    found = control_variate.fitted(margins, luck)

    assert found is not None
    assert found.raw.value == pytest.approx(expected["raw_mean"], rel=near)
    assert found.raw.standard_error == pytest.approx(expected["raw_se"], rel=near)
    assert found.coefficient == pytest.approx(expected["b"], rel=near)
    assert found.explained == pytest.approx(expected["r_squared"], rel=near)
    assert found.adjusted.value == pytest.approx(expected["adjusted_mean"], rel=near)
    assert found.adjusted.value == pytest.approx(expected["ols_intercept"], rel=near)
    error = found.adjusted.standard_error
    assert error == pytest.approx(expected["adjusted_se_residual"], rel=near)
    assert found.intercept_error == pytest.approx(expected["adjusted_se_ols_intercept"], rel=near)


@of("bootstrap")
def test_a_resampled_mean(name: str) -> None:
    vector = FILES[name]
    expected, near = vector["expected"], vector["tolerance"]["abs"]

    found = bootstrap.mean(vector["input"]["values"], seed=1, resamples=100_000)

    assert found.percentile == pytest.approx(expected["percentile"], abs=near)
    assert found.accelerated == pytest.approx(expected["bca"], abs=near)
    assert found.standard_error == pytest.approx(expected["se"], abs=near)


@of("sprt_bounds")
def test_bounds_of_a_sequential_test(name: str) -> None:
    vector = FILES[name]

    found = [sequential.bounds(alpha, beta) for alpha, beta in vector["input"]["pairs"]]

    near = vector["tolerance"]["abs"]
    for edges, wanted in zip(found, vector["expected"]["bounds"], strict=True):
        assert [edges.lower, edges.upper] == pytest.approx(wanted, abs=near)


def ratio_of(case: Any) -> float | None:
    elo = case["elo0"], case["elo1"]
    if case["model"] == "bayesian":
        return sequential.draw_model_ratio(case["wins"], case["draws"], case["losses"], *elo)
    scale = SCALES[case["model"]]
    if case["statistic"] == "trinomial":
        return sequential.game_ratio(case["wins"], case["draws"], case["losses"], *elo, scale)
    return sequential.pair_ratio(pentanomial(case), *elo, scale)


@of("sprt_llr")
def test_ratios_of_a_sequential_test(name: str) -> None:
    vector = FILES[name]
    near = vector["tolerance"]
    for case, expected in zip(vector["input"]["cases"], vector["expected"]["cases"], strict=True):
        ratio = ratio_of(case)

        assert ratio == pytest.approx(expected["fastchess"]["llr"], rel=1e-2)
        edges = sequential.bounds(case["alpha"], case["beta"])
        assert edges.lower == pytest.approx(expected["fastchess"]["lower"])
        assert edges.upper == pytest.approx(expected["fastchess"]["upper"])
        for program in ("fishtest", "independent"):
            if "llr" in expected[program]:
                wanted = expected[program]["llr"]
                assert ratio == pytest.approx(wanted, abs=near[f"{program}_llr"], rel=1e-11)


@of("sprt_pathological", {"sprt_pathological_o": "nan of the library: not defined yet"})
def test_hopeless_counts_give_no_verdict(name: str) -> None:
    for case in FILES[name]["input"]["cases"]:
        ll, ld, wl, dd, wd, ww = case["counts"]
        counts = (ll, ld, wl + dd, wd, ww)
        scores = [score / 4 for score, count in enumerate(counts) for _ in range(count)]
        scale = SCALES[case["model"]]
        plan = Plan(most=1000, alpha=case["alpha"], beta=case["beta"])

        ratio = sequential.pair_ratio(counts, case["elo0"], case["elo1"], scale)
        verdict = sequential.decide(
            plan,
            dict(enumerate(scores)),
            sequential.of_pair_scores(case["elo0"], case["elo1"], scale),
        )

        assert ratio is None or math.isfinite(ratio)
        assert verdict.decision is Decision.OPEN


def finished(names: Sequence[Sequence[str]], ranks: Sequence[int]) -> live.Result:
    return live.Result(tuple(numbered(side) for side in names), tuple(ranks))


def live_results(vector: Any) -> Iterator[live.Result]:
    for game in vector["input"]["games_in_order"]:
        if vector["category"] == "online_elo_multiplayer":
            yield finished([[name] for name in game[0]], game[1])
        elif vector["category"] == "online_elo_team":
            yield finished(game[:2], OUTCOME[game[2]])
        else:
            yield finished([[name] for name in game[:2]], OUTCOME[game[2]])


def compare_live(found: Mapping[int, float], wanted: Mapping[str, float], near: float) -> None:
    told = {numbered([name])[0]: rating for name, rating in wanted.items()}
    assert found == pytest.approx(told, abs=near)


@pytest.mark.parametrize(
    "name",
    sorted(name for name in FILES if name.startswith("online_elo") and "fideK" not in name),
)
def test_a_running_elo(name: str) -> None:
    vector = FILES[name]
    given, expected, near = vector["input"], vector["expected"], vector["tolerance"]["abs"]
    results = list(live_results(vector))
    cap = given.get("rating_difference_cap")

    def replayed(chosen: Sequence[live.Result]) -> dict[int, float]:
        return live.replay(chosen, lambda result, played: given["K"], given["initial"], cap)

    compare_live(replayed(results), expected["final"], near)
    if "final_if_reversed" in expected:
        compare_live(replayed(results[::-1]), expected["final_if_reversed"], near)
    if "plain_two_player" in expected:
        compare_live(replayed(results), expected["plain_two_player"], near)
    for seen, trace in enumerate(expected.get("first_traces", ()), start=1):
        known = replayed(results[:seen])
        told = {numbered([bot])[0]: rating for bot, rating in trace.items()}
        assert {bot: known[bot] for bot in told} == pytest.approx(told, abs=near)
    for seen, pair in enumerate(expected.get("after_each_game_first_second", ()), start=1):
        known = replayed(results[:seen])
        sides = results[seen - 1].sides
        assert [known[side[0]] for side in sides] == pytest.approx(pair, abs=near)
    if "sum_of_ratings" in expected:
        total = sum(replayed(results).values())
        assert total == pytest.approx(expected["sum_of_ratings"], abs=1e-6)


@pytest.mark.parametrize("name", ["online_elo_fideK_o"])
def test_a_running_elo_with_a_factor_for_each_side(name: str) -> None:
    vector = FILES[name]
    near, initial = vector["tolerance"]["abs"], vector["input"]["initial"]
    found: dict[str, float] = {}
    played: dict[str, int] = {}
    masters: set[str] = set()

    def factor(bot: str) -> float:
        if found[bot] >= 2400:
            masters.add(bot)
        if bot in masters:
            return 10.0
        return 40.0 if played.get(bot, 0) < 30 else 20.0

    traces = vector["expected"]["after_each_game_first_second"]
    for at, (one, two, score) in enumerate(vector["input"]["games_in_order"]):
        found.setdefault(one, initial)
        found.setdefault(two, initial)
        factors = factor(one), factor(two)
        found[one], found[two] = live.moved_pair(found[one], found[two], score, factors)
        for bot in (one, two):
            played[bot] = played.get(bot, 0) + 1
        if at < len(traces):
            assert [found[one], found[two]] == pytest.approx(traces[at], abs=near)

    assert found == pytest.approx(vector["expected"]["final"], abs=near)
    assert sum(found.values()) == pytest.approx(vector["expected"]["sum_of_ratings"], abs=1e-6)


@of("glicko2")
def test_glickos_worked_example(name: str) -> None:
    vector = FILES[name]
    given, expected, near = vector["input"], vector["expected"], vector["tolerance"]
    results = [(glicko.Form(rating, rd), score) for rating, rd, score in given["opponents"]]

    found = glicko.after_period(glicko.Form(*given["player"]), results, given["tau"])

    assert found.rating == pytest.approx(expected["rating"], abs=near["rating"])
    assert found.deviation == pytest.approx(expected["rd"], abs=near["rd"])
    assert found.volatility == pytest.approx(expected["volatility"], abs=near["volatility"])


@of("trueskill")
def test_trueskill_tables(name: str) -> None:
    vector = FILES[name]
    near = vector["tolerance"]["abs"]
    for case, expected in zip(vector["input"]["cases"], vector["expected"]["cases"], strict=True):
        tables = [[factor_graph.Belief(*one) for one in team] for team in case["teams_mu_sigma"]]

        found = factor_graph.updated(tables, case["ranks"])

        told = [value for team in found for one in team for value in (one.mu, one.sigma)]
        wanted = [value for team in expected["teams_mu_sigma"] for one in team for value in one]
        assert told == pytest.approx(wanted, abs=near)
        assert factor_graph.quality(tables) == pytest.approx(expected["quality"], abs=near)


@of("whole_history_rating")
def test_whole_history(name: str) -> None:
    vector = FILES[name]
    near = vector["tolerance"]["elo"]
    games = [
        whole_history.DatedGame(day, ord(black), ord(white), float(winner == "B"))
        for black, white, winner, day in vector["input"]["games"]
    ]

    found = whole_history.fit(games, vector["input"]["w2"])

    for bot, points in vector["expected"]["ratings_day_elo_uncertainty"].items():
        curve = found[numbered([bot])[0]]
        assert [point.day for point in curve] == [day for day, _, _ in points]
        assert [point.elo for point in curve] == pytest.approx(
            [elo for _, elo, _ in points], abs=near
        )


OPENSKILL = "there is no package openskill"
TIES = {
    "openskill_PlackettLuce_o": "ties are wrong in the library: refused",
}


@of("openskill", TIES)
def test_tables_of_openskill(name: str) -> None:
    pytest.importorskip("openskill", reason=OPENSKILL)
    from fivehundred.ratings import live_skill

    vector = FILES[name]
    near, model = vector["tolerance"]["abs"], live_skill.Model(vector["input"]["model"])
    for case, expected in zip(vector["input"]["cases"], vector["expected"]["cases"], strict=True):
        members = [one for team in case["teams_mu_sigma"] for one in team]
        skills = {at: live_skill.Skill(*one) for at, one in enumerate(members)}
        numbers = iter(range(len(members)))
        sides = tuple(tuple(next(numbers) for _ in team) for team in case["teams_mu_sigma"])
        result = live.Result(sides, tuple(case["ranks"]))
        if "Plackett" in name and len(set(case["ranks"])) < len(case["ranks"]):
            with pytest.raises(ValueError, match="ties"):
                live_skill.updated(skills, result, model)
            continue

        found = live_skill.updated(skills, result, model)

        told = [value for at in range(len(members)) for value in (found[at].mu, found[at].sigma)]
        wanted = [value for team in expected["teams_mu_sigma"] for one in team for value in one]
        assert told == pytest.approx(wanted, abs=near)
        ordinals = [value for team in expected["ordinal"] for value in team]
        assert [found[at].ordinal for at in range(len(members))] == pytest.approx(
            ordinals, abs=near
        )


@of("openskill_sequence")
def test_sequences_of_openskill(name: str) -> None:
    pytest.importorskip("openskill", reason=OPENSKILL)
    from fivehundred.ratings import live_skill

    vector = FILES[name]
    results = [
        finished([[bot] for bot in names], ranks)
        for names, ranks in vector["input"]["games_in_order"]
    ]

    found = live_skill.replay(results, live_skill.Model(vector["input"]["model"]))

    for bot, wanted in vector["expected"]["final"].items():
        skill = found[numbered([bot])[0]]
        told = [skill.mu, skill.sigma, skill.ordinal]
        assert told == pytest.approx(wanted, abs=vector["tolerance"]["abs"])
