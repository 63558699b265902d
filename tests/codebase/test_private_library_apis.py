"""The code uses libraries through their public names."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.server import ServerProtocol

from support import ROOT

SOURCE = ROOT / "src"
NETWORK = SOURCE / "limina" / "server" / "network"
PROTOCOLS = {NETWORK / "http_protocol.py", NETWORK / "socket_protocol.py"}

USED_HTTP = {
    *("app_state", "client", "cycle", "headers", "loop", "parser", "pipeline", "scope", "transport"),
    *("connection_made", "connection_lost", "data_received", "pause_writing", "resume_writing"),
    *("on_message_begin", "on_url", "on_header", "on_headers_complete", "on_body"),
    *("handle_websocket_upgrade", "send_400_response"),
}
USED_CYCLE = {"disconnected", "message_event", "response_complete"}
USED_SOCKET = {
    *("app_state", "close_sent", "close_timeout", "close_timer", "conn", "frames", "handshake_complete"),
    *("handshake_initiated", "loop", "queue", "read_paused", "scope", "transport", "writable"),
    *("connection_made", "connection_lost", "data_received", "pause_writing", "resume_writing"),
    *("__init__", "handle_cont", "receive", "shutdown"),
}
USED_CONNECTION = {"data_to_send", "handshake_exc", "parser", "send_close"}


def test_only_the_two_protocols_import_internals_of_uvicorn() -> None:
    internal = re.compile(r"uvicorn\.(protocols|server)|websockets\.(frames|protocol)")
    assert {path for path in SOURCE.rglob("*.py") if internal.search(path.read_text("utf-8"))} == PROTOCOLS


def test_protocols_use_only_listed_attributes_of_their_bases() -> None:
    """The attributes are no documented API: review this list when uvicorn or websockets are updated."""
    http, socket = (attributes(NETWORK / name) for name in ("http_protocol.py", "socket_protocol.py"))
    assert http["self"] & inherited(HttpToolsProtocol) == USED_HTTP
    assert http["cycle"] | http["self.cycle"] == USED_CYCLE
    assert socket["self"] & inherited(WebSocketsSansIOProtocol) == USED_SOCKET
    assert socket["self.conn"] == USED_CONNECTION


def test_installed_libraries_have_the_listed_attributes() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    class Loop:
        """Stands for an event loop, which is not used here."""

    config, state, loop = uvicorn.Config(app, ws_per_message_deflate=False), ServerState(), Loop()
    http = HttpToolsProtocol(config, state, {}, loop)  # type: ignore[arg-type]
    socket = WebSocketsSansIOProtocol(config, state, {}, loop)  # type: ignore[arg-type]
    assert isinstance(http.parser, httptools.HttpRequestParser)
    assert isinstance(socket.conn, ServerProtocol)
    assert set(dir(http)) >= USED_HTTP
    assert set(dir(socket)) | {"scope"} >= USED_SOCKET, "the scope is set with the handshake"
    assert set(dir(socket.conn)) >= USED_CONNECTION
    assert defined(RequestResponseCycle) >= USED_CYCLE


def test_no_class_overrides_a_private_name_of_a_library() -> None:
    overridden = [
        f"{ours.__module__}.{ours.__name__}.{name} is {base.__module__}.{base.__name__}'s"
        for ours in our_classes()
        for base in ours.__mro__[1:]
        if (package := base.__module__.partition(".")[0]) != "limina" and package not in sys.stdlib_module_names
        for name in sorted(private(defined(ours)) & {*vars(base), *defined(base)})
    ]
    assert not overridden


def our_classes() -> Iterator[type]:
    """Yield all classes of the package, except those whose extra is not installed."""
    for path in sorted((SOURCE / "limina").rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        if name.endswith(("__main__", ".env")) or ".versions." in name:
            continue
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name not in ("pyspiel", "open_spiel", "ray"):
                raise
            continue
        yield from (value for value in vars(module).values() if inspect.isclass(value) and value.__module__ == name)


def private(names: set[str]) -> set[str]:
    return {name for name in names if name.startswith("_") and not name.startswith("__")}


def defined(owner: type) -> set[str]:
    """Return the methods and attributes that the source of a class defines."""
    try:
        source = textwrap.dedent(inspect.getsource(owner))
    except (OSError, TypeError):  # it is compiled
        return set()
    names = set(re.findall(r"^ +(?:async )?def (\w+)", source, re.MULTILINE))
    return names | set(re.findall(r"^(?: +self\.|    )(\w+)(?:: [^=\n]+)? = ", source, re.MULTILINE))


def inherited(base: type) -> set[str]:
    return {name for owner in base.__mro__[:-1] for name in {*vars(owner), *defined(owner)}} | {"scope"}


def attributes(path: Path) -> dict[str, set[str]]:
    """Return the attributes that a file uses, by owner: `self`, `super()`, the request and the connection."""
    attributes_of: dict[str, set[str]] = {name: set() for name in ("self", "self.cycle", "self.conn", "cycle")}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value).replace("super()", "self")
            if owner in attributes_of:
                attributes_of[owner].add(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            attributes_of["self"].add(node.name)
    return attributes_of
