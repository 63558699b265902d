"""Run one server process until a signal stops it."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterator

import uvicorn

from limina.core.files import system_error_text
from limina.core.validation import quote_truncated
from limina.errors import LiminaError
from limina.server.app import App
from limina.server.gc_tuning import tune_garbage_collector
from limina.server.log_format import configure_logging
from limina.server.monitoring.metrics import serve_metrics
from limina.server.network.http_protocol import HttpProtocol
from limina.server.network.origins import is_loopback
from limina.server.network.socket_protocol import MAX_MESSAGE_BYTES, PING_SECONDS, SocketProtocol
from limina.server.settings import ServerSettings

_ACCEPTS_PER_ITERATION = 16
"""Number of listening sockets, and so of connections that are accepted in one iteration of the event loop.

uvloop accepts one connection for each listening socket and iteration. Under load iterations are long, and with one
socket a new connection would wait in the backlog for one iteration for each connection before it.
"""
_SOCKET_BUFFER_BYTES = 128 * 1024
"""Size of the operating system's buffers of a connection, in each direction.

The limit keeps a connection from using several megabytes of the system's memory, and the event loop from reading more
than this at once. It also lets the server notice the progress of a slow client: the system takes new bytes only when a
good part of its buffer is free.
"""
_LOG = logging.getLogger("limina.server")


class _Server(uvicorn.Server):
    """uvicorn's server, with a callback for when it is ready."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            tune_garbage_collector()
            self._on_ready()


def serve(settings: ServerSettings, on_ready: Callable[[str], None], listening: socket.socket | None = None) -> int:
    """Serve until a signal stops the process, and return the exit status.

    `on_ready` is called with the address when requests are answered. Raise LiminaError if the server cannot start.
    """
    configure_logging(settings.log_format)
    app = App(settings)  # raises LiminaError for an invalid database address or bot
    listening = listening or listen(settings)
    # A socket that comes from the supervisor is marked as blocking. Its duplicates share the flag with the sockets of
    # all processes, so their event loops would block in accept().
    listening.setblocking(False)
    stop_metrics = (
        serve_metrics(app.services.metrics, settings.metrics_address) if settings.metrics_address is not None else None
    )
    host, port = listening.getsockname()[:2]
    url_host = f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        app,
        loop="auto",  # uvloop if it is installed
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        lifespan="on",
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        proxy_headers=settings.trusted_proxies is not None,
        forwarded_allow_ips=settings.trusted_proxies or "",
    )

    def started() -> None:
        for warning in settings_warnings(settings):
            _LOG.warning(warning)
        on_ready(f"http://{url_host}:{port}/")

    server = _Server(config, started)
    try:
        server.run([listening, *(listening.dup() for _ in range(_ACCEPTS_PER_ITERATION - 1))])
    except SystemExit:  # uvicorn exits when the application cannot start; the LiminaError below says why
        pass
    finally:
        listening.close()
        if stop_metrics is not None:
            stop_metrics()
    failure = app.failure
    if isinstance(failure, LiminaError):
        raise failure
    if failure is not None or not server.started:
        raise LiminaError(f"the server cannot start: {type(failure).__name__ if failure else 'unknown reason'}")
    return 0


def settings_warnings(settings: ServerSettings) -> Iterator[str]:
    """Yield a warning for each risk in these settings."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield "server: runs as root: run it as a user of its own, with fewer rights"
    if not is_loopback(settings.host) and settings.trusted_proxies is None:
        yield (
            f"server: listens on {settings.host} without encryption: put a web server with TLS in front of it, and "
            "name it with --proxy"
        )
    if settings.trusted_proxies is not None and "*" in settings.trusted_proxies:
        yield "server: --proxy '*' trusts the X-Forwarded-For of every client: name the addresses of your web server"


def listen(settings: ServerSettings) -> socket.socket:
    """Return a listening socket. Raise LiminaError if the port is in use or the host cannot be resolved."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SOCKET_BUFFER_BYTES)  # connections inherit these
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SOCKET_BUFFER_BYTES)
        listening.bind(address)
        listening.listen(1024)
        listening.setblocking(False)
    except (OSError, UnicodeError) as error:
        cause = system_error_text(error, "this is not a host name")
        if "in use" in cause:
            raise LiminaError(f"port {settings.port} is in use: choose another with --port") from None
        raise LiminaError(f"cannot listen on {quote_truncated(settings.host)}, port {settings.port}: {cause}") from None
    return listening
