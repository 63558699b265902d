"""Runs the application until it is told to stop."""

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
"""Connections that are accepted in one iteration of the event loop.

uvloop accepts one for each listening socket and iteration. A flood of requests makes iterations long, and with one
socket newcomers would wait in the backlog for as many of them as there are connections before theirs.
"""
_SOCKET_BUFFER_BYTES = 128 * 1024
"""Size of the operating system's buffers of a connection, in each direction.

The bound keeps a connection from holding several megabytes of the system's memory, and the event loop from reading more
than this at once. It also makes a slow reader's progress visible to the server: the system takes new bytes only when a
good part of its buffer is free.
"""
_LOG = logging.getLogger("limina.server")


class _Server(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            tune_garbage_collector()
            self._ready()


def serve(settings: ServerSettings, ready: Callable[[str], None], listening: socket.socket | None = None) -> int:
    """Listen until told to stop; `ready` is called with the address once requests are answered."""
    configure_logging(settings.log_format)
    app = App(settings)  # complains about a strange address or bot before anything begins
    listening = listening or listen(settings)
    # Other processes share this socket's flags, and a socket that comes from another process believes that it blocks:
    # its copies below would let the event loops of all processes wait for connections.
    listening.setblocking(False)
    stop_metrics = (
        serve_metrics(app.services.metrics, settings.metrics_address) if settings.metrics_address is not None else None
    )
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        app,
        loop="auto",  # uvloop where there is one
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

    def begin() -> None:
        for sentence in settings_warnings(settings):
            _LOG.warning(sentence)
        ready(f"http://{shown}:{port}/")

    server = _Server(config, begin)
    try:
        server.run([listening, *(listening.dup() for _ in range(_ACCEPTS_PER_ITERATION - 1))])
    except SystemExit:  # its way to say that the application did not start; ours follows
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
    """What a host should know about these settings before somebody else finds out."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield "it runs as root, and so would whoever breaks into it: run it as a user of its own"
    if not is_loopback(settings.host) and settings.trusted_proxies is None:
        yield (
            f"it listens on {settings.host} without encryption: better let a web server with TLS pass requests on, "
            "and say so with --proxy"
        )
    if settings.trusted_proxies is not None and "*" in settings.trusted_proxies:
        yield "with --proxy '*' everybody is believed who they say they are: name the addresses of your web server"


def listen(settings: ServerSettings) -> socket.socket:
    """The socket, bound before anything else is done: a taken port is known at once."""
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
        why = system_error_text(error, "this is not a host's name")
        if "in use" in why:
            raise LiminaError(f"port {settings.port} is taken: choose another with --port") from None
        raise LiminaError(f"cannot listen on {quote_truncated(settings.host)}, port {settings.port}: {why}") from None
    return listening
