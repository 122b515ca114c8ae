"""The first version of the database."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes every table."""
    _create_tournaments()
    _create_hands()
    _create_watch_events()
    _create_bots()


def _create_tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("name", sa.String(63), primary_key=True),
        sa.Column("spec", sa.LargeBinary, nullable=False),
        sa.Column("rules", sa.LargeBinary, nullable=False),
        sa.Column("rules_hash", sa.LargeBinary, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("create_time_us", sa.BigInteger, nullable=False),
        sa.Column("request_id", sa.Text),
        sa.Column("bots", sa.JSON, nullable=False),
        sa.Column("log_digest", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("request_id", name="uq_tournaments_request_id"),
    )


def _create_hands() -> None:
    row_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "hands",
        sa.Column("id", row_id, primary_key=True, autoincrement=False),
        sa.Column("tournament", sa.String(63), nullable=False),
        sa.Column("match", sa.Integer, nullable=False),
        sa.Column("board", sa.Integer, nullable=False),
        sa.Column("seating", sa.Integer, nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("checksum", sa.LargeBinary, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint(
            "tournament", "match", "board", "seating", "hand", "attempt", name="uq_hands_key"
        ),
    )


def _create_watch_events() -> None:
    op.create_table(
        "watch_events",
        sa.Column("tournament", sa.String(63), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hand", sa.BigInteger),
        sa.Column("state", sa.Integer),
        sa.Column("reason", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_watch_events_hand", "watch_events", ["hand"], unique=True)


def _create_bots() -> None:
    op.create_table(
        "bots",
        sa.Column("name", sa.String(63), primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("create_time_us", sa.BigInteger, nullable=False),
    )
