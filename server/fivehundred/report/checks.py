"""The sections on what should not matter: seats, luck, and whether everybody was himself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fivehundred.report.charts import Forest, forest
from fivehundred.report.text import (
    count_text,
    interval_text,
    number_text,
    percent_text,
    probability_text,
)
from fivehundred.report.values import Report
from fivehundred.tournament.bias import BiasReport, BiasTest
from fivehundred.tournament.honesty.determinism import Determinism
from fivehundred.tournament.honesty.residuals import POINTS, TIME, Residual
from fivehundred.tournament.parts import ContractWorth, EntrantParts, Parts

MOST_RESIDUALS = 20
RESIDUALS = (
    "Each bot’s mean in each part of the boards, against its mean elsewhere, in points, time and "
    "faults. Time depends on the machine too: where all bots differ alike, it was busier or idler."
)
NOT_KNOWN = (
    "A fourth part is not known: the margin of hands whose cards nobody else has held. Games of a "
    "board part ways after their first deals, and so have many of them."
)
DIVISIONS = {
    "stretch": "the order in which they were stored",
    "lag": "the daemon’s own delay in them",
    "hour": "the hour of the calendar",
    "hour of day": "the hour of the day",
    "machine": "the machine that played them",
    "process": "the worker process that played them",
}
"""What each division goes by."""
TITLES = {
    "seat": "By seat",
    "dealer": "By place from the dealer",
    "table order": "By place in the pairing",
    "schedule": "Early and late matches",
}


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of a table; ``number`` is its exact value, None for text."""

    text: str
    number: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table whose first column names its rows."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    text_columns: int = 1
    """How many of the first are text."""
    summary: str = ""
    """What it is folded under; empty where it is not."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a section; what is empty is not shown."""

    title: str = ""
    texts: tuple[str, ...] = ()
    forest: Forest | None = None
    caption: str = ""
    unit: str = POINTS
    table: ShownTable | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page."""

    id: str
    title: str
    short: str
    texts: tuple[str, ...]
    blocks: tuple[Block, ...] = field(default=())


def check_sections(report: Report) -> tuple[Section, ...]:
    """The sections, as far as there is anything to tell."""
    found = []
    if report.bias is not None:
        found.append(_seats(report.bias))
    if report.parts is not None and report.parts.contracts:
        found.append(_parts(report.parts, report.names))
    if report.bias is not None:
        found.append(_honesty(report.bias))
    return tuple(found)


def _seats(bias: BiasReport) -> Section:
    text = (
        "Whether points depend on what should not matter. Each number is the mean points of a hand "
        "against the mean of all levels, freed of the strengths of those who sat there, with its "
        "95% interval, errors by board. In a fair schedule such an effect hurts nobody, but it "
        "is worth knowing."
    )
    family = (
        f"The {count_text(bias.tests_in_all)} tests of this page are one family: p-values are also "
        "given adjusted by Holm’s method, and only the adjusted one decides."
    )
    return Section(
        "seats", "Results by seat", "Seats", (text, family), tuple(map(_test_block, bias.tests))
    )


def _test_block(test: BiasTest) -> Block:
    title = TITLES.get(test.name, test.name.capitalize())
    rows = [
        (level.name, f"{count_text(level.hands)} hands", level.estimate) for level in test.levels
    ]
    is_known = any(level.estimate.value is not None for level in test.levels)
    remarks = dict.fromkeys(each.estimate.remark for each in test.levels if each.estimate.remark)
    texts = (_verdict(test), *(() if is_known else remarks))
    if not is_known:
        return Block(title, tuple(dict.fromkeys(text for text in texts if text)))
    return Block(title, texts, forest(rows, "+.1f"), "Points per hand against the mean")


def _verdict(test: BiasTest) -> str:
    if test.p_value is None:
        return f"Not tested: {test.remark}." if test.remark else "Not tested."
    found = "An effect beyond chance" if test.is_flagged else "No effect beyond chance"
    freedom = number_text(test.error_freedom, ".0f")
    return (
        f"{found}: F({test.freedom}, {freedom}) = {number_text(test.f, '.2f')}, "
        f"p = {probability_text(test.p_value)}, adjusted {probability_text(test.p_adjusted)}."
    )


def _parts(parts: Parts, names: Sequence[str]) -> Section:
    text = (
        "Where points came from, descriptively. The margin of an entrant’s side over the others "
        "is the sum of three: luck is the mean margin of all who held these cards; bidding is what "
        "the contract reached is worth on average in this tournament, less the same of all who "
        "held the cards; play is the rest. Over whole boards luck comes to nothing. These are "
        "descriptions, not estimates of skill, and have no error bars."
    )
    has_unknown = any(each.not_known for each in parts.entrants)
    share = () if parts.deal_share is None else (_deal_text(parts.deal_share),)
    by_name = {each.entrant: each for each in parts.entrants}
    rows = tuple(_part_row(by_name[name], has_unknown=has_unknown) for name in names)
    columns = (
        *("Entrant", "Margin a hand", "Luck", "Bidding", "Play"),
        *(("Not known",) if has_unknown else ()),
        *("Declared", "Made"),
        *("Tricks over", "Declaring", "Defending"),
    )
    caption = "Margin per hand and its parts, best first; tricks above the promise of numbered bids"
    contracts = _contract_table(parts.contracts)
    blocks = (Block(table=ShownTable(caption, columns, rows)), Block(table=contracts))
    unknown = (NOT_KNOWN,) if has_unknown else ()
    texts = (text, *unknown, *share)
    return Section("parts", "Luck, bidding and play", "Luck", texts, blocks)


def _deal_text(share: float) -> str:
    """What a correlation says, which may be below 0."""
    told = f"Margins of those who held the same cards on a deal correlate by {share:.2f}"
    if share <= 0:
        return f"{told.replace('-', '−')}: who played mattered more than the deal."
    return f"{told}: that part of a single hand’s variance lies in the deal."


def _part_row(row: EntrantParts, *, has_unknown: bool) -> tuple[ShownCell, ...]:
    unknown = (row.not_known,) if has_unknown else ()
    signed = (row.margin, row.luck, row.bidding, row.play, *unknown)
    after = (row.mean_over, row.margin_declaring, row.margin_defending)
    forms = ("+.2f", "+.1f", "+.1f")
    return (
        ShownCell(row.entrant),
        *(ShownCell(number_text(each, "+.1f"), each) for each in signed),
        ShownCell(percent_text(row.declared_share), row.declared_share),
        ShownCell(percent_text(row.made_share), row.made_share),
        *(ShownCell(number_text(n, form), n) for n, form in zip(after, forms, strict=True)),
    )


def _contract_table(contracts: Sequence[ContractWorth]) -> ShownTable:
    rows = tuple(
        (
            ShownCell(each.bid),
            ShownCell(count_text(each.hands), each.hands),
            ShownCell(percent_text(each.made_share), each.made_share),
            ShownCell(number_text(each.margin, "+.1f"), each.margin),
        )
        for each in contracts
    )
    caption = "Contracts: how often each was declared, and what it came to, whoever bid it"
    columns = ("Bid", "Hands", "Made", "Margin a hand")
    return ShownTable(caption, columns, rows, summary="The contracts")


def _honesty(bias: BiasReport) -> Section:
    text = (
        "Whether bots were themselves all the time: the same at every table, from the first board "
        "to the last, however busy the machine was."
    )
    return Section(
        "checks",
        "Checks",
        "Checks",
        (text,),
        (_determinism(bias.determinism), _residuals(bias)),
    )


def _determinism(found: Determinism) -> Block:
    title = "A bot against itself"
    if not found.boards:
        return Block(title, (f"{_sentence(found.remark)}.",))
    text = (
        f"{count_text(len(found.divergent))} of {count_text(found.boards)} boards on which a bot "
        "has played itself took two courses; a deterministic bot has none."
    )
    rows = tuple(
        (
            ShownCell(each.bot),
            ShownCell(count_text(each.boards), each.boards),
            ShownCell(count_text(each.divergent), each.divergent),
            ShownCell(count_text(each.uneven), each.uneven),
        )
        for each in found.by_bot
    )
    columns = ("Bot", "Boards", "With two courses", "Not exactly even")
    return Block(title, (text,), table=ShownTable("Self-play", columns, rows))


def _residuals(bias: BiasReport) -> Block:
    flagged = sorted((each for each in bias.residuals if each.is_flagged), key=_precedence)
    measures = dict.fromkeys(each.measure for each in bias.residuals)
    found = ", ".join(
        f"{count_text(sum(each.measure == name for each in flagged))} of {name}"
        for name in measures
    )
    divisions = dict.fromkeys(DIVISIONS.get(each.by, each.by) for each in bias.residuals)
    texts = [
        RESIDUALS,
        *([f"Parts of the boards are by {_and(list(divisions))}."] if divisions else []),
        f"Differences beyond chance: {found}." if found else "There is nothing to compare.",
        *(f"{_sentence(text)}." for text in bias.not_kept),
    ]
    table = _residual_table(flagged) if flagged else None
    return Block("Residuals", tuple(texts), table=table)


def _and(texts: Sequence[str]) -> str:
    """Texts as a list in a sentence."""
    *others, last = texts
    return f"{', '.join(others)}, and {last}" if others else last


def _precedence(each: Residual) -> tuple[bool, float, float]:
    """Points and faults before time, the clearest first."""
    return each.measure == TIME, each.p_adjusted or 0.0, each.p_value or 0.0


def _residual_table(flagged: Sequence[Residual]) -> ShownTable:
    shown = flagged[:MOST_RESIDUALS]
    more = f"; the {len(shown)} clearest of {len(flagged)}" if len(flagged) > len(shown) else ""
    columns = ("Entrant", "What", "Part", "Boards", "Difference", "p", "p adjusted")
    return ShownTable(
        f"Differences beyond chance{more}",
        columns,
        tuple(map(_residual_row, shown)),
        text_columns=3,
        summary="The differences",
    )


def _residual_row(each: Residual) -> tuple[ShownCell, ...]:
    value, form = each.estimate.value, "+.2f"
    part = each.part if each.by == "lag" else f"{each.by} {each.part}"
    return (
        ShownCell(each.entrant or "the whole table"),
        ShownCell(each.measure),
        ShownCell(part),
        ShownCell(count_text(each.boards), each.boards),
        ShownCell(number_text(value, form), value, interval_text(each.estimate, form)),
        ShownCell(probability_text(each.p_value), each.p_value),
        ShownCell(probability_text(each.p_adjusted), each.p_adjusted),
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def section_links(sections: Sequence[Section]) -> Iterator[tuple[str, str]]:
    """What the list of sections says of them."""
    return ((each.id, each.short) for each in sections)
