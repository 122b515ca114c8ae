"""Callers are known by tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Makes the table of tokens."""
    op.create_table(
        "access_tokens",
        sa.Column("name", sa.String(63), primary_key=True),
        sa.Column("role", sa.Integer, nullable=False),
        sa.Column("bots", sa.JSON, nullable=False),
        sa.Column("create_time_us", sa.BigInteger, nullable=False),
        sa.Column("expire_time_us", sa.BigInteger),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("token_hash", name="uq_access_tokens_token_hash"),
    )
