"""The report as one JSON object; keys are never renamed, only added."""

from dataclasses import asdict
from typing import Any

from fivehundred.ratings.values import Estimate
from fivehundred.report.matches import Match, StageResult
from fivehundred.report.method import method, reason_for_ranking
from fivehundred.report.values import Report, SequentialTest
from fivehundred.report.verdict import NAIVE
from fivehundred.report.view import FAULT_KINDS
from fivehundred.tournament.standings import Standing

FORMAT = 1
"""Raised where a key changes its meaning."""


def as_json(report: Report) -> dict[str, Any]:
    """The object; null where there is no number."""
    return {
        "format": FORMAT,
        "tournament": _tournament(report),
        "ranked_by": report.standings.ranked_by,
        "ranking_reason": reason_for_ranking(report),
        "confidence": report.standings.confidence,
        "hands_counted": report.standings.hands,
        "anchor": report.anchor,
        "test": None if report.test is None else _test(report.test),
        "standings": [_standing(report, row) for row in report.standings.rows],
        "crosstable": [
            {
                "entrant": first,
                "opponent": second,
                "boards": met.boards,
                "hands": met.hands,
                "margin": _estimate(met.margin),
                "wins": met.wins,
                "games": met.games,
                "share": met.share,
                "share_won": _estimate(met.won),
            }
            for (first, second), met in report.crosstable.items()
        ],
        "chances": [
            {"entrant": first, "opponent": second, "chance_better": chance}
            for (first, second), chance in report.chances.items()
        ],
        "progress": [
            {
                "boards": moment.boards,
                "hands": moment.hands,
                "number": report.number,
                "estimates": {name: _estimate(each) for name, each in moment.estimates},
            }
            for moment in report.progress
        ],
        "stages": [_stage(stage) for stage in report.stages],
        "matches": [_match(stage, match) for stage in report.stages for match in stage.matches],
        "times": [asdict(used) for used in report.times],
        "bias": None if report.bias is None else asdict(report.bias),
        "parts": None if report.parts is None else asdict(report.parts),
        "method": list(method(report)),
    }


def _tournament(report: Report) -> dict[str, Any]:
    facts = report.facts
    return {
        "name": facts.tournament,
        "state": facts.state,
        "is_finished": facts.is_finished,
        "reason": facts.reason,
        "created": facts.created,
        "rules": facts.rules,
        "rules_hash": facts.rules_hash,
        "seed_commitment": facts.seed_commitment,
        "seed": facts.seed or None,
        "log_digest": facts.log_digest,
        "is_log_digest_final": facts.is_digest_final,
        "matches": facts.matches,
        "hands_stored": facts.hands_stored,
        "entrants": [asdict(each) for each in facts.entrants],
        "parameters": dict(facts.parameters),
        "rule_parameters": dict(facts.rule_parameters),
        "definition": facts.definition,
        "software": facts.software,
    }


def _test(test: SequentialTest) -> dict[str, Any]:
    told = asdict(test)
    told |= {
        "mean": test.mean.value,
        "mean_standard_error": test.mean.standard_error,
        "mean_low": test.mean.low,
        "mean_high": test.mean.high,
        "mean_remark": NAIVE,
    }
    return told


def _stage(stage: StageResult) -> dict[str, Any]:
    return {
        "stage": stage.number,
        "format": stage.kind,
        "is_fixed": stage.is_fixed,
        "entrants": stage.entrants,
        "byes": [{"round": at, "entrant": bye} for at, bye in enumerate(stage.byes, 1) if bye],
        "series": [
            {"series": each.number, **{k: v for k, v in asdict(each).items() if k != "number"}}
            for each in stage.series
        ],
    }


def _match(stage: StageResult, match: Match) -> dict[str, Any]:
    return {
        "match": match.number,
        "stage": stage.number,
        "round": match.round,
        "series": match.series,
        "is_over": match.is_over,
        "sides": [
            {
                "entrants": side.entrants,
                "points_per_hand": side.points,
                "won": side.won,
                "score": side.score,
            }
            for side in match.sides
        ],
        "of": match.of,
        "winners": [name for side in match.winners for name in side.entrants],
    }


def _standing(report: Report, row: Standing) -> dict[str, Any]:
    counts, shares = dict(row.faults), report.shares_of(row.entrant)
    return {
        "entrant": row.entrant,
        "bot": report.facts.bot_of(row.entrant),
        "place": row.place,
        "rank_best": row.rank_best,
        "rank_worst": row.rank_worst,
        "score": row.score,
        "buchholz": row.buchholz,
        "hands": row.hands,
        "boards": row.boards,
        "points_per_hand": _estimate(row.points_per_hand),
        "elo": _estimate(row.elo),
        "wins": row.wins,
        "games": row.games,
        "contracts": row.contracts,
        "contracts_made": row.contracts_made,
        "share_won": _estimate(shares.won),
        "share_made": _estimate(shares.made),
        "faults": {kind.lower(): counts.get(kind, 0) for kind in FAULT_KINDS},
        "forfeits": row.forfeits,
        "voids": row.voids,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": estimate.value,
        "standard_error": estimate.standard_error,
        "low": estimate.low,
        "high": estimate.high,
        "remark": estimate.remark,
    }
