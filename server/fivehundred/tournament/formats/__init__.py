"""Formats: which matches a tournament is made of. Each is pure: outcomes in, pairings out.

Tournaments are played as `round_robin` so far; the other formats are called as a library.
"""

from fivehundred.tournament.formats.bracket import Bracket, Branch, Decided, SeriesView
from fivehundred.tournament.formats.elimination import double_elimination, single_elimination
from fivehundred.tournament.formats.fixed import Fixed, Pairings
from fivehundred.tournament.formats.gauntlet import Gauntlet, gauntlet
from fivehundred.tournament.formats.ladder import Ladder, Stay, ladder
from fivehundred.tournament.formats.round_robin import (
    RoundRobin,
    round_robin,
    table_size,
)
from fivehundred.tournament.formats.sequential import Sequential, Verdict, sequential
from fivehundred.tournament.formats.stages import Stage, Stages, StageView, stages
from fivehundred.tournament.formats.swiss import Swiss, swiss
from fivehundred.tournament.formats.tables import (
    DesignedTables,
    OneTable,
    mixed_teams,
    solo_tables,
)
from fivehundred.tournament.formats.values import Format, Outcome, Pairing, Size, outcome

__all__ = [
    "Bracket",
    "Branch",
    "Decided",
    "DesignedTables",
    "Fixed",
    "Format",
    "Gauntlet",
    "Ladder",
    "OneTable",
    "Outcome",
    "Pairing",
    "Pairings",
    "RoundRobin",
    "Sequential",
    "SeriesView",
    "Size",
    "Stage",
    "StageView",
    "Stages",
    "Stay",
    "Swiss",
    "Verdict",
    "double_elimination",
    "gauntlet",
    "ladder",
    "mixed_teams",
    "outcome",
    "round_robin",
    "sequential",
    "single_elimination",
    "solo_tables",
    "stages",
    "swiss",
    "table_size",
]
