"""What `verify` works out of a log whose matches follow from outcomes, and whom it convicts."""

from pathlib import Path

import pytest

from fivehundred.daemon.creation import create
from fivehundred.daemon.results import final_standings, schedule_of
from fivehundred.storage.store import open_store, read_store
from fivehundred.storage.values import TournamentState
from fivehundred.storage.verify import verify
from fivehundred.wire.matches import schedule
from fivehundred.wire.spec import check_spec, parse_spec
from forged_logs import Forger, play_all, record_of

EXAMPLES = sorted((Path(__file__).parents[2] / "tournaments").glob("*.textproto"))
DYNAMIC = ["swiss", "double-elimination", "ladder", "better-or-not", "qualifier-and-final"]


def played(example: Path, database: Path) -> None:
    """An example, its bots replaced by chance and its matches short, played to its end."""
    spec = parse_spec(example.read_text(encoding="utf-8"), example.name)
    spec.name = "cup"
    play = spec.format.games if spec.format.HasField("games") else spec.format.boards
    play.boards_per_match = 1
    if spec.format.HasField("round_robin"):
        spec.format.round_robin.rounds = 2
    if spec.format.HasField("sequential"):
        spec.format.sequential.most_matches = 60
    if spec.format.HasField("gauntlet"):
        spec.format.gauntlet.rounds = 2
    with open_store(database) as store:
        create(store, spec)
        bots = tuple(f"bot-{number}@1" for number in range(len(spec.entrants)))
        store.set_bots("cup", bots)
        store.set_state("cup", TournamentState.RUNNING)
        play_all(store, "cup", bots, seed=5)
        store.finish("cup", final_standings(store, "cup"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_a_log_of_any_format_is_worked_out_again(example: Path, tmp_path: Path) -> None:
    database = tmp_path / "log.db"
    played(example, database)

    with read_store(database) as store:
        report = verify(store)
        assert report.problems == ()
        planned = schedule_of(store, "cup")
        assert planned.is_over(store.match_count("cup"))


@pytest.mark.parametrize("example", DYNAMIC)
def test_a_log_without_its_last_match_is_not_the_whole_format(example: str, tmp_path: Path) -> None:
    database = tmp_path / "log.db"
    played(EXAMPLES[0].with_name(f"{example}.textproto"), database)
    forger = Forger(database)
    rows = forger.rows("hands")
    last = max(int(str(row["match"])) for row in rows)
    for row in rows:
        if row["match"] == last:
            forger.run("DELETE FROM hands WHERE id = ?", row["id"])
            forger.run("DELETE FROM watch_events WHERE hand = ?", row["id"])
    forger.seal("cup")

    problems = verify(forger.store).problems
    forger.close()

    assert f"cup: match {last} is missing" in map(str, problems)


def test_a_verdict_that_came_too_early_is_found(tmp_path: Path) -> None:
    database = tmp_path / "log.db"
    played(EXAMPLES[0].with_name("better-or-not.textproto"), database)
    forger = Forger(database)
    for row in forger.rows("hands"):
        if int(str(row["match"])) >= 30:
            forger.run("DELETE FROM hands WHERE id = ?", row["id"])
            forger.run("DELETE FROM watch_events WHERE hand = ?", row["id"])
    forger.seal("cup")

    problems = [str(each) for each in verify(forger.store).problems]
    forger.close()

    assert "cup: match 30 is missing" in problems


def test_a_match_between_others_than_the_outcomes_pair_is_found(tmp_path: Path) -> None:
    database = tmp_path / "log.db"
    played(EXAMPLES[0].with_name("swiss.textproto"), database)
    forger = Forger(database)
    last_round = forger.rows("hands")[-1]["match"]
    for row in forger.rows("hands"):
        if row["match"] == last_round:
            record = record_of(row)
            others = [each for each in range(6) if each not in record.facts.entrants][:2]
            names = dict(zip(sorted(set(record.facts.entrants)), others, strict=True))
            for seat, entrant in enumerate(record.facts.entrants):
                record.facts.entrants[seat] = names[entrant]
                record.facts.bots[seat] = f"bot-{names[entrant]}@1"
            forger.put_record(row, record)
    forger.seal("cup")

    problems = verify(forger.store).problems
    forger.close()

    assert problems
    assert all(each.key is None or each.key.match == last_round for each in problems)


def test_a_schedule_is_that_of_its_outcomes_whatever_their_order(tmp_path: Path) -> None:
    database = tmp_path / "log.db"
    example = EXAMPLES[0].with_name("swiss.textproto")
    played(example, database)
    with read_store(database) as store:
        known = [pairing.entrants for pairing in schedule_of(store, "cup").pairings]
    text = example.read_text(encoding="utf-8")

    fresh = schedule(check_spec(parse_spec(text, example.name)))

    assert known[:3] == [pairing.entrants for pairing in fresh.pairings]
    assert len(known) == fresh.matches_planned
