"""A rule set: every variant of 500 as data.

The fields are the parameters of the rules reference (docs/rules.md), in its order; the defaults are
the Australian four-handed game, ``au-4p-43``.
"""

from dataclasses import dataclass
from enum import Enum

Pips = tuple[int, ...]
"""One number per suit, in the order S C D H."""


class SideModel(Enum):
    """Who plays with whom. TEAMS_k: the team of a seat is the seat modulo k."""

    SOLO = 1
    TEAMS_2 = 2
    TEAMS_3 = 3
    CALLED = 4


class CallMethod(Enum):
    """How a contractor of five finds his partner."""

    CALL_CARD = 1
    CHOOSE_PLAYER = 2


class Callable(Enum):
    """Which cards may be called."""

    NOT_JOKER_OR_BOWER = 1
    NOT_TRUMP = 2
    NOT_JOKER = 3


class Reveal(Enum):
    """When the holder of the called card is known."""

    WHEN_PLAYED = 1
    AT_ONCE = 2


class Share(Enum):
    """What contractor and partner each score of the contract's value."""

    HALF = 1
    FULL = 2


class AuctionRounds(Enum):
    """How long the auction lasts."""

    UNTIL_PASSED = 1
    ONE_EACH = 2


class Reentry(Enum):
    """Whether a seat that has passed may call again."""

    NONE = 1
    AFTER_STRAIN_CHANGE = 2
    FREE = 3


class BidOrder(Enum):
    """What makes one numbered bid higher than another."""

    LEVEL_THEN_STRAIN = 1
    VALUE = 2


class AllPass(Enum):
    """What follows when nobody has bid enough."""

    REDEAL_NEXT = 1
    REDEAL_SAME = 2
    PLAY_OUT = 3


class PersonalKittyUse(Enum):
    """Who exchanges with a personal kitty."""

    ALL = 1
    CONTRACTOR = 2


class FirstLead(Enum):
    """Who leads to the first trick."""

    CONTRACTOR = 1
    DEALERS_LEFT = 2


class JokerLead(Enum):
    """How an un-nominated joker may be led at no trump."""

    NAME_UNLED_SUIT = 1
    NAME_ANY_SUIT = 2
    NAME_NOT_SHOWN_VOID = 3
    AS_TRUMP = 4
    ONLY_JOKERS_LEFT = 5


class JokerFollow(Enum):
    """When an un-nominated joker may be played to another's lead at no trump."""

    VOID_ONLY = 1
    FIRST_ROUND_OF_SUIT = 2
    ANYTIME = 3


class JokerForced(Enum):
    """When an un-nominated joker must be played by a seat void in the suit led, at no trump."""

    NEVER = 1
    MISERE = 2
    ALWAYS = 3


class Growth(Enum):
    """How a contract's value grows with its level."""

    PLUS_100 = 1
    TIMES_BASE = 2


class FloorEffect(Enum):
    """What happens to a unit at the floor."""

    LOSES = 1
    LOSES_UNLESS_ALL_NEGATIVE = 2


class WinCondition(Enum):
    """What carries a unit over the target."""

    OWN_CONTRACT = 1
    ANY_POINTS = 2


class SeveralReach(Enum):
    """Who wins when several units are at the target."""

    CONTRACTOR_THEN_HIGHEST = 1
    CONTRACTOR_THEN_EARLIEST = 2
    HIGHEST = 3


class SpecialKind(Enum):
    """What a special bid promises: to lose every trick, or to take every trick."""

    LOSE_ALL = 1
    TAKE_ALL = 2


class Exposure(Enum):
    """When the contractor's holding is laid open."""

    NONE = 1
    AFTER_TRICK_1 = 2
    BEFORE_LEAD = 3


@dataclass(frozen=True, slots=True)
class SpecialBid:
    """A bid beside the numbered ones: misère, open misère, nullo, game, or a house's own.

    ``ranks_above`` is the ``(level, strain)`` of the numbered bid that it stands just over; several
    over one bid stand in list order. A TAKE_ALL bid carries a strain: five bids, in strain order.
    """

    name: str
    kind: SpecialKind
    value: int
    ranks_above: tuple[int, int]
    needs_level: int = 0
    needs_partner_bid: str = ""
    takes_kitty: bool = True
    partner_plays: bool = False
    exposure: Exposure = Exposure.NONE
    points_per_forced_trick: int = 0


@dataclass(frozen=True, slots=True)
class CallRules:
    """How the contractor of a CALLED game chooses a partner."""

    method: CallMethod = CallMethod.CALL_CARD
    callable: Callable = Callable.NOT_JOKER_OR_BOWER
    reveal: Reveal = Reveal.WHEN_PLAYED
    secret_solo: bool = False
    second_partner_from: int = 0
    share: Share = Share.HALF


MISERE = SpecialBid("MIS", SpecialKind.LOSE_ALL, 250, (7, 4), needs_level=7)
OPEN_MISERE = SpecialBid("OM", SpecialKind.LOSE_ALL, 500, (10, 2), exposure=Exposure.AFTER_TRICK_1)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All 37 parameters of a game of 500; `fivehundred.rules.validate` says whether they agree."""

    players: int = 4
    lowest_pip: Pips = (5, 5, 4, 4)
    highest_pip: Pips = (10, 10, 10, 10)
    jokers: int = 1
    dead_hands: int = 0
    personal_kitty: int = 0
    side_model: SideModel = SideModel.TEAMS_2
    call: CallRules | None = None
    """Set exactly when ``side_model`` is CALLED."""
    auction_rounds: AuctionRounds = AuctionRounds.UNTIL_PASSED
    reentry: Reentry = Reentry.NONE
    winner_may_raise: bool = False
    strain_order: tuple[int, ...] = (0, 1, 2, 3, 4)
    """Strains from low to high."""
    bid_order: BidOrder = BidOrder.LEVEL_THEN_STRAIN
    min_bid: int = 6
    min_contract: int = 6
    signal_seats: int = 0
    special_bids: tuple[SpecialBid, ...] = (MISERE, OPEN_MISERE)
    all_pass: AllPass = AllPass.REDEAL_NEXT
    personal_kitty_use: PersonalKittyUse = PersonalKittyUse.ALL
    first_lead: FirstLead = FirstLead.CONTRACTOR
    nominate_before_lead: bool = True
    joker_lead: JokerLead = JokerLead.NAME_UNLED_SUIT
    joker_follow: JokerFollow = JokerFollow.VOID_ONLY
    joker_forced: JokerForced = JokerForced.MISERE
    misere_joker_low: bool = False
    base_value: tuple[int, int, int, int, int] = (40, 60, 80, 100, 120)
    """Value of the six-bid by strain, S C D H NT."""
    growth: Growth = Growth.PLUS_100
    slam_minimum: int = 250
    set_back: bool = True
    defenders_collect: bool = False
    defender_trick_points: int = 10
    defender_ceiling: int | None = None
    """No ceiling where None."""
    target: int = 500
    floor: int | None = -500
    """No floor where None."""
    floor_effect: FloorEffect = FloorEffect.LOSES
    win_condition: WinCondition = WinCondition.OWN_CONTRACT
    several_reach: SeveralReach = SeveralReach.CONTRACTOR_THEN_HIGHEST

    def __hash__(self) -> int:
        """Of a few fields, since every hand looks several things up by its rule set."""
        return hash((self.players, self.lowest_pip, self.strain_order, self.base_value))

    @property
    def deck_size(self) -> int:
        """Cards in the pack."""
        pips = zip(self.lowest_pip, self.highest_pip, strict=True)
        return sum(high - low + 5 for low, high in pips) + self.jokers

    @property
    def kitty_size(self) -> int:
        """Cards in the shared kitty."""
        hands = 10 * (self.players + self.dead_hands)
        return self.deck_size - hands - self.personal_kitty * self.players

    @property
    def sides(self) -> int:
        """Units that have a score: teams, or players where there are no fixed teams."""
        if self.side_model is SideModel.TEAMS_2:
            return 2
        return 3 if self.side_model is SideModel.TEAMS_3 else self.players

    def side_of(self, seat: int) -> int:
        """The side whose score a seat plays for."""
        return seat % self.sides
