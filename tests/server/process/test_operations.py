"""Health checks, log, metrics and shutdown of a server."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import logging
import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import PIPE
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from limina.server import log_format
from limina.server.errors import UnavailableError
from limina.server.main import settings_warnings
from limina.server.monitoring.readiness import Readiness
from limina.server.settings import ServerSettings
from limina.server.storage import Store, url_of
from support.database.databases import disconnect_clients
from support.games.records import ring_record
from support.network import http
from support.network.raw_connection import TEXT, RawConnection
from support.processes.cli_commands import Command, limina
from support.server.clients import Client
from support.server.server_process import free_port, running_server, server_address
from support.waiting import wait_until

# --- health


def test_health_checks_of_a_running_server(address: str) -> None:
    for path in ("/health/live", "/health/ready", "/api/health"):
        answer = http.get(address + path)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
        assert answer.headers["cache-control"] == "no-store"


def test_a_server_without_its_database_is_live_but_not_ready(tmp_path: Path, postgres: str) -> None:
    folder = parse_qs(urlsplit(postgres).query)["host"][0]
    with TemporaryDirectory() as short:  # the path of a socket must be short
        way = Path(short) / "pg"
        way.symlink_to(folder)
        with server_address(tmp_path, "--database", postgres.replace(folder, str(way))) as address:

            def says(status: int) -> Callable[[], bool]:
                return lambda: http.get(f"{address}/health/ready").status_code == status

            assert says(200)()
            way.unlink()
            disconnect_clients(postgres)
            wait_until(says(503))
            assert http.get(f"{address}/health/live").status_code == 200
            way.symlink_to(folder)
            wait_until(says(200))


def test_frequent_readiness_requests_share_one_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    probes = []

    class Counted(Store):
        async def probe(self) -> None:
            probes.append(1)
            await asyncio.sleep(0)
            if len(probes) > 1:
                raise UnavailableError("gone")

    async def ask() -> None:
        readiness = Readiness(Counted(url_of(ServerSettings())))
        assert await asyncio.gather(*(readiness.is_ready() for _ in range(100))) == [True] * 100
        assert len(probes) == 1
        monkeypatch.setattr("limina.server.monitoring.readiness._CACHE_SECONDS", 0.0)
        assert await readiness.is_ready() is False

    asyncio.run(ask())


# --- the log


def record(message: str, *values: object, error: BaseException | None = None) -> logging.LogRecord:
    cause = (type(error), error, error.__traceback__) if error is not None else None
    return logging.LogRecord("limina.server", logging.ERROR, "file.py", 1, message, values, cause)


def failed() -> ValueError:
    try:
        raise ValueError("a secret card")
    except ValueError as error:
        return error


def test_a_log_line_has_time_and_cause_but_no_secret() -> None:
    line = log_format.TextFormatter().format(record("a %s failed", "socket", error=failed()))
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z limina: error: "
        r"a socket failed: ValueError at test_operations\.py:\d+",
        line,
    )
    entry = json.loads(log_format.JsonFormatter().format(record("a %s failed", "socket", error=failed())))
    assert (entry["level"], entry["message"]) == ("error", "a socket failed")
    assert entry["cause"].startswith("ValueError at ")
    assert "secret" not in json.dumps(entry) + line
    assert "\n" not in log_format.TextFormatter().format(record("two\nlines"))


def test_asyncio_errors_are_logged_rarely_and_without_their_content() -> None:
    async def fail_unawaited(number: int) -> None:
        raise KeyError(f"the secret card {number}")

    async def many() -> None:
        for number in range(100):
            asyncio.get_running_loop().create_task(fail_unawaited(number))
        await asyncio.sleep(0)
        gc.collect()

    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(log_format.JsonFormatter())
    handler.addFilter(log_format.RepeatFilter())
    logging.getLogger("asyncio").addHandler(handler)
    try:
        asyncio.run(many())
    finally:
        logging.getLogger("asyncio").removeHandler(handler)
    assert len(stream.getvalue().splitlines()) == log_format.MAX_REPEATS
    assert "secret" not in stream.getvalue()


def test_repeated_log_lines_are_suppressed_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("limina.server.log_format.time.monotonic", lambda: now[0])
    repeats = log_format.RepeatFilter()
    passed = [repeats.filter(record("the game %s cannot be read", str(number))) for number in range(1000)]
    assert sum(passed) == log_format.MAX_REPEATS
    assert repeats.filter(record("something else"))
    now[0] += log_format.REPEAT_WINDOW_SECONDS + 1
    again = record("the game %s cannot be read", "x")
    assert repeats.filter(again)
    assert log_format.TextFormatter().format(again).endswith(f"({1000 - log_format.MAX_REPEATS} repeats suppressed)")
    assert json.loads(log_format.JsonFormatter().format(again))["suppressed"] == 1000 - log_format.MAX_REPEATS


def test_risky_settings_are_warned_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert not list(settings_warnings(ServerSettings()))
    assert not list(settings_warnings(ServerSettings(host="0.0.0.0", trusted_proxies="10.0.0.1")))
    assert "--proxy" in " ".join(settings_warnings(ServerSettings(host="0.0.0.0")))
    assert "trusts the X-Forwarded-For" in " ".join(settings_warnings(ServerSettings(trusted_proxies="*")))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "root" in " ".join(settings_warnings(ServerSettings()))


def test_a_disconnect_before_the_response_is_no_error(tmp_path: Path) -> None:
    body = json.dumps(ring_record(2_000)).encode()
    with logged(tmp_path, "--log", "json") as (address, lines):
        with pytest.raises(httpx.ReadTimeout):
            http.post(f"{address}/api/replay", content=body, timeout=httpx.Timeout(30, read=0.001))
        # This request is answered after the cancelled one, so an error of that one would be in the log.
        assert http.post(f"{address}/api/replay", json=ring_record(2), timeout=30).status_code == 200
    assert not [line for line in map(json.loads, lines()) if line["level"] == "error"]


def test_unexpected_forwarded_headers_are_warned_about_once(tmp_path: Path) -> None:
    for arguments, times in (((), 1), (("--proxy",), 0)):
        with logged(tmp_path, "--log", "json", *arguments) as (address, lines):
            for _ in range(3):
                http.get(f"{address}/api/health", headers={"X-Forwarded-For": "192.0.2.1"})
        warnings = [line for line in map(json.loads, lines()) if "forwarded headers" in line["message"]]
        assert len(warnings) == times
        assert all("--proxy" in line["message"] and line["time"].endswith("Z") for line in warnings)


@contextmanager
def logged(data: Path, *arguments: str) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    """Run a server; the function that is returned gives its log lines after its end."""
    process = Command(["serve", "--port", "0", "--data", str(data), *arguments], stdout=PIPE, stderr=PIPE)
    assert process.stdout is not None
    lines: list[str] = []
    try:
        yield process.stdout.readline().split()[-1].rstrip("/"), lambda: lines
    finally:
        process.terminate()
        lines.extend(process.communicate(timeout=20)[1].splitlines())


# --- metrics


def test_metrics_are_served_at_their_own_port(tmp_path: Path) -> None:
    port = free_port()
    with server_address(tmp_path, "--metrics", str(port)) as address, closing(Client(address)) as ada:
        table = ada.live(ada.create("limes", "me")["match_id"])
        table.until("state")
        assert table.play(0, "d4r0")["type"] == "played"
        assert table.play(0, "d4r0")["type"] == "refused"
        ada.call("GET", "/matches/nothing-here", status=404)
        assert "limina_turns" not in http.get(f"{address}/metrics").text
        text = http.get(f"http://127.0.0.1:{port}/metrics").text
    figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(figures["limina_turns_total"]) == 1
    assert float(figures["limina_turn_seconds_count"]) == 1
    assert float(figures["limina_sockets"]) == 1
    assert float(figures["limina_connections"]) >= 1
    assert float(figures["limina_commits_total"]) >= 2
    assert float(figures["limina_request_seconds_count"]) >= 2
    assert float(figures["limina_bots_busy"]) == 0
    assert float(figures["limina_event_loop_lag_seconds_count"]) > 0
    assert float(figures['limina_requests_refused_total{code="not_found"}']) == 1


@pytest.mark.parametrize("where", ["x", "0", "99999", "127.0.0.1:", ""])
def test_invalid_metrics_addresses_are_refused(where: str) -> None:
    done = limina("serve", "--metrics", where)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "HOST:PORT" in done.stderr


def test_serve_fails_if_the_metrics_port_is_in_use(address: str, tmp_path: Path) -> None:
    port = address.rpartition(":")[2]
    done = limina("serve", "--port", "0", "--data", str(tmp_path), "--metrics", port)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "for metrics" in done.stderr


# --- shutdown


def test_sigterm_closes_all_sockets_even_of_clients_that_do_not_read(tmp_path: Path) -> None:
    with (
        running_server(tmp_path) as server,
        closing(Client(server.address)) as ada,
        RawConnection(server.address) as deaf,
    ):
        match = ada.create("limes", "me")["match_id"]
        table = ada.live(match)
        table.until("state")
        deaf.upgrade(f"/api/matches/{match}/live")
        deaf.send(deaf.frame(TEXT, b'{"type":"hello"}') * 50)
        with RawConnection(server.address) as half:
            half.send(b"POST /api/me/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
            server.process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                table.until("nothing that comes")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            server.process.wait(timeout=20)  # clients that do not read must not delay it
