"""Whether a rule set agrees with itself, and the one form that equal games share."""

import re
from collections.abc import Iterator
from dataclasses import replace

from fivehundred.rules.bids import TOP_LEVEL
from fivehundred.rules.cards import STRAIN_NAMES, STRAINS, SUIT_LETTERS
from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import (
    AuctionRounds,
    CallMethod,
    CallRules,
    JokerForced,
    RuleSet,
    SideModel,
    SpecialBid,
    SpecialKind,
    WinCondition,
)
from fivehundred.rules.scoring import tricks_score

PLAYERS = range(2, 7)
PIPS = range(2, 11)
TOP_PIPS = range(10, 14)
MIN_BIDS = range(6, 9)
SPECIAL_NAME = re.compile(r"[A-Z]+")
MOST_POINTS = 100_000

_Problem = tuple[str, str]


def validate(rules: RuleSet) -> None:
    """Raise `InvalidRuleSet` for the first field that is impossible or contradicts another."""
    for check in (_pack, _sides, _auction, _specials, _scoring):
        for field, message in check(rules):
            raise InvalidRuleSet(field, message)


def canonical(rules: RuleSet) -> RuleSet:
    """The same game with every field that has no effect at its default."""
    plain = RuleSet()
    ineffective: set[str] = set()
    if rules.jokers == 0:
        ineffective |= {"nominate_before_lead", "joker_lead", "joker_follow", "joker_forced"}
    if rules.jokers == 0 or not _has_lose_all(rules):
        ineffective.add("misere_joker_low")
    if rules.personal_kitty == 0:
        ineffective.add("personal_kitty_use")
    if rules.auction_rounds is AuctionRounds.ONE_EACH:
        ineffective.add("reentry")
    if rules.floor is None:
        ineffective.add("floor_effect")
    if rules.win_condition is WinCondition.OWN_CONTRACT:
        ineffective.add("several_reach")
    if rules.signal_seats == 0:
        ineffective.add("min_bid")
    if not tricks_score(rules):
        ineffective.add("defender_ceiling")
    if rules.jokers and rules.joker_forced is JokerForced.MISERE and not _has_lose_all(rules):
        rules = replace(rules, joker_forced=JokerForced.NEVER)
    specials = tuple(_canonical_special(rules, special) for special in rules.special_bids)
    reset = {name: getattr(plain, name) for name in ineffective}
    call = rules.call if rules.side_model is SideModel.CALLED else None
    canonical_call = call and _canonical_call(call)
    return replace(rules, call=canonical_call, special_bids=specials, **reset)


def _canonical_special(rules: RuleSet, special: SpecialBid) -> SpecialBid:
    if rules.side_model is SideModel.SOLO:
        special = replace(special, partner_plays=False)
    if rules.kitty_size == 0 and rules.personal_kitty == 0:
        special = replace(special, takes_kitty=True)
    return special


def _canonical_call(call: CallRules) -> CallRules:
    plain = CallRules()
    if call.method is CallMethod.CALL_CARD:
        return replace(call, second_partner_from=plain.second_partner_from)
    return replace(
        call, callable=plain.callable, reveal=plain.reveal, secret_solo=plain.secret_solo
    )


def _has_lose_all(rules: RuleSet) -> bool:
    return any(special.kind is SpecialKind.LOSE_ALL for special in rules.special_bids)


def _pack(rules: RuleSet) -> Iterator[_Problem]:
    if rules.players not in PLAYERS:
        yield "players", f"{rules.players} is impossible: 2 to 6 play"
    for field, pips, allowed in (
        ("lowest_pip", rules.lowest_pip, PIPS),
        ("highest_pip", rules.highest_pip, TOP_PIPS),
    ):
        if len(pips) != len(SUIT_LETTERS):
            yield field, f"{len(pips)} numbers: give one for each of S C D H"
        for letter, pip in zip(SUIT_LETTERS, pips, strict=True):
            if pip not in allowed:
                yield field, f"{pip} for {letter}: give {allowed[0]} to {allowed[-1]}"
    if rules.jokers not in range(3):
        yield "jokers", f"{rules.jokers} is impossible: a pack has 0, 1 or 2"
    if rules.dead_hands not in range(2):
        yield "dead_hands", f"{rules.dead_hands} is impossible: there is none or 1"
    if rules.personal_kitty not in range(3):
        yield "personal_kitty", f"{rules.personal_kitty} is impossible: give 0, 1 or 2 cards"
    if rules.kitty_size < 0:
        short = -rules.kitty_size
        yield "lowest_pip", f"the pack of {rules.deck_size} is {short} short: lower the lowest pips"


def _sides(rules: RuleSet) -> Iterator[_Problem]:
    teams = rules.sides
    if rules.side_model in (SideModel.TEAMS_2, SideModel.TEAMS_3) and (
        rules.players % teams or rules.players <= teams
    ):
        fitting = "4 or 6" if teams == 2 else "6"
        yield "side_model", f"{rules.players} players make no {teams} teams: {fitting} do"
    if rules.side_model is not SideModel.CALLED:
        if rules.call is not None:
            yield "call", "has a meaning only where side_model is CALLED: leave it out"
        return
    if rules.players < 3:
        yield "side_model", f"CALLED needs 3 players or more, not {rules.players}"
    if rules.call is None:
        yield "call", "is missing: side_model CALLED needs it"
    elif rules.call.second_partner_from not in (0, *range(rules.min_bid, TOP_LEVEL + 1)):
        yield "call.second_partner_from", f"give 0 or a level from {rules.min_bid} to {TOP_LEVEL}"
    elif rules.call.second_partner_from and rules.players < 4:
        yield "call.second_partner_from", "two partners need 4 players or more: give 0"


def _auction(rules: RuleSet) -> Iterator[_Problem]:
    if sorted(rules.strain_order) != list(STRAINS):
        yield "strain_order", f"name each of {' '.join(STRAIN_NAMES)} once, from low to high"
    if rules.min_bid not in MIN_BIDS:
        yield "min_bid", f"{rules.min_bid} is impossible: give 6, 7 or 8"
    if not rules.min_bid <= rules.min_contract <= TOP_LEVEL:
        yield "min_contract", f"{rules.min_contract}: give {rules.min_bid} (min_bid) to {TOP_LEVEL}"
    if not 0 <= rules.signal_seats <= rules.players:
        yield "signal_seats", f"{rules.signal_seats}: give 0 to {rules.players} (players)"
    if rules.signal_seats and rules.min_bid >= rules.min_contract:
        yield "signal_seats", "nothing to signal with: give 0, or a min_bid under min_contract"


def _specials(rules: RuleSet) -> Iterator[_Problem]:
    names = [special.name for special in rules.special_bids]
    for index, special in enumerate(rules.special_bids):
        for field, message in _special(rules, special, names):
            yield f"special_bids[{index}].{field}", message


def _special(rules: RuleSet, special: SpecialBid, names: list[str]) -> Iterator[_Problem]:
    name, (level, strain) = special.name, special.ranks_above
    if not SPECIAL_NAME.fullmatch(name) or name == "P":
        yield "name", f"{name!r}: use capital letters A to Z, and more than P"
    if names.count(name) > 1:
        yield "name", f"{name} occurs {names.count(name)} times: give each its own"
    if not 0 < special.value <= MOST_POINTS:
        yield "value", f"{special.value}: give 1 to {MOST_POINTS}"
    if level not in range(rules.min_bid, TOP_LEVEL + 1) or strain not in STRAINS:
        yield "ranks_above", f"no such bid: give a bid from level {rules.min_bid} to {TOP_LEVEL}"
    if special.needs_level not in (0, *range(rules.min_bid, TOP_LEVEL + 1)):
        yield "needs_level", f"{special.needs_level}: give 0 or {rules.min_bid} to {TOP_LEVEL}"
    partner = special.needs_partner_bid
    if partner and (partner not in names or partner == name):
        yield "needs_partner_bid", f"{partner} is no other special bid: name one, or leave it out"
    if partner and rules.side_model not in (SideModel.TEAMS_2, SideModel.TEAMS_3):
        yield "needs_partner_bid", "partners bid only where side_model is TEAMS_k: leave it out"
    if not 0 <= special.points_per_forced_trick <= MOST_POINTS:
        yield "points_per_forced_trick", f"give 0 to {MOST_POINTS}"
    if special.points_per_forced_trick and special.kind is SpecialKind.TAKE_ALL:
        yield "points_per_forced_trick", "is for a LOSE_ALL bid: give 0"


def _scoring(rules: RuleSet) -> Iterator[_Problem]:
    if len(rules.base_value) != len(STRAINS):
        yield "base_value", f"{len(rules.base_value)} numbers: give one for each of S C D H NT"
    for name, value in zip(STRAIN_NAMES, rules.base_value, strict=False):
        if not 0 < value <= MOST_POINTS:
            yield "base_value", f"{value} for {name}: give 1 to {MOST_POINTS}"
    if not 0 <= rules.slam_minimum <= MOST_POINTS:
        yield "slam_minimum", f"{rules.slam_minimum}: give 0 for none, or 1 to {MOST_POINTS}"
    if rules.defender_trick_points not in range(11):
        yield "defender_trick_points", f"{rules.defender_trick_points}: give 0 to 10"
    if not 0 < rules.target <= MOST_POINTS:
        yield "target", f"{rules.target}: give 1 to {MOST_POINTS}"
    if rules.floor is not None and not -MOST_POINTS <= rules.floor < 0:
        yield "floor", f"{rules.floor}: give -{MOST_POINTS} to -1, or 0 for none"
    if rules.defender_ceiling is not None and not 0 < rules.defender_ceiling <= MOST_POINTS:
        allowed = f"give 1 to {MOST_POINTS}, or 0 for none"
        yield "defender_ceiling", f"{rules.defender_ceiling}: {allowed}"
