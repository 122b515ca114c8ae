"""The words of a format: what a definition plays, in sentences."""

from typing import TYPE_CHECKING

from fivehundred.tournament.formats.forms import (
    Compared,
    EliminationForm,
    Form,
    GauntletForm,
    LadderForm,
    MixedTeamsForm,
    RoundRobinForm,
    SequentialForm,
    SoloTablesForm,
    StagesForm,
    SwissForm,
)
from fivehundred.tournament.seatings import seatings

if TYPE_CHECKING:
    from fivehundred.wire.spec import Plan


def format_words(plan: "Plan") -> str:
    """Who meets whom, over what, and what ranks."""
    names = [entrant.name for entrant in plan.entrants]
    return f"{form_words(plan.form, names)}; {_match_words(plan)}"


def form_words(form: Form, names: list[str]) -> str:
    """Who meets whom."""
    match form:
        case RoundRobinForm():
            return f"{len(names)} entrants, everybody against everybody {_times(form.rounds)}"
        case GauntletForm():
            challengers = ", ".join(names[at] for at in form.challengers)
            field = len(names) - len(form.challengers)
            return f"{challengers} against a field of {field}, {_times(form.rounds)}"
        case SoloTablesForm():
            return f"{len(names)} entrants at solo tables, gone through {_times(form.cycles)}"
        case MixedTeamsForm():
            return f"{len(names)} entrants as changing partners, gone through {_times(form.cycles)}"
        case SwissForm():
            rounds = form.rounds or max(1, (len(names) - 1).bit_length())
            return f"{len(names)} entrants in a Swiss of {_count(rounds, 'round')}"
        case EliminationForm():
            kind = "single" if form.losses == 1 else "double"
            series = "" if form.best_of == 1 else f", series of the best of {form.best_of}"
            return f"{len(names)} entrants in a {kind} elimination{series}"
        case LadderForm():
            length = "without an end" if form.matches is None else f"of {form.matches:,} matches"
            return f"{len(names)} entrants on a ladder {length}"
        case SequentialForm():
            return _test_words(form, names)
        case StagesForm():
            return _stage_words(form, names)
    return type(form).__name__


def _test_words(form: SequentialForm, names: list[str]) -> str:
    low, high = form.hypotheses
    of = "points per hand" if form.tested is Compared.MARGINS else "Elo"
    return (
        f"{' against '.join(names)} until a test has a verdict on {low:g} or {high:g} {of},"
        f" which rests on {form.least:,} to {form.most:,} matches, erring in {form.alpha:.1%} and"
        f" {form.beta:.1%}"
    )


def played_words(form: Form, least: float) -> str:
    """How many matches of a test are played beside those that its verdict rests on."""
    if not isinstance(form, SequentialForm) or least <= form.least:
        return ""
    return (
        f"up to {form.ahead - 1:,} matches are under way at the verdict and are played as well:"
        f" {least:,.0f} at least; expected are those of a truth midway"
    )


def _stage_words(form: StagesForm, names: list[str]) -> str:
    parts = [form_words(part, names[: entrants or len(names)]) for part, entrants in form.stages]
    return "; then ".join(parts)


def _match_words(plan: "Plan") -> str:
    slots = plan.form.slots(plan.rules, len(plan.entrants))
    boards = _count(plan.boards_per_match, "game" if plan.games else "board")
    sittings = _count(len(seatings(plan.rules, slots)), "seating")
    common = ", the same for all matches of a round" if plan.common_boards else ""
    ranked = "games won (Elo)" if plan.games else "points per hand"
    decided = f"{ranked} tell who is better"
    if isinstance(plan.form, SequentialForm):
        won = "games won (Elo)" if plan.games else "boards won (Elo)"
        tested = "points per hand" if plan.form.tested is Compared.MARGINS else won
        decided = f"{tested} decide the test" + ("" if tested == ranked else f", {ranked} rank")
    return f"a match is {boards} in {sittings}{common}; {decided}"


def _times(number: int) -> str:
    return "once" if number == 1 else "twice" if number == 2 else f"{number:,} times"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
