"""No request blocks the event loop: long work runs in subprocesses or in slices, and ends."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from limina.analysis.replay import replay_to_json
from limina.server.analysis import Renders, SubprocessPool
from limina.server.analysis.subprocess_pool import RECORD_PROGRAM, IsolatedProgram
from limina.server.app import App
from limina.server.matches import Match, MatchService, match, match_service, visibility
from limina.server.settings import ServerSettings
from limina.server.storage import Store
from support.server.clients import Client
from support.server.match_services import match_request, play, play_out, run_with_service, small_match_request
from support.server.matches import finished_match
from support.waiting import wait_until

SLEEPER = "import os, sys, time; print(os.getpid(), file=open(sys.argv[1], 'w'), flush=True); time.sleep(600)"


@asynccontextmanager
async def served(folder: Path, program: IsolatedProgram = RECORD_PROGRAM) -> AsyncIterator[tuple[App, MatchService]]:
    """Run the application without network, with another program for records and renders."""
    app = App(ServerSettings(data=folder))
    services = app.http.state.services
    services.records, services.renders = SubprocessPool(program), Renders(program)
    await services.start()
    try:
        yield app, services.matches
    finally:
        await services.stop()


async def ask(app: App, path: str, gone: asyncio.Event | None = None, body: bytes = b"") -> tuple[int, Any]:
    """Return status and body of a request whose client disconnects when the event is set."""
    sent: list[dict[str, Any]] = []
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await (gone or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST" if body else "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": ("192.0.2.1", 1),
        "server": ("localhost", 80),
        "scheme": "http",
        "state": {},
    }
    await app(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(body) if body else None


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


class Ticks:
    """Counts the iterations of the event loop meanwhile."""

    def __init__(self) -> None:
        self.count = 0
        self._task = asyncio.create_task(self._go())

    async def _go(self) -> None:
        while True:
            self.count += 1
            await asyncio.sleep(0)

    def stop(self) -> None:
        self._task.cancel()


# --- replays of matches


def test_the_replay_of_a_match_is_that_of_its_record(ada: Client) -> None:
    for game in ("limes", "limit"):
        match_id = finished_match(ada.base, game)
        shown = ada.call("GET", f"/matches/{match_id}/replay")
        assert len(shown["frames"]) == len(ada.state(match_id)["steps"]) + 1
        assert shown == ada.call("POST", "/replay", ada.call("GET", f"/matches/{match_id}/record"))


@pytest.mark.parametrize("hidden", [False, True])
def test_a_replay_of_a_running_match_hides_what_the_viewer_may_not_see(tmp_path: Path, hidden: bool) -> None:
    async def scenario() -> None:
        async with served(tmp_path) as (app, service):
            loaded, _ = await service.create(match_request("limes", "person", "person", hidden_turns=hidden))
            match = loaded.match
            for seat, number in ((0, 0), (1, 0), (1, 1)):
                turn = str(match.situation.position.legal_turns(seat)[0])
                await play(service, loaded, (0, 1), seat, number, turn, f"{seat}-{number}")
            status, shown = await ask(app, f"/api/matches/{match.id}/replay")
            assert status == 200
            assert shown == json.loads(json.dumps(replay_to_json(visibility.record(match, ()))))

    asyncio.run(scenario())


def test_replays_of_matches_share_the_limits_of_records(tmp_path: Path) -> None:
    """One replay runs, one waits, and the next is refused; a client that disconnects cancels its replay."""

    async def scenario() -> None:
        note = tmp_path / "pid"
        limits = replace(RECORD_PROGRAM.limits, max_running=1, max_waiting_per_client=1)
        command = (sys.executable, "-c", SLEEPER, str(note))
        program = replace(RECORD_PROGRAM, command=command, timeout_seconds=600, limits=limits)
        async with served(tmp_path, program) as (app, service):
            loaded, _ = await service.create(small_match_request("person", "person"))
            path, gone = f"/api/matches/{loaded.match.id}/replay", asyncio.Event()
            waiting = [asyncio.create_task(ask(app, path, gone)) for _ in range(2)]
            await asyncio.to_thread(wait_until, lambda: note.exists() and note.read_text())
            status, answer = await ask(app, path)
            assert (status, answer["code"]) == (429, "rate_limited")
            assert "many records are being read just now" in answer["error"]
            assert (await ask(app, "/api/health"))[0] == 200
            pid = int(note.read_text())
            gone.set()
            assert await asyncio.gather(*waiting) == [(499, None)] * 2
            await asyncio.to_thread(wait_until, lambda: not is_alive(pid))

    asyncio.run(scenario())


@pytest.mark.parametrize("path", ["replay", "picture", "print", "companion", "companion/hint"])
def test_only_the_subprocess_parses_a_body(tmp_path: Path, path: str) -> None:
    """Parsing a megabyte of JSON would take long. The body here is not JSON, and the program accepts it."""
    code = """if True:
        import sys
        name, size = sys.stdin.buffer.readline().split()
        answer = str(len(set(sys.stdin.buffer.read(int(size)))))
        print("ok", len(answer))
        print(answer)
    """

    async def scenario() -> None:
        program = replace(RECORD_PROGRAM, command=(sys.executable, "-c", code))
        async with served(tmp_path, program) as (app, _):
            times = 4000 if path in ("replay", "picture") else 200
            assert await ask(app, f"/api/{path}", body=bytes(range(256)) * times) == (200, 256)

    asyncio.run(scenario())


# --- lists of matches


def test_a_match_list_hashes_each_seat_token_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    original = match.hash_seat_token

    def record_call(seat_token: str) -> str:
        hashed.append(seat_token)
        return original(seat_token)

    async def scenario(service: MatchService, store: Store) -> None:
        created = [await service.create(small_match_request("person", "open")) for _ in range(60)]
        seat_tokens = [seat_token for _, held in created for seat_token in held.values()]
        for module in (match, match_service):
            monkeypatch.setattr(module, "hash_seat_token", record_call)
        ticks = Ticks()
        matches = await service.matches_by_token(seat_tokens, 100)
        ticks.stop()
        assert {own.id: seats for own, seats, _ in matches} == {loaded.match.id: (0,) for loaded, _ in created}
        assert sorted(hashed) == sorted(seat_tokens)
        assert ticks.count >= len(matches), "other tasks run between any two matches"

    run_with_service(tmp_path, scenario)


# --- long work


def _record_threads(calls: list[threading.Thread], function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        calls.append(threading.current_thread())
        return function(*args)

    return call


def test_replays_of_long_matches_do_not_block_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        short, _ = await service.create(small_match_request("person", "person"))
        long, _ = await service.create(match_request("limes", *["person"] * 8))
        await play_out(service, long)
        monkeypatch.setattr(match_service, "_MAX_EVENTS_ON_LOOP", 100)
        calls: list[threading.Thread] = []
        monkeypatch.setattr(Match, "restore", _record_threads(calls, Match.restore))
        again = MatchService(store)
        for loaded in (short, long):
            assert (await again.get(loaded.match.id)).match.version == loaded.match.version
        assert [thread is threading.main_thread() for thread in calls] == [True, False]
        await again.close()

    run_with_service(tmp_path, scenario)


def test_the_openapi_document_is_built_outside_the_event_loop(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path) as (app, _):
            calls: list[threading.Thread] = []
            app.http.openapi = _record_threads(calls, app.http.openapi)  # type: ignore[method-assign]
            for _ in range(2):
                status, answer = await ask(app, "/api/openapi.json")
                assert (status, answer["info"]["title"]) == (200, "limina")
            (thread,) = calls
            assert thread is not threading.main_thread()

    asyncio.run(scenario())


def test_the_first_request_costs_little_more_than_the_next_ones(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path) as (app, _):
            calls = [0, 0]
            for place in range(2):

                def count(frame: object, event: str, what: object, place: int = place) -> None:
                    calls[place] += event == "call"

                sys.setprofile(count)
                try:
                    assert (await ask(app, "/api/health"))[0] == 200
                finally:
                    sys.setprofile(None)
            assert calls[0] < 5 * calls[1]

    asyncio.run(scenario())
