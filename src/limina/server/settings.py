"""Settings of a server: the address it listens on, its data, hosted bots, and limits for clients."""

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
_MAX_VALUE = 10**9
_MAX_DIGITS = 20
"""Reject longer numbers before they are converted."""


def default_data_folder() -> Path:
    """Return the user's data folder for limina."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "limina"


@dataclass(frozen=True, slots=True)
class HostedBot:
    """A bot that the host adds to the built-in bots.

    >>> HostedBot.parse("careful=examples/careful.py:Careful")
    HostedBot(name='careful', command='examples/careful.py:Careful', game=None)
    """

    name: str
    command: str
    """The bot as the arena names it: an entry point, `module:name`, `file.py:name` or `program:COMMAND`."""
    game: str | None = None
    """The only game that the bot plays; None if it plays all."""

    @classmethod
    def parse(cls, text: str) -> HostedBot:
        """Parse `NAME=BOT` or `GAME/NAME=BOT`; raise LiminaError for anything else."""
        parts = _BOT.fullmatch(text.strip())
        if parts is None:
            raise LiminaError(f"a bot is added as NAME=BOT or GAME/NAME=BOT, not as {quote_truncated(text)}")
        game, name, command = parts.groups()
        return cls(name.strip(), command.strip(), game)


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """Limits for one client over all its connections. Message sizes are limited by the code that reads them."""

    matches_per_minute: int = 60
    matches_per_hour: int = 600
    decks_per_hour: int = 60
    """Decks that the client shares by a link."""
    requests_per_minute: int = 1200
    """Requests to the API. A burst may be as large as ten seconds' worth."""
    page_requests_per_minute: int = 1200
    """Requests for the page, for health and for unknown paths. A burst may be as large as ten seconds' worth."""
    requests: int = 32
    """Requests that are answered at the same time."""
    pictures_per_minute: int = 30
    """Pictures and sheets to print."""
    new_connections_per_minute: int = 600
    """Connections that are opened, and connections that become sockets."""
    connections: int = 400
    max_connections_total: int = 10_000
    """Open connections of all clients; fewer if the system allows fewer file descriptors."""
    sockets: int = 200
    """Sockets with a seat. The same limit holds again for sockets without a seat and for sockets before `hello`."""
    sockets_per_match: int = 500
    """Sockets of spectators of one match, of all clients."""
    upload_kilobytes: int = 4096
    """Request bodies over 64 kB that are being received, together."""
    socket_kilobytes_per_second: int = 32
    """Data that is read from all sockets. A burst may be as large as ten seconds' worth; the rest is read later."""
    messages_per_second: int = 60
    """Socket messages by their cost. A burst may be as large as ten seconds' worth."""
    send_buffer_kilobytes: int = 8192
    """Data that waits to be sent on all sockets."""
    analyses: int = 4
    """Reviews, hints and evaluations at the same time."""
    localhost_multiplier: int = 100
    """Factor by which the limits are larger for clients on the server's own machine."""

    @classmethod
    def parse(cls, assignments: Iterable[str]) -> ClientLimits:
        """Return the defaults with the limits replaced that texts `NAME=NUMBER` set.

        >>> ClientLimits.parse(["sockets=20"]).sockets
        20
        """
        names = {item.name for item in fields(cls)}
        values = {}
        for assignment in assignments:
            name, _, number = assignment.strip().partition("=")
            name = name.strip().replace("-", "_")
            if name not in names:
                raise LiminaError(
                    f"--max does not know {quote_truncated(name)}: choose one of {', '.join(sorted(names))}"
                )
            digits = number.strip()
            if not digits.isdecimal() or len(digits) > _MAX_DIGITS or not 0 < int(digits) <= _MAX_VALUE:
                raise LiminaError(f"{name} must be a whole number above 0, not {quote_truncated(number)}")
            values[name] = int(number)
        return cls(**values)


@dataclass(frozen=True, slots=True)
class MetricsAddress:
    """The address at which Prometheus reads metrics.

    >>> MetricsAddress.parse("9100"), MetricsAddress.parse("0.0.0.0:9100").host
    (MetricsAddress(port=9100, host='127.0.0.1'), '0.0.0.0')
    """

    port: int
    host: str = "127.0.0.1"

    @classmethod
    def parse(cls, text: str) -> MetricsAddress:
        """Parse `PORT` or `HOST:PORT`; raise LiminaError for anything else."""
        host, _, port = text.strip().rpartition(":")
        if not port.isdecimal() or not 0 < int(port[:6]) <= 65535:
            raise LiminaError(f"the address for metrics is PORT or HOST:PORT, not {quote_truncated(text)}")
        return cls(int(port), host.strip("[]")) if host else cls(int(port))


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings that the host chooses when the server starts."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = field(default_factory=default_data_folder)
    """Folder of the SQLite database."""
    database: str | None = field(default=None, repr=False)
    """Address of a database to use instead of the file in the data folder. It may contain a password."""
    bots: tuple[HostedBot, ...] = ()
    bot_timeout_seconds: float = 20.0
    """Time that a hosted bot may take for a turn."""
    client_limits: ClientLimits = field(default_factory=ClientLimits)
    trusted_proxies: str | None = None
    """Addresses, joined by commas, whose X-Forwarded-For header is trusted; None trusts no address."""
    origins: tuple[str, ...] = ()
    """Addresses of the page, such as https://games.example.org. Empty if the host did not name any."""
    log_format: Literal["text", "json"] = "text"
    metrics_address: MetricsAddress | None = None
    processes: int = 1
    """Processes that serve at this address."""
    shared: bool = False
    """Allow other servers to use the same database."""
    runs_jobs: bool = True
    """Run jobs in this server; if False, leave them to other processes of the same database."""

    def create_data_folder(self) -> None:
        """Create the data folder with mode 0700 if the database is in it. An existing folder keeps its mode."""
        if self.database is not None:
            return
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            reason = system_error_text(error, "unknown reason")
            raise LiminaError(f"the data folder {self.data} cannot be created: {reason}") from None
        check_access(self.data, write=True)
