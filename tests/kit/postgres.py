"""A PostgreSQL of our own, without a password, on a socket in a folder; it can be stopped and started."""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from typing import Any, Literal


class MissingError(Exception):
    """None can run here; says why."""


class Postgres:
    """The server of a folder, which is made if it is not there."""

    def __init__(self, folder: Path) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # its own affair
                pgserver: Any = import_module("pgserver")
            self._pg_ctl = import_module("pgserver._commands").pg_ctl
            self._server = pgserver.get_server(folder, cleanup_mode=None)
        except Exception as error:  # whatever keeps it from running here
            raise MissingError(
                f"no PostgreSQL can run here: pgserver says {type(error).__name__}: {str(error)[:120]}"
            ) from error
        self.folder: Path = self._server.pgdata
        self.address: str = self._server.get_uri()
        self.socket: Path = self._server.get_postmaster_info().socket_path
        """Where it is reached."""

    def stop(self, how: Literal["fast", "immediate"] = "fast") -> None:
        """Stop it, if it runs; `immediate` without a goodbye to anybody, as if it had crashed."""
        if (self.folder / "postmaster.pid").exists():
            self._control("-m", how, "stop")

    def start(self) -> None:
        """Start it where it was stopped."""
        log = str(self._server.log)
        self._control("-o", '-h ""', "-o", f"-k {self.socket.parent}", "-l", log, "start")

    def _control(self, *arguments: str) -> None:
        self._pg_ctl(["-w", *arguments], pgdata=self.folder, user=self._server.system_user, timeout=60)
