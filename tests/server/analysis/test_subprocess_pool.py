"""Records from clients: limited in size, and read in subprocesses with limited time and memory."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest

from limina.isolated import record, render
from limina.isolated.process import MAX_MEMORY_BYTES
from limina.isolated.protocol import Question, RecordQuestion, RenderQuestion
from limina.isolated.record import MAX_NAME_CHARACTERS, MAX_STEPS
from limina.server.analysis import Renders, SubprocessPool
from limina.server.analysis.renders import RENDER_PROGRAM
from limina.server.analysis.subprocess_pool import RECORD_PROGRAM, IsolatedProgram
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT
from limina.server.network.middleware import MAX_RECORD_BODY_BYTES
from support.games.records import example_record, memory_heavy_json, ring_record
from support.server.clients import Client
from support.waiting import wait_until

RECORD = json.dumps(ring_record(4)).encode()


def run_scenario(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), 120))


def program(
    code: str, *arguments: str, timeout_seconds: float = 600, base: IsolatedProgram = RECORD_PROGRAM
) -> IsolatedProgram:
    """Return a program that runs this code instead of reading records."""
    command = (sys.executable, "-c", "import os, sys, time\n" + code, *arguments)
    return replace(base, command=command, timeout_seconds=timeout_seconds)


SLEEPER = "print(os.getpid(), file=open(sys.argv[1], 'w'), flush=True); time.sleep(600)"


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# --- over HTTP


@pytest.mark.parametrize("path", ["/replay", "/position", "/review", "/evaluate", "/picture"])
def test_records_with_too_long_names_are_refused(ada: Client, path: str) -> None:
    def tasks(name: str) -> Any:
        record = {**example_record("limit"), "players": [name, "Ben"]}
        turn = {"step_count": 1, "player": 0, "turn": "b2-c2 xb7"}
        within: dict[str, dict[str, Any]] = {"/position": {}, "/evaluate": turn, "/picture": {"format": "svg"}}
        return {"record": record, **within[path]} if path in within else record

    refused = ada.call("POST", path, tasks("W" * (MAX_NAME_CHARACTERS + 1)), status=400)
    assert refused["code"] == "invalid"
    sentence = "names may have up to 200 characters, that of player 1 has 201: please shorten it"
    assert refused["error"] == sentence
    if path in ("/replay", "/position"):
        assert ada.call("POST", path, tasks("W" * MAX_NAME_CHARACTERS))["names"][0] == "W" * MAX_NAME_CHARACTERS


@pytest.mark.parametrize("path", ["/replay", "/position", "/review", "/evaluate"])
def test_a_record_with_too_many_turns_is_refused_before_it_is_replayed(ada: Client, path: str) -> None:
    record = ring_record(30_000)
    assert len(json.dumps(record)) < MAX_RECORD_BODY_BYTES
    turn = {"record": record, "step_count": 1, "player": 0, "turn": "-"}
    within = {"/position": {"record": record}, "/evaluate": turn}
    refused = ada.call("POST", path, within.get(path, record), status=413)
    assert refused["code"] == "too_large"
    assert "2,000 steps" in refused["error"]


def test_the_longest_accepted_record_is_replayed_completely(ada: Client) -> None:
    record = ring_record(MAX_STEPS - 1)  # the layout is a step too
    assert len(ada.call("POST", "/replay", record)["frames"]) == MAX_STEPS + 1
    assert ada.call("POST", "/position", {"record": record})["outcome"] is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"record": 1}, "a record must be an object"),
        ({"record": {}, "player": 8}, "player must be from 0 to 7"),
        ({"record": {}, "player": True}, "player must be a whole number"),
        ({"record": {}, "turn": ""}, "turn must be a text of 1 to 100"),
        ({"record": {}, "color": 1}, "has no 'color'"),
        ([], "this must be an object"),
    ],
)
def test_invalid_position_requests_are_refused(ada: Client, body: Any, words: str) -> None:
    refused = ada.call("POST", "/position", body, status=400)
    assert refused["code"] == "invalid"
    assert words in refused["error"]


def test_a_disconnect_cancels_the_question_to_the_subprocess(ada: Client) -> None:
    body = json.dumps(ring_record(MAX_STEPS - 1)).encode()
    for _ in range(30):
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{ada.base}/api/replay", content=body, timeout=httpx.Timeout(30, read=0.001))
    # Each of those would take seconds. They are cancelled and do not delay this one.
    assert len(ada.call("POST", "/replay", ring_record(2))["frames"]) == 4


# --- the processes


def test_each_program_answers_the_questions_of_the_protocol() -> None:
    assert set(record.HANDLERS) == set(RECORD_QUESTIONS)
    assert set(render.HANDLERS) == set(RENDER_QUESTIONS)


def test_one_process_answers_many_questions() -> None:
    async def scenario() -> None:
        pool = SubprocessPool(replace(RECORD_PROGRAM, limits=replace(RECORD_PROGRAM.limits, max_running=1)))
        answers = await asyncio.gather(*(pool.ask("replay", RECORD) for _ in range(5)))
        assert len(set(answers)) == 1
        assert len(json.loads(answers[0])["frames"]) == 6
        (process,) = pool._idle
        with pytest.raises(RefusedError, match="not JSON") as refused:
            await pool.ask("replay", b"{")
        assert refused.value.code == "invalid"
        assert pool._idle == [process]
        await pool.stop()
        assert process.returncode is not None

    run_scenario(scenario)


def test_a_program_that_takes_too_long_is_killed_and_replaced(tmp_path: Path) -> None:
    async def scenario() -> None:
        note = tmp_path / "pid"
        pool = SubprocessPool(program(SLEEPER, str(note), timeout_seconds=3))
        with pytest.raises(RefusedError, match="longer than 3 s") as refused:
            await pool.ask("replay", RECORD)
        assert refused.value.code == "too_large"
        assert not is_alive(int(note.read_text()))
        pool._program = replace(RECORD_PROGRAM, timeout_seconds=60)
        assert json.loads(await pool.ask("position", b'{"record":%s}' % RECORD))["game"] == "limit"
        await pool.stop()

    run_scenario(scenario)


@pytest.mark.parametrize(
    "code",
    [
        "sys.exit(3)",
        "print('what?', flush=True); sys.stdin.read()",
        "print('found 0', flush=True); sys.stdin.read()",
        "print('ok 99')",
    ],
)
def test_a_program_that_dies_or_violates_the_protocol_is_reported(code: str) -> None:
    async def scenario() -> None:
        pool = SubprocessPool(program(code, timeout_seconds=60))
        with pytest.raises(RefusedError, match="try again") as refused:
            await pool.ask("replay", RECORD)
        assert (refused.value.code, refused.value.retry_after) == ("unavailable", 5)
        assert not pool._idle
        await pool.stop()

    run_scenario(scenario)


@pytest.mark.parametrize(
    ("is_render", "question", "thing"), [(False, "replay", "record"), (True, "picture", "picture")]
)
def test_a_subprocess_out_of_memory_fails_only_its_request(is_render: bool, question: Question, thing: str) -> None:
    async def scenario() -> None:
        pool = (
            Renders(replace(RENDER_PROGRAM, timeout_seconds=600))
            if is_render
            else SubprocessPool(replace(RECORD_PROGRAM, timeout_seconds=600))
        )
        with pytest.raises(RefusedError, match=f"this {thing} takes more memory than") as refused:
            await pool.ask(question, memory_heavy_json(MAX_MEMORY_BYTES))
        assert refused.value.code == "too_large"
        assert not pool._idle
        with pytest.raises(RefusedError, match="must be an object"):
            await pool.ask(question, b"[]")
        await pool.stop()

    run_scenario(scenario)


def test_an_abort_by_a_library_is_reported_as_out_of_memory() -> None:
    async def scenario() -> None:
        pool = SubprocessPool(program("sys.stdin.readline(); os.abort()", timeout_seconds=60))
        with pytest.raises(RefusedError, match="more memory than"):
            await pool.ask("replay", RECORD)
        await pool.stop()

    run_scenario(scenario)


def test_cancelling_kills_the_process_and_a_full_queue_refuses(tmp_path: Path) -> None:
    async def scenario() -> None:
        note = tmp_path / "pid"
        limits = replace(RECORD_PROGRAM.limits, max_running=1, max_waiting_per_client=2)
        pool = SubprocessPool(replace(program(SLEEPER, str(note)), limits=limits))
        tasks = [asyncio.create_task(pool.ask("replay", RECORD)) for _ in range(3)]
        await asyncio.to_thread(wait_until, lambda: note.exists() and note.read_text())
        with pytest.raises(RefusedError, match="try again") as refused:
            await pool.ask("replay", RECORD)
        assert refused.value.code == "rate_limited"
        pid = int(note.read_text())
        tasks[0].cancel()
        await asyncio.wait(tasks[:1])
        await asyncio.to_thread(wait_until, lambda: not is_alive(pid))
        await pool.stop()
        assert all(task.done() for task in tasks)

    run_scenario(scenario)


WAITER = """
while question := sys.stdin.buffer.readline().split():
    if sys.stdin.buffer.read(int(question[1])) == b"slow":
        time.sleep(600)
    print("ok 2", "{}", sep=chr(10), end="", flush=True)
"""


RECORD_QUESTIONS: tuple[Question, ...] = get_args(RecordQuestion)
RENDER_QUESTIONS: tuple[Question, ...] = get_args(RenderQuestion)


@pytest.mark.parametrize(("is_render", "questions"), [(False, RECORD_QUESTIONS), (True, RENDER_QUESTIONS)])
def test_one_busy_client_does_not_delay_another(is_render: bool, questions: tuple[Question, ...]) -> None:
    async def scenario() -> None:
        pool = Renders(program(WAITER, base=RENDER_PROGRAM)) if is_render else SubprocessPool(program(WAITER))
        CURRENT_CLIENT.set("ada")
        repeats = RECORD_PROGRAM.limits.max_waiting_per_client
        tasks = [asyncio.create_task(pool.ask(question, b"slow")) for question in questions * repeats]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        assert any("try again in a moment" in str(task.exception()) for task in tasks if task.done())
        CURRENT_CLIENT.set("ben")
        for question in questions:
            assert await pool.ask(question, b"") == b"{}"
        await pool.stop()
        await asyncio.wait(tasks)

    run_scenario(scenario)


def test_evaluations_do_not_delay_replays() -> None:
    async def scenario() -> None:
        pool = SubprocessPool(program(WAITER))
        slow: tuple[Question, ...] = ("evaluate", "companion_hint")
        tasks = [asyncio.create_task(pool.ask(question, b"slow")) for question in slow]
        assert await pool.ask("replay", b"") == b"{}"
        assert not any(task.done() for task in tasks)
        await pool.stop()

    run_scenario(scenario)


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_earlier_positions_of_a_record_compare_turns(ada: Client, game: str) -> None:
    record = example_record(game)
    frames = ada.call("POST", "/replay", record)["frames"]
    place = next(place for place, frame in enumerate(frames) if place > 8 and frame["step"]["player"] is not None)
    step = frames[place]["step"]
    request = {"record": record, "step_count": place - 1, "player": step["player"], "turn": step["text"]}
    response = ada.call("POST", "/position", {**request, "compare_turns": [step["text"]]})
    assert (response["equivalent_turns"], response["outcome"]) == ([step["text"]], None)
    assert response["legal"] is not None
    assert ada.call("POST", "/position", {**request, "step_count": 10**5}, status=400)["code"] == "invalid"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"step_count": 10**5}, "invalid"),
        ({"step_count": None}, "invalid"),
        ({"turn": "a1-a1 xa1"}, "illegal"),
        ({"turn": "nonsense"}, "invalid"),
        ({"player": 1}, "illegal"),
        ({"player": 7}, "illegal"),
    ],
)
def test_evaluating_an_illegal_turn_is_refused_with_a_reason(ada: Client, changed: dict[str, Any], code: str) -> None:
    request = {"record": example_record("limit"), "step_count": 1, "player": 0, "turn": "b2-c2 xb7"}
    assert ada.call("POST", "/evaluate", request | changed, status=422 if code == "illegal" else 400)["code"] == code
