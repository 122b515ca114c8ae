"""Hands one a row, and what is said of a result on one line."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from fivehundred.cli.output import console, plain_table
from fivehundred.cli.story import tell
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import Outcome
from fivehundred.storage.values import StoredHand, StoredTournament
from fivehundred.v1.hands_pb2 import HandSummary
from fivehundred.v1.record_pb2 import HAND_OUTCOME_FORFEITED, HandResult
from fivehundred.v1.tournament_pb2 import TournamentSpec
from fivehundred.wire.cards import call_from_proto
from fivehundred.wire.record import key_to_proto, result_to_proto
from fivehundred.wire.spec import check_spec

COLUMNS = ("id", "tournament", "match", "board", "seating", "hand", "contract", "tricks", "score")


def summary_of(hand: StoredHand) -> HandSummary:
    """A stored hand as lists show it."""
    record = hand.record
    return HandSummary(
        id=hand.id,
        key=key_to_proto(hand.key),
        bots=record.started.bots,
        result=result_to_proto(record.ended),
    )


def summary_played(hand: StoredHand, rules: RuleSet) -> HandSummary:
    """The same with the contract that was being played where the hand was forfeited."""
    summary, ended = summary_of(hand), hand.record.ended
    if ended.result.outcome is Outcome.FORFEITED:
        contract = tell(hand.record, rules).steps[-1].contract
        played = replace(ended, result=replace(ended.result, contract=contract))
        summary.result.CopyFrom(result_to_proto(played))
    return summary


def print_hands(hands: Iterable[HandSummary]) -> None:
    """Print hands, one a row, with the bot at each seat."""
    table = plain_table(
        *COLUMNS, "bots by seat", numbers=("id", "match", "board", "seating", "hand")
    )
    for hand in hands:
        key, result = hand.key, hand.result
        numbers = (key.match, key.board, key.seating, key.hand)
        tricks, change = numbers_text(result.tricks_won), numbers_text(result.change, "+d")
        place = (str(hand.id), key.tournament, *map(str, numbers))
        table.add_row(*place, contract_text(result), tricks, change, " ".join(hand.bots))
    console().print(table if table.row_count else "no hands")


def picked(
    tournament: StoredTournament, hands: Iterable[StoredHand], wanted: Collection[str]
) -> Iterator[StoredHand]:
    """Those of a tournament's hands that have ``faults`` or ``voids``; all where none is wanted."""
    if not wanted:
        yield from hands
        return
    from fivehundred.storage.results import HandLines  # With numpy, which takes long to import.

    lines = HandLines(check_spec(TournamentSpec.FromString(tournament.spec)))
    for hand in hands:
        line = lines.line(hand.record)
        if ("faults" in wanted and line.faults) or ("voids" in wanted and line.voids):
            yield hand


def contract_text(result: HandResult) -> str:
    """``8H by seat 2``, ``passed out``, ``forfeited``, or ``8H by seat 2, forfeited``."""
    is_forfeit = result.outcome == HAND_OUTCOME_FORFEITED
    if not result.HasField("contract"):
        return "forfeited" if is_forfeit else "passed out"
    forfeited = ", forfeited" if is_forfeit else ""
    call = call_from_proto(result.contract.bid)
    if str(call) == "P":
        return f"no contract{forfeited}"
    return f"{call} by seat {result.contract.contractor}{forfeited}"


def numbers_text(numbers: Iterable[int], form: str = "d") -> str:
    """``3 2 1 4``."""
    return " ".join(format(number, form) for number in numbers)
