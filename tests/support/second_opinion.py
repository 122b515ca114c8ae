"""A second referee of 500, written from the rules reference alone.

It shares no code with `fivehundred.rules` but the parameters of a rule set. Cards, calls and plays
are the strings of the reference, holdings are sets of them. What it is for: two referees that were
written apart and agree on a million hands are probably both right.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from fivehundred.rules.ruleset import (
    AllPass,
    AuctionRounds,
    BidOrder,
    Callable,
    CallMethod,
    FirstLead,
    FloorEffect,
    Growth,
    JokerFollow,
    JokerForced,
    JokerLead,
    PersonalKittyUse,
    Reentry,
    RuleSet,
    SeveralReach,
    Share,
    SideModel,
    SpecialBid,
    SpecialKind,
    WinCondition,
)

SUITS = "SCDH"
STRAINS = ("S", "C", "D", "H", "NT")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "J", "Q", "K", "A")
LEFT_BOWER, RIGHT_BOWER, LOWER_JOKER, HIGHER_JOKER = 20, 21, 22, 23
MATE = {"S": "C", "C": "S", "D": "H", "H": "D"}
JOKER_SUIT = "joker"
NO_SUIT = "-"
PACKETS = (3, 4, 3)


class Bid(NamedTuple):
    """A bid: ``level`` is 0 for a special bid, a higher ``rank`` beats a lower one."""

    name: str
    level: int
    strain: str
    special: SpecialBid | None
    rank: tuple[int, ...]


class Exchange(NamedTuple):
    """What a seat answers when it is asked to exchange."""

    thrown: list[str]
    settled: dict[str, str]


# --- the pack and the deal ---


def pack(rules: RuleSet) -> list[str]:
    """The cards of the pack, suit by suit from low to high, jokers last."""
    cards = []
    for suit, low, high in zip(SUITS, rules.lowest_pip, rules.highest_pip, strict=True):
        cards += [f"{pip}{suit}" for pip in range(low, high + 1)]
        cards += [f"{court}{suit}" for court in "JQKA"]
    return cards + ["JKR", "JK2"][: rules.jokers]


def deal(
    rules: RuleSet, deck: list[str], dealer: int
) -> tuple[list[set[str]], set[str], list[set[str]], set[str]]:
    """Deals a deck from its top: the holdings, the kitty, the personal kitties, the dead cards."""
    seats = [(dealer + 1 + i) % rules.players for i in range(rules.players)]
    holdings: list[set[str]] = [set() for _ in seats]
    personal: list[set[str]] = [set() for _ in seats] if rules.personal_kitty else []
    kitty: set[str] = set()
    dead: set[str] = set()
    own = rules.personal_kitty * rules.players
    rest = len(deck) - 10 * (rules.players + rules.dead_hands) - own
    between = rest // 3 if rules.players == 4 and rest % 3 == 0 else 0
    top = iter(deck)
    for packet in PACKETS:
        for pile in [dead] * rules.dead_hands + [holdings[seat] for seat in seats]:
            pile.update(_take(top, packet))
        kitty.update(_take(top, between))
    kitty.update(_take(top, rest - len(kitty)))
    # the reference is silent here: docs/architecture.md puts the personal kitties last
    for seat in seats if personal else []:
        personal[seat].update(_take(top, rules.personal_kitty))
    return holdings, kitty, personal, dead


def _take(cards: Iterator[str], count: int) -> list[str]:
    return [next(cards) for _ in range(count)]


# --- bids ---


def ladder(rules: RuleSet) -> list[str]:
    """The bids of a rule set from low to high."""
    return list(_bids(rules))


def value(rules: RuleSet, bid: str) -> int:
    """What a bid is worth."""
    found = _bids(rules)[bid]
    if found.special is not None:
        return found.special.value
    return _number_value(rules, found.level, STRAINS.index(found.strain))


def _number_value(rules: RuleSet, level: int, strain: int) -> int:
    base = rules.base_value[strain]
    return base + 100 * (level - 6) if rules.growth is Growth.PLUS_100 else base * (level - 5)


@lru_cache(maxsize=512)
def _bids(rules: RuleSet) -> dict[str, Bid]:
    """All bids by name, low to high."""
    bids = [
        Bid(f"{level}{STRAINS[strain]}", level, STRAINS[strain], None, (*place, 0, 0))
        for level in range(rules.min_bid, 11)
        for strain in rules.strain_order
        for place in [_place(rules, level, strain)]
    ]
    for number, special in enumerate(rules.special_bids, start=1):
        place = _place(rules, *special.ranks_above)
        if special.kind is SpecialKind.LOSE_ALL:
            bids.append(Bid(special.name, 0, "NT", special, (*place, number, 0)))
            continue
        for height, strain in enumerate(rules.strain_order):
            name = f"{special.name}-{STRAINS[strain]}"
            bids.append(Bid(name, 0, STRAINS[strain], special, (*place, number, height)))
    return {bid.name: bid for bid in sorted(bids, key=lambda bid: bid.rank)}


def _place(rules: RuleSet, level: int, strain: int) -> tuple[int, int]:
    """Where a numbered bid stands; under VALUE bids of one value share a place."""
    if rules.bid_order is BidOrder.VALUE:
        return (_number_value(rules, level, strain), 0)
    return (level, rules.strain_order.index(strain))


# --- the order of the cards ---


@lru_cache(maxsize=512)
def _suits_and_ranks(rules: RuleSet, strain: str) -> tuple[dict[str, str], dict[str, int]]:
    """The suit that each card belongs to under a strain, and its rank in that suit."""
    suits, ranks = {}, {}
    for card in pack(rules):
        suits[card], ranks[card] = _suit_and_rank(card, strain)
    return suits, ranks


def _suit_and_rank(card: str, strain: str) -> tuple[str, int]:
    if card in ("JKR", "JK2"):
        rank = HIGHER_JOKER if card == "JKR" else LOWER_JOKER
        return (JOKER_SUIT if strain == "NT" else strain), rank
    if strain != "NT" and card == "J" + strain:
        return strain, RIGHT_BOWER
    if strain != "NT" and card == "J" + MATE[strain]:
        return strain, LEFT_BOWER
    return card[-1], RANKS.index(card[:-1])


# --- one hand ---


class SecondOpinion:
    """One hand of 500, from the first call to the score."""

    def __init__(
        self,
        rules: RuleSet,
        holdings: list[set[str]],
        kitty: set[str],
        personal: list[set[str]],
        dealer: int,
        scores: list[int],
    ) -> None:
        self.rules = rules
        self.phase = "AUCTION"
        self.turn: int | None = (dealer + 1) % rules.players
        self.result: dict[str, Any] | None = None
        self.dealer = dealer
        self.scores = list(scores)
        self.contractor: int | None = None
        self.contract: Bid | None = None
        self._holdings = [set(holding) for holding in holdings]
        self._kitty = set(kitty)
        self._personal = [set(own) for own in personal]
        self._bids = _bids(rules)
        # the auction
        self._high: Bid | None = None
        self._made: list[tuple[int, Bid]] = []
        self._calls = 0
        self._passed: set[int] = set()
        self._raising = False
        # the exchange
        self._asked: list[int] = []
        self._side: set[int] = set()
        self._out: set[int] = set()
        self._nominated: str | None = None
        # the play
        self._suits: dict[str, str] = {}
        self._ranks: dict[str, int] = {}
        self._trick: list[tuple[int, str]] = []
        self._led = NO_SUIT
        self._first_round = False
        self._led_suits: set[str] = set()
        self._void: set[tuple[int, str]] = set()
        self._takers: list[int] = []

    def copy(self) -> "SecondOpinion":
        """Another hand in the same state."""
        other = object.__new__(SecondOpinion)
        for name, kept in self.__dict__.items():
            other.__dict__[name] = kept.copy() if isinstance(kept, (list, set)) else kept
        other._holdings = [set(holding) for holding in self._holdings]
        return other

    def holding(self, seat: int) -> set[str]:
        """The cards that a seat holds now; what it takes up is in it from its exchange on."""
        return set(self._holdings[seat])

    def legal(self) -> set[str]:
        """The calls or plays open to the seat whose turn it is."""
        if self.phase == "AUCTION":
            return {"P"} | {bid.name for bid in self._bids.values() if self._may_bid(bid)}
        if self.phase == "PLAY":
            return self._follows() if self._trick else self._leads()
        if self.phase == "EXCHANGE":
            raise ValueError("an exchange has too many answers to list: ask refuses()")
        return set()

    def act(self, text: str) -> None:
        """Takes an action that is known to be legal."""
        if self.phase == "AUCTION":
            self._call(text)
        elif self.phase == "EXCHANGE":
            self._exchange(text)
        else:
            self._play(text)

    def _seat(self) -> int:
        if self.turn is None:
            raise ValueError("the hand is over")
        return self.turn

    def _after(self, seat: int) -> int:
        return (seat + 1) % self.rules.players

    def _clockwise(self, first: int) -> list[int]:
        count = self.rules.players
        return [(first + i) % count for i in range(count)]

    def _partners(self, seat: int) -> set[int]:
        """The fixed partners of a seat."""
        side = self.rules.side_of(seat)
        return {s for s in range(self.rules.players) if self.rules.side_of(s) == side} - {seat}

    # the auction

    def _may_bid(self, bid: Bid) -> bool:
        seat = self._seat()
        if self._high is not None and bid.rank <= self._high.rank:
            return False
        if bid.special is not None:
            return self._may_bid_special(seat, bid.special)
        place = (seat - self.dealer - 1) % self.rules.players
        return bid.level >= self.rules.min_contract or place < self.rules.signal_seats

    def _may_bid_special(self, seat: int, special: SpecialBid) -> bool:
        if special.needs_level and all(bid.level < special.needs_level for _, bid in self._made):
            return False
        wanted = special.needs_partner_bid
        partners = self._partners(seat)
        return not wanted or any(
            who in partners and wanted in (bid.name, bid.special and bid.special.name)
            for who, bid in self._made
        )

    def _call(self, text: str) -> None:
        seat = self._seat()
        self._calls += 1
        if text == "P":
            self._passed.add(seat)
        else:
            self._bid(seat, self._bids[text])
        if not self._auction_over():
            self.turn = self._next_to_call(seat)
        elif self._has_further_call():
            self._raising = True
            self.turn = self.contractor
        else:
            self._close_auction()

    def _bid(self, seat: int, bid: Bid) -> None:
        reentry = self.rules.reentry
        changed = self._high is not None and self._high.strain != bid.strain
        if reentry is Reentry.FREE or (reentry is Reentry.AFTER_STRAIN_CHANGE and changed):
            self._passed.clear()
        self._made.append((seat, bid))
        self._high = bid
        self.contractor = seat

    def _at_top(self) -> bool:
        top = next(reversed(self._bids.values()))
        return self._high is not None and self._high.rank == top.rank

    def _auction_over(self) -> bool:
        if self._raising or self._at_top():
            return True
        if self.rules.auction_rounds is AuctionRounds.ONE_EACH:
            return self._calls == self.rules.players
        return len(self._passed) == self.rules.players - (self._high is not None)

    def _has_further_call(self) -> bool:
        may = self.rules.winner_may_raise and self._high is not None
        return may and not self._raising and not self._at_top()

    def _next_to_call(self, seat: int) -> int:
        seat = self._after(seat)
        if self.rules.auction_rounds is AuctionRounds.UNTIL_PASSED:
            while seat in self._passed:
                seat = self._after(seat)
        return seat

    def _close_auction(self) -> None:
        bid = self._high
        if bid is not None and (bid.special is not None or bid.level >= self.rules.min_contract):
            self.contract = bid
            self._begin_contract(bid, self._contractor())
        elif self.rules.all_pass is AllPass.PLAY_OUT:
            self.contractor = None
            self._begin_play()
        else:
            self.contractor = None
            same = self.rules.all_pass is AllPass.REDEAL_SAME
            self._finish(
                outcome="PASSED_OUT",
                contract=None,
                change=[0] * self.rules.sides,
                next_dealer=self.dealer if same else self._after(self.dealer),
            )

    # the exchange

    def _contractor(self) -> int:
        if self.contractor is None:
            raise ValueError("there is no contractor")
        return self.contractor

    def _begin_contract(self, bid: Bid, contractor: int) -> None:
        partners = self._partners(contractor)
        self._side = {contractor} | partners
        self._out = partners if self._alone() else set()
        asked = [seat for seat in self._clockwise(contractor) if self._takes_up(seat)]
        if contractor not in asked and (self._may_nominate() or self._may_call()):
            asked.insert(0, contractor)
        self._asked = asked
        self.phase = "EXCHANGE"
        self._next_exchange()

    def _alone(self) -> bool:
        """Whether the contract itself leaves the contractor without partners."""
        special = self.contract.special if self.contract else None
        return special is not None and not special.partner_plays

    def _takes_up(self, seat: int) -> set[str]:
        own = self._personal[seat] if self._personal else set()
        if seat == self.contractor:
            special = self.contract.special if self.contract else None
            return self._kitty | own if special is None or special.takes_kitty else set()
        everybody = self.rules.personal_kitty_use is PersonalKittyUse.ALL
        return own if everybody and seat not in self._out else set()

    def _may_nominate(self) -> bool:
        at_no_trump = self.contract is not None and self.contract.strain == "NT"
        return self.rules.nominate_before_lead and at_no_trump and self.rules.jokers > 0

    def _may_call(self) -> bool:
        return self.rules.side_model is SideModel.CALLED and not self._alone()

    def _next_exchange(self) -> None:
        if not self._asked:
            self._begin_play()
            return
        self.turn = self._asked.pop(0)
        self._holdings[self.turn] |= self._takes_up(self.turn)

    def refuses(self, text: str) -> bool:
        """Whether an exchange of the seat whose turn it is breaks a rule."""
        seat = self._seat()
        answer = self._parse(text)
        if answer is None:
            return True
        thrown, settled = answer
        held = self._holdings[seat]
        if len(thrown) != len(self._takes_up(seat)) or len(set(thrown)) != len(thrown):
            return True
        if not held.issuperset(thrown):
            return True
        if settled and seat != self.contractor:
            return True
        return (
            ("joker" in settled and self._refuses_joker(settled["joker"], held - set(thrown)))
            or ("called" in settled and self._refuses_card(settled["called"], held))
            or ("partners" in settled and self._refuses_partners(settled["partners"]))
        )

    def _parse(self, text: str) -> Exchange | None:
        tokens = text.split()
        thrown = [token for token in tokens if "=" not in token]
        pairs = [token.split("=", 1) for token in tokens if "=" in token]
        settled = dict(pairs)
        if len(settled) != len(pairs) or not settled.keys() <= {"joker", "called", "partners"}:
            return None
        return Exchange([] if thrown == ["-"] else thrown, settled)

    def _refuses_joker(self, suit: str, kept: set[str]) -> bool:
        known = suit in ("S", "C", "D", "H")
        return not (known and self._may_nominate() and kept & {"JKR", "JK2"})

    def _refuses_card(self, card: str, held: set[str]) -> bool:
        call = self.rules.call
        if call is None or call.method is not CallMethod.CALL_CARD or not self._may_call():
            return True
        if card not in pack(self.rules) or card in ("JKR", "JK2"):
            return True
        strain = self.contract.strain if self.contract else "NT"
        suit, rank = _suit_and_rank(card, strain)
        if call.callable is Callable.NOT_JOKER_OR_BOWER and rank in (LEFT_BOWER, RIGHT_BOWER):
            return True
        if call.callable is Callable.NOT_TRUMP and suit == strain:
            return True
        return card in held and not call.secret_solo

    def _refuses_partners(self, text: str) -> bool:
        call = self.rules.call
        if call is None or call.method is not CallMethod.CHOOSE_PLAYER or not self._may_call():
            return True
        seats = text.split(",")
        known = {str(seat) for seat in range(self.rules.players) if seat != self.contractor}
        level = (self.contract.level if self.contract else 0) or 10
        most = 2 if 0 < call.second_partner_from <= level else 1
        return not set(seats) <= known or len(set(seats)) != len(seats) or len(seats) > most

    def _exchange(self, text: str) -> None:
        seat = self._seat()
        answer = self._parse(text)
        if answer is None:
            raise ValueError(f"no exchange: {text}")
        # who holds the called card is settled before anything is thrown
        if "called" in answer.settled:
            self._side |= self._holders(answer.settled["called"])
        if "partners" in answer.settled:
            self._side |= {int(partner) for partner in answer.settled["partners"].split(",")}
        self._nominated = answer.settled.get("joker", self._nominated)
        self._holdings[seat] -= set(answer.thrown)
        self._next_exchange()

    def _holders(self, card: str) -> set[int]:
        seats = range(self.rules.players)
        return {s for s in seats if card in self._holdings[s] or card in self._takes_up_later(s)}

    def _takes_up_later(self, seat: int) -> set[str]:
        return self._takes_up(seat) if seat in self._asked else set()

    # the play

    def _begin_play(self) -> None:
        self.phase = "PLAY"
        suits, self._ranks = _suits_and_ranks(self.rules, self._strain())
        self._suits = dict(suits)
        if self._nominated is not None:
            for joker in self._holdings[self._contractor()] & {"JKR", "JK2"}:
                self._suits[joker] = self._nominated
        leader = self._after(self.dealer)
        if self.contractor is not None and self.rules.first_lead is FirstLead.CONTRACTOR:
            leader = self.contractor
        self.turn = leader if leader not in self._out else self._next_to_play(leader)

    def _strain(self) -> str:
        return self.contract.strain if self.contract else "NT"

    def _next_to_play(self, seat: int) -> int:
        seat = self._after(seat)
        while seat in self._out:
            seat = self._after(seat)
        return seat

    def _lose_all(self) -> bool:
        special = self.contract.special if self.contract else None
        return special is not None and special.kind is SpecialKind.LOSE_ALL

    def _free_jokers(self, hand: set[str]) -> set[str]:
        """The jokers of a hand that belong to no suit."""
        return {card for card in ("JKR", "JK2") if card in hand and self._is_free(card)}

    def _is_free(self, card: str) -> bool:
        return self._suits[card] == JOKER_SUIT

    def _leads(self) -> set[str]:
        hand = self._holdings[self._seat()]
        jokers = self._free_jokers(hand)
        others = hand - jokers
        if not jokers:
            return others
        if self.rules.joker_lead is JokerLead.AS_TRUMP:
            return set(hand)
        named = {f"{joker}:{suit}" for joker in jokers for suit in self._suits_to_name()}
        return others | named or jokers

    def _suits_to_name(self) -> list[str]:
        mode = self.rules.joker_lead
        if mode is JokerLead.NAME_ANY_SUIT:
            return list(SUITS)
        if mode is JokerLead.NAME_UNLED_SUIT:
            return [s for s in SUITS if s not in self._led_suits and s != self._nominated]
        if mode is JokerLead.NAME_NOT_SHOWN_VOID:
            return [s for s in SUITS if (self.turn, s) not in self._void]
        return []

    def _follows(self) -> set[str]:
        hand = self._holdings[self._seat()]
        if self._led == NO_SUIT:
            return set(hand)
        suits = self._suits
        following = {card for card in hand if suits[card] == self._led}
        if self._led == JOKER_SUIT:
            return following or set(hand)
        jokers = self._free_jokers(hand)
        if following:
            return following | jokers if self._joker_may_join() else following
        return jokers if jokers and self._joker_forced() else set(hand)

    def _joker_may_join(self) -> bool:
        """Whether a joker may be played to this trick by a seat that holds the suit led."""
        follow = self.rules.joker_follow
        if follow is JokerFollow.FIRST_ROUND_OF_SUIT:
            return self._first_round
        return follow is JokerFollow.ANYTIME

    def _joker_forced(self) -> bool:
        forced = self.rules.joker_forced
        return forced is JokerForced.ALWAYS or (forced is JokerForced.MISERE and self._lose_all())

    def _play(self, text: str) -> None:
        seat = self._seat()
        card, _, named = text.partition(":")
        if not self._trick:
            self._lead(card, named)
        elif self._shows_void(card):
            self._void.add((seat, self._led))
        self._holdings[seat].remove(card)
        self._trick.append((seat, card))
        if len(self._trick) < self.rules.players - len(self._out):
            self.turn = self._next_to_play(seat)
        else:
            self._end_trick()

    def _lead(self, card: str, named: str) -> None:
        self._led = named or self._suits[card]
        if self._led == JOKER_SUIT and self.rules.joker_lead is not JokerLead.AS_TRUMP:
            self._led = NO_SUIT
        self._first_round = self._led not in self._led_suits
        self._led_suits.add(self._led)

    def _shows_void(self, card: str) -> bool:
        if self._is_free(card):
            return not self._joker_may_join()
        return self._suits[card] != self._led

    def _end_trick(self) -> None:
        taker = max(self._trick, key=lambda played: self._strength(played[1]))[0]
        self._takers.append(taker)
        self._trick = []
        self.turn = taker
        spoilt = self._lose_all() and taker in self._side and not self._forced_points()
        if spoilt or len(self._takers) == 10:
            self._score()

    def _strength(self, card: str) -> int:
        suit, rank = self._suits[card], self._ranks[card]
        if suit == JOKER_SUIT:
            low = self.rules.misere_joker_low and self._lose_all()
            return 50 + rank if low else 300 + rank
        if self.contract is not None and suit == self.contract.strain:
            return 200 + rank
        # a nominated joker is the top card of its suit, misere_joker_low or not
        return 100 + rank if suit == self._led else 0

    # the score

    def _forced_points(self) -> int:
        special = self.contract.special if self.contract else None
        return special.points_per_forced_trick if special else 0

    def _score(self) -> None:
        bid = self.contract
        ours = {self.rules.side_of(seat) for seat in self._side}
        climbs = [self._climb(side, ours) for side in range(self.rules.sides)]
        change = [climb[-1] - climb[0] for climb in climbs]
        made = False
        if bid is not None:
            taken = sum(taker in self._side for taker in self._takers)
            made = self._is_made(bid, taken)
            self._settle(bid, made, taken, ours, change)
        after = [old + new for old, new in zip(self.scores, change, strict=True)]
        winners, losers = self._end_of_game(after, made, ours, climbs)
        self._finish(
            outcome="PLAYED",
            contract=bid.name if bid else "P",
            change=change,
            next_dealer=self._after(self.dealer),
            winners=winners,
            losers=losers,
        )

    def _climb(self, side: int, ours: set[int]) -> list[int]:
        """The score of a side before the hand and after each trick, by points for tricks alone."""
        ceiling = self.rules.defender_ceiling
        scores = [self.scores[side]]
        for taker in self._takers:
            now = scores[-1]
            then = now + (0 if side in ours else self._trick_points(side, taker))
            scores.append(then if ceiling is None else max(now, min(then, ceiling)))
        return scores

    def _trick_points(self, side: int, taker: int) -> int:
        """What a trick brings a side that does not play the contract."""
        if self._lose_all():
            return self._forced_points() if taker in self._side else 0
        if self.rules.side_of(taker) != side:
            return 0
        return 10 if self.contract is None else self.rules.defender_trick_points

    def _is_made(self, bid: Bid, taken: int) -> bool:
        if bid.special is None:
            return taken >= bid.level
        return taken == (0 if bid.special.kind is SpecialKind.LOSE_ALL else 10)

    def _settle(self, bid: Bid, made: bool, taken: int, ours: set[int], change: list[int]) -> None:
        """Adds the value of the contract to the changes of those it concerns."""
        worth = value(self.rules, bid.name)
        if not made and self.rules.defenders_collect:
            for side in set(range(self.rules.sides)) - ours:
                change[side] += worth
        if made and bid.special is None and taken == 10:
            worth = max(worth, self.rules.slam_minimum)
        call = self.rules.call
        if call is not None and call.share is Share.HALF and len(ours) > 1:
            worth //= 2
        for side in ours:
            if made:
                change[side] += worth
            elif self.rules.set_back:
                change[side] -= worth

    def _end_of_game(
        self, after: list[int], made: bool, ours: set[int], climbs: list[list[int]]
    ) -> tuple[list[int], list[int]]:
        """The winners and those who lose by the floor; nobody where the game goes on."""
        winners = self._at_target(after, made, ours, climbs)
        losers = self._at_floor(after)
        if losers and not winners:
            rest = [side for side in range(len(after)) if side not in losers]
            winners = _highest(rest, after)
        return winners, losers

    def _at_floor(self, after: list[int]) -> list[int]:
        floor = self.rules.floor
        spared = self.rules.floor_effect is FloorEffect.LOSES_UNLESS_ALL_NEGATIVE
        if floor is None or (spared and max(after) < 0):
            return []
        return [side for side, score in enumerate(after) if score <= floor]

    def _at_target(
        self, after: list[int], made: bool, ours: set[int], climbs: list[list[int]]
    ) -> list[int]:
        reached = [side for side, score in enumerate(after) if score >= self.rules.target]
        # who has failed has no precedence, were he at the target by an earlier tie
        own = [side for side in reached if made and side in ours]
        if self.rules.win_condition is WinCondition.OWN_CONTRACT:
            return own
        several = self.rules.several_reach
        if own and several is not SeveralReach.HIGHEST:
            return own
        if several is SeveralReach.CONTRACTOR_THEN_EARLIEST:
            moments = {side: self._moment(climbs[side]) for side in reached}
            reached = [side for side in reached if moments[side] == min(moments.values())]
        best = _highest(reached, after)
        return best if len(best) == 1 else []

    def _moment(self, climb: list[int]) -> int:
        """The trick at which a side came to the target, or after the last."""
        at = [trick for trick, score in enumerate(climb) if score >= self.rules.target]
        return at[0] if at else len(climb)

    def _finish(
        self,
        *,
        outcome: str,
        contract: str | None,
        change: list[int],
        next_dealer: int,
        winners: list[int] | None = None,
        losers: list[int] | None = None,
    ) -> None:
        self.phase = "OVER"
        self.turn = None
        self.result = {
            "outcome": outcome,
            "contract": contract,
            "contractor": self.contractor,
            "tricks": [self._takers.count(seat) for seat in range(self.rules.players)],
            "change": change,
            "after": [old + new for old, new in zip(self.scores, change, strict=True)],
            "over": bool(winners or losers),
            "winners": winners or [],
            "losers": losers or [],
            "next_dealer": next_dealer,
        }


def _highest(sides: list[int], scores: list[int]) -> list[int]:
    """The sides with the most points, all of them where they are equal."""
    best = max((scores[side] for side in sides), default=0)
    return [side for side in sides if scores[side] == best]
