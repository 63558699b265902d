"""Nothing that one request asks for keeps all others waiting: long work is done elsewhere, and has an end."""

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
    """The application without its connections, with a program of our own for records and renders."""
    app = App(ServerSettings(data=folder))
    services = app.http.state.services
    services.records, services.renders = SubprocessPool(program), Renders(program)
    await services.start()
    try:
        yield app, services.matches
    finally:
        await services.stop()


async def ask(app: App, path: str, gone: asyncio.Event | None = None, body: bytes = b"") -> tuple[int, Any]:
    """What is answered to whoever waits for it, or goes away at some time."""
    sent: list[dict[str, Any]] = []
    letters = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if letters:
            return letters.pop()
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
    said = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(said) if said else None


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


class Ticks:
    """Counts how often others have their turn meanwhile."""

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
        found = finished_match(ada.base, game)
        shown = ada.call("GET", f"/matches/{found}/replay")
        assert len(shown["frames"]) == len(ada.state(found)["steps"]) + 1
        assert shown == ada.call("POST", "/replay", ada.call("GET", f"/matches/{found}/record"))


@pytest.mark.parametrize("hidden", [False, True])
def test_of_a_running_match_each_sees_the_replay_of_what_they_may_see(tmp_path: Path, hidden: bool) -> None:
    async def scenario() -> None:
        async with served(tmp_path) as (app, at):
            loaded, _ = await at.create(match_request("limes", "person", "person", hidden_turns=hidden))
            found = loaded.match
            for seat, number in ((0, 0), (1, 0), (1, 1)):
                turn = str(found.situation.position.legal_turns(seat)[0])
                await play(at, loaded, (0, 1), seat, number, turn, f"{seat}-{number}")
            status, shown = await ask(app, f"/api/matches/{found.id}/replay")
            assert status == 200
            assert shown == json.loads(json.dumps(replay_to_json(visibility.record(found, ()))))

    asyncio.run(scenario())


def test_replays_of_matches_have_the_end_that_all_records_have(tmp_path: Path) -> None:
    """One is read, one waits, the next is refused; and whoever goes away is not read for any longer."""

    async def scenario() -> None:
        note = tmp_path / "pid"
        limits = replace(RECORD_PROGRAM.limits, max_running=1, max_waiting_per_client=1)
        command = (sys.executable, "-c", SLEEPER, str(note))
        program = replace(RECORD_PROGRAM, command=command, timeout_seconds=600, limits=limits)
        async with served(tmp_path, program) as (app, at):
            found, _ = await at.create(small_match_request("person", "person"))
            path, gone = f"/api/matches/{found.match.id}/replay", asyncio.Event()
            waiting = [asyncio.create_task(ask(app, path, gone)) for _ in range(2)]
            await asyncio.to_thread(wait_until, lambda: note.exists() and note.read_text())
            status, said = await ask(app, path)
            assert (status, said["code"]) == (429, "rate_limited")
            assert "many records are being read just now" in said["error"]
            assert (await ask(app, "/api/health"))[0] == 200
            pid = int(note.read_text())
            gone.set()
            assert await asyncio.gather(*waiting) == [(499, None)] * 2
            await asyncio.to_thread(wait_until, lambda: not is_alive(pid))

    asyncio.run(scenario())


@pytest.mark.parametrize("path", ["replay", "picture", "print", "companion", "companion/hint"])
def test_what_is_sent_is_parsed_only_by_the_subprocess(tmp_path: Path, path: str) -> None:
    """A megabyte of numbers takes its time; here it is bytes that are no JSON at all, and the program accepts them."""
    code = """if True:
        import sys
        word, size = sys.stdin.buffer.readline().split()
        found = str(len(set(sys.stdin.buffer.read(int(size)))))
        print("ok", len(found))
        print(found)
    """

    async def scenario() -> None:
        program = replace(RECORD_PROGRAM, command=(sys.executable, "-c", code))
        async with served(tmp_path, program) as (app, _):
            times = 4000 if path in ("replay", "picture") else 200
            assert await ask(app, f"/api/{path}", body=bytes(range(256)) * times) == (200, 256)

    asyncio.run(scenario())


# --- lists of matches


def test_in_a_list_of_many_matches_each_key_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    usual = match.hash_seat_token

    def counted(key: str) -> str:
        hashed.append(key)
        return usual(key)

    async def scenario(at: MatchService, store: Store) -> None:
        begun = [await at.create(small_match_request("person", "open")) for _ in range(60)]
        keys = [key for _, held in begun for key in held.values()]
        for place in (match, match_service):
            monkeypatch.setattr(place, "hash_seat_token", counted)
        ticks = Ticks()
        found = await at.matches_by_token(keys, 100)
        ticks.stop()
        assert {each.id: seats for each, seats, _ in found} == {each.match.id: (0,) for each, _ in begun}
        assert sorted(hashed) == sorted(keys)
        assert ticks.count >= len(found), "others have their turn between any two of them"

    run_with_service(tmp_path, scenario)


# --- what takes long


def _where(calls: list[threading.Thread], made: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*how: Any) -> Any:
        calls.append(threading.current_thread())
        return made(*how)

    return noted


def test_a_long_match_is_replayed_beside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(at: MatchService, store: Store) -> None:
        short, _ = await at.create(small_match_request("person", "person"))
        long, _ = await at.create(match_request("limes", *["person"] * 8))
        await play_out(at, long)
        monkeypatch.setattr(match_service, "_MAX_EVENTS_ON_LOOP", 100)
        calls: list[threading.Thread] = []
        monkeypatch.setattr(Match, "restore", _where(calls, Match.restore))
        again = MatchService(store)
        for each in (short, long):
            assert (await again.get(each.match.id)).match.version == each.match.version
        assert [thread is threading.main_thread() for thread in calls] == [True, False]
        await again.close()

    run_with_service(tmp_path, scenario)


def test_the_description_of_the_wire_is_made_beside_the_event_loop(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path) as (app, _):
            calls: list[threading.Thread] = []
            app.http.openapi = _where(calls, app.http.openapi)  # type: ignore[method-assign]
            for _ in range(2):
                status, said = await ask(app, "/api/openapi.json")
                assert (status, said["info"]["title"]) == (200, "limina")
            (thread,) = calls
            assert thread is not threading.main_thread()

    asyncio.run(scenario())


def test_the_first_request_takes_no_more_work_than_the_next_ones(tmp_path: Path) -> None:
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
