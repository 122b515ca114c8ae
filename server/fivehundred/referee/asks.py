"""The table of asks, and the one function that answers a question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fivehundred.referee import auction, exchange, pack, play, record, score, state
from fivehundred.referee.errors import BadQuestion
from fivehundred.referee.members import read_object, read_text, shortened
from fivehundred.referee.questions import Question
from fivehundred.referee.rule_choice import check_names, choose
from fivehundred.wire.mistakes import near

COMMON = ("ask", "id", "rules")
"""The members that every question may have."""


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """One kind of question: what answers it, and the members it may have."""

    answer: Callable[[Question], dict[str, Any]]
    members: tuple[str, ...] = ()


ASKS: Mapping[str, QuestionKind] = {
    "deck": QuestionKind(pack.answer_deck),
    "deal": QuestionKind(pack.answer_deal, ("dealer", "deck")),
    "suit_order": QuestionKind(pack.answer_suit_order, ("strain", "suit")),
    "ladder": QuestionKind(auction.answer_ladder),
    "calls": QuestionKind(auction.answer_calls, ("dealer", "calls")),
    "exchange": QuestionKind(
        exchange.answer_exchange,
        (
            "contract",
            "contractor",
            "seat",
            "holding",
            "kitty",
            "throw",
            "joker_suit",
            "called",
            "partners",
        ),
    ),
    "callable": QuestionKind(
        exchange.answer_callable, ("contract", "contractor", "holding", "thrown")
    ),
    "plays": QuestionKind(
        play.answer_plays,
        (
            "contract",
            "contractor",
            "seat",
            "holding",
            "trick",
            "led",
            "joker_suit",
            "nominated",
            "shown_void",
            "last_trick",
        ),
    ),
    "order": QuestionKind(play.answer_order, ("contract", "contractor", "leader", "dealer")),
    "winner": QuestionKind(
        play.answer_winner,
        ("contract", "contractor", "plays", "joker_suit", "nominated", "named_suit"),
    ),
    "score": QuestionKind(
        score.answer_score, ("contract", "contractor", "partner", "tricks", "before", "taken")
    ),
    "state": QuestionKind(
        state.answer_state,
        ("dealer", "deck", "holdings", "kitty", "personal", "dead", "scores", "actions", "seat"),
    ),
    "hand": QuestionKind(record.answer_hand, ("record",)),
}


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a question; raises `BadQuestion` where there is none."""
    members = read_object(question, "", "an object with a member `ask`")
    kind = _kind(members)
    check_names(members, (*COMMON, *kind.members), "")
    return kind.answer(Question(members, choose(members.get("rules"))))


def _kind(members: Mapping[str, Any]) -> QuestionKind:
    name = members.get("ask")
    if name is None:
        raise BadQuestion("ask", f"is missing: give one of {', '.join(ASKS)}")
    text = shortened(read_text(name, "ask", f"one of {', '.join(ASKS)}"))
    if text not in ASKS:
        hint = near(text, ASKS) or f"; there are {', '.join(ASKS)}"
        raise BadQuestion("ask", f"no ask {text!r}{hint}")
    return ASKS[text]
