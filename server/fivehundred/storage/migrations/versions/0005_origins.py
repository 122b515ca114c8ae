"""Hands tell when they were stored and who played them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Adds what is not known of any hand that there is."""
    op.add_column("hands", sa.Column("stored_time_us", sa.BigInteger))
    op.add_column("hands", sa.Column("player", sa.Text))
