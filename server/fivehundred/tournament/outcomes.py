"""How matches have ended: from the hands that the log has of them to what their format goes by."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import fsum

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.formats.values import Outcome, Pairing, outcome
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.seatings import seatings


class OpenMatches:
    """Collects hands until the matches that they belong to are over."""

    def __init__(self, rules: RuleSet, boards_per_match: int, *, games: bool) -> None:
        self._rules = rules
        self._boards = boards_per_match
        self._games = games
        self._lines: dict[int, list[HandLine]] = defaultdict(list)
        self._ended: dict[int, int] = defaultdict(int)
        """How many sittings of a match have been played to their end."""

    def add(self, line: HandLine) -> list[HandLine] | None:
        """Takes a hand; gives those of its match once all are there."""
        self._lines[line.match].append(line)
        self._ended[line.match] += line.game_over or not self._games
        slots = len(set(line.entrants))
        if self._ended[line.match] < self._boards * len(seatings(self._rules, slots)):
            return None
        del self._ended[line.match]
        return self._lines.pop(line.match)

    def over(self, lines: Iterable[HandLine]) -> Iterator[list[HandLine]]:
        """The hands of each match that is over with these."""
        for line in lines:
            if (whole := self.add(line)) is not None:
                yield whole


def match_outcome(
    pairing: Pairing, lines: Sequence[HandLine], rules: RuleSet, *, games: bool
) -> Outcome:
    """The outcome of a match that is over: points per hand; who has won, by these or by games.

    ``points`` are each slot's points per hand over all hands of the match, the mean of its sides
    where it has several. ``shares`` are of the hands that it has won or, where games are played, of
    the games. The match is won by points, or by games.
    """
    points = [_points(pairing, line, rules) for line in lines]
    means = tuple(fsum(each[slot] for each in points) / len(lines) for slot in _slots(pairing))
    if games:
        won = [_game(pairing, line, rules) for line in lines if line.game_over]
    else:
        won = [_best(each) for each in points]
    shares = tuple(fsum(each[slot] for each in won) / len(won) for slot in _slots(pairing))
    by = outcome(pairing.number, shares if games else means)
    return Outcome(pairing.number, by.scores, means, shares)


def _slots(pairing: Pairing) -> range:
    return range(len(pairing.entrants))


def _points(pairing: Pairing, line: HandLine, rules: RuleSet) -> list[float]:
    """By slot, the mean of its seats."""
    by_entrant: dict[int, list[int]] = defaultdict(list)
    for seat, entrant in enumerate(line.entrants):
        by_entrant[entrant].append(line.change[rules.side_of(seat)])
    return [fsum(by_entrant[each]) / len(by_entrant[each]) for each in pairing.entrants]


def _best(points: Sequence[float]) -> list[float]:
    """A whole, shared by those with the most points."""
    best = max(points)
    share = 1 / points.count(best)
    return [share if each == best else 0.0 for each in points]


def _game(pairing: Pairing, line: HandLine, rules: RuleSet) -> list[float]:
    """A whole, shared by those who have won the game, or by all where nobody has."""
    winners = {
        entrant for seat, entrant in enumerate(line.entrants) if rules.side_of(seat) in line.winners
    }
    return _best([float(entrant in winners) for entrant in pairing.entrants])
