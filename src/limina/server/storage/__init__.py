"""What is kept: the tables, the values in them, and the store, the only room with SQL."""

from limina.server.storage.database import url_of
from limina.server.storage.store import Saved, Store

__all__ = ["Saved", "Store", "url_of"]
