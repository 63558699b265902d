"""The database: tables, repositories, the store with its group commit, migrations and backups.

No other package contains SQL.
"""

from limina.server.storage.bus import check_shareable
from limina.server.storage.database import url_of
from limina.server.storage.store import PendingWrite, Store, WriteResult

__all__ = ["PendingWrite", "Store", "WriteResult", "check_shareable", "url_of"]
