"""The packages that a turn enters in the server, in the order that docs/architecture.md names."""

from __future__ import annotations

import asyncio
import inspect
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

import pytest
import uvicorn

from kit import ROOT
from kit.clients import Client
from kit.turns import any_turn
from limina.server.app import App
from limina.server.live.handler import SocketHandler
from limina.server.settings import Settings
from limina.server.storage import Store, Writing
from limina.server.web.http_protocol import HttpProtocol
from limina.server.web.socket_protocol import SocketProtocol

PATHS = ("way in", "way out", "answer")
"""The lists of the document, in its order."""
HELPERS = {
    "limina": "modules directly in the package: values and checks that the games and the server share",
    "limina.server.web.rate_limits": "the web and live packages count every message with it",
}
"""Packages and modules that are not entered but only help, with the reason."""
_SUSPENDABLE = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR


def package_of(module: str) -> str | None:
    """Return the package that a module of limina counts for, or None for helpers and modules of others."""
    parts = module.split(".")
    if parts[0] != "limina" or module in HELPERS:
        return None
    package = ".".join(parts[: 3 if parts[1:2] == ["server"] else 2])
    return "limina" if (ROOT / "src" / Path(*parts[:2])).with_suffix(".py").exists() else package


class Tracer:
    """A profile function that records which packages are entered between the two ends of each path.

    A package is entered where its function is called from another package. Neither a return to the caller nor a
    coroutine that goes on counts. The first call by a coroutine that has waited counts: only a return led there.
    """

    def __init__(self) -> None:
        self.packages: dict[str, list[str]] = {}
        self.modules: dict[str, set[str]] = {}
        """The modules of which functions were called on each path."""
        self._path: str | None = None
        self._suspended: set[FrameType] = set()
        # The way in ends when the store has the append. It goes through other callbacks until then.
        self._begin: dict[CodeType, str] = {
            SocketProtocol.data_received.__code__: "way in",
            Writing.tell.__code__: "way out",
            SocketHandler._acknowledge.__code__: "answer",
        }
        self._end: dict[CodeType, str] = {
            Store.append.__code__: "way in",
            Writing.tell.__code__: "way out",
            SocketHandler._acknowledge.__code__: "answer",
        }

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Follow a call or a return."""
        if event == "call":
            if frame.f_code in self._begin:
                self._path = self._begin[frame.f_code]
                self.packages.setdefault(self._path, [])
                self.modules.setdefault(self._path, set())
            if self._path is not None and frame not in self._suspended:
                self._enter(self._path, frame)
        elif event == "return":
            if frame.f_code.co_flags & _SUSPENDABLE:
                self._suspended.add(frame)
            if self._end.get(frame.f_code, "") == self._path:
                self._path = None

    def _enter(self, path: str, frame: FrameType) -> None:
        module = _module(frame)
        package = package_of(module)
        if package is None:
            return
        self.modules[path].add(module)
        caller = frame.f_back
        while caller is not None and package_of(_module(caller)) is None:
            caller = caller.f_back
        inside = caller is not None and caller not in self._suspended and package_of(_module(caller)) == package
        packages = self.packages[path]
        if not inside and packages[-1:] != [package]:
            packages.append(package)


def _module(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "")
    return name


@contextmanager
def traced() -> Iterator[Tracer]:
    """Trace this thread, in which the event loop runs."""
    tracer, before = Tracer(), sys.getprofile()
    sys.setprofile(tracer)
    try:
        yield tracer
    finally:
        sys.setprofile(before)


def documented_paths() -> dict[str, list[tuple[str, list[str]]]]:
    """Return the lists of the document: of each item the package and the Python files that it names."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    section = page.partition("*A person ends a turn of Limes in the browser.*")[2].partition("\n## ")[0]
    lists: list[list[tuple[str, list[str]]]] = []
    for number, package, text in re.findall(r"^(\d+)\. `([^`]+)`:((?:.+\n?)(?:   .+\n)*)", section, re.MULTILINE):
        if number == "1":
            lists.append([])
        lists[-1].append((f"limina.{package.replace('/', '.')}", re.findall(r"`(\w+)\.py`", text)))
        assert len(lists[-1]) == int(number)
    return dict(zip(PATHS, lists, strict=True))


async def trace_turns(folder: Path, *, hidden: bool) -> list[Tracer]:
    """Let two people play a round of Limes on a server in this thread: a trace of each turn."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(
            App(Settings(data=folder)),
            http=HttpProtocol,
            ws=SocketProtocol,
            ws_per_message_deflate=False,
            lifespan="on",
            log_level="critical",
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve([listening]))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        try:
            async with asyncio.timeout(60):
                while not server.started:
                    await asyncio.sleep(0.01)
                with closing(Client(address)) as ada, closing(Client(address)) as ben:
                    return await play_round(ada, ben, hidden=hidden)
        finally:
            server.should_exit = True
            await serving


async def play_round(ada: Client, ben: Client, *, hidden: bool) -> list[Tracer]:
    """Let two people play a round. The clients run in other threads than the server."""
    state = await asyncio.to_thread(ada.create, "limes", "me", "open", hidden=hidden)
    await asyncio.to_thread(ben.join, state["match"])
    tracers = []
    sockets = [await asyncio.to_thread(client.live, state["match"]) for client in (ada, ben)]
    for live in sockets:
        await asyncio.to_thread(live.until, "state")
    for seat, live in enumerate(sockets):
        turn = any_turn(live.state, seat, Random(1))
        with traced() as tracer:
            answer = await asyncio.to_thread(live.play, seat, turn)
        assert answer["type"] == "played"
        await asyncio.to_thread(sockets[1 - seat].until, "update")
        tracers.append(tracer)
    return tracers


@pytest.mark.parametrize("hidden", [False, True])
def test_a_turn_enters_the_packages_that_the_document_names(tmp_path: Path, hidden: bool) -> None:
    documented = documented_paths()
    tracers = asyncio.run(trace_turns(tmp_path, hidden=hidden))
    assert len(tracers) == 2, "one within a round, and one that ends it"
    for tracer in tracers:
        for path in PATHS:
            assert tracer.packages[path] == [package for package, _ in documented[path]]
            named = {f"{package}.{file}" for package, files in documented[path] for file in files}
            assert named <= tracer.modules[path]


def test_no_package_is_named_twice_on_a_way() -> None:
    for path, items in documented_paths().items():
        packages = [package for package, _ in items]
        assert len(packages) == len(set(packages)), path
