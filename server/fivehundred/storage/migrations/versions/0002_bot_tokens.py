"""Bots that dial in have a token."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the hash of a bot's token."""
    op.add_column("bots", sa.Column("token_hash", sa.LargeBinary))
