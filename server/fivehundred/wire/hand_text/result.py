"""The lines that say how a hand ended; they follow from the hand but for a forfeit and a cap."""

from collections.abc import Iterable

from fivehundred.rules.actions import Exchange
from fivehundred.rules.values import Contract, Outcome
from fivehundred.table.values import HandRecord
from fivehundred.wire.hand_text.lines import capitals
from fivehundred.wire.record import record_to_proto

NONE = "-"
OUTCOMES = {
    Outcome.PLAYED: "played",
    Outcome.PASSED_OUT: "passed out",
    Outcome.FORFEITED: "forfeited",
}


RESULT_WORDS = (
    "outcome",
    "forfeited by entrant",
    "contract",
    "tricks by seat",
    "change by side",
    "after by side",
    "game over",
    "winning sides",
    "next dealer",
    "digest",
)
"""What a result is told in, in order."""


def result_lines(record: HandRecord) -> dict[str, str]:
    """What is written of a hand's end, by what it is, in order."""
    ended, before = record.ended, record.started.scores_before
    result = ended.result
    after = map(sum, zip(before, result.change, strict=True))
    texts = (
        OUTCOMES[result.outcome],
        NONE if ended.forfeited_by is None else str(ended.forfeited_by),
        contract_text(result.contract),
        _spaced(result.tricks_won),
        " ".join(f"{points:+d}" for points in result.change),
        _spaced(after),
        "yes" if result.game_over else "no",
        _spaced(result.winners) or NONE,
        str(result.next_dealer),
        record_to_proto(record).digest.hex(),
    )
    return dict(zip(RESULT_WORDS, texts, strict=True))


def contract_text(contract: Contract | None) -> str:
    """``8NT by seat 2 joker=H``, settled as in an exchange; ``-`` where there is none."""
    if contract is None:
        return NONE
    settled = str(Exchange(0, contract.joker_suit, contract.called, contract.partners))
    return f"{contract.bid} by seat {contract.contractor}{settled.removeprefix(NONE)}"


def plain(text: str) -> str:
    """A text without what may be written in several ways: case, spaces, plus signs."""
    return " ".join(capitals(text).replace("+", "").split())


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
