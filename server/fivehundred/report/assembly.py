"""Puts a report together from what the log says."""

from collections.abc import Mapping, Sequence

from fivehundred.report.crosstable import Meeting, crosstable
from fivehundred.report.matches import StageResult
from fivehundred.report.progress import Rank, Tell, progress
from fivehundred.report.shares import shares
from fivehundred.report.times import TimesUsed
from fivehundred.report.values import Facts, Report, SequentialTest
from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.bias import BiasReport
from fivehundred.tournament.formats.forms import Form
from fivehundred.tournament.hand_line import HandLine
from fivehundred.tournament.lines import HandColumns
from fivehundred.tournament.parts import Parts
from fivehundred.tournament.standings import Standings
from fivehundred.tournament.whole_boards import WholeBoards, latest, whole_boards


def assembled(
    facts: Facts,
    table: Standings,
    lines: Sequence[HandLine],
    rules: RuleSet,
    *,
    form: Form,
    stages: tuple[StageResult, ...],
    games: bool,
    anchor: str,
    rank: Rank,
    times: tuple[TimesUsed, ...],
    bias: BiasReport | None,
    parts: Parts | None,
    test: SequentialTest | None = None,
    tell: Tell = lambda done, total: None,
) -> Report:
    """The report of a tournament.

    ``table`` are its standings, ``lines`` its hands, all of them; ``rank`` gives the standings of
    some hands. ``games``: games to the target were played.
    """
    number = "elo" if games else "points_per_hand"
    boards, names = _boards(lines, rules, games=games), [each.name for each in facts.entrants]
    told = shares(boards, rules, len(names), games=games)
    return Report(
        facts=facts,
        standings=table,
        number=number,
        form=form,
        teams=min(form.slots(rules, len(names)), rules.sides),
        stages=stages,
        shares=dict(zip(names, told, strict=True)),
        games=games,
        anchor=anchor,
        chances=_chances(table),
        crosstable=_meetings(names, boards, rules, games=games),
        progress=progress(lines, rank, number, tell=tell),
        times=_in_order(times, table),
        bias=bias,
        parts=parts,
        test=test,
    )


def _chances(table: Standings) -> Mapping[tuple[str, str], float | None]:
    names = [row.entrant for row in table.rows]
    return {
        (first, second): chance
        for first, chances in zip(names, table.chances, strict=False)
        for second, chance in zip(names, chances, strict=True)
        if first != second
    }


def _boards(lines: Sequence[HandLine], rules: RuleSet, *, games: bool) -> list[WholeBoards]:
    if not lines:
        return []
    rows = HandColumns(lines).rows()
    return whole_boards(rows.chosen(latest(rows, games=games)), rules, games=games)


def _meetings(
    names: Sequence[str], boards: Sequence[WholeBoards], rules: RuleSet, *, games: bool
) -> Mapping[tuple[str, str], Meeting]:
    met = crosstable(boards, rules, games=games)
    return {(names[first], names[second]): each for (first, second), each in met.items()}


def _in_order(times: Sequence[TimesUsed], table: Standings) -> tuple[TimesUsed, ...]:
    """Those of the best first."""
    place = {row.entrant: at for at, row in enumerate(table.rows)}
    return tuple(sorted(times, key=lambda used: place[used.entrant]))
