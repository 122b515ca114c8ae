"""Every bot of the zoo plays a tournament to its end; its fault is recorded, nobody is hurt."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fivehundred.daemon.embedded import run_tournament
from fivehundred.daemon.results import standings_of
from fivehundred.storage.store import read_store
from fivehundred.storage.verify import verify
from fivehundred.v1 import tournament_pb2

StartBot = Callable[[str], str]
MakeSpec = Callable[..., tournament_pb2.TournamentSpec]


@pytest.mark.parametrize(
    ("bot", "kinds"),
    [
        ("Slow", {"timeout"}),
        ("Silent", {"timeout"}),
        ("Illegal", {"illegal"}),
        ("Malformed", {"malformed"}),
        ("Empty", {"malformed"}),
        ("Crashing", {"disconnected"}),
        ("Oversized", {"malformed", "disconnected"}),
        ("WrongId", {"malformed"}),
        ("Chatterbox", set()),
    ],
)
async def test_a_faulty_bot_harms_itself_alone(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path, bot: str, kinds: set[str]
) -> None:
    spec = make_spec(
        ("basic", start_bot("basic:Basic")), ("faulty", start_bot(f"faulty:{bot}")), rounds=2
    )
    for limit in ("bid", "discard", "play", "first_decision"):
        getattr(spec.time_control, limit).FromMilliseconds(100)
    spec.fault_policy.strikes = 5

    played = await run_tournament(spec, tmp_path / "t.db", lambda _: None)

    assert played.hands_played == played.hands_planned == 8
    with read_store(tmp_path / "t.db") as store:
        assert verify(store).problems == ()
        rows = {row.entrant: row for row in standings_of(store, "test").rows}
        decisions = [each for hand in store.hands("test") for each in hand.record.decisions]
    assert not rows["basic"].faults.ListFields()
    found = {field.name for field, _ in rows["faulty"].faults.ListFields()}
    assert found <= kinds
    assert bool(found) == bool(kinds)
    assert rows["faulty"].forfeits == (8 if kinds else 0)
    assert all(each.fault.reason for each in decisions if each.fault)


@pytest.mark.parametrize("scope", ["HAND", "BOARD", "MATCH"])
@pytest.mark.parametrize("play", ["boards", "games"])
async def test_a_forfeit_of_any_scope_leaves_whole_boards_and_a_log_in_order(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path, scope: str, play: str
) -> None:
    spec = make_spec(
        ("random", start_bot("random_bot:Random")), ("illegal", start_bot("faulty:Illegal"))
    )
    getattr(spec.format, play).boards_per_match = 2
    spec.format.round_robin.rounds = 2
    spec.fault_policy.strikes = 7
    spec.fault_policy.forfeit = tournament_pb2.ForfeitScope.Value(f"FORFEIT_SCOPE_{scope}")

    await run_tournament(spec, tmp_path / "t.db", lambda _: None)

    with read_store(tmp_path / "t.db") as store:
        assert verify(store).problems == ()
        rows = {row.entrant: row for row in standings_of(store, "test").rows}
        stored = store.hand_count("test")
    assert rows["random"].forfeits == 0 < rows["illegal"].forfeits
    assert rows["random"].hands == rows["illegal"].hands == stored
    assert rows["random"].boards == 4
