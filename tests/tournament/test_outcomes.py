"""From the hands of a match to what its format goes by."""

import random
from collections.abc import Iterable

from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.formats import Outcome, Pairing
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.outcomes import OpenMatches, match_outcome
from fivehundred.tournament.seatings import seatings

FOUR = RuleSet()
THREE = RuleSet(players=3, side_model=SideModel.SOLO)


def hand(
    entrants: tuple[int, ...],
    change: tuple[int, ...],
    *,
    match: int = 0,
    place: tuple[int, int, int] = (0, 0, 0),
    winners: tuple[int, ...] | None = None,
) -> HandLine:
    """A hand by seats and sides; ``place`` is the board, the seating and the hand."""
    return HandLine(
        match=match,
        board=place[0],
        seating=place[1],
        hand=place[2],
        attempt=0,
        entrants=entrants,
        change=change,
        contractor=0,
        made=True,
        game_over=winners is not None,
        winners=winners or (),
    )


def board_of(pairing: Pairing, rules: RuleSet, *changes: tuple[int, ...]) -> list[HandLine]:
    """One board of a match in all its seatings, with the change of each."""
    seated = seatings(rules, len(pairing.entrants))
    return [
        hand(
            tuple(pairing.entrants[slot] for slot in seating),
            change,
            match=pairing.number,
            place=(0, at, 0),
        )
        for at, (seating, change) in enumerate(zip(seated, changes, strict=True))
    ]


def test_points_are_means_a_hand_whatever_the_seat() -> None:
    pairing = Pairing(7, 0, (5, 2))

    ended = match_outcome(pairing, board_of(pairing, FOUR, (40, -20), (10, 80)), FOUR, games=False)

    assert ended == Outcome(7, scores=(1.0, 0.0), points=(60.0, -5.0), shares=(1.0, 0.0))


def test_a_hand_and_a_match_may_be_tied() -> None:
    pairing = Pairing(0, 0, (1, 0))

    ended = match_outcome(pairing, board_of(pairing, FOUR, (40, -20), (40, -20)), FOUR, games=False)

    assert ended == Outcome(0, scores=(0.5, 0.5), points=(10.0, 10.0), shares=(0.5, 0.5))


def test_copies_of_an_entrant_count_with_their_mean() -> None:
    pairing = Pairing(0, 0, (0, 1))
    line = hand((0, 1, 1), (90, 10, 40))

    ended = match_outcome(pairing, [line], THREE, games=False)

    assert (ended.points, ended.shares) == ((90.0, 25.0), (1.0, 0.0))


def test_partners_who_are_different_bots_share_their_side() -> None:
    pairing = Pairing(0, 0, (4, 5, 6, 7))

    ended = match_outcome(pairing, [hand((4, 5, 6, 7), (30, -60))], FOUR, games=False)

    assert ended.points == (30.0, -60.0, 30.0, -60.0)
    assert ended.shares == (0.5, 0.0, 0.5, 0.0)


def test_matches_of_games_are_won_by_games() -> None:
    pairing = Pairing(3, 0, (0, 1))
    lines = [
        hand((0, 1, 0, 1), (500, 0), place=(0, 0, 0)),
        hand((0, 1, 0, 1), (0, 40), place=(0, 0, 1), winners=(1,)),
        hand((1, 0, 1, 0), (20, 30), place=(0, 1, 0), winners=(0,)),
    ]

    ended = match_outcome(pairing, lines, FOUR, games=True)

    assert ended.scores == (0.0, 1.0)
    assert ended.shares == (0.0, 1.0)
    assert ended.points == (530 / 3, 20.0)


def test_a_game_that_nobody_has_won_is_shared() -> None:
    pairing = Pairing(0, 0, (0, 1))
    lines = [
        hand((0, 1, 0, 1), (0, 0), place=(0, 0, 0), winners=()),
        hand((1, 0, 1, 0), (0, 0), place=(0, 1, 0), winners=(1,)),
    ]

    ended = match_outcome(pairing, lines, FOUR, games=True)

    assert (ended.shares, ended.scores) == ((0.75, 0.25), (1.0, 0.0))


def numbers_over(matches: OpenMatches, lines: Iterable[HandLine]) -> list[tuple[int, int]]:
    """The matches that are over, each with the number of its hands."""
    return [(whole[0].match, len(whole)) for whole in matches.over(lines)]


def test_a_match_is_over_with_the_last_of_its_boards_whatever_their_order() -> None:
    lines = [
        hand((0, 1, 0, 1) if seating == 0 else (1, 0, 1, 0), (1, 0), match=match, place=place)
        for match in range(3)
        for board in range(2)
        for seating in range(2)
        for place in [(board, seating, 0)]
    ]
    random.Random(5).shuffle(lines)
    matches = OpenMatches(FOUR, 2, games=False)

    assert numbers_over(matches, lines[:3]) == []
    assert sorted(numbers_over(matches, lines[3:])) == [(0, 4), (1, 4), (2, 4)]


def test_a_match_of_games_is_over_with_the_last_game() -> None:
    games = [
        hand((0, 1, 0, 1), (1, 0), place=(0, 0, 0)),
        hand((1, 0, 1, 0), (1, 0), place=(0, 1, 0), winners=(0,)),
        hand((0, 1, 0, 1), (1, 0), place=(0, 0, 1), winners=(1,)),
    ]
    matches = OpenMatches(FOUR, 1, games=True)

    assert numbers_over(matches, games[:2]) == []
    assert numbers_over(matches, games[2:]) == [(0, 3)]


def test_matches_of_other_sizes_have_other_numbers_of_seatings() -> None:
    two = [hand((0, 1, 0, 1), (1, 0), place=(0, at, 0)) for at in range(2)]
    mixed = [hand((0, 1, 2, 3), (1, 0), match=1, place=(0, at, 0)) for at in range(4)]

    assert numbers_over(OpenMatches(FOUR, 1, games=False), [*mixed, *two]) == [(1, 4), (0, 2)]
