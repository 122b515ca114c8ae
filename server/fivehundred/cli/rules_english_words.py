"""The words that sentences about a rule set are made of."""

from collections.abc import Sequence

from fivehundred.rules.ruleset import AllPass, RuleSet, SideModel, SpecialBid, SpecialKind

STRAIN_WORDS = ("spades", "clubs", "diamonds", "hearts", "no trump")
TEAMS = (SideModel.TEAMS_2, SideModel.TEAMS_3)
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(value: int) -> str:
    """``six``; in figures from eleven on."""
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else str(value)


def count(value: int, noun: str) -> str:
    """``one card``, ``three cards``."""
    return f"{number(value)} {noun}" if value == 1 else f"{number(value)} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def side(rules: RuleSet) -> str:
    """What has a score: a team or a player."""
    return "team" if rules.side_model in TEAMS else "player"


def pronoun(rules: RuleSet) -> str:
    """What stands for a side."""
    return "it" if rules.side_model in TEAMS else "he"


def contracting(rules: RuleSet) -> str:
    """Who has to make a contract."""
    if rules.side_model is SideModel.SOLO:
        return "the contractor"
    if rules.side_model is SideModel.CALLED:
        return "the contractor with any partner"
    return "the contractor's team"


def partners(rules: RuleSet) -> str:
    """Those who play with the contractor."""
    if rules.side_model is SideModel.CALLED:
        several = rules.call is not None and rules.call.second_partner_from
        return "his partners" if several else "his partner"
    others = rules.players // rules.sides - 1
    return "his partner" if others == 1 else f"his {number(others)} partners"


def specials(rules: RuleSet, kind: SpecialKind) -> tuple[SpecialBid, ...]:
    """The special bids of a kind."""
    return tuple(special for special in rules.special_bids if special.kind is kind)


def lose_all(rules: RuleSet) -> str:
    """The names of the bids that promise to lose every trick; empty where there are none."""
    return listed([special.name for special in specials(rules, SpecialKind.LOSE_ALL)], "or")


def plays_out(rules: RuleSet) -> bool:
    """Whether a hand can be played without a contractor."""
    return rules.all_pass is AllPass.PLAY_OUT


def joker(rules: RuleSet) -> str:
    """``the joker`` of one, ``a joker`` of two."""
    return "the joker" if rules.jokers == 1 else "a joker"
