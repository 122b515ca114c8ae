"""Rule sets at random, all of them valid: every value of every parameter, alone and together."""

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from random import Random

from hypothesis import strategies as st

from fivehundred.rules.cards import NO_TRUMP, STRAINS, SUITS
from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import (
    MISERE,
    OPEN_MISERE,
    AllPass,
    AuctionRounds,
    BidOrder,
    Callable,
    CallMethod,
    CallRules,
    Exposure,
    FirstLead,
    FloorEffect,
    Growth,
    JokerFollow,
    JokerForced,
    JokerLead,
    PersonalKittyUse,
    Pips,
    Reentry,
    Reveal,
    RuleSet,
    SeveralReach,
    Share,
    SideModel,
    SpecialBid,
    SpecialKind,
    WinCondition,
)
from fivehundred.rules.validate import validate

LOWEST, HIGHEST, LEAST_TOP = 2, 13, 10
SMALLEST_PACK = 20
TOP_LEVEL = 10
SMALL_KITTY = 6
BOLDNESS = (0.06, 0.3, 0.75)
"""How likely a parameter is to leave its default: in rule sets with few and with many changes."""
CHOICES: Mapping[str, Sequence[object]] = {
    "auction_rounds": tuple(AuctionRounds),
    "reentry": tuple(Reentry),
    "winner_may_raise": (False, True),
    "bid_order": tuple(BidOrder),
    "all_pass": tuple(AllPass),
    "personal_kitty_use": tuple(PersonalKittyUse),
    "first_lead": tuple(FirstLead),
    "nominate_before_lead": (True, False),
    "joker_lead": tuple(JokerLead),
    "joker_follow": tuple(JokerFollow),
    "joker_forced": tuple(JokerForced),
    "misere_joker_low": (False, True),
    "growth": tuple(Growth),
    "slam_minimum": (250, 0, 1, 100, 480, 1000),
    "set_back": (True, False),
    "defenders_collect": (False, True),
    "defender_trick_points": tuple(range(11)),
    "defender_ceiling": (None, 490, 1, 50, 480, 500, 700, 100_000),
    "target": (500, 1000, 1, 40, 250, 100_000),
    "floor": (None, -500, -1, -40, -250, -1000, -100_000),
    "floor_effect": tuple(FloorEffect),
    "win_condition": tuple(WinCondition),
    "several_reach": tuple(SeveralReach),
}
"""The parameters that depend on no other, with what is drawn for them."""
TABLES = (
    (40, 60, 80, 100, 120),
    (20, 40, 60, 80, 100),
    (60, 40, 100, 80, 120),
    (40, 40, 40, 40, 40),
    (7, 15, 3, 11, 13),
    (1, 1, 1, 1, 100_000),
)
KNOWN_SPECIALS = (
    MISERE,
    OPEN_MISERE,
    SpecialBid("NULLO", SpecialKind.LOSE_ALL, 250, (8, 0)),
    SpecialBid("DBL", SpecialKind.LOSE_ALL, 500, (10, 2), partner_plays=True),
    SpecialBid("BAR", SpecialKind.LOSE_ALL, 500, (10, 2), takes_kitty=False),
    SpecialBid("GAME", SpecialKind.TAKE_ALL, 1000, (10, NO_TRUMP), partner_plays=True),
)
NAMES = ("HOUSE", "Q", "PP", "NT", "JOKER", "GAMEX", "MISX", "LONGESTNAMEOFABID")
SPECIAL_VALUES = (250, 500, 1000, 120, 75, 1, 100_000)


def random_rules(random: Random) -> RuleSet:
    """A valid rule set; the smaller the draws, the nearer it is to the default."""
    return _Draws(random, random.choice(BOLDNESS)).rules()


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Valid rule sets that shrink towards the default, parameter by parameter."""
    rules = random_rules(Random(draw(st.integers(0, 2**32))))
    for parameter in fields(RuleSet):
        if not draw(st.integers(0, 4)):
            rules = _with_default(rules, parameter.name)
    return rules


def _with_default(rules: RuleSet, name: str) -> RuleSet:
    """A rule set with one parameter at its default, where the others allow that."""
    changed = replace(rules, **{name: getattr(RuleSet(), name)})
    try:
        validate(changed)
    except InvalidRuleSet:
        return rules
    return changed


@dataclass(frozen=True, slots=True)
class _Draws:
    """Draws parameter after parameter, those first that others depend on."""

    random: Random
    boldness: float

    def rules(self) -> RuleSet:
        rules = self._with_sides(self._with_table(RuleSet()))
        rules = self._with_specials(self._with_bids(rules))
        changes = {name: self.random.choice(values) for name, values in CHOICES.items() if self()}
        return replace(rules, **changes)  # type: ignore[arg-type]  # the names are those of fields

    def __call__(self) -> bool:
        """Whether the next parameter leaves its default."""
        return self.random.random() >= 1 - self.boldness

    def _with_table(self, rules: RuleSet) -> RuleSet:
        random = self.random
        players = random.choice((4, 4, 3, 2, 5, 6))
        jokers = random.choice((1, 2, 0)) if self() else 1
        dead = random.randint(0, 1) if self() else 0
        personal = random.randint(1, 2) if self() else 0
        largest = len(SUITS) * (HIGHEST - LOWEST + 5) + jokers
        if (10 + personal) * players + 10 * dead > largest:
            dead = personal = 0
        rules = replace(
            rules, players=players, jokers=jokers, dead_hands=dead, personal_kitty=personal
        )
        is_usual = players == 4 and rules.kitty_size >= 0
        return self._with_pack(rules, largest) if self() or not is_usual else rules

    def _with_pack(self, rules: RuleSet, largest: int) -> RuleSet:
        """A pack with some kitty: the smallest one, made longer in any suit at either end."""
        least = max(SMALLEST_PACK + rules.jokers, rules.deck_size - rules.kitty_size)
        most = largest if self() else min(largest, least + SMALL_KITTY)
        size = self.random.randint(least, most)
        low, high = [LEAST_TOP] * len(SUITS), [LEAST_TOP] * len(SUITS)
        ends = [(low, suit, -1) for suit in SUITS] * (LEAST_TOP - LOWEST)
        ends += [(high, suit, 1) for suit in SUITS] * (HIGHEST - LEAST_TOP)
        for pips, suit, step in self.random.sample(ends, size - SMALLEST_PACK - rules.jokers):
            pips[suit] += step
        return replace(rules, lowest_pip=_pips(low), highest_pip=_pips(high))

    def _with_sides(self, rules: RuleSet) -> RuleSet:
        fitting = [SideModel.TEAMS_2] if rules.players in (4, 6) else []
        fitting += [SideModel.CALLED] if rules.players == 5 else []
        fitting += [SideModel.SOLO]
        fitting += [SideModel.CALLED] if rules.players in (3, 4, 6) else []
        fitting += [SideModel.TEAMS_3] if rules.players == 6 else []
        model = self.random.choice(fitting) if self() else fitting[0]
        call = self._call(rules) if model is SideModel.CALLED else None
        return replace(rules, side_model=model, call=call)

    def _call(self, rules: RuleSet) -> CallRules:
        random = self.random
        seconds = (0, 6, 7, 8, 9, 10) if rules.players > 3 else (0,)
        return CallRules(
            method=random.choice(tuple(CallMethod)),
            callable=random.choice(tuple(Callable)),
            reveal=random.choice(tuple(Reveal)),
            secret_solo=random.choice((False, True)),
            second_partner_from=random.choice(seconds) if self() else 0,
            share=random.choice(tuple(Share)),
        )

    def _with_bids(self, rules: RuleSet) -> RuleSet:
        random = self.random
        min_bid = random.randint(6, 8) if self() else 6
        min_contract = random.randint(min_bid, TOP_LEVEL) if self() else min_bid
        signals = random.randint(0, rules.players) if min_contract > min_bid and self() else 0
        call = rules.call
        if call is not None and 0 < call.second_partner_from < min_bid:
            call = replace(call, second_partner_from=min_bid)
        return replace(
            rules,
            call=call,
            min_bid=min_bid,
            min_contract=min_contract,
            signal_seats=signals,
            strain_order=tuple(random.sample(STRAINS, 5)) if self() else rules.strain_order,
            base_value=self._table_of_values() if self() else rules.base_value,
        )

    def _table_of_values(self) -> tuple[int, int, int, int, int]:
        if not self():
            return self.random.choice(TABLES)
        first, second, third, fourth, fifth = (self.random.randint(1, 25) * 10 for _ in STRAINS)
        return first, second, third, fourth, fifth

    def _with_specials(self, rules: RuleSet) -> RuleSet:
        """Known special bids, changed or not, and a house's own; all in some order."""
        random = self.random
        if not self():
            return replace(rules, special_bids=_with_levels(rules, rules.special_bids))
        known = random.sample(KNOWN_SPECIALS, random.randint(0, len(KNOWN_SPECIALS)))
        own = [replace(MISERE, name=name) for name in self._names()]
        specials = [self._changed(special) if self() else special for special in known]
        specials += [self._changed(special) for special in own]
        random.shuffle(specials)
        return replace(rules, special_bids=self._fitting(rules, tuple(specials)))

    def _names(self) -> list[str]:
        names = self.random.sample(NAMES, self.random.randint(0, 3))
        letters = self.random.choices(string.ascii_uppercase, k=self.random.randint(2, 8))
        return sorted({*names, "Z" + "".join(letters)}) if names else []

    def _changed(self, special: SpecialBid) -> SpecialBid:
        random = self.random
        kind = random.choice(tuple(SpecialKind))
        forced = random.choice((0, 10, 25)) if kind is SpecialKind.LOSE_ALL else 0
        return replace(
            special,
            kind=kind,
            value=random.choice(SPECIAL_VALUES),
            ranks_above=(random.randint(6, TOP_LEVEL), random.choice(STRAINS)),
            needs_level=random.choice((0, 0, 6, 7, 8, 9, 10)),
            takes_kitty=random.choice((True, False)),
            partner_plays=random.choice((False, True)),
            exposure=random.choice(tuple(Exposure)),
            points_per_forced_trick=forced,
        )

    def _fitting(self, rules: RuleSet, specials: Sequence[SpecialBid]) -> tuple[SpecialBid, ...]:
        """The special bids with levels that may be bid, some only after a partner's."""
        in_teams = rules.side_model in (SideModel.TEAMS_2, SideModel.TEAMS_3)
        asking = []
        for special in specials:
            others = [each.name for each in specials if each.name != special.name]
            partner = self.random.choice(others) if in_teams and others and self() else ""
            asking.append(replace(special, needs_partner_bid=partner))
        return _with_levels(rules, asking)


def _with_levels(rules: RuleSet, specials: Sequence[SpecialBid]) -> tuple[SpecialBid, ...]:
    """The special bids with every level that they name raised to one that may be bid."""
    return tuple(
        replace(
            special,
            ranks_above=(max(special.ranks_above[0], rules.min_bid), special.ranks_above[1]),
            needs_level=special.needs_level and max(special.needs_level, rules.min_bid),
        )
        for special in specials
    )


def _pips(numbers: Sequence[int]) -> Pips:
    spades, clubs, diamonds, hearts = numbers
    return spades, clubs, diamonds, hearts
