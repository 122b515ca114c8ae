"""`fivehundred plan`: what a tournament costs and what it can tell, before it is played."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli.counting import show_count
from fivehundred.cli.failures import ConfigError
from fivehundred.cli.options import Json, SpecFile

if TYPE_CHECKING:
    from rich.table import Table

    from fivehundred.tournament.planning import Amount, Forecast, Known
    from fivehundred.tournament.planning.resolution import Resolution, Span
    from fivehundred.tournament.planning.stopping import Stopping
    from fivehundred.wire.spec import Plan

EXAMPLE = "Example: fivehundred plan tournaments/gauntlet.textproto --database demo.db --within 2h"
NOTHING = "–"
HANDS_BETWEEN_COUNTS = 100
KEYS = ("bots",)
MEANING = "intervals at 95 %, and differences that 80 of 100 such tournaments find"


def plan(
    file: SpecFile,
    database: Annotated[
        Path | None,
        typer.Option(
            "--database",
            metavar="FILE",
            help="Measure on its tournaments of the same rules, table size and play; where one of "
            "the same name is in it, on those before that.",
        ),
    ] = None,
    within: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Warn where it may take longer: 90s, 45min, 2h, 1d."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what a tournament costs and what differences it can find, before it is played.

    What earlier tournaments do not tell is assumed, and named as such. Nonsense is refused with
    exit code 2; warnings leave it 0.
    """
    from fivehundred.cli.durations import seconds_of
    from fivehundred.cli.specs import read_spec
    from fivehundred.storage.variances import event_of
    from fivehundred.tournament.planning import Known, Nonsense, forecast
    from fivehundred.wire.spec import check_spec

    within_s = None if within is None else seconds_of(within)
    checked = check_spec(read_spec(file))
    known = Known() if database is None else _known(database, checked)
    try:
        foretold = forecast(event_of(checked), known, within_s)
    except Nonsense as error:
        raise ConfigError(f"{file.name}: {error}") from None
    if as_json:
        _print_json(checked, known, foretold)
    else:
        _print(checked, known, foretold)


def _known(database: Path, checked: "Plan") -> "Known":
    from fivehundred.cli.verify import require_database
    from fivehundred.storage.store import read_store
    from fivehundred.storage.variances import known_from

    require_database(database)
    with read_store(database) as store:
        return known_from(store, checked, on_progress=_show_read)


def _show_read(done: int, total: int) -> None:
    if done % HANDS_BETWEEN_COUNTS == 0 or done == total:
        show_count(done, total, "hands read")


def _print_json(checked: "Plan", known: "Known", foretold: "Forecast") -> None:
    from fivehundred.cli.output import print_json
    from fivehundred.cli.plan_words import format_words

    head = {"name": checked.name, "format": format_words(checked), "measured_on": known.sources}
    print_json(head | {"not_measured": known.remark} | asdict(foretold))


def _print(checked: "Plan", known: "Known", foretold: "Forecast") -> None:
    from fivehundred.cli.output import console, print_table
    from fivehundred.cli.plan_words import format_words, played_words

    out = console()

    def say(*lines: str) -> None:
        for line in lines:
            out.print(line, soft_wrap=not out.is_terminal)

    say(f"{checked.name}: {format_words(checked)}")
    out.print(_amounts(foretold))
    say(*filter(None, [played_words(checked.form, foretold.matches.least)]))
    say(*_costs(known, foretold))
    for unit, found in _by_unit(foretold).items():
        say("", f"in {unit}; {MEANING}:")
        print_table(out, _resolutions(found), keys=KEYS)
    if foretold.stoppings:
        say("the test, simulated:")
        print_table(out, _stoppings(foretold.stoppings), keys=KEYS)
    say(*_rests_on(known, foretold))


def _amounts(foretold: "Forecast") -> "Table":
    from fivehundred.cli.output import plain_table

    numbers = ("at least", "expected", "at most")
    table = plain_table("", *numbers, numbers=numbers)
    rows = {"matches": foretold.matches, "boards": foretold.boards, "hands": foretold.hands}
    for name, amount in rows.items():
        table.add_row(name, *_amount_cells(amount))
    return table


def _amount_cells(amount: "Amount") -> tuple[str, str, str]:
    most = "no end" if amount.most is None else f"{amount.most:,.0f}"
    return f"{amount.least:,.0f}", f"{amount.expected:,.0f}", most


def _costs(known: "Known", foretold: "Forecast") -> list[str]:
    from fivehundred.tournament.planning import span

    each, most = foretold.decisions, foretold.most_decisions_a_hand
    worst = "no end" if foretold.worst_s is None else span(foretold.worst_s)
    decisions = (
        f"{each.total:,.0f} expected: {each.bids:,.0f} bids, {each.discards:,.0f} discards,"
        f" {each.plays:,.0f} plays; {most.total:,.0f} a hand at most"
    )
    pace = "at the pace measured" if known.pace else "on a quiet machine"
    expected = f"{span(foretold.expected_s)} expected {pace}"
    time = f"{expected}; {worst} where every decision takes its limit"
    return [f"decisions  {decisions}", f"time       {time}", f"disk       {_size(foretold.bytes)}"]


def _size(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.3g} TB"


def _by_unit(foretold: "Forecast") -> dict[str, list["Resolution"]]:
    """What is resolved, that which decides first."""
    found: dict[str, list[Resolution]] = {}
    for each in (*foretold.resolutions, *foretold.other_resolutions):
        found.setdefault(each.unit, []).append(each)
    return found


def _resolutions(found: list["Resolution"]) -> "Table":
    from fivehundred.cli.output import plain_table

    columns = (
        *(*KEYS, "luck of a board", "interval of an entrant", "difference found"),
        *("two by their own boards", "difference found by these"),
    )
    table = plain_table(*columns, numbers=columns[1:])
    for each in found:
        table.add_row(
            each.kind,
            f"{each.deviation:.0f}",
            _range(each.half_width, "±"),
            _range(each.difference),
            _range(each.pairing_half_width, "±"),
            _range(each.pairing_difference),
        )
    return table


def _range(span: "Span | None", sign: str = "") -> str:
    if span is None:
        return NOTHING
    least, most = f"{span.least:.1f}", f"{span.most:.1f}"
    return f"{sign}{least}" if least == most else f"{sign}{least}…{most}"


def _stoppings(stoppings: tuple["Stopping", ...]) -> "Table":
    from fivehundred.cli.output import plain_table

    columns = (
        *(*KEYS, "where true is", "matches to a verdict", "nine of ten within"),
        *("takes the second", "undecided"),
    )
    table = plain_table(*columns, numbers=columns[1:])
    for each in stoppings:
        for stop in each.stops:
            table.add_row(
                each.kind,
                f"{stop.value:g}",
                f"{stop.matches:,.0f}",
                f"{stop.matches_90:,.0f}",
                f"{stop.finds_h1:.1%}",
                f"{stop.undecided:.1%}",
            )
    return table


def _rests_on(known: "Known", foretold: "Forecast") -> list[str]:
    measured = [_measured_on(known, foretold)] if known.sources else []
    measured += [f"nothing of the database is used: {known.remark}"] if known.remark else []
    assumed = [f"assumed: {each}" for each in foretold.assumptions]
    return measured + assumed + [f"warning: {each}" for each in foretold.warnings]


def _measured_on(known: "Known", foretold: "Forecast") -> str:
    found = foretold.resolution
    text = f"measured on {', '.join(known.sources)}"
    if found.kind != "measured":
        return f"{text}: decisions, pace and room; too few boards to tell their luck"
    own = f"{found.known_tables} of {found.tables} tables"
    return f"{text}; the luck of {own} on boards of their own, else the mean"
