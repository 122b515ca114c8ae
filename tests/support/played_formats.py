"""Plays formats without tables: outcomes by a rule, arriving in any order, with a kill between."""

from collections.abc import Callable, Iterable
from random import Random

from fivehundred.tournament.formats import Format, Outcome, Pairing, outcome

Rule = Callable[[Pairing], Outcome]
"""How a match ends; depends on the match alone."""
Log = dict[int, tuple[Pairing, Outcome]]
"""What has been played, by number."""


def by_chance(seed: int, *, levels: int = 4) -> Rule:
    """A rule that looks like chance; few levels make many ties."""

    def rule(pairing: Pairing) -> Outcome:
        rng = Random(f"{seed} {pairing}")
        return outcome(pairing.number, [rng.randrange(levels) for _ in pairing.entrants])

    return rule


def by_seed(pairing: Pairing) -> Outcome:
    """The lower number wins."""
    return outcome(pairing.number, [-entrant for entrant in pairing.entrants])


def played(tournament: Format, rule: Rule) -> Log:
    """All matches, each recorded before the next is asked for."""
    return played_on(tournament, rule, Random(0), at_once=1)


def played_on(
    tournament: Format, rule: Rule, rng: Random, *, at_once: int, at_most: int | None = None
) -> Log:
    """Plays to the end, or some matches; so many at once, ending in any order."""
    log: Log = {}
    under_way: list[Pairing] = []
    while at_most is None or len(log) < at_most:
        while len(under_way) < at_once and (pairing := tournament.next()) is not None:
            under_way.append(pairing)
        if not under_way:
            assert tournament.is_over
            return log
        ended = under_way.pop(rng.randrange(len(under_way)))
        log[ended.number] = ended, rule(ended)
        tournament.record(log[ended.number][1])
    return log


def resumed(make: Callable[[], Format], rule: Rule, rng: Random, *, killed_after: int) -> Log:
    """Plays some, kills the format, records what the log holds in any order, and goes on."""
    log = played_on(make(), rule, rng, at_once=rng.randrange(1, 20), at_most=killed_after)
    again = make()
    for ended in shuffled((known for _, known in log.values()), rng):
        again.record(ended)
    rest = played_on(again, rule, rng, at_once=rng.randrange(1, 20))
    assert not rest.keys() & log.keys()
    return log | rest


def shuffled(values: Iterable[Outcome], rng: Random) -> list[Outcome]:
    """The values in any order."""
    mixed = list(values)
    rng.shuffle(mixed)
    return mixed
