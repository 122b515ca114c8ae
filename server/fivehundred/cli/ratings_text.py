"""Ratings of pools as tables for people; a stranger's names and reasons are printed harmlessly."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from fivehundred.cli.output import console, count_text, harmless, plain_table, print_table
from fivehundred.cli.ratings_read import RatedPool, RatingsReport, Remark, rules_name
from fivehundred.cli.standings import NOTHING, RANKED_BY, estimate_text, ranks_text
from fivehundred.ratings.values import Estimate
from fivehundred.tournament.pool_live import LiveRating, has_openskill
from fivehundred.tournament.pool_ratings import Fit, PoolRatings, Rating
from fivehundred.tournament.pools import EventForm, PoolKey, TeamForm
from fivehundred.v1 import tournament_pb2

COLUMNS = ("rank", "bot", "boards", "hands", "points/hand", "IMPs", "Elo", "won")
NUMBERS = COLUMNS[2:]
TEAMS = {
    TeamForm.SIDES: "partners who are one bot",
    TeamForm.MIXED: "partners who are different bots",
    TeamForm.SOLO: "everybody alone",
}
EVENTS = {EventForm.BOARDS: "boards of one hand", EventForm.GAMES: "games to the target"}
LIVE = "for live display only: running ratings depend on the order of the results"
NO_OPENSKILL = "openskill is not installed (fivehundred[live]): Elo alone"
NAMED = 10
"""Tournaments named at a pool."""
WORST = 5
"""Pairings shown of a pool that one number a bot does not tell."""


def print_report(report: RatingsReport, *, chances: bool = False) -> None:
    """Print every pool, then what was left out."""
    out = console()
    for pool in report.pools:
        _print_pool(out, pool, report.anchor, chances=chances)
    if not report.pools:
        out.print("no whole boards to rate")
    for line in (*remark_lines(report.remarks), *_unplayed_lines(report.unplayed)):
        out.print(line)


def pool_title(key: PoolKey) -> str:
    """``au-4p-43, tables of 2, partners who are one bot, boards of one hand``."""
    forms = f"{TEAMS[key.team]}, {EVENTS[key.event]}"
    return f"{rules_name(key.rules_hash)}, tables of {key.slots}, {forms}"


def remark_lines(remarks: Iterable[Remark]) -> Iterator[str]:
    """What is said of tournaments, a line each."""
    for each in remarks:
        yield harmless(f"{each.tournament} of {each.database}: {each.words}")


def _print_pool(out: Console, pool: RatedPool, anchor: str | None, *, chances: bool) -> None:
    ratings = pool.ratings
    out.print(pool_title(ratings.pool.key))
    out.print(_scope(ratings))
    if ratings.rows:
        print_table(out, _table(ratings.rows), keys=("bot",))
    for line in _remarks(ratings, anchor):
        out.print(line)
    if ratings.fit.is_bad:
        _print_pairings(out, ratings.fit)
    if chances and ratings.rows:
        _print_chances(out, ratings)
    if pool.live is not None:
        _print_live(out, pool.live)
    out.print()


def _scope(ratings: PoolRatings) -> str:
    pool = ratings.pool
    shares = [
        f"{harmless(each.name)} ({count_text(each.boards, 'board')})" for each in pool.tournaments
    ]
    more = len(shares) - NAMED
    named = shares if more <= 0 else [*shares[:NAMED], f"{count_text(more, 'tournament')} more"]
    boards, deals = count_text(len(pool.boards), "board"), count_text(ratings.deals, "deal")
    return f"{boards}, {count_text(ratings.hands, 'hand')}, {deals}: {', '.join(named)}"


def _table(rows: Sequence[Rating]) -> Table:
    table = plain_table(*COLUMNS, numbers=NUMBERS)
    for row in rows:
        table.add_row(
            ranks_text(row.rank_best, row.rank_worst),
            harmless(row.player),
            str(row.boards),
            str(row.hands),
            _text(row.points_per_hand, "+.1f"),
            NOTHING if row.imps is None else _text(row.imps, "+.2f"),
            _text(row.elo, ".0f"),
            f"{row.wins:.1f}/{row.results}",
        )
    return table


def _remarks(ratings: PoolRatings, anchor: str | None) -> Iterator[str]:
    """What ranks and how, then what to mind."""
    interval = f"{ratings.confidence:.0%} intervals, errors by deal"
    yield f"ranked by {RANKED_BY[ratings.ranked_by]}; {interval}"
    yield harmless(f"Elo: {ratings.elo_model}; {_fixed(ratings, anchor)}")
    yield from _counted(ratings)
    yield from _estimate_remarks(ratings.rows)
    yield from _groups(ratings)
    yield from fit_lines(ratings)


def _fixed(ratings: PoolRatings, anchor: str | None) -> str:
    """Where the Elo scale is fixed."""
    if ratings.anchor is not None:
        return f"{ratings.anchor} = 1500"
    return "mean 1500" if anchor is None else f"mean 1500, since {anchor} is not in this pool"


def _counted(ratings: PoolRatings) -> Iterator[str]:
    pool = ratings.pool
    if pool.repeats:
        words = (
            "is an exact repeat and counts" if pool.repeats == 1 else "are exact repeats, counted"
        )
        yield f"{count_text(pool.repeats, 'board')} {words} once"
    if pool.self_play:
        yield f"{count_text(pool.self_play, 'board')} of self-play left out: they tell no strength"
    if pool.uneven_self_play:
        yield (
            f"{count_text(pool.uneven_self_play, 'board')} of self-play did not come out even: "
            "the bot is not deterministic"
        )
    if ratings.shared:
        yield (
            f"{count_text(ratings.shared, 'board')} with one bot as several of the entrants count "
            "for points/hand, not for Elo"
        )


def _estimate_remarks(rows: Sequence[Rating]) -> Iterator[str]:
    """Each remark once for all the bots it is made on."""
    bots: dict[str, list[str]] = {}
    for row in rows:
        for name, estimate in (("points/hand", row.points_per_hand), ("Elo", row.elo)):
            if estimate.remark:
                bots.setdefault(f"{name}: {estimate.remark}", []).append(row.player)
    for remark, names in bots.items():
        told = "all" if len(names) == len(rows) > 1 else ", ".join(names)
        yield harmless(f"{told}: {remark}")


def _groups(ratings: PoolRatings) -> Iterator[str]:
    if len(ratings.groups) < 2:
        return
    told = "; ".join(", ".join(group) for group in ratings.groups)
    yield harmless(f"{len(ratings.groups)} groups that no boards link: {told}")
    for first, second in ratings.bridges:
        yield harmless(f"boards of {first} against {second} would connect them")


def fit_lines(ratings: PoolRatings) -> Iterator[str]:
    """How well one Elo a bot tells a pool, and whether that is something to mind."""
    fit = ratings.fit
    if fit.probability is None:
        yield f"fit: {fit.remark}"
    else:
        tested = f"chi-square {fit.chi_square:.1f}, {fit.freedom} degrees of freedom"
        yield f"fit: {tested}, p {_p_text(fit.probability)}{_shared_deals(ratings)}"
    for cycle in fit.cycles:
        yield harmless(f"warning: no order of {', '.join(cycle)}: each is clearly beaten in turn")
    if fit.cycles:
        yield "warning: one Elo a bot does not tell who beats whom here; read the pairings:"
    elif fit.is_bad:
        yield (
            "note: the order holds, but some pairings are more or less one-sided than one Elo a "
            "bot tells, as in most large pools; these are furthest off:"
        )


def _p_text(chance: float) -> str:
    """``= 0.035``, or a bound where it is tiny."""
    return "< 0.0001" if chance < 0.0001 else f"= {chance:.2g}"


def _shared_deals(ratings: PoolRatings) -> str:
    """What makes p too small where several boards are of one deal."""
    is_shared = ratings.deals < len(ratings.pool.boards)
    return " (too small: boards of one deal count as independent here)" if is_shared else ""


def _print_pairings(out: Console, fit: Fit) -> None:
    columns = ("first", "second", "boards", "score", "expected", "standard errors")
    table = plain_table(*columns, numbers=columns[2:])
    for pair in sorted(fit.pairings, key=lambda pair: -abs(pair.surprise))[:WORST]:
        table.add_row(
            harmless(pair.first),
            harmless(pair.second),
            f"{pair.units:g}",
            f"{pair.score:.3f}",
            f"{pair.expected:.3f}",
            f"{pair.surprise:+.1f}",
        )
    print_table(out, table, keys=columns[:2])


def _print_chances(out: Console, ratings: PoolRatings) -> None:
    numbers = tuple(str(number) for number in range(1, len(ratings.rows) + 1))
    out.print(f"chance of the row's bot to be better, by {RANKED_BY[ratings.ranked_by]}:")
    table = plain_table("", "bot", *numbers, numbers=numbers)
    for number, row, chances in zip(numbers, ratings.rows, ratings.chances, strict=True):
        table.add_row(number, harmless(row.player), *_chance_cells(chances, int(number) - 1))
    print_table(out, table, keys=("", "bot"))


def _chance_cells(chances: Sequence[float | None], own: int) -> Iterator[str]:
    for at, chance in enumerate(chances):
        yield NOTHING if chance is None or at == own else chance_text(chance)


def chance_text(chance: float) -> str:
    """In percent; never a certainty."""
    return "<1%" if chance < 0.01 else ">99%" if chance > 0.99 else f"{chance:.0%}"


def _print_live(out: Console, rows: Sequence[LiveRating]) -> None:
    columns = ("bot", "live Elo", "openskill mu", "sigma")
    table = plain_table(*columns, numbers=columns[1:])
    for row in rows:
        skill = (row.mu, row.sigma)
        cells = (NOTHING if number is None else f"{number:.2f}" for number in skill)
        table.add_row(harmless(row.player), f"{row.elo:.0f}", *cells)
    out.print(LIVE if has_openskill() else f"{LIVE}; {NO_OPENSKILL}")
    print_table(out, table, keys=("bot",))


def _unplayed_lines(unplayed: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, identity in unplayed:
        known = f" ({identity})" if identity else " (its version is not known yet)"
        yield harmless(f"registered without a board here: {name}{known}")


def _text(estimate: Estimate, form: str) -> str:
    return estimate_text(tournament_pb2.Estimate(**asdict(estimate)), form)
