"""The method in plain words, and why what ranks does."""

from fivehundred.report.values import Report

_BY_POINTS = (
    "Ranked by points per hand, because a fixed number of boards was played. Elo, from who did "
    "better on each board, stands beside it and does not rank; the two can disagree, and neither "
    "is converted into the other."
)
_BY_ELO = (
    "Ranked by Elo, from games won, because games to the target were played: a match is won by "
    "winning games, not by margins. Points per hand stand beside it and do not rank; the two can "
    "disagree, and neither is converted into the other."
)
_BY_PLACE = (
    "Ranked by the format itself: its places decide. Points per hand and Elo say what the hands "
    "tell of strength, with their errors, and do not rank."
)
_WHY = {"points_per_hand": _BY_POINTS, "elo": _BY_ELO, "place": _BY_PLACE}

_DEALS = (
    "A board is one deal{games}, played in every seating that makes it fair, so that the luck of "
    "the cards falls on everybody alike; only whole boards count, in their latest attempt. Points "
    "per hand are least-squares strengths with an effect for each board: who sat at the same cards "
    "is compared, nobody else. Elo is the maximum-likelihood fit of all results at once "
    "(Bradley–Terry, and its kin for mixed teams and tables of several), a tie counting half, so "
    "that it does not matter in which order they came. "
    "The deals follow from a secret seed whose hash was published before play."
)
_ERRORS = (
    "Every interval is meant to hold the true number in 95 of 100 such tournaments. Hands of one "
    "board are not independent, so errors are reckoned board by board, not hand by hand. Who is "
    "better is judged by the error of the difference of the two, not by whether two intervals "
    "overlap; ranks are given as the range that these differences leave open. Whoever won or lost "
    "everything gets a bound instead of a number, and entrants whom no boards link are not "
    "compared. Faults count as the policy says; what the daemon delayed is never charged to a bot."
)


def reason_for_ranking(report: Report) -> str:
    """What ranks, and why."""
    return _WHY.get(report.standings.ranked_by, f"Ranked by {report.standings.ranked_by}.")


def method(report: Report) -> tuple[str, str]:
    """Two paragraphs."""
    games = " or one sequence of deals" if report.games else ""
    return _DEALS.format(games=games), _ERRORS
