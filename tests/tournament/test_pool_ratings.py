"""Ratings of pools: what ranks, what is said of extremes, and what must not change a number."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest

from fivehundred.ratings.values import Estimate
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.pool_ratings import PoolRatings, Rating, rated
from fivehundred.tournament.pools import Board, Event, PlayedHand, pools
from fivehundred.tournament.standings import standings
from pool_hands import FIELD, FOUR, THREE, boards, event, margins, played

STRENGTH = dict(zip(FIELD, (40.0, 20.0, 0.0, -20.0, -40.0), strict=True))
NUMBERS = ("points_per_hand", "elo", "imps")


@dataclass(frozen=True)
class Form:
    """A way to play."""

    rules: RuleSet
    slots: int
    games: bool = False

    def event(self, name: str = "cup", secret: str = "") -> Event:
        return event(name, rules=self.rules, games=self.games, secret=secret)

    def hands(self, cup: Event, *, boards: int = 12, seed: int = 1) -> list[PlayedHand]:
        return played(cup, FIELD, self.slots, boards=boards, seed=seed, strength=STRENGTH)


FORMS = [
    pytest.param(Form(FOUR, 2), id="sides, boards"),
    pytest.param(Form(FOUR, 2, games=True), id="sides, games"),
    pytest.param(Form(FOUR, 4), id="mixed teams, boards"),
    pytest.param(Form(FOUR, 4, games=True), id="mixed teams, games"),
    pytest.param(Form(THREE, 3), id="solo, boards"),
    pytest.param(Form(THREE, 3, games=True), id="solo, games"),
]


def rate(found: tuple[Board, ...], **options: object) -> PoolRatings:
    (pool,) = pools(found)
    return rated(pool, **options)  # type: ignore[arg-type] # options by name


def row_of(ratings: PoolRatings, player: str) -> Rating:
    return next(row for row in ratings.rows if row.player == player)


def numbers(ratings: PoolRatings, rename: Callable[[str], str] = str) -> dict[str, list[object]]:
    """By player and kind, its numbers to six digits, so that the order of sums cannot show."""
    found: dict[str, list[object]] = {}
    for row in ratings.rows:
        for kind in NUMBERS:
            estimate: Estimate | None = getattr(row, kind)
            found[f"{rename(row.player)} {kind}"] = _rounded(estimate or Estimate())
    return found


def _rounded(estimate: Estimate) -> list[object]:
    ends = (estimate.value, estimate.standard_error, estimate.low, estimate.high)
    return [None if number is None else round(number, 6) + 0.0 for number in ends]


def errors(ratings: PoolRatings, kind: str) -> list[float]:
    found = [getattr(row, kind).standard_error for row in sorted(ratings.rows, key=str)]
    assert None not in found
    return [float(error) for error in found]


@pytest.mark.parametrize("form", FORMS)
def test_order_does_not_show(form: Form) -> None:
    cups = [form.event(name) for name in ("a", "b")]
    hands = [form.hands(cup) for cup in cups]
    straight = rate(boards(cups[0], hands[0]) + boards(cups[1], hands[1]))

    draw = Random(7)
    shuffled = [draw.sample(each, len(each)) for each in hands]
    turned = rate(boards(cups[1], shuffled[1]) + boards(cups[0], shuffled[0]))

    assert turned == straight


@pytest.mark.parametrize("form", FORMS)
def test_names_do_not_show(form: Form) -> None:
    cup = form.event()
    new = dict(zip(FIELD, ("zoe@1", "yan@1", "xia@1", "wim@1", "ada@1"), strict=True))
    hands = form.hands(cup)
    renamed = [
        replace(hand, players=tuple(new[player] for player in hand.players)) for hand in hands
    ]

    before, after = rate(boards(cup, hands)), rate(boards(cup, renamed))

    assert numbers(before, lambda name: new[name]) == numbers(after)
    assert [new[row.player] for row in before.rows] == [row.player for row in after.rows]


@pytest.mark.parametrize("form", FORMS)
def test_a_tournament_given_twice_changes_nothing(form: Form) -> None:
    cup = form.event()
    found = boards(cup, form.hands(cup))

    assert rate(found * 2).rows == rate(found).rows


@pytest.mark.parametrize("form", FORMS)
def test_self_play_changes_nothing(form: Form) -> None:
    cup, mirror = form.event(), form.event("mirror")
    names = ("ann@1",) * form.slots
    own = played(mirror, names, form.slots, boards=9)
    found = boards(cup, form.hands(cup))

    ratings = rate(found + boards(mirror, own))

    assert ratings.rows == rate(found).rows
    assert ratings.pool.self_play == 9


@pytest.mark.parametrize("form", FORMS)
def test_as_many_boards_again_on_new_deals_divide_the_error_by_the_root_of_two(form: Form) -> None:
    cup, more = form.event("cup"), form.event("more")
    hands = form.hands(cup)
    once = rate(boards(cup, hands))

    doubled = rate(boards(cup, hands) + boards(more, _otherwise(hands)))

    for kind in ("points_per_hand", "elo"):
        widened = once.deals / (once.deals - 4), doubled.deals / (doubled.deals - 4)
        ratio = math.sqrt(2 * widened[0] / widened[1])
        for before, after in zip(errors(once, kind), errors(doubled, kind), strict=True):
            assert before / after == pytest.approx(ratio, rel=1e-3)


@pytest.mark.parametrize("form", FORMS)
def test_as_many_boards_again_on_the_same_deals_leave_the_error(form: Form) -> None:
    cup, again = form.event("cup"), form.event("again", secret="cup")
    hands = form.hands(cup)

    once, twice = (
        rate(boards(cup, hands)),
        rate(boards(cup, hands) + boards(again, _otherwise(hands))),
    )

    assert len(twice.pool.boards) == 2 * len(once.pool.boards)
    for kind in ("points_per_hand", "elo"):
        assert errors(twice, kind) == pytest.approx(errors(once, kind), rel=1e-6)


def _otherwise(hands: list[PlayedHand]) -> list[PlayedHand]:
    """The same results of other plays."""
    return [replace(hand, play=hand.play[::-1]) for hand in hands]


@pytest.mark.parametrize("prior", [None, 2.0])
@pytest.mark.parametrize("form", FORMS)
def test_another_anchor_leaves_the_differences(form: Form, prior: float | None) -> None:
    cup = form.event()
    found = boards(cup, form.hands(cup))

    free, fixed = rate(found, prior=prior), rate(found, prior=prior, anchor="cid@1")

    assert (free.anchor, fixed.anchor) == (None, "cid@1")
    assert row_of(fixed, "cid@1").elo.value == 1500
    assert row_of(fixed, "cid@1").elo.standard_error == 0
    shift = 1500 - (row_of(free, "cid@1").elo.value or 0)
    for row in free.rows:
        assert row_of(fixed, row.player).elo.value == pytest.approx((row.elo.value or 0) + shift)
    assert [row.points_per_hand for row in free.rows] == [
        row_of(fixed, row.player).points_per_hand for row in free.rows
    ]


@pytest.mark.parametrize("form", FORMS)
def test_one_tournament_rates_as_its_standings_do(form: Form) -> None:
    cup = form.event()
    hands = form.hands(cup)

    ratings = rate(boards(cup, hands))

    lines = [hand.line for hand in hands]
    table = standings(lines, FIELD, form.rules, games=form.games)
    assert ratings.ranked_by == table.ranked_by == ("elo" if form.games else "points_per_hand")
    assert ratings.hands == table.hands
    for row, standing in zip(ratings.rows, table.rows, strict=True):
        assert row.player == standing.entrant
        assert row.points_per_hand == standing.points_per_hand
        assert row.elo == replace(standing.elo, remark=row.elo.remark)
        assert (row.rank_best, row.rank_worst) == (standing.rank_best, standing.rank_worst)
        assert (row.boards, row.hands, row.wins, row.results) == (
            standing.boards,
            standing.hands,
            standing.wins,
            standing.games,
        )


@pytest.mark.parametrize(
    ("form", "model"),
    [
        (Form(FOUR, 2), "Bradley–Terry"),
        (Form(THREE, 2), "Bradley–Terry"),
        (Form(THREE, 3), "Plackett–Luce"),
        (Form(FOUR, 4), "Bradley–Terry of teams, a team being the mean of its members"),
    ],
)
def test_the_model_follows_from_the_table_and_is_named(form: Form, model: str) -> None:
    assert rate(_some(form)).elo_model == model


def _some(form: Form) -> tuple[Board, ...]:
    cup = form.event()
    return boards(cup, form.hands(cup, boards=2))


def test_an_anchor_that_is_not_in_the_pool_anchors_nothing() -> None:
    cup = event()
    found = boards(cup, played(cup, FIELD))

    assert rate(found, anchor="zoe@1") == rate(found)


def test_who_has_won_everything_has_a_bound_and_a_finite_chance() -> None:
    cup = event()
    results = [(0, 1, 50)] * 8 + [(0, 2, 50)] * 8 + [(1, 2, 20), (1, 2, -20)] * 4

    ratings = rate(boards(cup, margins(cup, FIELD, results)))

    best = ratings.rows[0]
    assert (best.player, best.elo.value, best.elo.high) == ("ann@1", None, None)
    assert best.elo.low is not None
    assert "no upper bound" in best.elo.remark
    assert all(chance is not None and 0.9 < chance < 1 for chance in ratings.elo_chances[0][1:])
    assert best.points_per_hand.value is not None


def test_a_prior_gives_everybody_a_number_and_is_named() -> None:
    cup = event()
    found = boards(cup, margins(cup, FIELD, [(0, 1, 50)] * 8 + [(2, 3, 10)] * 8))

    ratings = rate(found, prior=2)

    assert all(row.elo.value is not None for row in ratings.rows)
    assert "prior of 2 virtual draws" in ratings.elo_model
    assert all("prior of 2 virtual draws" in row.elo.remark for row in ratings.rows)


@pytest.mark.parametrize("form", FORMS)
def test_a_prior_draws_towards_the_mean(form: Form) -> None:
    found = _some(form)

    spread = [
        max(row.elo.value or 0 for row in rate(found, prior=prior).rows) - 1500
        for prior in (0.1, 1.0, 10.0)
    ]

    assert spread[0] > spread[1] > spread[2] > 0


def test_groups_that_never_met_are_told_with_the_pairing_that_would_connect_them() -> None:
    cup = event()
    results = [(0, 1, 10), (0, 1, -30), (0, 1, 20), (2, 3, 5), (2, 3, -5)]

    ratings = rate(boards(cup, margins(cup, FIELD, results)))

    assert ratings.groups == (("ann@1", "bob@1"), ("cid@1", "dan@1"))
    assert ratings.bridges == (("cid@1", "ann@1"),)
    places = {row.player: at for at, row in enumerate(ratings.rows)}
    assert ratings.points_chances[places["ann@1"]][places["cid@1"]] is None
    assert "not comparable with ann@1" in row_of(ratings, "cid@1").points_per_hand.remark
    assert {(row.rank_best, row.rank_worst) for row in ratings.rows} == {(1, 4)}


def test_a_pool_in_which_each_beats_the_next_in_a_circle_is_warned_of() -> None:
    cup = event()
    results = [(0, 1, 30), (1, 2, 30), (2, 0, 30)] * 15

    fit = rate(boards(cup, margins(cup, FIELD, results))).fit

    assert fit.is_bad
    assert fit.probability is not None
    assert fit.probability < 1e-6
    assert fit.cycles == (("ann@1", "bob@1", "cid@1"),)
    assert {round(abs(pair.score - pair.expected), 6) for pair in fit.pairings} == {0.5}


def test_an_ordinary_pool_is_not_warned_of() -> None:
    cup = event()

    fit = rate(boards(cup, played(cup, FIELD, boards=20, strength=STRENGTH))).fit

    assert not fit.is_bad
    assert (fit.freedom, len(fit.pairings), fit.cycles) == (6, 10, ())


def test_imps_are_of_a_pair_of_hands() -> None:
    cup = event()

    ratings = rate(boards(cup, margins(cup, FIELD, [(0, 1, 50), (0, 1, 50), (0, 1, 50)])))

    scores = [row.imps.value for row in ratings.rows if row.imps is not None]
    assert scores == [1.5, -1.5]  # 100 points of difference are 3 points apart.


def test_games_have_no_imps() -> None:
    cup = event(games=True)

    assert {row.imps for row in rate(boards(cup, played(cup, FIELD))).rows} == {None}


def test_one_bot_in_several_seats_among_others_counts_for_points_alone() -> None:
    cup = event(rules=THREE)
    found = boards(cup, played(cup, ("ann@1", "ann@1", "bob@1", "cid@1"), 3))

    ratings = rate(found)

    assert (len(ratings.pool.boards), ratings.shared) == (16, 8)
    assert (row_of(ratings, "cid@1").boards, row_of(ratings, "cid@1").results) == (12, 8)


def test_partners_who_were_never_apart_are_rated_as_one() -> None:
    cup = event()
    hands = played(cup, FIELD[:4], 4, boards=9)

    ratings = rate(boards(cup, hands))

    told = {row.player: row for row in ratings.rows}
    assert told["ann@1"].elo == told["cid@1"].elo
    assert "always played together" in told["ann@1"].elo.remark
    places = {row.player: at for at, row in enumerate(ratings.rows)}
    assert ratings.points_chances[places["ann@1"]][places["cid@1"]] is None


def test_a_pool_of_self_play_alone_has_no_rows() -> None:
    cup = event()

    ratings = rate(boards(cup, played(cup, ("ann@1", "ann@1"))))

    assert (ratings.rows, ratings.points_chances, ratings.groups) == ((), (), ())
    assert ratings.fit.remark == "no results"


def test_one_board_has_numbers_without_errors() -> None:
    cup = event()

    ratings = rate(boards(cup, margins(cup, FIELD, [(0, 1, 50)])))

    best = ratings.rows[0]
    assert (best.points_per_hand.value, best.points_per_hand.standard_error) == (25, None)
    assert (best.rank_best, best.rank_worst) == (1, 2)
