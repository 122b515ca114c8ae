"""The ten tricks in English."""

from collections.abc import Iterator

from fivehundred.cli.rules_english_words import TEAMS, joker, lose_all
from fivehundred.rules.ruleset import (
    FirstLead,
    JokerFollow,
    JokerForced,
    JokerLead,
    RuleSet,
)


def ranks(rules: RuleSet) -> Iterator[str]:
    """What beats what."""
    jokers = ("", "JKR, then ", "JKR, JK2, then ")[rules.jokers]
    yield (
        f"The highest trumps are, from the top, {jokers}the jack of trumps (right bower), "
        "the other jack of the same colour (left bower), and A K Q."
    )
    yield "The other trumps follow downwards."
    yield f"{_strangers(rules)} to the trumps in every respect, whatever is printed on the card."
    yield "The other suits rank as in the pack; that of the trumps' colour lacks its jack."
    yield "At no trump there are no bowers, and every suit ranks as in the pack."


def _strangers(rules: RuleSet) -> str:
    return (
        "The left bower belongs",
        "The joker and the left bower belong",
        "The jokers and the left bower belong",
    )[rules.jokers]


def tricks(rules: RuleSet) -> Iterator[str]:
    """How a trick is played."""
    yield _first_lead(rules)
    yield "The others follow in turn, with a card of the suit led if they have one."
    yield "Whoever has none may play any card, a trump or not."
    yield "The highest trump wins the trick, or without a trump the highest card of the suit led."
    yield "The winner leads to the next trick."


def _first_lead(rules: RuleSet) -> str:
    if rules.first_lead is FirstLead.CONTRACTOR:
        return "The contractor leads to the first trick."
    if _somebody_sits_out(rules):
        return "The first player who plays, from the dealer's left, leads to the first trick."
    return "The player on the dealer's left leads to the first trick."


def _somebody_sits_out(rules: RuleSet) -> bool:
    return rules.side_model in TEAMS and any(
        not special.partner_plays for special in rules.special_bids
    )


def free_joker(rules: RuleSet) -> Iterator[str]:
    """The joker at no trump."""
    if not rules.jokers:
        return
    special = f", and in {lose_all(rules)}," if lose_all(rules) else ""
    yield f"At no trump{special} {_unplaced(rules)} has no suit and beats every card{_but(rules)}."
    if rules.misere_joker_low and lose_all(rules):
        yield f"In {lose_all(rules)}, however, every card of the suit led beats it."
    yield _follow(rules)
    yield from _forced(rules)
    yield from _lead(rules)


def _unplaced(rules: RuleSet) -> str:
    given = "a joker that has not been given a suit"
    return given if rules.nominate_before_lead else joker(rules)


def _but(rules: RuleSet) -> str:
    if rules.jokers == 1:
        return ""
    has_none = " that has no suit either" if rules.nominate_before_lead else ""
    return f" but a higher joker{has_none}"


def _follow(rules: RuleSet) -> str:
    if rules.joker_follow is JokerFollow.ANYTIME:
        return "To the lead of a suit a player may always play it, even if he has that suit."
    if rules.joker_follow is JokerFollow.FIRST_ROUND_OF_SUIT:
        return (
            "A player who has the suit led may play it only if that suit is led for the first time."
        )
    return f"A player who has a card of the suit led may not play {joker(rules)}."


def _forced(rules: RuleSet) -> Iterator[str]:
    names = lose_all(rules)
    if rules.joker_forced is JokerForced.ALWAYS:
        yield "A player who has no card of the suit led must play it."
    elif rules.joker_forced is JokerForced.MISERE and names:
        yield f"A player who has no card of the suit led may play it, and in {names} must."
    else:
        yield "A player who has no card of the suit led may play it or any other card."


def _lead(rules: RuleSet) -> Iterator[str]:
    match rules.joker_lead:
        case JokerLead.AS_TRUMP:
            yield "It may be led at any time, and no suit is named."
            yield from _answered_by_jokers(rules)
        case JokerLead.ONLY_JOKERS_LEFT:
            yield f"It may be led only by one who holds {_only(rules)}; the others play any card."
        case JokerLead.NAME_ANY_SUIT:
            yield "Whoever leads it names any suit, which the others must follow if they can."
        case JokerLead.NAME_NOT_SHOWN_VOID:
            yield "Whoever leads it names a suit, which the others must follow if they can."
            yield from _shown_void(rules)
            yield _nothing_to_name(rules)
        case JokerLead.NAME_UNLED_SUIT:
            yield "Whoever leads it names a suit, which the others must follow if they can."
            given = ", or given to a joker" if rules.nominate_before_lead else ""
            yield f"It cannot be one that has been led or named before{given}."
            yield _nothing_to_name(rules)


def _only(rules: RuleSet) -> str:
    return "nothing else" if rules.jokers == 1 else "nothing but jokers"


def _shown_void(rules: RuleSet) -> Iterator[str]:
    yield "It cannot be one in which he has shown himself void by not following."
    if rules.joker_follow is not JokerFollow.VOID_ONLY:
        yield "A joker that he might have played all the same does not show it."


def _nothing_to_name(rules: RuleSet) -> str:
    return (
        f"With no suit to name it may be led only by one who holds {_only(rules)}, "
        "and the others play any card."
    )


def _answered_by_jokers(rules: RuleSet) -> Iterator[str]:
    if rules.jokers == 1:
        yield "The others may play any card to it."
    else:
        yield "To a joker led the other joker must be played by its holder; the rest play any card."
