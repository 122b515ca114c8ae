"""Perfect matchings of any graph, by Edmonds' blossom search; exact, and the same every time."""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

Graph = list[list[int]]
"""The neighbours of each vertex, in ascending order."""
NOBODY = -1


class Matching:
    """A matching of a graph that grows by augmenting paths; vertices can be taken away in pairs."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._gone = [False] * len(graph)
        self.mate = [NOBODY] * len(graph)
        """The partner of each vertex, or NOBODY."""

    def complete(self) -> bool:
        """Matches everybody who is left; whether that can be done."""
        left = [vertex for vertex in range(len(self._graph)) if not self._gone[vertex]]
        self._match_greedily(left)
        return all(self.mate[vertex] != NOBODY or self._augment(vertex) for vertex in left)

    def take(self, one: int, other: int) -> bool:
        """Takes a pair away if everybody else still finds a partner; whether that is so.

        The matching must be perfect. Taking the pair away frees at most two, who need one path:
        mostly a short one, for which few edges are looked at.
        """
        mate, gone = self.mate, self._gone
        first, second = mate[one], mate[other]
        gone[one] = gone[other] = True
        if first == other or self._rematch(first, second):
            mate[one], mate[other] = other, one
            return True
        mate[first] = mate[second] = mate[one] = mate[other] = NOBODY
        if self._augment(first):
            mate[one], mate[other] = other, one
            return True
        mate[first], mate[second], mate[one], mate[other] = one, other, first, second
        gone[one] = gone[other] = False
        return False

    def may_take(self, one: int, other: int) -> bool:
        """Takes a pair away if it is joined, and if everybody else still finds a partner."""
        return self._joined(one, other) and self.take(one, other)

    def _rematch(self, first: int, second: int) -> bool:
        """Matches two free ones by a path of one edge or of three; whether there is one."""
        mate, gone = self.mate, self._gone
        if self._joined(first, second):
            mate[first], mate[second] = second, first
            return True
        for vertex in self._graph[first]:
            partner = mate[vertex]
            if not gone[vertex] and self._joined(partner, second):
                mate[first], mate[vertex] = vertex, first
                mate[partner], mate[second] = second, partner
                return True
        return False

    def _joined(self, one: int, other: int) -> bool:
        row = self._graph[one]
        at = bisect_left(row, other)
        return at < len(row) and row[at] == other

    def _match_greedily(self, left: Iterable[int]) -> None:
        for vertex in left:
            if self.mate[vertex] == NOBODY:
                self._match_first(vertex)

    def _match_first(self, vertex: int) -> None:
        """Matches with somebody behind if there is one: those before mostly have a partner."""
        row = self._graph[vertex]
        start = bisect_left(row, vertex)
        for other in chain(islice(row, start, None), islice(row, start)):
            if self.mate[other] == NOBODY and not self._gone[other]:
                self.mate[vertex], self.mate[other] = other, vertex
                return

    def _augment(self, root: int) -> bool:
        """Matches a free vertex, turning an alternating path round; whether there was one."""
        search = _Search(self._graph, self._gone, self.mate, root)
        end = search.free_vertex()
        if end == NOBODY:
            return False
        for vertex, before in list(search.path(end)):
            self.mate[vertex], self.mate[before] = before, vertex
        return True


class _Search:
    """One breadth-first search for an augmenting path, shrinking blossoms to their bases."""

    def __init__(self, graph: Graph, gone: Sequence[bool], mate: Sequence[int], root: int) -> None:
        self._graph = graph
        self._gone = gone
        self._mate = mate
        self._root = root
        self._before = [NOBODY] * len(graph)
        self._base = list(range(len(graph)))
        self._is_outer = [False] * len(graph)
        self._is_outer[root] = True
        self._queue = deque([root])

    def free_vertex(self) -> int:
        """The free vertex that the path ends at; NOBODY where there is no path."""
        while self._queue:
            vertex = self._queue.popleft()
            for other in self._graph[vertex]:
                if self._look(vertex, other):
                    return other
        return NOBODY

    def path(self, end: int) -> Iterator[tuple[int, int]]:
        """The pairs to match, from the end to the root."""
        while end != NOBODY:
            before = self._before[end]
            yield end, before
            end = self._mate[before]

    def _look(self, vertex: int, other: int) -> bool:
        """Goes along an edge; whether it ends at a free vertex."""
        if self._gone[other] or self._base[vertex] == self._base[other]:
            return False
        if self._mate[vertex] == other:
            return False
        mate = self._mate[other]
        if other == self._root or (mate != NOBODY and self._before[mate] != NOBODY):
            self._shrink(vertex, other)
        elif self._before[other] == NOBODY:
            self._before[other] = vertex
            if mate == NOBODY:
                return True
            self._is_outer[mate] = True
            self._queue.append(mate)
        return False

    def _shrink(self, one: int, other: int) -> None:
        base = self._common_base(one, other)
        inside: set[int] = set()
        self._mark(one, base, other, inside)
        self._mark(other, base, one, inside)
        for vertex in range(len(self._graph)):
            if self._base[vertex] in inside:
                self._base[vertex] = base
                if not self._is_outer[vertex]:
                    self._is_outer[vertex] = True
                    self._queue.append(vertex)

    def _common_base(self, one: int, other: int) -> int:
        seen = set()
        while True:
            one = self._base[one]
            seen.add(one)
            if self._mate[one] == NOBODY:
                break
            one = self._before[self._mate[one]]
        while self._base[other] not in seen:
            other = self._before[self._mate[self._base[other]]]
        return self._base[other]

    def _mark(self, vertex: int, base: int, child: int, inside: set[int]) -> None:
        """Marks the bases from a vertex down to the blossom's, and leads its paths round."""
        while self._base[vertex] != base:
            mate = self._mate[vertex]
            inside |= {self._base[vertex], self._base[mate]}
            self._before[vertex] = child
            child = mate
            vertex = self._before[mate]
