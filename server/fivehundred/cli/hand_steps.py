"""A hand step by step: what a seat did, and how the table stands after it."""

from typing import Any

from rich.console import Console

from fivehundred.cli.hand_text import (
    contract_line,
    deal_table,
    decision_text,
    fault_text,
    holdings_table,
    seat_name,
)
from fivehundred.cli.story import Step, Story
from fivehundred.rules.cards import card_name, names
from fivehundred.rules.values import Phase


def print_step(console: Console, story: Story, step: Step) -> None:
    """Print a step: the decision, the trick on the table and every holding."""
    console.print(_title(story, step), soft_wrap=True)
    if step.decided is not None and step.decided.fault is not None:
        console.print(f"  fault: {fault_text(step.decided)}", soft_wrap=True)
    if step.phase is Phase.PLAY:
        console.print(_table_line(step), soft_wrap=True)
    if step.phase is Phase.AUCTION:
        console.print(deal_table(story))
    else:
        console.print(holdings_table(story, step.holdings))
    if step is story.steps[-1]:
        console.print(f"Contract: {contract_line(story, step.contract)}", soft_wrap=True)


def step_json(story: Story, step: Step) -> dict[str, Any]:
    """A step for programs, in the notation of the rules."""
    decided = step.decided
    fault = None if decided is None or decided.fault is None else decided.fault.kind.name
    return {
        "step": step.number,
        "phase": step.phase.name,
        "seat": None if decided is None else decided.seat,
        "bot": None if decided is None else story.record.started.bots[decided.seat],
        "action": None if decided is None else str(decided.action),
        "fault": fault,
        "holdings": [names(cards).split() for cards in step.holdings],
        "tricks_won": list(step.tricks_won),
    }


def _title(story: Story, step: Step) -> str:
    last = len(story.steps) - 1
    if step.decided is None:
        return f"Step 0/{last}: the deal"
    who, what = seat_name(story, step.decided.seat), decision_text(step.decided)
    return f"Step {step.number}/{last}: {who} {what}"


def _table_line(step: Step) -> str:
    trick = [each for each in step.tricks if each.cards][-1]
    cards = zip(trick.seats, trick.cards, strict=True)
    shown = "  ".join(f"seat {seat} {card_name(card)}" for seat, card in cards)
    won = " ".join(map(str, step.tricks_won))
    return f"  trick {step.tricks.index(trick) + 1}: {shown}; tricks by seat {won}"
