from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from math import fsum

import pytest

from fivehundred.rules.bids import ladder
from fivehundred.storage.facts import hand_facts
from fivehundred.tournament.honesty.facts import ContractFacts, FactColumns, HandFacts
from fivehundred.tournament.parts import EntrantParts, Parts, parts
from fivehundred.tournament.seatings import seatings
from fivehundred_bots.basic import Basic
from fivehundred_bots.careful import Careful
from fivehundred_bots.random_bot import Random
from fivehundred_bots.reckless import Reckless
from fivehundred_client import Bot
from made_facts import FOUR, THREE, made_facts
from played_hands import played_hands

RULES = {3: THREE, 4: FOUR}


def played(*bots: Bot, players: int, boards: int) -> Parts:
    rules, slots = RULES[players], len(bots)
    records = played_hands(rules, bots, seatings(rules, slots), boards=boards)
    facts = FactColumns(rules, (hand_facts(each, rules, at) for at, each in enumerate(records)))
    counted = facts.counted(games=False)
    return parts(counted, [bot.name for bot in bots], facts.bids)


@pytest.fixture(scope="module")
def four() -> Parts:
    """A match of two at a table of four."""
    return played(Careful(), Reckless(), players=4, boards=12)


@pytest.fixture(scope="module")
def three() -> Parts:
    """A solo table."""
    return played(Basic(), Random(), Reckless(), players=3, boards=6)


@pytest.fixture(params=["four", "three"])
def found(request: pytest.FixtureRequest) -> Parts:
    """Each of the two."""
    taken: Parts = request.getfixturevalue(request.param)
    return taken


def decimals(*numbers: float) -> Decimal:
    return sum((Decimal(repr(number)) for number in numbers), Decimal(0))


def test_luck_bidding_and_play_sum_to_the_margin(found: Parts) -> None:
    for each in found.entrants:
        assert float(decimals(each.luck, each.bidding, each.play)) == each.margin
        assert each.not_known == 0


def test_parts_sum_to_the_whole_in_whole_points(found: Parts) -> None:
    for each in found.entrants:
        assert sum(part.points for part in each.parts) == each.points
        assert sum(part.others for part in each.parts) == each.others
        assert sum(part.hands for part in each.parts) == each.hands
        assert fsum(part.margin for part in each.parts) == pytest.approx(each.margin, abs=1e-7)


def test_on_whole_boards_nobody_has_luck(found: Parts) -> None:
    assert [each.luck for each in found.entrants] == pytest.approx([0, 0, 0][: len(found.entrants)])


def test_margins_of_all_sum_to_nothing(found: Parts) -> None:
    assert fsum(each.margin for each in found.entrants) == pytest.approx(0, abs=1e-6)


def test_contracts_are_those_of_the_entrants(four: Parts) -> None:
    careful, reckless = four.entrants

    declared = sum(contract.hands for contract in four.contracts)
    assert careful.declared + reckless.declared == declared
    assert reckless.made_share is not None
    assert careful.made_share is not None
    assert reckless.made_share < careful.made_share


def hands() -> Iterator[HandFacts]:
    """A board on which entrant 0 bids 7S and makes it, and entrant 1 bids 8S and fails."""

    def promise(hand: HandFacts) -> HandFacts:
        is_first = hand.line.entrants[0] == 0
        bid = ContractFacts("7S" if is_first else "8S", 7 if is_first else 8, 0, (0,), 2)
        if not is_first:
            bid = replace(bid, over=-1)
        line = replace(
            hand.line,
            contractor=0,
            made=is_first,
            change=(140, 10) if is_first else (-240, 30),
        )
        return replace(hand, line=line, contract=bid)

    kept: list[HandFacts] = []

    def keep(hand: HandFacts) -> HandFacts:
        kept.append(promise(hand))
        return hand

    made_facts(1, FOUR, (0, 0), boards=1, change=keep)
    return iter(kept)


def test_what_was_promised_is_held_against_what_came_of_it() -> None:
    facts = FactColumns(FOUR, hands())

    found = parts(facts.counted(games=False), ["ann", "bob"], facts.bids)

    ann, bob = found.entrants
    assert (ann.declared, ann.declared_share, ann.made_share) == (1, 0.5, 1.0)
    assert (ann.mean_level, ann.overtricks, ann.undertricks) == (7, 2, None)
    assert (bob.mean_level, bob.overtricks, bob.undertricks) == (8, None, 1)
    assert (ann.margin, bob.margin) == (200, -200)
    assert (ann.margin_declaring, ann.margin_defending) == (130, 270)
    assert [(part.role, part.bid, part.is_made, part.points) for part in ann.parts] == [
        ("declared", "7S", True, 140),
        ("defended", "8S", False, 30),
    ]
    assert [(each.bid, each.made_share, each.margin) for each in found.contracts] == [
        ("7S", 1.0, 130.0),
        ("8S", 0.0, -270.0),
    ]


def test_an_entrant_without_hands_has_nothing(three: Parts) -> None:
    facts = made_facts(2, FOUR, (0, 0), boards=1)

    *_, cid = parts(facts.counted(games=False), ["ann", "bob", "cid"], facts.bids).entrants
    nobody = parts(FactColumns(FOUR).counted(games=False), ["ann"], facts.bids)

    assert isinstance(cid, EntrantParts)
    assert (cid.hands, cid.margin, cid.made_share, cid.parts) == (0, 0, None, ())
    assert (nobody.entrants[0].hands, nobody.contracts, nobody.deal_share) == (0, (), None)


def test_hands_whose_cards_nobody_else_held_are_not_known() -> None:
    """As the second hand of a game that the board's other game did not come to."""
    facts = FactColumns(FOUR, hands()).rows()
    alone = facts.chosen(facts.hands.entrants[:, 0] == 0)

    ann, bob = parts(alone, ["ann", "bob"], [str(bid) for bid in ladder(FOUR)]).entrants

    assert (ann.margin, ann.luck, ann.bidding, ann.play, ann.not_known) == (130, 0, 0, 0, 130)
    assert (bob.margin, bob.not_known) == (-130, -130)


def test_luck_that_all_share_is_the_share_of_the_deal() -> None:
    def lucky(hand: HandFacts) -> HandFacts:
        points = 100 if hand.line.board % 2 else -100
        return replace(hand, line=replace(hand.line, change=(points, 0)))

    facts = made_facts(3, FOUR, (0, 0), boards=10, change=lucky)

    found = parts(facts.counted(games=False), ["ann", "bob"], facts.bids)

    assert found.deal_share == 1
