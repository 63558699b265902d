"""Where the server listens and keeps its data."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from limina.protocols import LiminaError


def data_folder() -> Path:
    """The user's data folder for limina."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "limina"


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set when the server starts.

    >>> Settings(database="postgresql://me@localhost/games").url
    'postgresql+asyncpg://me@localhost/games'
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = field(default_factory=data_folder)
    database: str | None = None

    @property
    def url(self) -> str:
        """The database's address with the driver that speaks to it."""
        if self.database is None:
            return f"sqlite+aiosqlite:///{self.data.absolute() / 'limina.sqlite'}"
        scheme, colon, rest = self.database.partition("://")
        drivers = {
            "postgresql": "postgresql+asyncpg",
            "postgres": "postgresql+asyncpg",
            "postgresql+asyncpg": "postgresql+asyncpg",
            "sqlite": "sqlite+aiosqlite",
            "sqlite+aiosqlite": "sqlite+aiosqlite",
        }
        if not colon or scheme not in drivers:
            raise LiminaError("the database must be an address such as postgresql://user@host/name")
        return f"{drivers[scheme]}://{rest}"

    def make_folder(self) -> None:
        """Make the data folder if the data are kept there."""
        if self.database is None:
            try:
                self.data.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                why = (error.strerror or "unknown reason").lower()
                raise LiminaError(f"the data folder {self.data} cannot be made: {why}") from None
