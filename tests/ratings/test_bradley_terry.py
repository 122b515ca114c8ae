import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from fivehundred.ratings.bradley_terry import (
    Game,
    Ratings,
    expected_score,
    fit,
)
from fivehundred.ratings.values import ALIKE, Strengths

VECTORS = Path(__file__).parent / "vectors"
ABC = ("A", "B", "C")


def load(name: str) -> Any:
    return json.loads((VECTORS / f"{name}_o.json").read_text())


def games_of(vector: Any) -> Iterator[Game]:
    place = {name: at for at, name in enumerate(vector["input"]["players"])}
    for first, second, wins, draws, losses in vector["input"]["results"]:
        for score, count in ((1.0, wins), (0.5, draws), (0.0, losses)):
            if count:
                yield Game(place[first], place[second], score, weight=count)


def plain(strengths: Strengths) -> Strengths:
    """The strengths with large-sample errors, as the reference programs give them."""
    size = len(strengths.values)
    return replace(strengths, correction=(1.0,) * size, freedom=(math.inf,) * size)


def errors(strengths: Strengths) -> list[float]:
    size = range(len(strengths.values))
    return [plain(strengths).estimate(entrant).standard_error or 0.0 for entrant in size]


def values(ratings: Ratings) -> list[float]:
    return [value or 0.0 for value in ratings.strengths.values]


def test_a_perfect_winner_has_a_lower_bound_only_and_leaves_the_others_alone() -> None:
    vector = load("pairwise_perfect_winner_in_group")
    names, games = vector["input"]["players"], list(games_of(vector))
    rest = [
        replace(game, first=game.first - 1, second=game.second - 1)
        for game in games
        if 0 not in (game.first, game.second)
    ]

    ratings = fit(games, names)
    winner = ratings.estimate(0)

    assert winner.value is None
    assert winner.standard_error is None
    assert winner.high is None
    assert winner.low is not None
    assert winner.low > max(values(ratings)[1:])
    assert winner.remark == (
        "there is no upper bound: all was won against those with a rating (B, C, D and E)"
    )
    assert values(ratings)[1:] == values(fit(rest, names[1:]))
    assert all(ratings.is_better(0, other) for other in range(1, 5))


def test_the_bound_of_a_perfect_winner_is_where_such_luck_is_one_in_forty() -> None:
    games = [Game(0, 1, 1.0, weight=10), Game(1, 2, 1.0), Game(1, 2, 0.0)]

    low = fit(games, ABC).estimate(0).low

    assert low is not None
    assert expected_score(low - 1500) ** 10 == pytest.approx(0.025)


def test_a_perfect_loser_has_an_upper_bound_only() -> None:
    vector = load("pairwise_perfect_winner_and_loser")
    names = vector["input"]["players"]

    ratings = fit(games_of(vector), names)
    winner, loser = ratings.estimate(0), ratings.estimate(names.index("Z"))

    assert (winner.value, winner.high) == (None, None)
    assert (loser.value, loser.low) == (None, None)
    assert loser.high is not None
    assert loser.high < min(values(ratings)[1:5])
    assert loser.remark == (
        "there is no lower bound: all was lost against those with a rating (B, C, D and E)"
    )


@pytest.mark.parametrize(("name", "wins"), [("all_wins_two_players", 10), ("single_game", 1)])
def test_of_two_where_one_has_won_everything_both_have_bounds(name: str, wins: int) -> None:
    ratings = fit(games_of(load(f"pairwise_{name}")), "AB")

    low, high = ratings.estimate(0).low, ratings.estimate(1).high

    assert low is not None
    assert high is not None
    assert expected_score(low - high) ** wins == pytest.approx(0.025)
    assert ratings.chance_better(0, 1) == pytest.approx(1 - 0.5 ** (wins + 1))
    assert ratings.is_better(0, 1) is (wins == 10)


def test_a_bound_stands_against_an_anchor_that_has_lost_everything() -> None:
    ratings = fit([Game(0, 1, 1.0, weight=10)], "AB", anchor=1)

    assert ratings.estimate(1).value == 1500
    low = ratings.estimate(0).low
    assert low is not None
    assert expected_score(low - 1500) ** 10 == pytest.approx(0.025)


def test_groups_that_never_met_have_scales_of_their_own() -> None:
    vector = load("pairwise_disconnected_groups")
    names = vector["input"]["players"]

    ratings = fit(games_of(vector), names)

    assert ratings.strengths.groups == ((0, 1, 2), (3, 4))
    assert sum(values(ratings)[:3]) == pytest.approx(4500)
    assert sum(values(ratings)[3:]) == pytest.approx(3000)
    assert ratings.chance_better(0, 3) is None
    assert ratings.estimate(0).remark == ""
    assert ratings.estimate(3).remark == (
        "X is not comparable with A: no chain of points links the two both ways; "
        "further results of X against A may link them"
    )


def test_a_one_way_bridge_is_no_connection() -> None:
    vector = load("pairwise_one_way_bridge")
    names = vector["input"]["players"]

    ratings = fit(games_of(vector), names)

    assert "not comparable" in ratings.estimate(names.index("X")).remark
    assert sum(values(ratings)[:3]) == pytest.approx(4500)


def test_a_chain_without_an_upset_rates_nobody() -> None:
    vector = load("pairwise_transitive_chain_all_wins")

    ratings = fit(games_of(vector), vector["input"]["players"])

    assert set(ratings.strengths.values) == {None}
    assert all(ratings.estimate(entrant).remark for entrant in range(5))
    assert ratings.chance_better(0, 1) == pytest.approx(1 - 0.5**6)
    assert ratings.chance_better(0, 4) is None


def random_games(seed: int, entrants: int = 4, boards: int = 60) -> list[Game]:
    draw = random.Random(seed)
    games = []
    for board in range(boards):
        first, second = draw.sample(range(entrants), 2)
        scores = draw.choices((0.0, 0.5, 1.0), k=2)
        games += [Game(first, second, score, board) for score in scores]
    return games


def permuted(games: Sequence[Game], order: Sequence[int]) -> list[Game]:
    return [replace(game, first=order[game.first], second=order[game.second]) for game in games]


@pytest.mark.parametrize("seed", range(5))
def test_neither_order_nor_sides_nor_names_change_a_byte(seed: int) -> None:
    games, names = random_games(seed), "ABCD"
    shuffled = random.Random(seed).sample(games, len(games))
    swapped = [Game(g.second, g.first, 1 - g.score, g.cluster) for g in games]
    order = random.Random(seed).sample(range(4), 4)

    ratings, renamed = fit(games, names), fit(permuted(games, order), names)

    assert fit(shuffled, names) == ratings
    assert fit(swapped, names) == ratings
    for entrant in range(4):
        assert renamed.estimate(order[entrant]) == ratings.estimate(entrant)


def test_swapping_two_bots_negates_the_difference() -> None:
    games = random_games(1)

    there = fit(games, "ABCD").strengths
    back = fit(permuted(games, (1, 0, 2, 3)), "ABCD").strengths

    gap, mirrored = there.difference(0, 1).value, back.difference(0, 1).value
    chances = there.chance_better(0, 1), back.chance_better(0, 1)
    assert gap is not None
    assert mirrored == pytest.approx(-gap)
    assert chances[0] is not None
    assert chances[1] == pytest.approx(1 - chances[0])


def test_doubled_games_count_with_new_boards_and_not_with_the_same() -> None:
    games = random_games(2)
    fresh = [replace(game, cluster=(game.cluster or 0) + 1000) for game in games]

    once = errors(fit(games, "ABCD").strengths)

    assert errors(fit(games + games, "ABCD").strengths) == pytest.approx(once)
    halved = [error / math.sqrt(2) for error in once]
    assert errors(fit(games + fresh, "ABCD").strengths) == pytest.approx(halved)


def test_self_play_changes_nothing() -> None:
    games = random_games(3)
    self_play = [Game(0, 0, 1.0, 7), Game(1, 1, 0.5)]

    assert fit(games + self_play, "ABCD") == fit(games, "ABCD")


def test_shifting_the_anchor_leaves_differences_and_their_errors() -> None:
    games = random_games(4)

    differences = [fit(games, "ABCD", anchor).strengths.difference(0, 1) for anchor in (2, 3)]

    assert differences[0].value == pytest.approx(differences[1].value)
    assert differences[0].standard_error == pytest.approx(differences[1].standard_error)


def test_the_anchor_itself_is_exact() -> None:
    anchor = fit(random_games(5), "ABCD", 2).estimate(2)

    assert (anchor.value, anchor.standard_error) == (1500, 0)
    assert (anchor.low, anchor.high) == (1500, 1500)


def test_one_game_a_cluster_is_as_good_as_none() -> None:
    games = [replace(game, cluster=at) for at, game in enumerate(random_games(6))]
    bare = [replace(game, cluster=None) for game in games]

    assert errors(fit(games, "ABCD").strengths) == pytest.approx(
        errors(fit(bare, "ABCD").strengths)
    )


def test_one_drawn_board_gives_equal_ratings_without_an_error() -> None:
    ratings = fit([Game(0, 1, 0.5, 0)], "AB")

    assert ratings.estimate(0).value == 1500
    assert ratings.estimate(0).standard_error is None
    assert ratings.estimate(0).remark == "there are too few boards for an error"


def test_without_results_there_is_no_number() -> None:
    ratings = fit([], "AB")

    assert [ratings.estimate(0).value, ratings.estimate(0).remark] == [None, "there are no results"]
    assert ratings.chance_better(0, 1) is None


def test_extreme_differences_stay_finite() -> None:
    games = [
        Game(0, 1, 1.0, weight=1e6),
        Game(0, 1, 0.0),
        Game(1, 2, 1.0, weight=1e6),
        Game(1, 2, 0.0),
    ]

    ratings = fit(games, ABC)

    assert values(ratings)[0] - values(ratings)[1] == pytest.approx(2400, abs=0.01)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    truth, draw = (60.0, 0.0, -60.0), random.Random(500)
    hits = trials = 0
    for _ in range(300):
        games: list[Game] = []
        for first, second in combinations(range(3), 2):
            chance = expected_score(truth[first] - truth[second])
            games += [
                Game(first, second, float(draw.random() < chance), len(games) + at)
                for at in range(40)
            ]
        for entrant in range(3):
            estimate = fit(games, ABC).estimate(entrant)
            assert estimate.low is not None
            assert estimate.high is not None
            hits += estimate.low <= 1500 + truth[entrant] <= estimate.high
            trials += 1

    assert 0.93 <= hits / trials <= 0.97


def test_a_bound_names_the_rated_that_it_is_against_and_not_who_was_beaten() -> None:
    """As a bot that beat only those who lost to everybody."""
    rated = [Game(one, two, 0.5, weight=4) for one in range(6) for two in range(one)]
    games = [*rated, *(Game(other, 6, 1.0) for other in (0, 1)), Game(6, 7, 1.0, weight=4)]
    many = [*rated, *(Game(other, 6, 1.0) for other in range(6)), Game(6, 7, 1.0, weight=4)]

    few, all_six = fit(games, "ABCDEFGH").estimate(6), fit(many, "ABCDEFGH").estimate(6)

    told = "there is no lower bound: all was lost against those with a rating"
    assert few.remark == f"{told} (A and B)"
    assert all_six.remark == f"{told} (A, B, C and 3 others)"


def test_copies_that_always_tie_have_a_rating_without_an_error() -> None:
    apart = [Game(0, 1, at % 2, at) for at in range(10)]
    copies = [Game(2, 3, 0.5, at) for at in range(10, 20)]

    ratings = fit([*apart, *copies], "ABCD")

    assert ratings.estimate(0).standard_error is not None
    for entrant in (2, 3):
        told = ratings.estimate(entrant)
        assert (told.value, told.standard_error, told.low, told.high) == (1500, None, None, None)
        assert told.remark.endswith(ALIKE)
    assert ratings.chance_better(2, 3) == 0.5
    assert not ratings.is_better(2, 3)
