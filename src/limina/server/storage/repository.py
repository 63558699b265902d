"""Base of the repositories: one table each, written once in SQLAlchemy Core for both databases."""

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
    def fault_of(row: Row[Any]) -> str | None:
        """Describe what is wrong with a stored row, for `limina db check`; None for a sound one."""
        raise NotImplementedError

    async def _save(self, row: dict[str, Any], *, changes: set[str], newest: ColumnElement[int], most: int) -> None:
        """Insert a row, or change these columns of the row with its primary key; keep only the newest rows.

        No transaction waits for a row while it holds another one, so that processes which save at once never deadlock:
        the first statement locks one row, the second skips what others hold.
        """
        (key,) = self.table.primary_key
        surplus = select(key).order_by(newest.desc()).offset(most)
        # Not one query: PostgreSQL would lock, or skip, the rows before the offset too.
        oldest = select(key).where(key.in_(surplus)).with_for_update(skip_locked=True)
        saved = upsert(self._transactions, self.table, row, changes)
        await self._transactions.execute(saved, delete(self.table).where(key.in_(oldest)))


def upsert(transactions: Transactions, table: Table, row: dict[str, Any], changes: set[str]) -> Any:
    """Return a statement that inserts a row, or changes these columns of the row with its primary key."""
    insert: Any = sqlite.insert if transactions.dialect == "sqlite" else postgresql.insert
    statement = insert(table).values(row)
    changed = {name: statement.excluded[name] for name in changes}
    return statement.on_conflict_do_update(index_elements=table.primary_key, set_=changed)
