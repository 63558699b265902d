"""What is kept: the tables, the values in them, and the store. The only room with SQL."""

from limina.server.storage.bus import check_shareable
from limina.server.storage.database import url_of
from limina.server.storage.store import Store, Writing, Written

__all__ = ["Store", "Writing", "Written", "check_shareable", "url_of"]
