"""Where the server listens and keeps its data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal

from limina.core.files import check_access, system_error_text
from limina.core.validation import quote_truncated
from limina.errors import LiminaError

_BOT = re.compile(r"(?:([a-z]+)/)?(\w[\w .-]{0,38})=(.+)", re.DOTALL)


def data_folder() -> Path:
    """The user's data folder for limina."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "limina"


@dataclass(frozen=True, slots=True)
class HostedBot:
    """A bot that the host adds to ours.

    >>> HostedBot.read("careful=examples/careful.py:Careful")
    HostedBot(name='careful', command='examples/careful.py:Careful', game=None)
    """

    name: str
    command: str
    """What stands for it in the arena: an entry point, `module:name`, `file.py:name` or `program:COMMAND`."""
    game: str | None = None
    """The only game it plays, if it plays only one."""

    @classmethod
    def read(cls, text: str) -> HostedBot:
        """Read `NAME=BOT` or `GAME/NAME=BOT`."""
        found = _BOT.fullmatch(text.strip())
        if found is None:
            raise LiminaError(f"a bot is added as NAME=BOT or GAME/NAME=BOT, not as {quote_truncated(text)}")
        game, name, command = found.groups()
        return cls(name.strip(), command.strip(), game)


@dataclass(frozen=True, slots=True)
class Allowed:
    """What one client may have and do, over all its connections; sizes of messages are limited where they are read."""

    matches_per_minute: int = 60
    matches_per_hour: int = 600
    decks_per_hour: int = 60
    """That are shared by a link."""
    requests_per_minute: int = 1200
    """Ten seconds' worth may come at once."""
    page_requests_per_minute: int = 1200
    """Requests for the page, for health and for unknown paths. Ten seconds' worth may come at once."""
    requests: int = 32
    """That are answered at the same time."""
    pictures_per_minute: int = 30
    """Pictures and sheets to print."""
    openings_per_minute: int = 600
    """Connections that are opened or become sockets."""
    connections: int = 400
    connections_in_all: int = 10_000
    """Of all clients; never more than the system has descriptors for."""
    sockets: int = 200
    """Of those who hold seats, once more of those who watch, and of those who have not said hello."""
    sockets_per_match: int = 500
    """Of those who watch."""
    upload_kilobytes: int = 4096
    """Request bodies over 64 kB that are being received, together."""
    socket_kilobytes_per_second: int = 32
    """Data that is read from all sockets together. Ten seconds' worth may come at once; more is read later."""
    messages_per_second: int = 60
    """By what they cost; ten seconds' worth may come at once."""
    unread_kilobytes: int = 8192
    """What may wait to be read at all sockets together."""
    studies: int = 4
    """Reviews and hints at once."""
    at_home: int = 100
    """How many times as much is for clients at the machine itself."""

    @classmethod
    def read(cls, words: Iterable[str]) -> Allowed:
        """Read `NAME=NUMBER`, each in place of what is usual.

        >>> Allowed.read(["sockets=20"]).sockets
        20
        """
        known = {each.name for each in fields(cls)}
        chosen = {}
        for word in words:
            name, _, number = word.strip().partition("=")
            name = name.strip().replace("-", "_")
            if name not in known:
                raise LiminaError(
                    f"{quote_truncated(name)} cannot be allowed: choose one of {', '.join(sorted(known))}"
                )
            # Not too long to be read as a number, to begin with.
            if not number.strip().isdecimal() or len(number) > 20 or not 0 < int(number) <= 10**9:
                raise LiminaError(f"what is allowed of {name} is a whole number above 0, not {quote_truncated(number)}")
            chosen[name] = int(number)
        return cls(**chosen)


@dataclass(frozen=True, slots=True)
class Metrics:
    """Where figures for Prometheus are to be had.

    >>> Metrics.read("9100"), Metrics.read("0.0.0.0:9100").host
    (Metrics(port=9100, host='127.0.0.1'), '0.0.0.0')
    """

    port: int
    host: str = "127.0.0.1"

    @classmethod
    def read(cls, text: str) -> Metrics:
        """Read `PORT` or `HOST:PORT`."""
        host, _, port = text.strip().rpartition(":")
        if not port.isdecimal() or not 0 < int(port[:6]) <= 65535:
            raise LiminaError(f"metrics are had at PORT or HOST:PORT, not at {quote_truncated(text)}")
        return cls(int(port), host.strip("[]")) if host else cls(int(port))


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set when the server starts."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = field(default_factory=data_folder)
    database: str | None = field(default=None, repr=False)
    """The address of another database than the file in the data folder. It may hold a password."""
    bots: tuple[HostedBot, ...] = ()
    """Bots that are offered beside ours."""
    bot_seconds: float = 20.0
    """What one of them may take for a turn."""
    allowed: Allowed = field(default_factory=Allowed)
    proxy: str | None = None
    """Addresses, joined by commas, that say in X-Forwarded-For for whom they ask; None believes nobody."""
    origins: tuple[str, ...] = ()
    """Where its pages are reached, such as https://games.example.org; none where that need not be said."""
    log: Literal["text", "json"] = "text"
    metrics: Metrics | None = None
    processes: int = 1
    """How many of them serve here."""
    shared: bool = False
    """Whether other servers may use the same database."""
    jobs: bool = True
    """Whether it does jobs itself, or leaves them to others on the same database."""

    def make_folder(self) -> None:
        """Create the data folder for its owner alone, if data are kept there; a folder that exists keeps its mode."""
        if self.database is not None:
            return
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            why = system_error_text(error, "unknown reason")
            raise LiminaError(f"the data folder {self.data} cannot be made: {why}") from None
        check_access(self.data, write=True)
