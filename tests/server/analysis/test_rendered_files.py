"""Sheets and pictures over HTTP: rendered in subprocesses, cached, and limited."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from select import select
from typing import Any

import httpx
import pytest
from PIL import Image

from limina.isolated.protocol import RenderQuestion
from limina.server.analysis import Renders
from limina.server.analysis.renders import RENDER_PROGRAM
from limina.server.network.middleware import MAX_BODY_BYTES, MAX_RECORD_BODY_BYTES
from support.games.records import example_record, ring_record
from support.pdf import read_pages
from support.server.server_process import server_address

LIMES = example_record("limes")


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{address}/api", timeout=120) as http_client:
        yield http_client


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_sheets_have_the_requested_paper_size(client: httpx.Client, game: str) -> None:
    response = client.post("/print", json={"game": game, "paper": "letter", "language": "fr"})
    assert (response.status_code, response.headers["content-type"]) == (200, "application/pdf")
    assert {(round(side.width, 1), round(side.height, 1)) for side in read_pages(response.content)} == {(215.9, 279.4)}


@pytest.mark.parametrize(("file_format", "frames"), [("png", 1), ("gif", 17), ("webp", 17)])
def test_pictures_have_the_requested_size(client: httpx.Client, file_format: str, frames: int) -> None:
    response = client.post("/picture", json={"record": LIMES, "format": file_format, "pixels": 120, "theme": "dark"})
    assert (response.status_code, response.headers["content-type"]) == (200, f"image/{file_format}")
    picture = Image.open(io.BytesIO(response.content))
    assert max(picture.size) == 120
    assert getattr(picture, "n_frames", 1) == frames


def test_pictures_of_an_earlier_position_for_one_player(client: httpx.Client) -> None:
    request = {"record": LIMES, "format": "svg", "player": 0}
    pictures = [client.post("/picture", json={**request, "step_count": steps}) for steps in (6, 12)]
    assert {picture.headers["content-type"] for picture in pictures} == {"image/svg+xml"}
    assert len({picture.text for picture in pictures}) == 2


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/print", [], "must be an object"),
        ("/print", {"game": "chess"}, "chess"),
        ("/print", {"game": "limes", "paper": "a0"}, "paper must be a4 or letter"),
        ("/print", {"game": "limes", "size": 900}, "size must be from 40 to 90"),
        ("/print", {"game": "limes", "size": "big"}, "size must be a number"),
        ("/print", {"game": "limes", "bleed": -1}, "bleed must be from 0 to 5"),
        ("/print", {"game": "limes", "language": "la"}, "language must be"),
        ("/print", {"game": "limes", "options": {"deck": ["F"] * 24}}, "card 1"),
        ("/print", {"game": "limit", "options": {"size": 99}}, "size"),
        ("/print", {"game": "limit", "options": {"color": 1}}, "has no 'color'"),
        ("/picture", {"record": LIMES, "format": "bmp"}, "format must be"),
        ("/picture", {"record": LIMES, "format": "png", "pixels": 9000}, "pixels must be from 64 to 2048"),
        ("/picture", {"record": LIMES, "format": "gif", "pixels": 2000}, "pixels must be from 64 to 800"),
        ("/picture", {"record": LIMES, "format": "png", "theme": "pink"}, "theme must be"),
        ("/picture", {"record": LIMES, "format": "png", "player": 7}, "there is no player 7"),
        ("/picture", {"record": LIMES, "format": "png", "step_count": 10**4}, "step_count must be"),
        ("/picture", {"record": {}, "format": "png"}, "format"),
        ("/picture", {"record": LIMES, "format": "png", "more": 1}, "has no 'more'"),
    ],
)
def test_malformed_render_requests_are_refused(client: httpx.Client, path: str, body: Any, words: str) -> None:
    refused = client.post(path, json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert words in refused.json()["error"]


def test_too_large_bodies_are_refused(client: httpx.Client) -> None:
    for path, max_bytes in (("/print", MAX_BODY_BYTES), ("/picture", MAX_RECORD_BODY_BYTES)):
        assert client.post(path, content=b" " * (max_bytes + 1)).status_code == 413


def test_rate_limited_requests_get_a_retry_time(tmp_path: Path) -> None:
    limits = ("--max", "pictures_per_minute=2", "--max", "analyses=1", "--max", "localhost_multiplier=1")
    body = {"record": LIMES, "format": "svg"}
    board = {"players": 2, "tiles": [f"{x}4" for x in "cdefg"], "pawns": [["c4"], ["g4"]], "to_move": 0}
    with server_address(tmp_path, *limits) as address, httpx.Client(base_url=f"{address}/api", timeout=120) as client:
        answers = [client.post("/picture", json=body) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert int(answers[-1].headers["Retry-After"]) >= 1
        assert client.post("/print", json={"game": "limes"}).status_code == 429
        with ThreadPoolExecutor(4) as pool:
            tasks = [
                pool.submit(client.post, "/companion/hint", json={"game": "limit", "entry": board}) for _ in range(4)
            ]
            assert {answer.result().status_code for answer in tasks} == {200, 429}


def test_one_clients_animations_do_not_delay_pictures_of_others(tmp_path: Path) -> None:
    def headers(host: str) -> dict[str, str]:
        return {"X-Forwarded-For": host, "Content-Type": "application/json"}

    large = json.dumps({"record": ring_record(98), "format": "gif", "pixels": 800})
    with server_address(tmp_path, "--proxy", "127.0.0.1") as address, ExitStack() as stack:
        busy = [HTTPConnection(address.removeprefix("http://")) for _ in range(5)]
        for connection in busy:
            stack.callback(connection.close)
            connection.request("POST", "/api/picture", large, headers("203.0.113.1"))
        other = stack.enter_context(
            httpx.Client(base_url=f"{address}/api", headers=headers("203.0.113.2"), timeout=120)
        )
        assert other.post("/picture", json={"record": LIMES, "format": "png"}).status_code == 200
        assert other.post("/replay", json=LIMES).status_code == 200
        # The first client still waits for all five.
        assert select([connection.sock for connection in busy], [], [], 0)[0] == []


COUNTER = """if True:
    import sys
    count = 0
    while header := sys.stdin.readline().split():
        count += 1
        size = int(sys.stdin.read(int(header[1])))
        print("ok", size)
        print(str(count).rjust(size, "."), end="", flush=True)
"""


def test_rendered_files_are_cached_up_to_a_total_size() -> None:
    """The program answers with as many bytes as the body says, and with the number of questions so far."""

    async def scenario() -> None:
        program = replace(RENDER_PROGRAM, command=(sys.executable, "-c", COUNTER))
        renders = Renders(program, max_cache_bytes=10)
        requests: tuple[tuple[RenderQuestion, bytes], ...]
        requests = ("print", b"4"), ("picture", b"4"), ("print", b"5"), ("print", b"11")
        files = [await renders.ask(*requests[index]) for index in (0, 0, 1, 0, 2, 0, 1, 3, 3)]
        # The fifth file evicts the least recently used one. A file larger than the cache is not cached.
        assert [int(file.strip(b".")) for file in files] == [1, 1, 2, 1, 3, 1, 4, 5, 6]
        await renders.stop()

    asyncio.run(scenario())
