from collections.abc import Sequence
from functools import partial

import pytest

from fivehundred.cli.datum_table import play_deals
from fivehundred.ratings.values import ALIKE, Estimate
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.facts import hand_facts
from fivehundred.table.values import HandRecord
from fivehundred.tournament.datum import CANCELS, Datum, DatumPoints, Deal, DealKey, datum
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.honesty.facts import FactColumns, HandFacts
from fivehundred.tournament.seatings import Seating, seatings
from fivehundred.tournament.standings import standings
from fivehundred_bots.basic import Basic
from fivehundred_client import Bot
from made_facts import FOUR, THREE, made_facts
from played_hands import played_hands


class Hopeful(Basic):
    """Counts half a trick more than it has."""

    name = "hopeful"
    optimism = 0.5


class Bold(Basic):
    """Counts a whole trick more."""

    name = "bold"
    optimism = 1.0


Played = tuple[FactColumns, DatumPoints]
SECRETS = (bytes(range(32)), *(bytes([event]) * 32 for event in range(1, 4)))
"""In the first event the luck is great: the datum loses 45 points a hand in one seat, where its
standard error is 13."""
SOLO = Basic(), Hopeful(), Bold()


def played(
    rules: RuleSet, bots: Sequence[Bot], seated: Sequence[Seating], boards: int, event: int = 0
) -> Played:
    records: list[HandRecord] = list(
        played_hands(rules, bots, seated, boards=boards, secret=SECRETS[event])
    )
    deals = {DealKey(r.started.key.board, 0, 0, r.started.dealer): r.started.deck for r in records}
    points = play_deals(Basic(), rules, (Deal(key, deck) for key, deck in deals.items()))
    facts = FactColumns(rules, (hand_facts(each, rules, at) for at, each in enumerate(records)))
    return facts, points


@pytest.fixture(scope="module")
def solo() -> list[Played]:
    """Events at a solo table, each deal played in one seating alone."""
    one = seatings(THREE, 3)[:1]
    return [played(THREE, SOLO, one, 90, event) for event in range(len(SECRETS))]


@pytest.fixture(scope="module")
def swapped() -> Played:
    """Boards of two, each in both seatings."""
    return played(FOUR, (Basic(), Bold()), seatings(FOUR, 2), 12)


def adjusted(given: Played, rules: RuleSet, coefficient: float | None = None) -> Datum:
    facts, points = given
    names = ["basic", "hopeful", "bold"][: rules.sides]
    of = partial(datum, rules=rules, points=points, entrants=names, bot="basic@1")
    return of(facts.rows(), coefficient=coefficient)


def test_where_seatings_are_missing_known_luck_makes_the_errors_smaller(
    solo: list[Played],
) -> None:
    """The points move as far as their raw errors let them: 95 % of them stay within the bars."""
    within = []
    for event in solo:
        found = adjusted(event, THREE)
        assert found.coefficient is not None and found.explained is not None
        assert 0 < found.coefficient < 1.5
        assert found.explained > 0.1
        assert (found.deals, found.hands, found.remark) == (90, 90, "")
        for row in found.rows:
            raw, less = row.raw, row.adjusted
            assert raw.standard_error is not None and less.standard_error is not None
            assert less.standard_error < raw.standard_error
            assert raw.low is not None and raw.high is not None and less.value is not None
            within.append(raw.low < less.value < raw.high)

    assert sum(within) >= len(within) - 1


def test_adjusted_points_are_nearer_to_those_of_all_seatings(solo: list[Played]) -> None:
    single = adjusted(solo[0], THREE)
    whole = adjusted(played(THREE, SOLO, seatings(THREE, 3), 90), THREE)

    raw_miss = less_miss = 0.0
    for row, right in zip(single.rows, whole.rows, strict=True):
        assert row.raw.value is not None and row.adjusted.value is not None
        assert right.raw.value is not None
        raw_miss += (row.raw.value - right.raw.value) ** 2
        less_miss += (row.adjusted.value - right.raw.value) ** 2
    assert less_miss < raw_miss


def test_in_swapped_pairs_the_coefficient_changes_nothing(swapped: Played) -> None:
    fitted, fixed = adjusted(swapped, FOUR), adjusted(swapped, FOUR, coefficient=0.8)

    assert fitted.remark == fixed.remark == CANCELS
    assert (fitted.coefficient, fitted.is_fitted, fitted.explained) == (0, True, 0)
    assert (fixed.coefficient, fixed.is_fitted, fixed.explained) == (0.8, False, 0)
    for row in (*fitted.rows, *fixed.rows):
        assert row.adjusted == row.raw
        assert row.luck == 0
    assert fitted.explained_of_hands is not None
    assert fitted.explained_of_hands > 0.1


def test_a_coefficient_that_is_fixed_beforehand_is_used_as_it_is(solo: list[Played]) -> None:
    none, some = (adjusted(solo[0], THREE, coefficient=each) for each in (0.0, 0.5))

    assert [row.adjusted for row in none.rows] == [row.raw for row in none.rows]
    for row in some.rows:
        assert row.luck is not None and row.raw.value is not None
        assert row.adjusted.value == pytest.approx(row.raw.value - 0.5 * row.luck)


def test_the_datum_of_its_own_play_explains_everything() -> None:
    given = played(THREE, (Basic(), Basic(), Basic()), seatings(THREE, 3)[:1], 20)

    found = adjusted(given, THREE)

    assert (found.coefficient, found.explained) == (1, 1)
    for row in found.rows:
        assert row.adjusted == Estimate(0, remark=ALIKE)


def test_without_hands_there_is_nothing_to_adjust() -> None:
    found = datum(FactColumns(FOUR).rows(), FOUR, {}, ["ann", "bob"], bot="basic@1")

    assert (found.coefficient, found.remark) == (None, "no boards")
    assert [row.raw.value for row in found.rows] == [None, None]


def test_raw_points_are_those_of_the_standings() -> None:
    lines: list[HandLine] = []

    def keep(hand: HandFacts) -> HandFacts:
        lines.append(hand.line)
        return hand

    facts = made_facts(1, FOUR, (0, 20, 60), boards=3, change=keep)
    counted = facts.counted(games=False)
    keys = zip(counted.hands.board.tolist(), counted.dealer.tolist(), strict=True)
    points = {DealKey(board, 0, 0, dealer): (10, 20) for board, dealer in keys}

    found = datum(counted, FOUR, points, ["ann", "bob", "cid"], bot="x@1")

    table = standings(lines, ["ann", "bob", "cid"], FOUR, games=False)
    told = {row.entrant: row.points_per_hand for row in table.rows}
    assert {row.entrant: row.raw for row in found.rows} == told
