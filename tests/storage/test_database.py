"""Opening: versions, foreign files, and who may write."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from fivehundred.storage.database import reading
from fivehundred.storage.errors import StorageError
from fivehundred.storage.schema import metadata
from fivehundred.storage.store import Store, open_store, read_store
from fivehundred.storage.values import NewTournament, TournamentState
from fivehundred.storage.verify import verify
from fivehundred.v1 import tournament_pb2

MakeTournament = Callable[..., NewTournament]


def _run(database: Path, statement: str) -> None:
    connection = sqlite3.connect(database)
    with connection:
        connection.execute(statement)
    connection.close()


def test_migrations_make_the_tables_of_the_schema(store: Store) -> None:
    with reading(store.engine) as connection:
        context = MigrationContext.configure(connection)

        assert compare_metadata(context, metadata) == []


def test_second_writer_is_refused(store: Store, database: Path) -> None:
    with pytest.raises(StorageError, match="in use by another daemon"):
        open_store(database)


def test_second_writer_by_a_symbolic_link_is_refused(store: Store, database: Path) -> None:
    link = database.with_name("link.db")
    link.symlink_to(database)

    with pytest.raises(StorageError, match="is in use by another daemon"):
        open_store(link)
    with read_store(link) as reader:
        assert reader.decisions == store.decisions


def test_new_database_is_its_owners_alone(store: Store, database: Path) -> None:
    beside = [path for path in database.parent.iterdir() if path.suffix != ".lock"]

    assert database in beside and store.decisions in {*beside, store.decisions}
    assert {path.stat().st_mode & 0o077 for path in beside} == {0}


def test_url_names_the_same_file(store: Store, database: Path) -> None:
    with pytest.raises(StorageError, match="in use by another daemon"):
        open_store(f"sqlite:///{database}")
    with read_store(f"sqlite:///{database}") as reader:
        assert reader.tournaments() == []


def test_database_may_be_opened_again_once_closed(database: Path) -> None:
    open_store(database).close()

    open_store(database).close()


def test_reader_works_beside_the_writer(
    store: Store, database: Path, make_tournament: MakeTournament
) -> None:
    store.create_tournament(make_tournament())

    with read_store(database) as reader:
        assert reader.tournament("cup").name == "cup"


def test_reader_cannot_write(store: Store, database: Path, make_tournament: MakeTournament) -> None:
    with read_store(database) as reader, pytest.raises(StorageError, match="readonly"):
        reader.create_tournament(make_tournament())


def test_reader_works_without_a_writer(database: Path) -> None:
    open_store(database).close()

    with read_store(database) as reader:
        assert reader.tournaments() == []


def test_any_character_may_be_in_a_name(tmp_path: Path) -> None:
    database = tmp_path / "a b?c#d%20.db"
    open_store(database).close()

    with read_store(database) as reader:
        assert reader.tournaments() == []
    assert database.is_file()


def test_reading_a_missing_database_is_refused(database: Path) -> None:
    with pytest.raises(StorageError, match="does not exist"):
        read_store(database)


def test_directory_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        open_store(tmp_path / "nowhere" / "log.db")


@pytest.mark.parametrize("opened", [open_store, read_store])
def test_file_that_is_no_database_is_refused_and_kept(
    opened: Callable[[Path], Store], database: Path
) -> None:
    database.write_bytes(b"a diary, not a database " * 100)

    with pytest.raises(StorageError, match=r"log\.db cannot be opened: .*not a database"):
        opened(database)
    assert database.read_bytes().startswith(b"a diary")


def test_refused_database_is_not_left_locked(database: Path) -> None:
    database.write_bytes(b"a diary, not a database " * 100)
    with pytest.raises(StorageError):
        open_store(database)
    database.unlink()

    open_store(database).close()


@pytest.mark.parametrize("opened", [open_store, read_store])
def test_newer_database_is_refused(opened: Callable[[Path], Store], database: Path) -> None:
    open_store(database).close()
    _run(database, "UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(StorageError, match=r"newer version \(9999\).*use a newer fivehundred"):
        opened(database)


@pytest.mark.parametrize("opened", [open_store, read_store])
def test_foreign_database_is_refused(opened: Callable[[Path], Store], database: Path) -> None:
    _run(database, "CREATE TABLE songs (name TEXT)")

    with pytest.raises(StorageError, match="another program's database: it has 'songs'"):
        opened(database)


def test_reading_an_empty_database_is_refused(database: Path) -> None:
    database.touch()

    with pytest.raises(StorageError, match="is empty: not a fivehundred database"):
        read_store(database)


@pytest.mark.parametrize("url", ["nosuch://host/name", "://"])
def test_unknown_url_is_refused(url: str) -> None:
    with pytest.raises(StorageError, match="no database that can be used"):
        open_store(url)


def test_states_are_those_of_the_contract() -> None:
    contract = {
        value.name.removeprefix("TOURNAMENT_STATE_"): value.number
        for value in tournament_pb2.TournamentState.DESCRIPTOR.values
        if value.number
    }

    assert {state.name: state.value for state in TournamentState} == contract


def _without_origins(database: Path) -> None:
    for column in ("stored_time_us", "player"):
        _run(database, f"ALTER TABLE hands DROP COLUMN {column}")
    _run(database, "UPDATE alembic_version SET version_num = '0004'")


def test_hands_without_origin_are_read_as_they_are(
    database: Path, make_tournament: MakeTournament, play_match: Callable[..., None]
) -> None:
    with open_store(database) as store:
        store.create_tournament(make_tournament())
        play_match(store)
        hands = list(store.hands("cup"))
    _without_origins(database)
    before = database.read_bytes()

    with read_store(database) as reader:
        page = reader.hands_since("cup", 0, 9)
        assert list(reader.hands("cup")) == hands
        assert reader.hand(1) in hands
        assert {(each.stored_time_us, each.player) for each in page} == {(None, None)}
    assert database.read_bytes() == before


def test_hands_without_origin_stay_without_when_upgraded(
    database: Path, make_tournament: MakeTournament, play_match: Callable[..., None]
) -> None:
    with open_store(database) as store:
        store.create_tournament(make_tournament())
        play_match(store)
        digest = store.finish("cup")
    _without_origins(database)

    with open_store(database) as store:
        hands = list(store.hands("cup"))
        assert store.log_digest("cup") == digest
        assert verify(store).is_clean

    assert {(each.stored_time_us, each.player) for each in hands} == {(None, None)}


def test_reading_what_is_older_still_is_refused(database: Path) -> None:
    open_store(database).close()
    _run(database, "UPDATE alembic_version SET version_num = '0003'")

    with pytest.raises(StorageError, match="is of an older version: let `fivehundred serve`"):
        read_store(database)


def test_bots_of_the_first_version_are_dialled(database: Path) -> None:
    open_store(database).close()
    _run(database, "INSERT INTO bots VALUES ('careful', '127.0.0.1:5001', 'careful@1', 7, NULL)")
    _run(database, "ALTER TABLE bots DROP COLUMN token_hash")
    _run(database, "DROP TABLE access_tokens")
    for column in ("entropy", "standings", "seal"):
        _run(database, f"ALTER TABLE tournaments DROP COLUMN {column}")
    _without_origins(database)
    _run(database, "UPDATE alembic_version SET version_num = '0001'")

    with open_store(database) as store:
        bot = store.bot("careful")

    assert (bot.address, bot.dials_in) == ("127.0.0.1:5001", False)
