"""What holds of every model without any reference: a test for each property, over seeds."""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import pytest

from fivehundred.ratings import (
    bradley_terry,
    first_seat,
    margins,
    match,
    plackett_luce,
    sequential,
    teams,
)
from fivehundred.ratings.bradley_terry import Game
from fivehundred.ratings.finishing_orders import Order
from fivehundred.ratings.margins import BoardPoints
from fivehundred.ratings.match import Record
from fivehundred.ratings.order_likelihood import Ties
from fivehundred.ratings.sequential import Scale
from fivehundred.ratings.teams import TeamGame
from fivehundred.ratings.values import Strengths

NAMES = "ABCDE"
BOARDS = 80
SEEDS = pytest.mark.parametrize("seed", range(3))


def games(seed: int) -> list[Game]:
    draw = random.Random(seed)
    found = []
    for board in range(BOARDS):
        first, second = draw.sample(range(5), 2)
        found += [Game(first, second, score, board) for score in draw.choices((0, 0.5, 1), k=2)]
    return found


def team_games(seed: int) -> list[TeamGame]:
    draw = random.Random(seed)
    found = []
    for board in range(BOARDS):
        seats = draw.sample(range(5), 4)
        one, two = tuple(seats[:2]), tuple(seats[2:])
        found += [TeamGame(one, two, score, board) for score in draw.choices((0, 0.5, 1), k=2)]
    return found


def orders(seed: int) -> list[Order]:
    draw = random.Random(seed)
    found = []
    for board in range(BOARDS):
        seats = draw.sample(range(5), 4)
        levels = (
            [(seats[0],), (seats[1], seats[2]), (seats[3],)] if board % 3 else [(s,) for s in seats]
        )
        found.append(Order(tuple(levels), board // 2))
    return found


def boards(seed: int) -> list[BoardPoints]:
    draw = random.Random(seed)
    return [
        BoardPoints(
            board // 2, tuple(draw.sample(range(5), 3)), tuple(draw.gauss(0, 9) for _ in "abc")
        )
        for board in range(BOARDS)
    ]


Result = Game | TeamGame | Order | BoardPoints
Kind = TypeVar("Kind", Game, TeamGame, Order, BoardPoints)


@dataclass(frozen=True)
class Model:
    """A model behind one face: its results and its fit."""

    results: Callable[[int], Sequence[Result]]
    fit: Callable[[Iterable[Result]], Strengths]


def only(kind: type[Kind], results: Iterable[Result]) -> list[Kind]:
    """All of them, by their type."""
    return [result for result in results if isinstance(result, kind)]


def renamed(result: Result, order: Sequence[int]) -> Result:
    def moved(entrants: Iterable[int]) -> tuple[int, ...]:
        return tuple(order[entrant] for entrant in entrants)

    match result:
        case Game():
            return replace(result, first=order[result.first], second=order[result.second])
        case TeamGame():
            return replace(result, first=moved(result.first), second=moved(result.second))
        case Order():
            return replace(result, levels=tuple(moved(level) for level in result.levels))
        case BoardPoints():
            return replace(result, entrants=moved(result.entrants))


MODELS = {
    "bradley_terry": Model(
        games, lambda found: bradley_terry.fit(only(Game, found), NAMES).strengths
    ),
    "first_seat": Model(games, lambda found: first_seat.fit(only(Game, found), NAMES).strengths),
    "teams": Model(team_games, lambda found: teams.fit(only(TeamGame, found), NAMES).strengths),
    "plackett_luce": Model(
        orders, lambda found: plackett_luce.fit(only(Order, found), NAMES).strengths
    ),
    "margins": Model(boards, lambda found: margins.fit(only(BoardPoints, found), NAMES)),
}
EACH = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())


def errors(strengths: Strengths) -> list[float]:
    """The large-sample ones."""
    return [math.sqrt(strengths.covariance[at][at]) for at in range(len(strengths.values))]


def with_board(result: Result, shift: int) -> Result:
    if isinstance(result, BoardPoints):
        return replace(result, board=result.board + shift)
    return replace(result, cluster=(result.cluster or 0) + shift)


def alone(result: Result) -> Result:
    return result if isinstance(result, BoardPoints) else replace(result, cluster=None)


@EACH
@SEEDS
def test_permuting_rows_changes_nothing(model: Model, seed: int) -> None:
    results = model.results(seed)

    shuffled = random.Random(seed).sample(results, len(results))

    assert model.fit(shuffled).values == model.fit(results).values
    assert errors(model.fit(shuffled)) == pytest.approx(errors(model.fit(results)), rel=1e-9)


@EACH
@SEEDS
def test_permuting_names_permutes_the_ratings(model: Model, seed: int) -> None:
    results = model.results(seed)
    order = random.Random(seed).sample(range(5), 5)

    there = model.fit(results)
    back = model.fit([renamed(result, order) for result in results])

    assert [back.values[order[bot]] for bot in range(5)] == pytest.approx(there.values)
    spread = errors(back)
    assert [spread[order[bot]] for bot in range(5)] == pytest.approx(errors(there))


@SEEDS
def test_permuting_sides_changes_nothing(seed: int) -> None:
    turned = [Game(g.second, g.first, 1 - g.score, g.cluster) for g in games(seed)]
    turned_teams = [TeamGame(g.second, g.first, 1 - g.score, g.cluster) for g in team_games(seed)]
    turned_boards = [
        replace(board, entrants=board.entrants[::-1], points=board.points[::-1])
        for board in boards(seed)
    ]

    assert bradley_terry.fit(turned, NAMES) == bradley_terry.fit(games(seed), NAMES)
    one, two = teams.fit(turned_teams, NAMES), teams.fit(team_games(seed), NAMES)
    assert one.strengths.values == pytest.approx(two.strengths.values)
    other = margins.fit(turned_boards, NAMES)
    assert other.values == pytest.approx(margins.fit(boards(seed), NAMES).values)


@EACH
@SEEDS
def test_swapping_two_negates_the_difference_and_turns_the_chance(model: Model, seed: int) -> None:
    results = model.results(seed)
    there = model.fit(results)
    back = model.fit([renamed(result, (1, 0, 2, 3, 4)) for result in results])

    gap, mirrored = there.difference(0, 1).value, back.difference(0, 1).value
    chance, turned = there.chance_better(0, 1), back.chance_better(0, 1)

    assert gap is not None
    assert chance is not None
    assert mirrored == pytest.approx(-gap)
    assert turned == pytest.approx(1 - chance)
    assert there.chance_better(1, 0) == pytest.approx(1 - chance)


@EACH
@SEEDS
def test_the_matrix_of_chances_turns_about_its_diagonal(model: Model, seed: int) -> None:
    strengths = model.fit(model.results(seed))

    table = strengths.comparisons().chances

    assert table == pytest.approx(1 - table.T)
    assert np.diag(table).tolist() == [0.5] * 5


@pytest.mark.parametrize("wdl", [(7, 2, 3), (0, 4, 9), (5, 0, 0), (0, 3, 0)])
def test_swapping_two_of_a_match_negates_and_turns_it(wdl: tuple[int, int, int]) -> None:
    there, back = match.of_games(Record(*wdl)), match.of_games(Record(*wdl[::-1]))

    assert back.chance_better == pytest.approx(1 - there.chance_better)
    assert (back.elo.value or 0) == pytest.approx(-(there.elo.value or 0))
    assert (back.elo.low is None) == (there.elo.high is None)
    assert (back.elo.low or 0) == pytest.approx(-(there.elo.high or 0))


@EACH
@SEEDS
def test_doubling_all_with_new_deals_divides_the_error_by_root_two(model: Model, seed: int) -> None:
    results = model.results(seed)

    doubled = model.fit([*results, *(with_board(result, 10_000) for result in results)])

    once = model.fit(results)
    assert doubled.values == pytest.approx(once.values)
    assert errors(doubled) == pytest.approx([error / math.sqrt(2) for error in errors(once)])


@EACH
@SEEDS
def test_doubling_all_with_the_same_deals_leaves_the_error(model: Model, seed: int) -> None:
    results = model.results(seed)

    doubled = model.fit([*results, *results])

    assert doubled.values == pytest.approx(model.fit(results).values)
    assert errors(doubled) == pytest.approx(errors(model.fit(results)))


@SEEDS
def test_adding_self_play_changes_nothing(seed: int) -> None:
    own = [Game(2, 2, 1.0, 7), Game(3, 3, 0.5)]
    own_teams = [TeamGame((2, 2), (2, 2), 1.0, 7), TeamGame((0, 1), (1, 0), 0.0)]
    lone = BoardPoints(7, (2,), (50.0,))

    for fit in (bradley_terry.fit, first_seat.fit):
        assert fit(games(seed) + own, NAMES) == fit(games(seed), NAMES)
    assert teams.fit(team_games(seed) + own_teams, NAMES) == teams.fit(team_games(seed), NAMES)
    own_order = Order(((2, 2),), 3)
    ranked = plackett_luce.fit([*orders(seed), own_order], NAMES)
    assert ranked.strengths.values == plackett_luce.fit(orders(seed), NAMES).strengths.values
    assert margins.fit([*boards(seed), lone], NAMES) == margins.fit(boards(seed), NAMES)


@SEEDS
def test_shifting_the_anchor_leaves_differences(seed: int) -> None:
    fits: list[Callable[[int | None], Strengths]] = [
        lambda anchor: bradley_terry.fit(games(seed), NAMES, anchor).strengths,
        lambda anchor: first_seat.fit(games(seed), NAMES, anchor).strengths,
        lambda anchor: teams.fit(team_games(seed), NAMES, anchor).strengths,
        lambda anchor: plackett_luce.fit(orders(seed), NAMES, anchor).strengths,
    ]
    for fit in fits:
        gaps = [fit(anchor).difference(0, 1) for anchor in (None, 2, 4)]

        assert [gap.value for gap in gaps] == pytest.approx([gaps[0].value] * 3)
        assert [gap.standard_error for gap in gaps] == pytest.approx([gaps[0].standard_error] * 3)
        anchored = fit(2).estimate(2)
        assert (anchored.value, anchored.standard_error) == (1500, 0)


@SEEDS
def test_plackett_luce_of_two_is_bradley_terry(seed: int) -> None:
    levels = {1.0: lambda g: ((g.first,), (g.second,)), 0.0: lambda g: ((g.second,), (g.first,))}
    results = [
        Order(levels.get(game.score, lambda g: ((g.first, g.second),))(game), game.cluster)
        for game in games(seed)
    ]

    ranked = plackett_luce.fit(results, NAMES).strengths
    rated = bradley_terry.fit(games(seed), NAMES).strengths

    assert ranked.values == pytest.approx(rated.values)
    assert errors(ranked) == pytest.approx(errors(rated))


@pytest.mark.parametrize("size", [1, 2, 3])
@SEEDS
def test_a_team_of_one_bot_in_every_seat_is_that_bot(size: int, seed: int) -> None:
    results = [
        TeamGame((game.first,) * size, (game.second,) * size, game.score, game.cluster)
        for game in games(seed)
    ]

    rated, plain = teams.fit(results, NAMES), bradley_terry.fit(games(seed), NAMES)

    assert rated.strengths.values == pytest.approx(plain.strengths.values)
    assert errors(rated.strengths) == pytest.approx(errors(plain.strengths))
    ends = [(rated.estimate(bot).low, rated.estimate(bot).high) for bot in range(5)]
    wanted = [(plain.estimate(bot).low, plain.estimate(bot).high) for bot in range(5)]
    assert [end for pair in ends for end in pair] == pytest.approx(
        [end for pair in wanted for end in pair]
    )


@pytest.mark.parametrize("name", ["bradley_terry", "first_seat", "teams", "plackett_luce"])
def test_one_result_a_cluster_has_the_robust_error(name: str) -> None:
    model = MODELS[name]
    results = model.results(1)

    numbered = [with_board(result, 1000 * at) for at, result in enumerate(results)]

    bare = model.fit([alone(result) for result in results])
    assert errors(model.fit(numbered)) == pytest.approx(errors(bare))


@pytest.mark.parametrize("scale", Scale)
@pytest.mark.parametrize("counts", [(5, 8, 24, 9, 6), (30, 10, 400, 20, 50), (0, 0, 60, 1, 4)])
def test_the_ratio_is_antisymmetric(counts: tuple[int, ...], scale: Scale) -> None:
    ratio = sequential.pair_ratio(counts, -3, 12, scale)
    turned = sequential.pair_ratio(counts[::-1], -12, 3, scale)
    wins, draws, losses = counts[:3]
    games_ratio = sequential.game_ratio(wins, draws, losses, -3, 12, scale)
    games_turned = sequential.game_ratio(losses, draws, wins, -12, 3, scale)

    assert ratio is not None
    assert games_ratio is not None
    assert turned == pytest.approx(-ratio)
    assert games_turned == pytest.approx(-games_ratio)


@SEEDS
def test_the_ratio_of_margins_is_antisymmetric(seed: int) -> None:
    draw = random.Random(seed)
    gains = [draw.gauss(5, 40) for _ in range(50)]

    ratio = sequential.margin_ratio(gains, 0, 10)
    turned = sequential.margin_ratio([-gain for gain in gains], -10, 0)

    assert ratio is not None
    assert turned == pytest.approx(-ratio)


@pytest.mark.parametrize("ties", Ties)
@SEEDS
def test_ties_leave_finite_ratings_however_they_count(ties: Ties, seed: int) -> None:
    strengths = plackett_luce.fit(orders(seed), NAMES, ties=ties).strengths

    assert None not in strengths.values
