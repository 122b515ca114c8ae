"""Whether a trick, and what is held beside it, can be as a question says."""

from collections.abc import Sequence

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import counted, read_truth
from fivehundred.referee.questions import Question
from fivehundred.rules.actions import Call, LegalPlays, Pass, Play
from fivehundred.rules.bids import HAND_SIZE
from fivehundred.rules.cards import JOKERS, SUIT_LETTERS, SUITS, Cards, Suit, is_joker, mask, names
from fivehundred.rules.exchange import playing_seats
from fivehundred.rules.lead import order_from
from fivehundred.rules.order import NO_SUIT, Order, led_suit
from fivehundred.rules.pack import deck
from fivehundred.rules.play import ALL_SUITS, JokerManner, lead
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Contract

Plays = Sequence[tuple[int, Play]]


def seats_playing(rules: RuleSet, contract: Contract) -> tuple[int, ...]:
    """The seats that play tricks: all where there is no contract."""
    if isinstance(contract.bid, Pass):
        return tuple(range(rules.players))
    return playing_seats(rules, contract.bid, contract.contractor)


def check_holding(question: Question, holding: Cards, trick: Plays) -> None:
    """Refuse a holding that is no holding beside the trick, or not as it is said to be."""
    if not 1 <= holding.bit_count() <= HAND_SIZE:
        wrong = counted(holding.bit_count(), "card")
        raise BadQuestion("holding", f"{wrong}: give 1 to {HAND_SIZE}")
    for place, (_, play) in enumerate(trick):
        if holding >> play.card & 1:
            raise BadQuestion(f"trick[{place}][1]", f"{play} is in the holding too")
    is_last = holding.bit_count() == 1
    if question.has("last_trick") and is_last is not read_truth(
        question.members["last_trick"], "last_trick"
    ):
        wrong = f"the holding has {counted(holding.bit_count(), 'card')}"
        raise BadQuestion("last_trick", f"{wrong}: in the last trick it has 1")


def check_past(question: Question, order: Order, holding: Cards) -> None:
    """Refuse what cannot have happened in the tricks before."""
    done = HAND_SIZE - holding.bit_count()
    if (suits := question.suits("led").bit_count()) > done:
        cards = counted(holding.bit_count(), "card")
        wrong = (
            f"{counted(suits, 'suit')}, but {counted(done, 'trick')} before a holding of {cards}"
        )
        raise BadQuestion("led", f"{wrong}: give at most {done}")
    for suit in SUITS:
        if question.suits("shown_void") >> suit & 1 and (held := holding & order.suits[suit]):
            wrong = f"{SUIT_LETTERS[suit]}, but {names(held)} of it in the holding"
            raise BadQuestion("shown_void", f"{wrong}: leave one of them out")


def _nominated(question: Question, contract: Contract) -> Cards:
    """The jokers that the contractor gave a suit."""
    if contract.joker_suit is None:
        return 0
    return question.jokers("nominated", contract.joker_suit)


def check_nominated(question: Question, contract: Contract, holding: Cards, seat: int) -> None:
    """Refuse a joker that was given a suit and is held by another than the contractor."""
    if seat != contract.contractor and (held := holding & _nominated(question, contract)):
        raise BadQuestion("holding", _not_his(contract, held))


def check_nominated_played(
    question: Question, contract: Contract, plays: Plays, field: str
) -> None:
    """Refuse a joker that was given a suit and is played by another than the contractor."""
    nominated = _nominated(question, contract)
    for place, (seat, play) in enumerate(plays):
        if seat != contract.contractor and nominated >> play.card & 1:
            raise BadQuestion(f"{field}[{place}][1]", _not_his(contract, 1 << play.card))


def _not_his(contract: Contract, jokers: Cards) -> str:
    """Why a joker that was given a suit is not where it is said to be."""
    his = f"{names(jokers)} was given a suit, so seat {contract.contractor} has it"
    return f"{his}, the contractor: leave joker_suit out, or name his jokers in nominated"


def check_turns(rules: RuleSet, contract: Contract, trick: Plays, seat: int) -> None:
    """Refuse a trick whose seats do not play in turn up to the seat asked about."""
    playing = seats_playing(rules, contract)
    if seat not in playing:
        raise BadQuestion("seat", sits_out(seat, playing))
    seats = [each for each, _ in trick]
    if len(seats) >= len(playing):
        raise BadQuestion("trick", f"{len(seats)} plays of {len(playing)}: the trick is over")
    place = (playing.index(seat) - len(seats)) % len(playing)
    wanted = order_from(playing, playing[place])[: len(seats)]
    for number, (right, given) in enumerate(zip(wanted, seats, strict=True)):
        if right != given:
            why = f"seat {given}: before seat {seat} play {_told(wanted)} in turn"
            raise BadQuestion(f"trick[{number}][0]", why)


def check_circle(question: Question, bid: Call, seats: Sequence[int]) -> None:
    """Refuse seats that do not play in turn, whoever is the contractor if it is not said."""
    rules = question.rules
    chosen = question.seat_or("contractor", 0)
    tried = [chosen] if question.has("contractor") else range(rules.players)
    rounds = {seats_playing(rules, Contract(bid, contractor)) for contractor in tried}
    turns = [order_from(playing, seats[0]) for playing in rounds if seats[0] in playing]
    if not turns:
        (playing,) = rounds
        raise BadQuestion("plays[0][0]", sits_out(seats[0], playing))
    for place in range(1, len(seats)):
        fitting = [turn for turn in turns if turn[: place + 1] == tuple(seats[: place + 1])]
        if not fitting:
            raise BadQuestion(f"plays[{place}][0]", _out_of_turn(seats, place, turns))
        turns = fitting


def sits_out(seat: int, playing: Sequence[int]) -> str:
    """What is said of a seat that does not play."""
    return f"seat {seat} sits out: give one of {_told(playing)}"


def _out_of_turn(seats: Sequence[int], place: int, turns: Sequence[Sequence[int]]) -> str:
    """What is wrong with the seat in a place, and who may play there."""
    following = sorted({turn[place] for turn in turns if place < len(turn)})
    wrong = f"seat {seats[place]} after seat {seats[place - 1]}"
    if not following:
        return f"{wrong}: the trick is over with {counted(place, 'play')}"
    return f"{wrong}: give the plays in turn, here seat {' or '.join(map(str, following))}"


def sure_others(question: Question, order: Order, holding: Cards, trick: Plays) -> Cards:
    """A card of a suit that the leader may hold beside his lead where he must hold some; else 0.

    He held as many cards as the seat does, and only so many of them can be jokers without a suit.
    """
    seen = holding | mask(play.card for _, play in trick[1:])
    jokers = mask(deck(question.rules)) & order.suits[NO_SUIT] & ~seen
    if holding.bit_count() <= jokers.bit_count():
        return 0
    plain = mask(deck(question.rules)) & ~JOKERS & ~seen & ~(1 << trick[0][1].card)
    return plain & -plain


def suit_to_follow(
    order: Order,
    manner: JokerManner,
    play: Play,
    led_before: Sequence[int],
    others: Cards,
    field: str,
) -> Suit:
    """The suit to follow; what was led must be a lead by one who holds ``others`` beside it.

    ``led_before`` are the suits that may have been led before. Which suits the leader has shown
    void in is unknown, so both ways of naming are let pass.
    """
    holding = 1 << play.card | others
    leads = [
        lead(order, manner, holding, led_suits=led, shown_void=void)
        for led in led_before
        for void in (0, ALL_SUITS)
    ]
    if not any(play in legal for legal in leads):
        raise BadQuestion(f"{field}[0][1]", _not_led(play, leads[0]))
    return led_suit(order, play.card, play.named)


def _not_led(play: Play, legal: LegalPlays) -> str:
    """What is wrong with a lead, and how the card may be led if at all."""
    ways = [str(each) for each in legal if each.card == play.card]
    if not ways:
        return f"{play} may not be led while its leader holds other cards: give another lead"
    write = ways[0] if len(ways) == 1 else f"one of {' '.join(ways)}"
    return f"{play} may not be led: write {write}"


def check_followers(plays: Plays, field: str) -> None:
    """Refuse a suit named by a card that is not led."""
    for place, (_, play) in enumerate(plays):
        if place and play.named is not None:
            raise BadQuestion(f"{field}[{place}][1]", f"{play}: only a joker led names a suit")


def with_named_suit(question: Question, plays: Plays) -> Plays:
    """The plays, with the suit that the question names apart from them."""
    named = question.suit("named_suit")
    if named is None or not plays:
        return plays
    seat, play = plays[0]
    letter = SUIT_LETTERS[named]
    if not is_joker(play.card):
        raise BadQuestion("named_suit", f"{play} was led: only a joker led names a suit")
    if play.named not in (None, named):
        raise BadQuestion("named_suit", f"{letter}, but {play} was led: leave one out")
    return [(seat, Play(play.card, named)), *plays[1:]]


def _told(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))
