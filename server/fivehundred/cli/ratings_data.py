"""Ratings of pools for programs: one JSON document, or a row of CSV for each bot and pool."""

import csv
import sys
from collections.abc import Iterator
from dataclasses import asdict

from fivehundred.cli.output import harmless
from fivehundred.cli.ratings_read import RatedPool, RatingsReport, preset_of
from fivehundred.cli.ratings_text import LIVE, remark_lines
from fivehundred.ratings.values import CONFIDENCE, Estimate
from fivehundred.tournament.pool_live import LiveRating
from fivehundred.tournament.pool_ratings import PoolRatings, Rating
from fivehundred.tournament.pools import Pool
from fivehundred.tournament.standings import Chances

ENDS = ("value", "standard_error", "low", "high", "remark")
POOL_COLUMNS = ("rules", "rules_hash", "table_size", "team_form", "event_form")
FIT_COLUMNS = ("ranked_by", "elo_model", "elo_anchor", "prior_virtual_draws", "confidence")
PLAYER_COLUMNS = ("player", "rank_best", "rank_worst", "boards", "hands", "wins", "results")
ESTIMATES = ("points_per_hand", "elo", "imps")
LIVE_COLUMNS = ("live_display_elo", "live_display_mu", "live_display_sigma")


def report_json(report: RatingsReport) -> dict[str, object]:
    """The whole report."""
    return {
        "confidence": CONFIDENCE,
        "pools": [_pool_json(each) for each in report.pools],
        "remarks": [asdict(remark) for remark in report.remarks],
        "registered_without_boards": [
            {"name": name, "bot": identity} for name, identity in report.unplayed
        ],
    }


def print_csv(report: RatingsReport) -> None:
    """Print the ratings as CSV, and what was left out on standard error."""
    estimates = [f"{name}_{end}" for name in ESTIMATES for end in ENDS]
    has_live = any(each.live is not None for each in report.pools)
    live = LIVE_COLUMNS if has_live else ()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*POOL_COLUMNS, *FIT_COLUMNS, *PLAYER_COLUMNS, *estimates, *live])
    for each in report.pools:
        writer.writerows(_csv_rows(each))
    for line in remark_lines(report.remarks):
        print(line, file=sys.stderr)


def _pool_json(rated: RatedPool) -> dict[str, object]:
    ratings = rated.ratings
    document = {
        **_key_json(ratings.pool),
        "ranked_by": ratings.ranked_by,
        "elo_model": ratings.elo_model,
        "elo_anchor": ratings.anchor,
        "prior": None if ratings.prior is None else {"virtual_draws": ratings.prior},
        **_counts_json(ratings),
        "tournaments": [
            {
                "name": share.name,
                "seed_commitment": share.commitment.hex(),
                "boards": share.boards,
            }
            for share in ratings.pool.tournaments
        ],
        "players": [asdict(row) for row in ratings.rows],
        "chances": {
            "points_per_hand": _matrix(ratings.points_chances),
            "elo": _matrix(ratings.elo_chances),
        },
        "groups": [list(group) for group in ratings.groups],
        "elo_groups": [list(group) for group in ratings.elo_groups],
        "bridges": [{"first": first, "second": second} for first, second in ratings.bridges],
        "fit": {**asdict(ratings.fit), "is_bad": ratings.fit.is_bad},
    }
    if rated.live is not None:
        players = [asdict(row) for row in rated.live]
        document["live"] = {"remark": LIVE, "players": players}
    return document


def _key_json(pool: Pool) -> dict[str, object]:
    key = pool.key
    return {
        "rules": preset_of(key.rules_hash),
        "rules_hash": key.rules_hash.hex(),
        "table_size": key.slots,
        "team_form": key.team.value,
        "event_form": key.event.value,
    }


def _counts_json(ratings: PoolRatings) -> dict[str, int]:
    pool = ratings.pool
    return {
        "boards": len(pool.boards),
        "hands": ratings.hands,
        "deals": ratings.deals,
        "exact_repeats": pool.repeats,
        "self_play": pool.self_play,
        "uneven_self_play": pool.uneven_self_play,
        "points_only": ratings.shared,
    }


def _matrix(chances: Chances) -> list[list[float | None]]:
    return [list(row) for row in chances]


def _csv_rows(rated: RatedPool) -> Iterator[list[object]]:
    ratings = rated.ratings
    live = {row.player: row for row in rated.live or ()}
    fit = (ratings.ranked_by, ratings.elo_model, ratings.anchor, ratings.prior, CONFIDENCE)
    for row in ratings.rows:
        own = [*_key_json(ratings.pool).values(), *fit, *_player_cells(row)]
        extra = [] if rated.live is None else _live_cells(live[row.player])
        yield [harmless(each) if isinstance(each, str) else each for each in [*own, *extra]]


def _player_cells(row: Rating) -> Iterator[object]:
    yield from (getattr(row, name) for name in PLAYER_COLUMNS)
    for name in ESTIMATES:
        estimate: Estimate | None = getattr(row, name)
        yield from (getattr(estimate or Estimate(), end) for end in ENDS)


def _live_cells(row: LiveRating) -> list[object]:
    return [row.elo, row.mu, row.sigma]
