"""The question what a hand scores and whether it ends the game."""

from collections.abc import Sequence
from typing import Any

from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import counted, read_integer
from fivehundred.referee.questions import Question
from fivehundred.referee.tricks import seats_playing
from fivehundred.rules.actions import Bid, Call
from fivehundred.rules.bids import HAND_SIZE
from fivehundred.rules.exchange import legal_exchange, may_seek_partner
from fivehundred.rules.game import Ending, game_end
from fivehundred.rules.scoring import is_made, score, stopping_seats
from fivehundred.rules.values import Contract


def answer_score(question: Question) -> dict[str, Any]:
    """Whether a contract is made, what each side scores, and whether the game is over."""
    rules, bid = question.rules, question.contract("contract")
    contractor = question.seat("contractor")
    contract = Contract(bid, contractor, partners=_partners(question, bid, contractor))
    tricks = _tricks(question, contract)
    before = question.points("before")
    made = is_made(rules, contract, tricks)
    change = score(rules, contract, tricks, before)
    over, winners, losers = _ending(question, contract, tricks, before, change)
    return {
        "made": made if isinstance(bid, Bid) else None,
        "change": list(change),
        "after": [points + gain for points, gain in zip(before, change, strict=True)],
        "over": over,
        "winners": list(winners),
        "losers": beaten(winners, losers),
    }


def beaten(winners: Sequence[int], fallen: Sequence[int]) -> list[int]:
    """The sides that the floor has beaten; where all have fallen the best of them wins."""
    return [side for side in fallen if side not in winners]


def _partners(question: Question, bid: Call, contractor: int) -> tuple[int, ...]:
    if not question.has("partner"):
        return ()
    value = question.members["partner"]
    if not isinstance(value, list | tuple):
        seats: tuple[int, ...] = (question.read_seat(value, "partner"),)
    else:
        seats = question.read_seats(value, "partner")
    _check_partners(question, bid, contractor, seats)
    return tuple(sorted(seats))


def _check_partners(question: Question, bid: Call, contractor: int, seats: Sequence[int]) -> None:
    rules = question.rules
    if not seats:
        return
    if not isinstance(bid, Bid) or not may_seek_partner(rules, bid):
        raise BadQuestion("partner", "nobody is found as a partner in this contract: leave it out")
    if contractor in seats:
        raise BadQuestion("partner", f"seat {contractor} is the contractor: name another, or none")
    if len(set(seats)) != len(seats):
        raise BadQuestion("partner", "one seat stands twice: name each once")
    most = legal_exchange(rules, bid, contractor, contractor, 0, 0).partners or 1
    if len(seats) > most:
        raise BadQuestion("partner", f"{counted(len(seats), 'partner')}: at most {most}")


def _tricks(question: Question, contract: Contract) -> tuple[int, ...]:
    """Tricks by seat; ten in all, or fewer where a hand of losing every trick has stopped."""
    rules = question.rules
    values = question.items("tricks", "tricks by seat")
    if len(values) != rules.players:
        wrong = f"{counted(len(values), 'number')}: give {rules.players}, one for each seat"
        raise BadQuestion("tricks", wrong)
    tricks = tuple(
        read_integer(value, f"tricks[{seat}]", 0, HAND_SIZE) for seat, value in enumerate(values)
    )
    playing = seats_playing(rules, contract)
    for seat, count in enumerate(tricks):
        if count and seat not in playing:
            raise BadQuestion(f"tricks[{seat}]", f"seat {seat} sits out: give 0")
    taken = sum(tricks)
    stopped = sum(tricks[seat] for seat in stopping_seats(rules, contract, playing)) == 1
    if taken > HAND_SIZE or (taken < HAND_SIZE and not stopped):
        raise BadQuestion("tricks", f"{taken} in all: a hand has {HAND_SIZE}")
    return tricks


def _ending(
    question: Question,
    contract: Contract,
    tricks: Sequence[int],
    before: Sequence[int],
    change: Sequence[int],
) -> Ending:
    rules = question.rules
    made = is_made(rules, contract, tricks)

    def ending(taken: Sequence[int]) -> Ending:
        return game_end(rules, before, change, contract, made, taken)

    if question.has("taken"):
        return ending(_taken(question, contract, tricks))
    endings = {ending(_first_to(seat, tricks)) for seat in range(rules.players)}
    if len(endings) > 1:
        why = "is missing: who wins depends on the order in which the tricks were taken"
        raise BadQuestion("taken", why)
    return endings.pop()


def _first_to(seat: int, tricks: Sequence[int]) -> list[int]:
    """An order of the tricks in which a seat takes all of its own first."""
    seats = [seat, *(each for each in range(len(tricks)) if each != seat)]
    return [each for each in seats for _ in range(tricks[each])]


def _taken(question: Question, contract: Contract, tricks: Sequence[int]) -> tuple[int, ...]:
    values = question.items("taken", "seats in the order of their tricks")
    if len(values) != sum(tricks):
        there = "there is 1 trick" if sum(tricks) == 1 else f"there are {sum(tricks)} tricks"
        raise BadQuestion("taken", f"{counted(len(values), 'seat')}: {there}")
    taken = question.read_seats(values, "taken")
    for seat, count in enumerate(tricks):
        if taken.count(seat) != count:
            times = counted(taken.count(seat), "time")
            wrong = f"seat {seat} stands {times}, but tricks[{seat}] is {count}"
            raise BadQuestion("taken", wrong)
    _check_stop(question, contract, taken)
    return taken


def _check_stop(question: Question, contract: Contract, taken: Sequence[int]) -> None:
    """Refuse an order in which play goes on after the trick that stops it."""
    playing = seats_playing(question.rules, contract)
    stopping = stopping_seats(question.rules, contract, playing)
    if len(taken) < HAND_SIZE and taken[-1] not in stopping:
        (stopped,) = (seat for seat in taken if seat in stopping)
        why = f"seat {taken[-1]} last: seat {stopped}'s trick stopped the play, so put it last"
        raise BadQuestion(f"taken[{len(taken) - 1}]", why)
