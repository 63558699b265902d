"""The example configuration for nginx, with a real nginx in front of real servers."""

from __future__ import annotations

import json
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from support.games.turns import random_turn
from support.network import http
from support.network.nginx import nginx
from support.server.clients import Client
from support.server.server_process import running_server

pytestmark = pytest.mark.needs("nginx")
# Report which server has answered, and take the client's address from a header: all clients are on this machine.
NGINX_SETTINGS = "add_header X-Answered-By $upstream_addr always; set_real_ip_from 127.0.0.1; real_ip_header X-Client;"


def who_answers(client: Client, match: str) -> set[str]:
    """Return the servers that answer the requests, turns and socket of a match."""
    rng = Random(match)
    keys = {"Limina-Seat-Tokens": ",".join(client.seat_tokens[match])}
    answers = [client.http.get(f"/api/matches/{match}{part}", headers=keys) for part in ("", "/record", "/replay", "")]
    state = answers[0].raise_for_status().json()
    seat = state["to_move"][0]
    number = state["seats"][seat]["turn_count"]
    turn = {
        "idempotency_key": f"{seat}-{number}",
        "seat_index": seat,
        "turn_index": number,
        "turn": random_turn(state, seat, rng),
    }
    answers.append(client.http.post(f"/api/matches/{match}/turns", headers=keys, json=turn))
    assert [answer.status_code for answer in answers] == [200] * 5
    with closing(client.live(match)) as live:
        live.until_state(lambda state: True)
        seat = live.state["to_move"][0]
        assert live.play(seat, random_turn(live.state, seat, rng))["type"] == "played"
        assert live.socket.response is not None
        headers = [answer.headers for answer in answers]
        # A server that could not be reached is named before the one that answered.
        return {
            response_headers["X-Answered-By"].split(", ")[-1]
            for response_headers in (*headers, live.socket.response.headers)
        }


def test_a_match_stays_with_one_server_until_the_server_dies(shared_database: str, tmp_path: Path) -> None:
    shared = ("--database", shared_database, "--shared", "--proxy")
    with (
        running_server(tmp_path, *shared) as one,
        running_server(tmp_path, *shared) as other,
        nginx(tmp_path / "nginx", [one.address, other.address], more=NGINX_SETTINGS) as address,
        closing(Client(address)) as ada,
    ):
        both = {server.address.removeprefix("http://") for server in (one, other)}
        before: dict[str, set[str]] = {}
        # Matches are distributed at random: it is very unlikely that a server gets none of fifty.
        while len(before) < 5 or (set().union(*before.values()) != both and len(before) < 50):
            match = ada.create("limit", "me", "me")["match_id"]
            before[match] = who_answers(ada, match)
        assert all(len(servers) == 1 for servers in before.values())
        assert set().union(*before.values()) == both
        one.kill()
        living = {other.address.removeprefix("http://")}
        # The other server answers requests for matches of the dead one.
        assert {match: who_answers(ada, match) for match in before} == dict.fromkeys(before, living)


@pytest.fixture
def at_nginx(tmp_path: Path) -> Iterator[str]:
    """Return the address of nginx in front of a server with tight limits."""
    limits = ("--max", "matches_per_minute=2")
    with (
        running_server(tmp_path, "--proxy", *limits) as server,
        nginx(tmp_path / "nginx", [server.address], more=NGINX_SETTINGS) as address,
    ):
        yield address


def test_clients_behind_nginx_are_separate_and_cannot_forge_addresses(at_nginx: str) -> None:
    def begin(client: str, **headers: str) -> int:
        body = {"game": "limit", "seats": [{"kind": "person"}, {"kind": "open"}]}
        return http.post(f"{at_nginx}/api/matches", json=body, headers={"X-Client": client, **headers}).status_code

    assert [begin("192.0.2.1") for _ in range(3)] == [201, 201, 429]
    assert begin("192.0.2.2") == 201
    assert begin("192.0.2.1", **{"X-Forwarded-For": "192.0.2.3"}) == 429
    # A body of a megabyte passes nginx and is refused by the server.
    assert http.post(f"{at_nginx}/api/replay", content=b" " * 1_000_000).status_code == 400
    assert http.post(f"{at_nginx}/api/replay", content=b" " * 1_200_000).status_code == 413


@pytest.mark.needs("openssl")
def test_requests_and_sockets_pass_nginx_with_tls(tmp_path: Path, address: str) -> None:
    certificate = tmp_path / "certificate.pem"
    making = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*making, "-keyout", certificate, "-out", tmp_path / "public"], check=True, capture_output=True)
    with certificate.open("ab") as file:
        file.write((tmp_path / "public").read_bytes())
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with (
        nginx(tmp_path / "nginx", [address], certificate=certificate) as encrypted,
        httpx.Client(base_url=encrypted, verify=False, timeout=60, headers={"Origin": encrypted}) as ada,
    ):
        body = {"game": "limes", "seats": [{"kind": "person"}]}
        created = ada.post("/api/matches", json=body)
        assert created.status_code == 201, created.text
        live = encrypted.replace("https", "wss") + f"/api/matches/{created.json()['state']['match_id']}/live"
        with connect(live, ssl=trusting, origin=Origin(encrypted)) as socket:
            socket.send(json.dumps({"type": "hello", "seat_tokens": [created.json()["seat_tokens"][0]["seat_token"]]}))
            assert json.loads(socket.recv(20))["state"]["my_seats"] == [0]
