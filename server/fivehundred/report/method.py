"""The method in plain words, and why what ranks does."""

from fivehundred.report.matches import kind_of
from fivehundred.report.values import Report
from fivehundred.tournament.formats.forms import MixedTeamsForm

_NUMBERS = {"points_per_hand": "points per hand", "elo": "Elo"}
_FIXED = {
    "points_per_hand": "Ranked by points per hand, because a fixed number of boards was played.",
    "elo": (
        "Ranked by Elo, from games won, because games to the target were played: a match is won by "
        "winning games, not by margins."
    ),
}
_LADDER = (
    "Ranked by {number}. A ladder pairs likes, so that everybody has played others, and not "
    "equally many: the number is freed of who the others were, and its interval shows how much is "
    "known. The rating by which the ladder pairs its entrants does not rank."
)
_SEQUENTIAL = (
    "The verdict of the test is the result. The two are listed by {number} over all matches that "
    "were played; how many these are was not fixed, since the test ends with its verdict. "
    "Estimates after an early stop are biased away from its start, and their intervals are not "
    "corrected for it."
)
_BESIDE = {
    "points_per_hand": "Elo, from {elo}, stands beside it and does not rank;",
    "elo": "Points per hand stand beside it and do not rank;",
}
_DISAGREE = "the two can disagree, and neither is converted into the other."
_PLACES = {
    "swiss": (
        "Ranked by the format itself: by score (a match won is 1, a tie ½, a bye 1), then by the "
        "sum of the opponents’ scores (Buchholz), then by points, then by seed."
    ),
    "elimination": (
        "Ranked by the format itself: first the winner of the last series, then the later somebody "
        "was put out the better; of those put out in the same round the better seed comes first."
    ),
    "round_robin": (
        "by score a match (a match won is 1, a tie ½), then by points a match, then by seed"
    ),
    "ladder": "by the ladder’s own rating",
}
_STAGES = (
    "Ranked by the format itself: who came into the last stage by how that ended, the others "
    "behind them as the stage before ranked them. The last stage ranks {last}."
)
_BESIDE_PLACES = (
    "Points per hand and Elo, from {elo}, say what the hands tell of strength, with their errors, "
    "and do not rank."
)
_BY_PLACE = "Ranked by the format itself: its places decide."

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
    by, kind = report.standings.ranked_by, kind_of(report.form)
    if by == "place":
        return f"{_places(report, kind)} {_BESIDE_PLACES.format(elo=_elo(report))}"
    if by not in _NUMBERS:
        return f"Ranked by {by}."
    told = {"ladder": _LADDER, "sequential": _SEQUENTIAL}.get(kind, _FIXED[by])
    beside = _BESIDE[by].format(elo=_elo(report))
    return f"{told.format(number=_NUMBERS[by])} {beside} {_DISAGREE}"


def _places(report: Report, kind: str) -> str:
    if kind != "stages" or not report.stages:
        return _PLACES[kind] if kind in ("swiss", "elimination") else _BY_PLACE
    last = report.stages[-1].kind
    words = _PLACES.get(last, _PLACES["round_robin"])
    return _STAGES.format(last=words.removeprefix("Ranked by the format itself: ").rstrip("."))


def _elo(report: Report) -> str:
    """What Elo is from."""
    in_teams = isinstance(report.form, MixedTeamsForm)
    if report.teams > 2:
        of = "the teams" if in_teams else "all"
        told = f"the finishing order of {of} at the table, winning or not,"
        told += " in each game" if report.games else " on each board"
    else:
        told = "games won" if report.games else "who did better on each board"
    strength = ", a team being as strong as the mean of its members" if in_teams else ""
    return told + strength


def method(report: Report) -> tuple[str, str]:
    """Two paragraphs."""
    games = " or one sequence of deals" if report.games else ""
    return _DEALS.format(games=games), _ERRORS
