"""Real files, damaged as disks and people do: the doctor says what is wrong and what to do."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fivehundred.daemon.creation import create
from fivehundred.storage.decisions import frame
from fivehundred.storage.journal import Journal
from fivehundred.storage.store import Store, open_store
from fivehundred.table.runner import finish, keep
from fivehundred.table.table import Table
from fivehundred.table.values import Reply
from fivehundred.wire.matches import schedule
from fivehundred.wire.spec import check_spec, parse_spec

SPEC = """
name: "cup"
entrants { name: "left" address: "127.0.0.1:5001" }
entrants { name: "right" address: "127.0.0.1:5002" }
"""
Run = Callable[..., Any]


@pytest.fixture
def database(played: Any, tmp_path: Path) -> Path:
    """A copy of a database that has been played."""
    return Path(shutil.copy(played.database, tmp_path / "copy.db"))


@contextmanager
def _playing(database: Path) -> Iterator[Store]:
    """A database with hands that are stored and one that is under way, still open."""
    with open_store(database) as store:
        stored = create(store, parse_spec(SPEC, "cup"))
        spec = schedule(check_spec(parse_spec(SPEC, "cup"))).match(0, ("left@1", "right@1"))
        store.set_bots("cup", ("left@1", "right@1"))
        table, journal = Table(replace(spec, seed=stored.seed)), Journal(store)
        keep(journal, table.spec, table.start())
        for _ in range(14):
            _step(table, journal)
        journal.flush()
        journal.close()
        yield store


def _step(table: Table, journal: Journal) -> None:
    ask = table.ask()
    assert ask is not None
    events = table.reply(Reply(ask.legal.default(), 500))
    if records := table.take_records():
        finish(journal, table.spec, records)
        keep(journal, table.spec, events)
    else:
        journal.append(table.spec.tournament, table.spec.number, events)


def _copied(database: Path, to: Path, *suffixes: str) -> Path:
    """What somebody has left of a database that was in use: the file and some beside it."""
    to.mkdir()
    for suffix in ("", *suffixes):
        shutil.copy(f"{database}{suffix}", to / f"{database.name}{suffix}")
    return to / database.name


def _problems(report: Any) -> dict[str, str]:
    return {check["topic"]: check["found"] for check in report["checks"] if check["advice"]}


def _topics(report: Any) -> dict[str, str]:
    return {check["topic"]: check["found"] for check in report["checks"]}


def test_a_sound_database_has_no_problem(cli: Run, database: Path) -> None:
    outcome = cli("doctor", str(database), "--json")

    found = _topics(outcome.json)
    assert (outcome.exit_code, outcome.json["problems"]) == (0, 0)
    assert found["integrity"] == "ok"
    assert found["tournament"] == "small: FINISHED, 4 hands"
    assert found["lock"] == "no daemon has it open"
    assert found["under way"] == "0 hands, each goes on from the log"
    assert found["python"].startswith("3.")


def test_without_a_database_the_machine_is_looked_at(cli: Run) -> None:
    outcome = cli("doctor", "--json")

    assert outcome.exit_code == 0
    assert {"fivehundred", "python", "sandbox"} == set(_topics(outcome.json))


def test_a_problem_is_marked_with_what_to_do(cli: Run, tmp_path: Path) -> None:
    outcome = cli("doctor", str(tmp_path / "none.db"))

    assert outcome.exit_code == 1
    lines = outcome.out.splitlines()
    assert lines[-2].startswith("! file:") and "does not exist" in lines[-2]
    assert lines[-1].strip() == "-> name the database of a daemon"


def test_a_truncated_file_is_found(cli: Run, database: Path) -> None:
    content = database.read_bytes()
    database.write_bytes(content[: len(content) * 2 // 3])

    outcome = cli("doctor", str(database))

    assert outcome.exit_code == 1
    assert "! integrity:" in outcome.out
    assert "put back a backup" in outcome.out


@pytest.mark.parametrize("seed", range(10))
def test_flipped_bytes_are_found_here_or_by_verify(cli: Run, database: Path, seed: int) -> None:
    rng, content = random.Random(seed), bytearray(database.read_bytes())
    for _ in range(40):
        content[rng.randrange(100, len(content))] ^= rng.randrange(1, 256)
    database.write_bytes(content)

    doctor, verify = cli("doctor", str(database)), cli("verify", str(database))

    assert 1 in (doctor.exit_code, verify.exit_code)
    assert doctor.exit_code in (0, 1)


@pytest.mark.parametrize("content", [b"", b"a letter to nobody" * 9], ids=["empty", "text"])
def test_a_file_that_is_no_database_is_named(cli: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.db"
    path.write_bytes(content)

    outcome = cli("doctor", str(path), "--json")

    assert _problems(outcome.json) == {"file": f"{len(content)} bytes that are no database"}


def test_an_older_version_is_named(cli: Run, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")

    outcome = cli("doctor", str(database), "--json")

    assert list(_problems(outcome.json)) == ["version"]


def test_a_database_in_use_names_its_process(cli: Run, tmp_path: Path) -> None:
    with _playing(tmp_path / "log.db"):
        outcome = cli("doctor", str(tmp_path / "log.db"), "--json")

    found = _topics(outcome.json)
    assert outcome.exit_code == 0
    assert found["lock"].startswith("in use by ")
    assert found["under way"] == "left to the daemon that plays"


def test_hands_under_way_go_on_from_the_log(cli: Run, tmp_path: Path) -> None:
    with _playing(tmp_path / "log.db"):
        copy = _copied(tmp_path / "log.db", tmp_path / "copy", "-wal", "-shm", ".decisions")

    outcome = cli("doctor", str(copy), "--json")

    assert outcome.exit_code == 0
    assert _topics(outcome.json)["under way"] == "1 hands, each goes on from the log"


def test_a_write_ahead_log_that_is_gone_is_found(cli: Run, tmp_path: Path) -> None:
    with _playing(tmp_path / "log.db"):
        copy = _copied(tmp_path / "log.db", tmp_path / "copy", "-shm", ".decisions")

    outcome = cli("doctor", str(copy), "--json")

    assert outcome.exit_code == 1
    assert "log.db-wal is gone" in _problems(outcome.json)["write-ahead log"]


def test_decisions_that_go_on_from_lost_hands_are_found(cli: Run, tmp_path: Path) -> None:
    with _playing(tmp_path / "log.db") as store:
        store.engine.dispose()
        copy = _copied(tmp_path / "log.db", tmp_path / "copy", ".decisions")
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("DELETE FROM hands WHERE id = (SELECT max(id) FROM hands)")

    outcome = cli("doctor", str(copy))

    assert outcome.exit_code == 1
    assert "! under way:" in outcome.out
    assert "put back the newest backup" in outcome.out


def test_a_write_that_was_cut_off_is_no_problem(cli: Run, database: Path) -> None:
    whole = frame(("small", 0), b"event", starts=True)
    Path(f"{database}.decisions").write_bytes(whole[:-3])

    outcome = cli("doctor", str(database), "--json")

    assert outcome.exit_code == 0
    assert _topics(outcome.json)["decisions"].endswith("bytes of a write that was cut off")


def test_damaged_decisions_are_found(cli: Run, database: Path) -> None:
    whole = bytearray(frame(("small", 0), b"event", starts=True) * 3)
    whole[12] ^= 1
    Path(f"{database}.decisions.2").write_bytes(whole)

    outcome = cli("doctor", str(database), "--json")

    assert outcome.exit_code == 1
    assert "left by a worker" in _problems(outcome.json)["decisions"]


def test_a_damaged_database_is_not_served(program: Run, database: Path) -> None:
    content = database.read_bytes()
    database.write_bytes(content[: len(content) * 2 // 3])

    outcome = program("serve", "--listen", "127.0.0.1:0", "--database", str(database))

    assert outcome.exit_code == 2
    assert f"see `fivehundred doctor {database}`" in outcome.err
