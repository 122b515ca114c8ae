"""What `fivehundred bias` says, for people."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from fivehundred.cli.output import console, harmless, plain_table, print_table
from fivehundred.cli.standings import NOTHING
from fivehundred.ratings.values import Estimate

if TYPE_CHECKING:
    from fivehundred.cli.bias import Checked
    from fivehundred.tournament.bias import BiasReport
    from fivehundred.tournament.datum import Datum
    from fivehundred.tournament.honesty.determinism import Determinism
    from fivehundred.tournament.honesty.residuals import Residual
    from fivehundred.tournament.parts import Parts

FORMS = {"points per hand": "+.1f", "faults per hand": "+.3f", "ms per decision": "+.2f"}
"""How each measure is written; flags are listed in this order."""
SHOWN = 20
"""Flags, or divergent boards, that are named one by one."""


def print_checked(checked: "Checked") -> None:
    """Print all that is known of a tournament, or that there is nothing."""
    out, report = console(), checked.bias
    typer.echo(f"{harmless(checked.tournament)}: {report.hands} hands of {report.boards} boards")
    if not report.hands:
        typer.echo("no whole board has been played: there is nothing to look at yet")
        return
    _print_tests(out, report)
    _print_residuals(out, report)
    _print_uses(out, report)
    _print_determinism(out, report.determinism)
    _print_parts(out, checked.parts)
    if checked.datum is not None and checked.datum_of_one_seating is not None:
        _print_datum(out, checked.datum, "whole boards")
        _print_datum(out, checked.datum_of_one_seating, "the first seating of each board alone")
    for remark in report.not_kept:
        out.print(f"note: {remark}")


def estimate_text(estimate: Estimate, form: str = "+.1f") -> str:
    """``+12.3 ±4.5``; a dash where there is no number."""
    if estimate.value is None:
        return NOTHING
    text = format(estimate.value, form)
    if estimate.high is None:
        return f"{text} (no interval)"
    return f"{text} ±{format(estimate.high - estimate.value, form.lstrip('+'))}"


def probability_text(chance: float | None) -> str:
    """A p-value; a dash where there is no test."""
    if chance is None:
        return NOTHING
    return "<0.0001" if chance < 0.0001 else f"{chance:.4f}"


def _print_tests(out: Console, report: "BiasReport") -> None:
    columns = ("does it matter?", "level", "hands", "points/hand", "p", "p adjusted")
    table = plain_table(*columns, numbers=columns[2:])
    for test in report.tests:
        for place, level in enumerate(test.levels):
            table.add_row(
                test.name if place == 0 else "",
                level.name,
                str(level.hands),
                estimate_text(level.estimate),
                probability_text(test.p_value) if place == 0 else "",
                probability_text(test.p_adjusted) if place == 0 else "",
            )
    print_table(out, table, keys=columns[:2])
    out.print(
        "points per hand against the mean of the levels, strengths taken out; "
        f"{report.confidence:.0%} intervals by board"
    )
    for test in report.tests:
        if test.remark:
            out.print(f"{test.name}: {test.remark}")
    flagged = [test.name for test in report.tests if test.is_flagged]
    if flagged:
        out.print(f"BIAS: the results depend on {', '.join(flagged)}")
    elif any(test.p_value is not None for test in report.tests):
        out.print("none of these is beyond the bound")


def _print_residuals(out: Console, report: "BiasReport") -> None:
    flagged = [each for each in report.residuals if each.is_flagged]
    tests = sum(1 for each in report.residuals if each.p_value is not None)
    divisions = ", ".join(dict.fromkeys(each.by for each in report.residuals))
    out.print(
        f"residuals{divisions and f' by {divisions}'}: {_beyond(flagged)} of {tests} beyond the "
        f"bound (Holm, {report.level:.0%} over all {report.tests_in_all} tests)"
    )
    if not flagged:
        return
    columns = ("who", "what", "where", "boards", "apart by", "p adjusted")
    table = plain_table(*columns, numbers=columns[3:])
    for each in sorted(flagged, key=_by_weight)[:SHOWN]:
        table.add_row(
            "the whole table" if each.entrant is None else each.entrant,
            each.measure,
            _where(each),
            str(each.boards),
            estimate_text(each.estimate, FORMS.get(each.measure, "+.3g")),
            probability_text(each.p_adjusted),
        )
    print_table(out, table, keys=columns[:3])
    _say_more(out, len(flagged))


def _beyond(flagged: Sequence["Residual"]) -> str:
    """How many are, by what was measured."""
    counts = Counter(each.measure for each in sorted(flagged, key=_by_weight))
    told = ", ".join(f"{count} in {measure}" for measure, count in counts.items())
    return f"{len(flagged)} ({told})" if flagged else "none"


def _where(each: "Residual") -> str:
    """The division and the part, the division once."""
    return each.part if each.by in each.part else f"{each.by} {each.part}"


def _by_weight(each: "Residual") -> tuple[int, float]:
    """What touches results first, then what touches time; the least likely first."""
    measures = list(FORMS)
    place = measures.index(each.measure) if each.measure in FORMS else len(measures)
    return place, 1.0 if each.p_value is None else each.p_value


def _print_uses(out: Console, report: "BiasReport") -> None:
    columns = ("entrant", "bot", "hands", "decisions", "ms/decision", "faults", "faults/hand")
    table = plain_table(*columns, numbers=columns[2:])
    for use in report.uses:
        table.add_row(
            use.entrant,
            use.bot or NOTHING,
            str(use.hands),
            str(use.decisions),
            _number(use.ms_per_decision, ".3g"),
            str(use.faults),
            _number(use.faults_per_hand, ".3g"),
        )
    print_table(out, table, keys=columns[:1])


def _print_determinism(out: Console, found: "Determinism") -> None:
    if found.left_out:
        out.print(f"determinism: {found.left_out} boards with faults left out")
    if not found.boards:
        out.print(f"determinism: {found.remark}")
        return
    for bot in found.by_bot:
        even = "every one exactly even" if not bot.divergent else f"{bot.divergent} divergent"
        uneven = f", {bot.uneven} of them uneven" if bot.divergent else ""
        out.print(
            f"determinism: {bot.bot} has played itself on {bot.boards} boards, {even}{uneven}"
        )
    for each in found.divergent[:SHOWN]:
        out.print(
            f"  DIVERGENT: match {each.match} board {each.board}: {each.bot} plays seating "
            f"{_list(each.seatings)} otherwise than the first; uneven by {each.difference:g} "
            "points per hand"
        )
    _say_more(out, len(found.divergent))


def _say_more(out: Console, count: int) -> None:
    if count > SHOWN:
        out.print(f"  and {count - SHOWN} more: see --json")


def _print_parts(out: Console, found: "Parts") -> None:
    columns = (
        *("entrant", "margin", "= luck", "+ bidding", "+ play", "+ ?", "declared", "level", "made"),
        *("over", "under", "declaring", "defending"),
    )
    table = plain_table(*columns, numbers=columns[1:])
    for each in found.entrants:
        table.add_row(
            each.entrant,
            f"{each.margin:+.1f}",
            f"{each.luck:+.1f}",
            f"{each.bidding:+.1f}",
            f"{each.play:+.1f}",
            f"{each.not_known:+.1f}",
            _number(each.declared_share, ".0%"),
            _number(each.mean_level, ".2f"),
            _number(each.made_share, ".0%"),
            _number(each.overtricks, ".2f"),
            _number(each.undertricks, ".2f"),
            _number(each.margin_declaring, "+.1f"),
            _number(each.margin_defending, "+.1f"),
        )
    print_table(out, table, keys=columns[:1])
    out.print(
        "margin: points per hand above the other sides; luck: what all made of the same cards; "
        "?: hands whose cards nobody else held; over, under: tricks above or below a numbered "
        "bid that was made or failed"
    )


def _print_datum(out: Console, found: "Datum", of: str) -> None:
    columns = ("entrant", "points/hand", "less the datum's luck", "luck")
    table = plain_table(*columns, numbers=columns[1:])
    for row in found.rows:
        luck = _number(row.luck, "+.1f")
        table.add_row(row.entrant, estimate_text(row.raw), estimate_text(row.adjusted), luck)
    print_table(out, table, keys=columns[:1])
    how = "fitted to these results" if found.is_fitted else "fixed beforehand"
    out.print(
        f"datum: {found.bot} on {found.deals} deals, {of}, {found.hands} hands; coefficient "
        f"{_number(found.coefficient, '.3f')} ({how}); explains "
        f"{_number(found.explained, '.1%')} of the variance of boards, "
        f"{_number(found.explained_of_hands, '.1%')} of single hands"
    )
    if found.remark:
        out.print(f"datum: {found.remark}")


def _number(value: float | None, form: str) -> str:
    return NOTHING if value is None else format(value, form)


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
