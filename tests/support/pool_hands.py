"""Hands of made-up tournaments between bots of known strength, for pools."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from random import Random

from fivehundred.rules.ruleset import RuleSet, SideModel
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.pools import Board, Event, PlayedHand, counted
from fivehundred.tournament.seatings import seatings

FOUR = RuleSet()
THREE = RuleSet(players=3, side_model=SideModel.SOLO)
FIELD = ("ann@1", "bob@1", "cid@1", "dan@1", "eve@1")

Strength = Mapping[str, float]


def event(
    name: str = "cup", *, rules: RuleSet = FOUR, games: bool = False, secret: str = "", at: int = 0
) -> Event:
    """A tournament; its secret follows from its name unless one is given."""
    seed = sha256((secret or name).encode()).digest()
    rules_hash = sha256(repr(rules).encode()).digest()
    return Event(name, sha256(seed).digest(), seed, rules, rules_hash, games, at)


def tables(names: Sequence[str], slots: int) -> list[tuple[int, ...]]:
    """Every table of so many entrants, by number."""
    return list(combinations(range(len(names)), slots))


def played(
    of: Event,
    names: Sequence[str],
    slots: int = 2,
    *,
    boards: int = 4,
    seed: int = 1,
    strength: Strength | None = None,
    noise: int = 100,
) -> list[PlayedHand]:
    """Hands of everybody against everybody; ``names`` are the bots of the entrants."""
    draw = Random(f"{seed} {of.name}")
    found: list[PlayedHand] = []
    for match, table in enumerate(tables(names, slots)):
        for number in range(match * boards, (match + 1) * boards):
            found += _board(of, names, match, number, table, draw, strength or {}, noise)
    return found


def _board(
    of: Event,
    names: Sequence[str],
    match: int,
    number: int,
    table: Sequence[int],
    draw: Random,
    strength: Strength,
    noise: int,
) -> Iterator[PlayedHand]:
    luck = [draw.randrange(-100, 100, 10) for _ in range(of.rules.sides)]
    for seating, slots in enumerate(seatings(of.rules, len(table))):
        entrants = tuple(table[slot] for slot in slots)
        hands = draw.randrange(1, 4) if of.games else 1
        total = [0] * of.rules.sides
        for hand in range(hands):
            change = tuple(
                round(_mean(names, entrants[side :: of.rules.sides], strength))
                + luck[side]
                + draw.randrange(-noise, noise + 1)
                for side in range(of.rules.sides)
            )
            total = [before + more for before, more in zip(total, change, strict=True)]
            is_over = of.games and hand == hands - 1
            line = HandLine(
                match=match,
                board=number,
                seating=seating,
                hand=hand,
                attempt=0,
                entrants=entrants,
                change=change,
                contractor=None,
                made=False,
                game_over=is_over,
                winners=(total.index(max(total)),) if is_over else (),
            )
            yield hand_of(line, names)


def _mean(names: Sequence[str], entrants: Sequence[int], strength: Strength) -> float:
    return sum(strength.get(names[each], 0.0) for each in entrants) / len(entrants)


def hand_of(line: HandLine, names: Sequence[str], how: str = "") -> PlayedHand:
    """A hand with its players; ``how`` tells plays apart that came to the same."""
    players = tuple(names[entrant] for entrant in line.entrants)
    facts = (players, line.hand, line.change, line.winners, how)
    return PlayedHand(line, players, sha256(repr(facts).encode()).digest(), line.board)


def margins(
    of: Event, names: Sequence[str], results: Iterable[tuple[int, int, int]]
) -> list[PlayedHand]:
    """Boards of two entrants at a table of four: the first, the second, and the first's margin."""
    found = []
    for number, (first, second, margin) in enumerate(results):
        for seating, entrants in enumerate(((first, second) * 2, (second, first) * 2)):
            change = (margin, 0) if seating == 0 else (0, margin)
            line = HandLine(number, number, seating, 0, 0, entrants, change, None, False)
            found.append(hand_of(line, names))
    return found


def boards(of: Event, hands: Iterable[PlayedHand]) -> tuple[Board, ...]:
    """The whole boards of hands."""
    return counted(of, hands).boards
