"""Entrants add entropy to the deals; a finished tournament keeps its standings and a seal."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Adds what is empty in every tournament that there is."""
    op.add_column("tournaments", sa.Column("entropy", sa.JSON))
    op.add_column("tournaments", sa.Column("standings", sa.LargeBinary))
    op.add_column("tournaments", sa.Column("seal", sa.LargeBinary))
