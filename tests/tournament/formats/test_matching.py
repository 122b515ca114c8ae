from collections.abc import Callable
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from fivehundred.tournament.formats.matching import Graph, Matching

Edges = set[frozenset[int]]


def graph_of(vertices: int, joined: Callable[[int, int], bool]) -> Graph:
    return [
        [other for other in range(vertices) if other != one and joined(one, other)]
        for one in range(vertices)
    ]


def _graph(vertices: int, edges: Edges) -> Graph:
    return graph_of(vertices, lambda one, other: frozenset((one, other)) in edges)


def _has_perfect_matching(left: frozenset[int], edges: Edges) -> bool:
    """By trying everything."""
    if not left:
        return True
    one = min(left)
    return any(
        frozenset((one, other)) in edges and _has_perfect_matching(left - {one, other}, edges)
        for other in left - {one}
    )


@st.composite
def _graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    vertices = draw(st.integers(1, 5)) * 2
    pairs = [frozenset(pair) for pair in combinations(range(vertices), 2)]
    return vertices, draw(st.sets(st.sampled_from(pairs)))


@settings(max_examples=300, deadline=None)
@given(_graphs())
def test_a_perfect_matching_is_found_where_there_is_one(given: tuple[int, Edges]) -> None:
    vertices, edges = given
    matching = Matching(_graph(vertices, edges))

    assert matching.complete() == _has_perfect_matching(frozenset(range(vertices)), edges)


@settings(max_examples=200, deadline=None)
@given(_graphs())
def test_a_pair_is_taken_away_just_if_the_others_can_be_matched(
    given: tuple[int, Edges],
) -> None:
    vertices, edges = given
    matching = Matching(_graph(vertices, edges))
    if not matching.complete():
        return
    left = frozenset(range(vertices))

    for one, other in sorted(tuple(sorted(edge)) for edge in edges):
        if one in left and other in left:
            rest = left - {one, other}
            taken = matching.take(one, other)
            assert taken == _has_perfect_matching(rest, edges)
            left = rest if taken else left


def test_an_odd_ring_inside_a_path_is_gone_round() -> None:
    edges = {frozenset(edge) for edge in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 2), (4, 5)]}

    matching = Matching(_graph(6, edges))

    assert matching.complete()
    assert matching.mate == [1, 0, 3, 2, 5, 4]


def test_two_hundred_are_matched() -> None:
    matching = Matching(graph_of(200, lambda one, other: (one + other) % 3 == 0))

    assert not matching.complete()
    assert Matching(graph_of(200, lambda one, other: abs(one - other) in (1, 7))).complete()
