"""Calls, exchanges and plays as text; ``str`` of each value is what is read here."""

from fivehundred.rules.actions import PASS, Bid, Call, Exchange, Play
from fivehundred.rules.bids import ladder
from fivehundred.rules.cards import mask, parse_card, parse_suit
from fivehundred.rules.errors import NotationError
from fivehundred.rules.ruleset import RuleSet

NOTHING_THROWN = "-"


def parse_call(rules: RuleSet, text: str) -> Call:
    """The call of ``P``, ``7S``, ``10NT``, ``MIS`` or ``GAME-H``, legal now or not."""
    word = text.strip().upper()
    if word == str(PASS):
        return PASS
    for bid in ladder(rules):
        if str(bid) == word:
            return bid
    raise NotationError(f"{text!r} is no call here: write P, {_examples(rules)}")


def parse_play(text: str) -> Play:
    """The play of ``AS``, or of ``JKR:C`` for a joker led that names a suit."""
    card, colon, suit = text.strip().partition(":")
    return Play(parse_card(card), parse_suit(suit) if colon else None)


def parse_exchange(text: str) -> Exchange:
    """The exchange of ``5S 6S joker=H called=AH partners=2,4``; ``-`` where nothing is thrown."""
    words = text.split()
    settlements = [word.split("=", 1) for word in words if "=" in word]
    settled = dict(settlements)
    if len(settled) != len(settlements):
        raise NotationError(f"{text!r} settles something twice: give each once")
    cards = [word for word in words if "=" not in word and word != NOTHING_THROWN]
    if unknown := settled.keys() - {"joker", "called", "partners"}:
        raise NotationError(f"{', '.join(sorted(unknown))}: write joker=, called= or partners=")
    thrown = mask(map(parse_card, cards))
    if thrown.bit_count() != len(cards):
        raise NotationError(f"{text!r} throws a card twice: name each card once")
    return Exchange(
        thrown=thrown,
        joker_suit=parse_suit(settled["joker"]) if "joker" in settled else None,
        called=parse_card(settled["called"]) if "called" in settled else None,
        partners=_parse_seats(settled["partners"]) if "partners" in settled else (),
    )


def _parse_seats(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(seat) for seat in text.split(","))
    except ValueError:
        raise NotationError(f"{text!r} are no seats: write numbers as in 2,4") from None


def _examples(rules: RuleSet) -> str:
    bids = ladder(rules)
    specials: dict[str, Bid] = {bid.special: bid for bid in bids if bid.special}
    named = "".join(f", {bid}" for bid in specials.values())
    lowest = next(bid for bid in bids if not bid.special)
    return f"a level and a strain from {lowest} to 10NT{named}"
