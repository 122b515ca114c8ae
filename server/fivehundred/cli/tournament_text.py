"""Tournaments and their events in words."""

from collections.abc import Sequence
from contextlib import suppress

from fivehundred.cli.hand_list import contract_text, numbers_text
from fivehundred.cli.output import console, plain_table
from fivehundred.cli.plan_words import format_words
from fivehundred.cli.policy_text import policy_text, time_text
from fivehundred.cli.progress import matches_text
from fivehundred.v1.ruleset_pb2 import RulesChoice
from fivehundred.v1.tournament_pb2 import (
    Entrant,
    HandStored,
    Tournament,
    TournamentSpec,
    TournamentState,
    WatchTournamentResponse,
)
from fivehundred.wire.errors import SpecError
from fivehundred.wire.presets import DEFAULT_PRESET
from fivehundred.wire.spec import DEFAULT_TABLES, check_spec


def state_name(state: TournamentState.ValueType) -> str:
    """``RUNNING``."""
    return TournamentState.Name(state).removeprefix("TOURNAMENT_STATE_")


def progress_text(tournament: Tournament) -> str:
    """``40/120 hands, 3/10 matches``."""
    planned = f"/{tournament.hands_planned}" if tournament.hands_planned else ""
    hands = f"{tournament.hands_played}{planned} hands"
    if tournament.hands_played and not tournament.matches_played and not _is_played(tournament):
        return hands  # How many matches are over is counted by those who play.
    return f"{hands}, {matches_text(tournament.matches_played, tournament.matches_planned)}"


def _is_played(tournament: Tournament) -> bool:
    return tournament.state in (
        TournamentState.TOURNAMENT_STATE_RUNNING,
        TournamentState.TOURNAMENT_STATE_DRAINING,
    )


def print_tournament(tournament: Tournament) -> None:
    """Print one tournament, a fact a line."""
    for name, value in _facts(tournament):
        if value:
            console().print(f"{name:<12}{value}", soft_wrap=True)


def print_tournaments(tournaments: Sequence[Tournament]) -> None:
    """Print tournaments, one a row."""
    if not tournaments:
        console().print("no tournaments")
        return
    table = plain_table("name", "state", "progress", "created", "reason")
    for each in tournaments:
        created = _created(each)
        name, state = each.spec.name, state_name(each.state)
        table.add_row(name, state, progress_text(each), created, each.reason)
    console().print(table)


def event_text(event: WatchTournamentResponse) -> str:
    """One event on one line, its number first."""
    if event.WhichOneof("what") == "hand":
        return f"{event.event} {_hand_text(event.hand)}"
    tournament = event.tournament
    reason = f": {tournament.reason}" if tournament.reason else ""
    state = state_name(tournament.state)
    return f"{event.event} {tournament.spec.name} is {state}{reason}, {progress_text(tournament)}"


def _hand_text(hand: HandStored) -> str:
    key, result = hand.key, hand.result
    where = f"match {key.match} board {key.board} seating {key.seating} hand {key.hand}"
    tricks, change = numbers_text(result.tricks_won), numbers_text(result.change, "+d")
    bots = " ".join(hand.bots)
    return f"{where}: {contract_text(result)}, tricks {tricks}, score {change} ({bots})"


def _facts(tournament: Tournament) -> list[tuple[str, str]]:
    spec = tournament.spec
    facts = [
        ("name", spec.name),
        ("state", state_name(tournament.state) if tournament.state else ""),
        ("reason", tournament.reason),
        _how_far(tournament),
        ("rules", rules_text(spec.rules)),
        ("rules hash", tournament.rules_hash.hex()),
        ("format", _format_text(spec)),
        ("tables", str(spec.tables or DEFAULT_TABLES)),
        ("time", time_text(spec.time_control)),
        ("faults", policy_text(spec.fault_policy)),
        ("created", _created(tournament)),
        ("commitment", tournament.seed_commitment.hex()),
        ("seed", spec.seed),
        ("log digest", tournament.log_digest.hex()),
    ]
    return facts + [
        ("entrant", _entrant(tournament, number)) for number in range(len(spec.entrants))
    ]


def _format_text(spec: TournamentSpec) -> str:
    """Who meets whom and over what; empty for a definition that is not in order."""
    with suppress(SpecError):
        return format_words(check_spec(spec))
    return ""


def rules_text(choice: RulesChoice) -> str:
    """``au-4p-43``, or ``au-4p-43 with changes``."""
    changes = " with changes" if choice.clear or choice.override.ListFields() else ""
    return f"{choice.preset or DEFAULT_PRESET}{changes}"


def _how_far(tournament: Tournament) -> tuple[str, str]:
    """The progress, or what a tournament would play that is not stored."""
    if tournament.state:
        return "progress", progress_text(tournament)
    played = "games" if tournament.spec.format.HasField("games") else "boards"
    if tournament.hands_planned:
        played = f"{tournament.hands_planned} hands"
    return "would play", f"{played} in {_matches(tournament)}"


def _matches(tournament: Tournament) -> str:
    """``10 matches``, ``8 to 28 matches, 10 between equals``, ``matches without an end``."""
    if tournament.matches_planned:
        return f"{tournament.matches_planned} matches"
    if not tournament.HasField("matches_most"):
        return "matches without an end"
    matches = f"{tournament.matches_least} to {tournament.matches_most} matches"
    if not tournament.HasField("matches_expected"):
        return matches
    return f"{matches}, {tournament.matches_expected} between equals"


def _entrant(tournament: Tournament, number: int) -> str:
    entrant = tournament.spec.entrants[number]
    bot = tournament.bots[number] if number < len(tournament.bots) else ""
    added = tournament.entropy[number].hex() if number < len(tournament.entropy) else ""
    entropy = f"with entropy {added}" if added else ""
    parts = (entrant.name, bot, _reached_by(entrant), _stay(tournament.spec, entrant.name), entropy)
    return " ".join(filter(None, parts))


def _stay(spec: TournamentSpec, entrant: str) -> str:
    """``from match 20 to before 40, from match 60``; empty for one that is there all the time."""
    stays = [stay for stay in spec.format.ladder.stays if stay.entrant == entrant]
    if len(stays) == 1 and not stays[0].first and not stays[0].HasField("until"):
        return ""
    return ", ".join(
        f"from match {stay.first}" + (f" to before {stay.until}" if stay.HasField("until") else "")
        for stay in stays
    )


def _reached_by(entrant: Entrant) -> str:
    match entrant.WhichOneof("bot"):
        case "launch":
            return f"started by {' '.join(entrant.launch.command)}"
        case "address":
            return f"at {entrant.address}"
        case "registered":
            return f"registered as {entrant.registered}"
        case _:
            return ""


def _created(tournament: Tournament) -> str:
    if not tournament.HasField("create_time"):
        return ""
    return tournament.create_time.ToDatetime().strftime("%Y-%m-%d %H:%M:%S UTC")
