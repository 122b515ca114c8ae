"""The tables of the database.

Bytes are what `fivehundred.wire` makes of values; times are microseconds since 1970, for display.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

RowId = BigInteger().with_variant(Integer, "sqlite")
"""SQLite makes a row id only of a column declared INTEGER."""

tournaments = Table(
    "tournaments",
    metadata,
    Column("name", String(63), primary_key=True),
    Column("spec", LargeBinary, nullable=False),
    Column("rules", LargeBinary, nullable=False),
    Column("rules_hash", LargeBinary, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("commitment", LargeBinary, nullable=False),
    Column("state", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("create_time_us", BigInteger, nullable=False),
    Column("request_id", Text),
    Column("bots", JSON, nullable=False),
    Column("log_digest", LargeBinary, nullable=False),
    Column("entropy", JSON),
    Column("standings", LargeBinary),
    Column("seal", LargeBinary),
    UniqueConstraint("request_id", name="uq_tournaments_request_id"),
)

hands = Table(
    "hands",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=False),
    Column("tournament", String(63), nullable=False),
    Column("match", Integer, nullable=False),
    Column("board", Integer, nullable=False),
    Column("seating", Integer, nullable=False),
    Column("hand", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("checksum", LargeBinary, nullable=False),
    Column("record", LargeBinary, nullable=False),
    Column("stored_time_us", BigInteger),
    Column("player", Text),
    UniqueConstraint(
        "tournament", "match", "board", "seating", "hand", "attempt", name="uq_hands_key"
    ),
)

watch_events = Table(
    "watch_events",
    metadata,
    Column("tournament", String(63), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("hand", BigInteger),
    Column("state", Integer),
    Column("reason", Text, nullable=False),
    Index("ix_watch_events_hand", "hand", unique=True),
    sqlite_with_rowid=False,
)

bots = Table(
    "bots",
    metadata,
    Column("name", String(63), primary_key=True),
    Column("address", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("create_time_us", BigInteger, nullable=False),
    Column("token_hash", LargeBinary),
)

access_tokens = Table(
    "access_tokens",
    metadata,
    Column("name", String(63), primary_key=True),
    Column("role", Integer, nullable=False),
    Column("bots", JSON, nullable=False),
    Column("create_time_us", BigInteger, nullable=False),
    Column("expire_time_us", BigInteger),
    Column("token_hash", LargeBinary, nullable=False),
    UniqueConstraint("token_hash", name="uq_access_tokens_token_hash"),
)

HAND_KEY = (
    hands.c.tournament,
    hands.c.match,
    hands.c.board,
    hands.c.seating,
    hands.c.hand,
    hands.c.attempt,
)
"""The columns of a hand's key, in the key's order."""

HAND_ORIGIN = (hands.c.stored_time_us, hands.c.player)
"""When a hand was stored and who played it: for people, beside the record and in no checksum."""
