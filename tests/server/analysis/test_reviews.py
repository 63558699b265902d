"""Reviews of finished games as streams, and hints for players against bots; neither where it would be unfair."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from limina.core.record import Record
from limina.core.registry import game
from limina.isolated import protocol
from limina.isolated import record as record_program
from limina.isolated.process import MAX_MEMORY_BYTES, THREAD_STACK_BYTES
from limina.server.analysis.reviews import MAX_REVIEW_TURNS, ReviewRequest, review_pool
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT
from limina.server.schemas.json_encoding import dump
from limina.server.schemas.reviews import REVIEW_LINE, HintResponse
from support.games.records import memory_heavy_json, play_on, start_record
from support.server.clients import Client
from support.server.job_workers import read_jobs, until_job_count, until_true
from support.server.reviews import review_backend
from support.server.scripted_process import printing_command
from support.server.server_process import server_address
from support.waiting import wait_until

CHANCE = random.Random(5)


def small_record() -> dict[str, Any]:
    """Return the record of a short finished game."""
    record = start_record(game("limit"), ["Ada", "Ben"], random.Random(3), size=4)
    return play_on(record, random.Random(4)).to_json()


def small_game() -> ReviewRequest:
    return ReviewRequest.from_record(Record.from_json(small_record()))


def played_out(ada: Client, *seats: str, **options: Any) -> str:
    """Return a finished match of Ada's."""
    match: str = ada.create("limit", *seats, options=options)["match_id"]
    ada.live(match).play_until(lambda state: state["phase"] == "over", CHANCE)
    return match


def lines_of(ada: Client, method: str, path: str, **options: Any) -> Generator[dict[str, Any]]:
    with ada.http.stream(method, f"/api{path}", timeout=120, **options) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        for line in answer.iter_lines():
            REVIEW_LINE.validate_json(line)
            yield json.loads(line)


# --- reviews


def test_a_finished_match_is_reviewed_once_and_saved(ada: Client) -> None:
    match = played_out(ada, "me", "random", size=4)
    first = list(lines_of(ada, "GET", f"/matches/{match}/review"))
    turns = [step for step in ada.state(match)["steps"] if step["player"] is not None]
    assert [line["type"] for line in first] == ["begin", *["turn"] * len(turns), "end"]
    assert first[0]["turn_count"] == len(turns)
    assert [(line["player"], line["played"]) for line in first[1:-1]] == [
        (step["player"], step["text"]) for step in turns
    ]
    for line in first[1:-1]:
        assert line["lost"] == pytest.approx(line["before"] - line["after"], abs=2e-4)
        assert all(reason["key"] for reason in line["reasons"])
    assert list(lines_of(ada, "GET", f"/matches/{match}/review")) == first


def test_a_record_is_reviewed(ada: Client) -> None:
    lines = list(lines_of(ada, "POST", "/review", json=small_record()))
    assert lines[-1] == {"type": "end", "par": None, "bound": None}
    assert {line["player"] for line in lines[1:-1]} == {0, 1}


def test_a_running_game_is_not_reviewed(ada: Client) -> None:
    match = ada.create("limes", "me")["match_id"]
    refused = ada.call("GET", f"/matches/{match}/review", match_id=match, status=409)
    assert refused["code"] == "stale"
    assert "still running" in refused["error"]
    record = ada.call("GET", f"/matches/{match}/record", match_id=match)
    assert "still running" in ada.call("POST", "/review", record, status=409)["error"]


def test_invalid_records_are_refused(ada: Client) -> None:
    assert ada.call("POST", "/review", {"format": "limina/1"}, status=400)["code"] == "invalid"
    assert ada.call("GET", "/matches/nosuchmatch/review", status=404)["code"] == "not_found"


def workers() -> set[int]:
    """Return the review processes of the servers of this test run."""
    process_ids = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if b"isolated.review" in (folder / "cmdline").read_bytes() and str(os.getpid()) in ancestors(folder.name):
                process_ids.add(int(folder.name))
    return process_ids


def ancestors(process: str) -> Iterator[str]:
    """Yield the ids of the parent of a process, its parent, and so on."""
    while process != "0":
        process = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]
        yield process


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for as Linux shows them")
def test_a_review_stops_when_its_client_disconnects(ada: Client) -> None:
    # Eight players and sixteen rounds: the review would take many seconds.
    record = play_on(Record.new(game("limes"), [f"Player {n}" for n in range(8)]), random.Random(1))
    lines = lines_of(ada, "POST", "/review", json=record.to_json())
    assert [next(lines)["type"], next(lines)["type"]] == ["begin", "turn"]
    (worker,) = workers()
    lines.close()
    wait_until(lambda: worker not in workers())
    # The next review can run.
    assert list(lines_of(ada, "POST", "/review", json=small_record()))[-1]["type"] == "end"


# --- the queue


TURN = '{"type":"turn"}'
END = '{"type":"end","par":null,"bound":null}'


def kinds(lines: list[bytes]) -> list[str]:
    return [json.loads(line)["type"] for line in lines]


def test_lines_are_streamed_and_the_job_stops_without_watchers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.jobs.queue.WATCH_SECONDS", 2.0)
    monkeypatch.setattr("limina.server.jobs.worker._RENEW_SECONDS", 0.1)

    async def listen() -> None:
        async with review_backend(tmp_path, printing_command(TURN, stays=True)) as backend:
            reviews, record = backend.reviews, small_game()
            first = reviews.stream("a", record)
            assert kinds([await anext(first), await anext(first)]) == ["begin", "turn"]
            second = reviews.stream("a", record)
            assert kinds([await anext(second), await anext(second)]) == ["begin", "turn"]
            (job,) = await until_job_count(backend.store, 1)
            await second.aclose()
            await asyncio.sleep(3.0)  # longer than a job without watchers goes on
            assert [row.job_id for row in await read_jobs(backend.store)] == [job.job_id]  # it still has a watcher
            await first.aclose()
            await until_job_count(backend.store, 0)
            reviews._command = printing_command(TURN, END)
            assert kinds([line async for line in reviews.stream("a", record)]) == ["begin", "turn", "end"]

    asyncio.run(listen())


def test_reviews_of_a_client_run_one_by_one_and_wait_in_a_limited_queue(tmp_path: Path) -> None:
    limits = review_pool(2)["reviews"]
    assert limits.max_running_per_client < limits.max_running, "one client must not use the whole pool"

    async def listen() -> None:
        async with review_backend(tmp_path, printing_command(TURN, stays=True), limits) as backend:
            reviews, queue, record = backend.reviews, backend.queue, small_game()
            CURRENT_CLIENT.set("ada")
            first = reviews.stream("0", record)
            await anext(first)
            await anext(first)
            await until_true(lambda: queue.running["reviews"] == 1)
            waiting = [reviews.stream(str(number), record) for number in range(1, 9)]
            for stream in waiting:
                assert json.loads(await anext(stream))["waiting"]
            second_lines = [asyncio.create_task(anext(stream)) for stream in waiting]
            await until_true(lambda: queue.waiting["reviews"] == 8)
            with pytest.raises(RefusedError, match="try again") as refused:
                await reviews.check("9", record)
            assert refused.value.code == "rate_limited"
            await reviews.check("3", record)  # that one is in the queue already
            # Another client may still queue a review.
            CURRENT_CLIENT.set("ben")
            await reviews.check("9", record)
            other = reviews.stream("9", record)
            assert kinds([await anext(other), await anext(other)]) == ["begin", "turn"]
            await other.aclose()
            await first.aclose()
            done, running = await asyncio.wait(second_lines, return_when=asyncio.FIRST_COMPLETED)
            assert kinds([task.result() for task in done]) == ["turn"]
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for stream in waiting:
                await stream.aclose()

    asyncio.run(listen())


def test_a_review_ignores_extra_fields_of_a_record(ada: Client) -> None:
    record, junk = small_record(), {"junk": [list(range(100))] * 1000, "note": "x" * 100_000}
    word, answer = protocol.answer(record_program.handle, "review_request", json.dumps(record | junk).encode())
    assert (word, ReviewRequest.from_json(answer)) == ("ok", small_game())
    assert len(answer) < 2 * len(json.dumps(record))
    # Two records that differ only in extra fields have the same review.
    first = list(lines_of(ada, "POST", "/review", json=record))
    assert list(lines_of(ada, "POST", "/review", json=record | junk)) == first


def test_a_failed_review_process_is_reported_and_not_saved(tmp_path: Path) -> None:
    async def listen() -> None:
        async with review_backend(tmp_path, printing_command(TURN)) as backend:
            record = small_game()
            lines = [line async for line in backend.reviews.stream("a", record)]
            assert kinds(lines) == ["begin", "turn", "failed"]
            REVIEW_LINE.validate_json(lines[-1])
            backend.reviews._command = printing_command(END)
            assert kinds([line async for line in backend.reviews.stream("a", record)]) == ["begin", "end"]

    asyncio.run(listen())


def test_a_review_out_of_memory_fails_and_the_next_one_works(tmp_path: Path) -> None:
    async def listen() -> None:
        async with review_backend(tmp_path) as backend:
            most = MAX_MEMORY_BYTES + THREAD_STACK_BYTES * (os.cpu_count() or 1)
            wide = replace(small_game(), payload=memory_heavy_json(most))
            *_, last = [line async for line in backend.reviews.stream("a", wide)]
            failed = json.loads(last)
            assert (failed["type"], failed["code"]) == ("failed", "too_large")
            assert "takes more memory than" in failed["error"]
            assert kinds([line async for line in backend.reviews.stream("a", small_game())])[-1] == "end"

    asyncio.run(listen())


def test_a_game_that_is_too_long_is_refused(tmp_path: Path) -> None:
    record = Record.from_json(small_record())
    long = Record(record.game, record.names, record.start, record.steps[1:2] * (MAX_REVIEW_TURNS + 1), record.position)

    async def ask() -> None:
        async with review_backend(tmp_path) as backend:
            with pytest.raises(RefusedError, match="601"):
                await backend.reviews.check("a", ReviewRequest.from_record(long))

    asyncio.run(ask())


def test_a_review_survives_a_restart(tmp_path: Path) -> None:
    with server_address(tmp_path) as address, closing(Client(address)) as client:
        first = list(lines_of(client, "POST", "/review", json=small_record()))
    with server_address(tmp_path) as address, closing(Client(address)) as client:
        assert list(lines_of(client, "POST", "/review", json=small_record())) == first

    async def listen() -> None:
        # The saved review is sent: this process would write something else.
        async with review_backend(tmp_path, printing_command(TURN, END)) as backend:
            record = Record.from_json(small_record())
            key = "record " + hashlib.sha256(dump(record.to_json())).hexdigest()
            await backend.reviews.check(key, ReviewRequest.from_record(record))
            lines = backend.reviews.stream(key, ReviewRequest.from_record(record))
            assert [json.loads(line) async for line in lines] == first

    asyncio.run(listen())


# --- hints


@pytest.mark.parametrize(
    ("name", "seats"), [("limes", ["me"]), ("limes", ["me", "random"]), ("limit", ["me", "random"])]
)
def test_a_hint_is_a_legal_turn(ada: Client, name: str, seats: list[str]) -> None:
    state = ada.create(name, *seats, options={"size": 5} if name == "limit" else {})
    match = state["match_id"]
    hint = ada.call("POST", f"/matches/{match}/hint", {"seat_index": 0}, match_id=match)
    HintResponse.model_validate(hint)
    live = ada.live(match)
    live.until_state(lambda state: 0 in state["to_move"])
    assert live.play(0, hint["turn"])["type"] == "played"


def test_hints_are_refused_against_people_without_the_seat_or_out_of_turn(ada: Client, ben: Client) -> None:
    match = ada.create("limes", "me", "open", "random")["match_id"]
    ask = f"/matches/{match}/hint"
    assert ada.call("POST", ask, {"seat_index": 0}, match_id=match, status=403)["code"] == "forbidden"
    ben.join(match)
    refused = ada.call("POST", ask, {"seat_index": 0}, match_id=match, status=403)
    assert "against bots" in refused["error"]
    screen = ada.create("limit", "me", "me")["match_id"]
    assert (
        "against bots"
        in ada.call("POST", f"/matches/{screen}/hint", {"seat_index": 0}, match_id=screen, status=403)["error"]
    )

    alone = ada.create("limes", "me")["match_id"]
    assert (
        "not yours"
        in ben.call("POST", f"/matches/{alone}/hint", {"seat_index": 0}, match_id=alone, status=403)["error"]
    )
    over = played_out(ada, "me", "random", size=4)
    assert ada.call("POST", f"/matches/{over}/hint", {"seat_index": 0}, match_id=over, status=409)["code"] == "stale"
