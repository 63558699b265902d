"""The packages that a turn enters in the server, in the order that docs/architecture.md names."""

from __future__ import annotations

import asyncio
import inspect
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

import pytest
import uvicorn

from limina.server.app import App
from limina.server.live.handler import SocketHandler
from limina.server.network.http_protocol import HttpProtocol
from limina.server.network.socket_protocol import SocketProtocol
from limina.server.settings import ServerSettings
from limina.server.storage import PendingWrite, Store
from support import ROOT
from support.games.turns import random_turn
from support.server.clients import Client

PATHS = ("way in", "way out", "answer")
"""The lists of the document, in its order."""
HELPERS = {
    "limina.core": "values and checks that the games and the server share",
    "limina.server.network.rate_limits": "the network and live packages count every message with it",
    "limina.server.monitoring": "the network and live packages count turns and seconds with it",
}
"""Packages and modules that are not entered but only help, with the reason."""
_SUSPENDABLE = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR


def package_of(module: str) -> str | None:
    """Return the package that a module of limina counts for, or None for helpers and modules of others."""
    first, *others = module.split(".")
    if first != "limina" or module in HELPERS:
        return None
    if not others or (ROOT / "src" / "limina" / f"{others[0]}.py").exists():
        package = first
    else:
        package = ".".join((first, *others[: 2 if others[0] == "server" else 1]))
    return None if package in HELPERS else package


@dataclass
class Trace:
    """The trace of one path."""

    packages: list[str] = field(default_factory=list)
    """The packages in the order in which they were entered."""
    modules: set[str] = field(default_factory=set)
    """All modules of which functions were called."""


class Tracer:
    """A profile function that records which packages are entered between the two ends of each path.

    A package is entered where its function is called from another package. Neither a return to the caller nor a
    coroutine that goes on counts. A call by a coroutine that has waited counts: only a return has led there.

    It has to be there before the coroutines begin, so that it knows them.
    """

    def __init__(self) -> None:
        self.turns: list[dict[str, Trace]] = []
        """The paths of each turn, once `begin_turn` was called for it."""
        self._path: str | None = None
        self._suspended: set[FrameType] = set()
        self._begin: dict[CodeType, str] = {
            SocketProtocol.data_received.__code__: "way in",
            PendingWrite.settle.__code__: "way out",
            SocketHandler._acknowledge.__code__: "answer",
        }
        self._end: dict[CodeType, str] = {
            Store.write.__code__: "way in",
            PendingWrite.settle.__code__: "way out",
            SocketHandler._acknowledge.__code__: "answer",
        }

    def begin_turn(self) -> None:
        """Record what is called from now on as the paths of another turn."""
        self.turns.append({})

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Follow a call or a return."""
        if event == "call":
            begins = self._begin.get(frame.f_code)
            if begins is not None and self._path is None and self.turns and begins not in self.turns[-1]:
                self._path = begins
                self.turns[-1][begins] = Trace()
            if self._path is not None and frame not in self._suspended:
                self._enter(self._path, frame)
        elif event == "return":
            if frame.f_code.co_flags & _SUSPENDABLE:
                self._suspended.add(frame)
            if self._path is not None and self._end.get(frame.f_code) == self._path:
                self._path = None

    def _enter(self, path: str, frame: FrameType) -> None:
        module = _module(frame)
        package = package_of(module)
        if package is None:
            return
        trace = self.turns[-1][path]
        trace.modules.add(module)
        caller = frame.f_back
        while caller is not None and package_of(_module(caller)) is None:
            caller = caller.f_back
        inside = caller is not None and caller not in self._suspended and package_of(_module(caller)) == package
        if not inside and trace.packages[-1:] != [package]:
            trace.packages.append(package)


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


async def trace_turns(folder: Path, *, hidden: bool) -> list[dict[str, Trace]]:
    """Let two people play a round of Limes on a server in this thread, and return the paths of each turn."""
    with traced() as tracer, socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(
            App(ServerSettings(data=folder)),
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
            clients = Client(address), Client(address)
            try:
                await play_round(tracer, *clients, hidden=hidden)
            finally:
                for client in clients:
                    await asyncio.to_thread(client.close)
        finally:
            server.should_exit = True
            await serving
    return tracer.turns


async def play_round(tracer: Tracer, ada: Client, ben: Client, *, hidden: bool) -> None:
    """Let two people play a round. The clients run in other threads than the server."""
    state = await asyncio.to_thread(ada.create, "limes", "me", "open", hidden_turns=hidden)
    await asyncio.to_thread(ben.join, state["match_id"])
    sockets = [await asyncio.to_thread(client.live, state["match_id"]) for client in (ada, ben)]
    for live in sockets:
        await asyncio.to_thread(live.until, "state")
    for seat, live in enumerate(sockets):
        turn = random_turn(live.state, seat, Random(1))
        tracer.begin_turn()
        answer = await asyncio.to_thread(live.play, seat, turn)
        assert answer["type"] == "played"
        await asyncio.to_thread(sockets[1 - seat].until, "update")


@pytest.mark.parametrize("hidden", [False, True])
def test_a_turn_enters_the_packages_that_the_document_names(tmp_path: Path, hidden: bool) -> None:
    documented = documented_paths()
    turns = asyncio.run(trace_turns(tmp_path, hidden=hidden))
    assert len(turns) == 2, "one within a round, and one that ends it"
    for turn in turns:
        for path in PATHS:
            assert turn[path].packages == [package for package, _ in documented[path]]
            named = {f"{package}.{file}" for package, files in documented[path] for file in files}
            assert named <= turn[path].modules


def test_no_package_is_named_twice_on_a_way() -> None:
    for path, items in documented_paths().items():
        packages = [package for package, _ in items]
        assert len(packages) == len(set(packages)), path
