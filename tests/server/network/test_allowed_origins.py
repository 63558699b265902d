"""Origins of pages that may use the server, and host names that it answers to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from limina.errors import LiminaError
from limina.server.errors import RefusedError
from limina.server.network.origins import Origins, is_loopback
from limina.server.settings import ServerSettings
from support.network import http
from support.network.raw_connection import RawConnection
from support.processes.cli_commands import limina
from support.server.clients import Client
from support.server.server_process import server_address

MATCH = {"game": "limes", "seats": [{"kind": "person", "name": "Ada"}]}


def ask(origins: Origins, method: str | None = "POST", **headers: str) -> None:
    scope: dict[str, Any] = {"headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    origins.check(scope if method is None else {**scope, "method": method})


def test_pages_of_other_sites_can_neither_post_nor_open_a_socket(address: str, ada: Client) -> None:
    own = {"Origin": address}
    assert http.post(f"{address}/api/matches", json=MATCH, headers=own).status_code == 201
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1", "http://localhost"):
        refused = http.post(f"{address}/api/matches", json=MATCH, headers={"Origin": origin})
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden"), origin
        assert "--origin" in refused.json()["error"]
    path = f"/api/matches/{ada.create('limes', 'me')['match_id']}/live"
    for origin, status in ((address, "101"), ("https://elsewhere.example", "403"), ("null", "403")):
        with RawConnection(address) as socket:
            assert status in socket.upgrade(path, f"Origin: {origin}")


def test_a_local_server_refuses_other_host_names(address: str) -> None:
    port = address.rpartition(":")[2]
    known = {f"localhost:{port}": 200, f"127.0.0.1:{port}": 200, "[::1]": 200, "rebound.example": 403}
    for name, status in known.items():
        assert http.get(f"{address}/api/games", headers={"Host": name}).status_code == status, name
    with RawConnection(address) as socket:
        socket.host = "rebound.example"
        assert "403" in socket.upgrade("/api/matches/abcdefgh/live")


def test_configured_origins_are_accepted(tmp_path: Path) -> None:
    with server_address(tmp_path, "--proxy", "--origin", "https://games.example.org") as address:

        def post_match(host: str, origin: str) -> int:
            headers = {"Host": host, "Origin": origin}
            return http.post(f"{address}/api/matches", json=MATCH, headers=headers).status_code

        assert post_match("games.example.org", "https://games.example.org") == 201
        assert post_match("127.0.0.1:8000", "https://games.example.org") == 201, (
            "behind one that does not pass on its name"
        )
        assert post_match("games.example.org", "https://elsewhere.example") == 403
        assert post_match("other.example", "https://games.example.org") == 403


def test_a_page_may_use_its_own_server_without_configured_origins() -> None:
    behind = Origins(ServerSettings(trusted_proxies="127.0.0.1"))
    ask(behind, host="games.example.org", origin="https://games.example.org")
    ask(behind, host="games.example.org", origin="https://games.example.org:443")
    ask(behind, None, host="games.example.org:8443", origin="https://games.example.org:8443")
    ask(behind, host="games.example.org")
    ask(behind, "GET", host="games.example.org", origin="https://elsewhere.example")
    for origin in ("https://elsewhere.example", "https://games.example.org:8443", "null", "file://", "x", "http://[::"):
        with pytest.raises(RefusedError):
            ask(behind, host="games.example.org", origin=origin)
        with pytest.raises(RefusedError):
            ask(behind, None, host="games.example.org", origin=origin)
    with pytest.raises(RefusedError):
        ask(behind, host="a b", origin="https://a b")


NO_ORIGINS = ["games.example.org", "ftp://x", "https://", "https://x/path", "https://x#part", "https://a b", "*",
              "https://[", "https://[::1", "https://]", "https://[x]", "https://x\u2100",
              "https://x:99999"]  # fmt: skip


@pytest.mark.parametrize("text", NO_ORIGINS)
def test_invalid_origins_are_refused(text: str) -> None:
    with pytest.raises(LiminaError, match=r"https://games\.example\.org"):
        Origins(ServerSettings(origins=(text,)))


def test_an_invalid_origin_stops_serve_with_an_error(tmp_path: Path) -> None:
    done = limina("serve", "--port", "0", "--data", str(tmp_path / "data"), "--origin", "https://[")
    message = "limina: an origin is an address such as https://games.example.org, not 'https://['\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message)


def test_loopback_hosts_are_recognized() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "::", "box.local")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_private_responses_are_not_cached(ada: Client) -> None:
    match = ada.create("limes", "me", allow_spectators=False)["match_id"]
    for path in ("", "/record", "/replay"):
        answer = ada.request("GET", f"/matches/{match}{path}", seat_tokens=ada.seat_tokens[match])
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store"), path
    for path in ("/me/matches", "/replay", "/position", "/matches/nothing-here", "/nowhere"):
        assert ada.request("POST", path, {}).headers["cache-control"] == "no-store", path
    assert ada.request("GET", f"/matches/{match}").headers["cache-control"] == "no-store"
