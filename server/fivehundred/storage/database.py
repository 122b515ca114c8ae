"""Opening a database: the connection's settings, the lock of its one writer, and migrations."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO
from urllib.parse import quote, unquote

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from fivehundred.storage.crash_points import crash_point
from fivehundred.storage.errors import DatabaseInUse, StorageError, is_disk_broken

SQLITE_FILE = "sqlite:///"
PATIENCE = {"timeout": 30.0}
"""Seconds that a connection waits for another's write to end."""
BROKEN = "broken"
"""The engine's option that says why nothing may be written any more."""
BEFORE_ORIGINS = "0004"
"""The last version whose hands tell no origin."""
READABLE = (BEFORE_ORIGINS,)
"""Older versions that are read as they are: they lack only what is empty in an upgraded one."""
LOOKED_THROUGH = 1 << 30
"""Bytes up to which a file is looked through at every start: 1.6 s, or 0.2 s for 100 MB."""


class WriterLock:
    """The right to write to a database file, held until released or until the process ends."""

    def __init__(self, database: Path) -> None:
        self._file = _open_lock_file(Path(f"{database}.lock"))
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise DatabaseInUse(
                f"{database} is in use by another daemon: stop it, or name another database"
            ) from None

    def release(self) -> None:
        """Lets another process write."""
        self._file.close()


def _open_lock_file(path: Path) -> IO[str]:
    try:
        return path.open("a", encoding="ascii")
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({error.strerror}): name a database in another directory"
        ) from None


def database_file(where: str | Path) -> Path | None:
    """The file of a database named by a path or a ``sqlite:///`` URL; None for any other URL.

    Where a symbolic link is named it is the file behind it, so that what lies beside the database,
    the lock and the decisions, has one name.
    """
    text = str(where)
    if "://" in text and not text.startswith(SQLITE_FILE):
        return None
    path = Path(text.removeprefix(SQLITE_FILE))
    return path.resolve() if path.is_symlink() else path


def decisions_file(where: str | Path) -> Path:
    """Where decisions under way are: beside a database file, else in the working directory."""
    return Path(f"{database_file(where) or make_url(str(where)).database}.decisions")


def writing_engine(where: str | Path) -> Engine:
    """The engine that reads and writes; commits are durable when they return."""
    path = database_file(where)
    if path is None:
        return _engine_of_url(str(where))
    _make_private(path)
    engine = create_engine(URL.create("sqlite", database=str(path)), connect_args=PATIENCE)
    event.listen(engine, "connect", _prepare_writing)
    event.listen(engine, "begin", _begin)
    when_broken(engine, lambda reason: engine.update_execution_options(**{BROKEN: reason}))
    return engine


def when_broken(engine: Engine, tell: Callable[[str], None]) -> None:
    """Has somebody told, in whatever thread, of an error that leaves open what is on the disk."""

    def look(context: ExceptionContext) -> None:
        if is_disk_broken(context.original_exception):
            tell(str(context.original_exception))

    event.listen(engine, "handle_error", look)


def _make_private(path: Path) -> None:
    """Makes a new database file that its owner alone reads: it holds the seeds of live deals.

    SQLite gives the files beside it the same rights. What goes wrong here it will say better.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def reading_engine(where: str | Path) -> Engine:
    """The engine that only reads; works beside a daemon that writes."""
    path = database_file(where)
    if path is None:
        return _engine_of_url(str(where))
    if not path.is_file():
        raise StorageError(f"{path} does not exist: name the database of a daemon")
    file = f"file:{quote(str(path.absolute()))}"
    url = URL.create("sqlite", database=file, query={"mode": "ro", "uri": "true"})
    engine = create_engine(url, connect_args=PATIENCE)
    event.listen(engine, "connect", _prepare_reading)
    event.listen(engine, "begin", _begin)
    return engine


def _engine_of_url(url: str) -> Engine:
    try:
        return create_engine(url)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise StorageError(f"{url} is no database that can be used here: {error}") from None


def _prepare_reading(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Leaves transactions to `_begin`, and lets a damaged text be read so that it can be named."""
    connection.isolation_level = None
    connection.text_factory = _lenient_text


def _prepare_writing(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
    _prepare_reading(connection, entry)
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _lenient_text(text: bytes) -> str:
    return text.decode(errors="replace")


def _begin(connection: Connection) -> None:
    """Takes the write lock at once where a transaction will write, so that none fails half-way."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees one state of the database."""
    with translated(), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that is durable when it has been left without an exception.

    After a write whose outcome is not known, such as a failed fsync, there is none any more.
    """
    if reason := engine.get_execution_options().get(BROKEN):
        raise StorageError(f"nothing is written after a write that failed: {reason}")
    with translated(), engine.connect() as plain:
        connection = plain.execution_options(writes=True)
        with connection.begin():
            yield connection
            crash_point()
        crash_point()


@contextmanager
def translated() -> Iterator[None]:
    """Turns the driver's errors into `StorageError`."""
    try:
        yield
    except (SQLAlchemyError, UnicodeError) as error:
        raise StorageError(f"the database failed: {_words(error)}") from error


def _words(error: Exception) -> str:
    return str(error.orig if isinstance(error, DBAPIError) else error)


def require_sound(engine: Engine, path: Path) -> None:
    """Refuses a database file whose pages or tables do not hang together.

    Beyond `LOOKED_THROUGH` bytes that takes too long for a start.
    """
    if path.stat().st_size > LOOKED_THROUGH:
        return
    with _checked(engine), reading(engine) as connection:
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    if found != "ok":
        engine.dispose()
        raise StorageError(f"{path} is damaged ({found}): see `fivehundred doctor {path}`")


def migrate(engine: Engine) -> None:
    """Brings a database up to this version; a new one is made."""
    with _checked(engine), writing(engine) as connection:
        if _revision(connection) != _head():
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def require_readable(engine: Engine) -> str:
    """Gives the version of a database; refuses one that is neither this nor a readable one."""
    with _checked(engine), reading(engine) as connection:
        revision = _revision(connection)
        if revision is None:
            raise StorageError(f"{_name(engine)} is empty: not a fivehundred database")
        if revision not in (_head(), *READABLE):
            raise StorageError(
                f"{_name(engine)} is of an older version: let `fivehundred serve` open it once"
            )
        return revision


@contextmanager
def _checked(engine: Engine) -> Iterator[None]:
    """Names the database in what goes wrong; releases its connections."""
    try:
        yield
    except StorageError as error:
        engine.dispose()
        if isinstance(error.__cause__, Exception):
            words = _words(error.__cause__)
            name = _name(engine)
            raise StorageError(
                f"{name} cannot be opened: {words}; see `fivehundred doctor {name}`"
            ) from error.__cause__
        raise


def versions(engine: Engine) -> tuple[str | None, str]:
    """A database's version, None where it is empty, and this program's; raises `StorageError`."""
    with _checked(engine), reading(engine) as connection:
        return _revision(connection), _head()


def _name(engine: Engine) -> str:
    return unquote(str(engine.url.database)).removeprefix("file:")


def _revision(connection: Connection) -> str | None:
    """The database's version; None where it is empty."""
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None:
        _refuse_foreign(connection)
    elif revision not in _known_revisions():
        raise StorageError(
            f"{_name(connection.engine)} is of a newer version ({revision}) than this program's "
            f"({_head()}): use a newer fivehundred"
        )
    return revision


def _refuse_foreign(connection: Connection) -> None:
    tables = inspect(connection).get_table_names()
    if tables:
        raise StorageError(
            f"{_name(connection.engine)} is another program's database: it has {tables[0]!r}"
        )


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "fivehundred.storage:migrations")
    config.set_main_option("path_separator", "os")
    return config


def _head() -> str:
    return str(ScriptDirectory.from_config(_config()).get_current_head())


def _known_revisions() -> set[str]:
    script = ScriptDirectory.from_config(_config())
    return {revision.revision for revision in script.walk_revisions()}
