"""Base of the repositories: one table each, with the same SQLAlchemy Core statements for both databases."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Row, Table, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from limina.server.storage.transactions import Transactions


class Repository:
    """Rows of one table. Its methods raise UnavailableError when the database does not answer."""

    table: ClassVar[Table]

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @staticmethod
    def describe_damage(row: Row[Any]) -> str | None:
        """Return a sentence for `limina db check` about a damaged row, None for a sound one."""
        raise NotImplementedError

    async def _save(
        self, row: dict[str, Any], *, update: set[str], timestamp: ColumnElement[int], max_rows: int
    ) -> None:
        """Insert a row, or update these columns of the row with its primary key; delete the oldest surplus rows.

        The first statement locks one row, and the second skips rows that others have locked. So no transaction waits
        for a row while it holds another one, and processes that save at the same time never deadlock.
        """
        (key,) = self.table.primary_key
        surplus = select(key).order_by(timestamp.desc()).offset(max_rows)
        # A query of its own: PostgreSQL would also lock, or skip, the rows before the offset.
        oldest = select(key).where(key.in_(surplus)).with_for_update(skip_locked=True)
        saved = upsert(self._transactions, self.table, row, update)
        await self._transactions.execute(saved, delete(self.table).where(key.in_(oldest)))


def upsert(transactions: Transactions, table: Table, row: dict[str, Any], update: set[str]) -> Any:
    """Return a statement that inserts a row, or updates these columns of the row with its primary key."""
    insert: Any = sqlite.insert if transactions.dialect == "sqlite" else postgresql.insert
    statement = insert(table).values(row)
    values = {name: statement.excluded[name] for name in update}
    return statement.on_conflict_do_update(index_elements=table.primary_key, set_=values)
