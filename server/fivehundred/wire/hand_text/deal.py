"""A deal place by place, and a deck that deals it."""

from collections.abc import Iterator, Mapping, Sequence

from fivehundred.rules.cards import Card, Cards, card_name, mask, members, names, parse_card
from fivehundred.rules.pack import deal, deck
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Deal
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text.lines import Row, Tag, at, in_letters
from fivehundred.wire.hand_text.values import HandTextError


def places(dealt: Deal) -> dict[str, Cards]:
    """What each place is dealt, in the order in which it is written."""
    found = {f"seat {seat}": cards for seat, cards in enumerate(dealt.holdings)}
    if dealt.kitty:
        found["kitty"] = dealt.kitty
    found |= {f"personal {seat}": cards for seat, cards in enumerate(dealt.personal)}
    if dealt.dead:
        found["dead"] = dealt.dead
    return found


def read_deck(
    rules: RuleSet, dealer: int, tag: Tag | None, rows: Sequence[Row], line: int
) -> tuple[Card, ...]:
    """The deck that the tag gives or, without one, one that deals what the rows say.

    ``line`` is blamed where both are missing.
    """
    stated = {place: (row, cards) for place, row, cards in _stated(rules, dealer, rows)}
    if tag is None:
        return _some_deck(rules, dealer, stated, rows[0].line if rows else line)
    with at(tag.line):
        order = tuple(map(parse_card, in_letters(tag.value).split()))
        dealt = places(_dealt(rules, order, dealer))
    for place, (row, cards) in stated.items():
        if dealt[place] != cards:
            wrong = f"the Deck tag deals {place} {names(dealt[place])}: mend this or take Deck out"
            raise HandTextError(row.line, wrong)
    return order


_Stated = Mapping[str, tuple[Row, Cards]]


def _dealt(rules: RuleSet, order: tuple[Card, ...], dealer: int) -> Deal:
    try:
        return deal(rules, order, dealer)
    except ValueError as error:
        raise MalformedMessage(str(error)) from None


def _example(rules: RuleSet, dealer: int) -> dict[str, Cards]:
    """What the places get from the pack in canonical order."""
    return places(deal(rules, deck(rules), dealer))


def _stated(rules: RuleSet, dealer: int, rows: Sequence[Row]) -> Iterator[tuple[str, Row, Cards]]:
    """The rows place by place; raises `HandTextError` where the pack cannot be dealt so."""
    sizes = {place: cards.bit_count() for place, cards in _example(rules, dealer).items()}
    pack, seen = mask(deck(rules)), 0
    done: set[str] = set()
    for row in rows:
        with at(row.line):
            place, cards = _place_and_cards(row.text)
            if place not in sizes or place in done:
                left = ", ".join(each for each in sizes if each not in done)
                raise MalformedMessage(f"{place[:40]!r} is no place left: write one of {left}")
            if cards & ~pack or cards & seen:
                wrong = cards & ~pack or cards & seen
                raise MalformedMessage(f"{names(wrong)}: not in the pack, or dealt before")
            if cards.bit_count() != sizes[place]:
                raise MalformedMessage(f"{cards.bit_count()} cards: {place} gets {sizes[place]}")
        done.add(place)
        seen |= cards
        yield place, row, cards


def _place_and_cards(text: str) -> tuple[str, Cards]:
    label, colon, rest = text.partition(":")
    if not colon:
        raise MalformedMessage(f"{text[:40]!r}: write a place, a colon and its cards")
    place = " ".join(label.lower().split())
    cards = [parse_card(word) for word in in_letters(rest).split()]
    for number, card in enumerate(cards):
        if card in cards[:number]:
            raise MalformedMessage(f"{card_name(card)} is here twice")
    return f"seat {place}" if place.isdecimal() else place, mask(cards)


def _some_deck(rules: RuleSet, dealer: int, stated: _Stated, line: int) -> tuple[Card, ...]:
    """The one deck that deals the places what they have, each its cards in ascending order."""
    pack, example = deck(rules), _example(rules, dealer)
    missing = [place for place in example if place not in stated]
    if len(missing) > 1:
        raise HandTextError(line, f"Deal lacks {', '.join(missing)}: only one may be left out")
    dealt = {place: cards for place, (_, cards) in stated.items()}
    if missing:
        dealt[missing[0]] = mask(pack) & ~sum(dealt.values())
    order = list(pack)
    for place, cards in dealt.items():
        positions = (at for at, card in enumerate(pack) if example[place] >> card & 1)
        for position, card in zip(positions, members(cards), strict=True):
            order[position] = card
    return tuple(order)
