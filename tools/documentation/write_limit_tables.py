"""Write the tables of limits in docs/hosting.md from the constants of the server: `make limit-tables`.

Each table stands between its marks. `tests/docs/test_limit_tables.py` fails when a table is out of date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import get_args, get_type_hints

from limina.isolated.process import MAX_MEMORY_BYTES
from limina.server.analysis import renders, subprocess_pool
from limina.server.analysis.subprocess_pool import IsolatedProgram
from limina.server.backend import POOLS
from limina.server.live import handler, socket_app, subscribers
from limina.server.network import http_protocol, middleware, rate_limits, socket_protocol, write_stall
from limina.server.settings import ClientLimits
from limina.server.storage.decks import MAX_DECKS

HOSTING_PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"
_BURST_SECONDS = f"{rate_limits.LIMITS['request'].window_seconds:g} s"
_PAGE_REQUESTS = rate_limits.LIMITS["page_request"]
_MAX_PAGE_REQUESTS = _PAGE_REQUESTS.ceiling * 60 / _PAGE_REQUESTS.window_seconds
_MESSAGE_COSTS = ", ".join(
    f"`{get_args(get_type_hints(kind)['type'])[0]}` {cost}" for kind, cost in handler._COSTS.items()
)


def _size(size_bytes: int) -> str:
    """Return a number of bytes in kB or MB."""
    return f"{size_bytes // 1024**2} MB" if size_bytes >= 1024**2 else f"{size_bytes // 1024} kB"


CLIENT_LIMITS = {
    "matches_per_minute": "new matches and rematches",
    "matches_per_hour": "new matches and rematches",
    "decks_per_hour": "decks shared by a link; the server stores the "
    f"{MAX_DECKS:,} most recently used ones of all clients",
    "requests_per_minute": f"requests to the API; bursts up to {_BURST_SECONDS}",
    "page_requests_per_minute": "requests for the page, for `/health` and for unknown paths; bursts up to "
    f"{_BURST_SECONDS}; at most {_MAX_PAGE_REQUESTS:,.0f} from the machine itself",
    "requests": "requests that are answered at the same time",
    "pictures_per_minute": "pictures of games and sheets to print",
    "new_connections_per_minute": "connections that are opened, and connections that become sockets",
    "connections": "open connections; behind a `--proxy`, running requests and sockets",
    "max_connections_total": "open connections of all clients; fewer if the system allows fewer file descriptors",
    "sockets": "open sockets with a seat; as many without a seat, and as many before `hello`",
    "sockets_per_match": "sockets of spectators of one match, of all clients",
    "upload_kilobytes": f"request bodies over {_size(middleware.MAX_BODY_BYTES)} that are being received, together",
    "socket_kilobytes_per_second": f"data from all sockets; bursts up to {_BURST_SECONDS}. The server reads the rest "
    f"later. A read counts as at least {socket_protocol._MIN_READ_BYTES} bytes",
    "messages_per_second": f"socket messages by their cost ({_MESSAGE_COSTS}); bursts up to {_BURST_SECONDS}. After "
    f"{handler._MAX_REFUSALS} refusals the socket is closed (1008)",
    "send_buffer_kilobytes": "data that waits to be sent on all sockets; on one socket "
    f"{_size(subscribers._MAX_UNSENT_BYTES)}, "
    f"for all clients {_size(rate_limits._MAX_UNSENT_BYTES)}. Beyond, the socket is closed (1013)",
    "analyses": "reviews, hints and evaluations at the same time",
    "localhost_multiplier": "factor of the limits for clients on the server's own machine",
}
POOL_JOBS = {
    "quick_bots": "turns of bots that answer at once",
    "bots": "turns of bots that think",
    "hosted_bots": "turns of the host's bots",
    "requeue": "matches whose bots get new jobs after a migration",
    "reviews": "reviews",
    "hints": "hints",
}
SUBPROCESS_POOLS = {
    "read records": subprocess_pool.RECORD_PROGRAM,
    "evaluate turns and positions": subprocess_pool.RECORD_PROGRAM,
    "render pictures and sheets": renders.RENDER_PROGRAM,
}


def _table(header: Iterable[str], alignment: str, rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table; the alignment has a letter for each column, l or r."""
    rule = ["---:" if letter == "r" else "---" for letter in alignment]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))


def client_limits() -> str:
    """Return the table of the limits that `--max` changes."""
    rows = ((f"`{item.name}`", f"{item.default:,}", CLIENT_LIMITS[item.name]) for item in fields(ClientLimits))
    return _table(("name", "default", "limits"), "lrl", rows)


def fixed_limits() -> str:
    """Return the table of the limits that no option changes."""
    overhead = _size(http_protocol._MAX_OVERHEAD_BYTES)
    rows = [
        (
            "request line and headers",
            f"{_size(http_protocol._MAX_HEADER_BYTES)}, {http_protocol._MAX_HEADERS} headers",
            "431",
        ),
        ("time until all headers have arrived", f"{http_protocol.HEADER_TIMEOUT_SECONDS:g} s", "connection closed"),
        ("requests that wait on a connection for earlier ones", f"{http_protocol._MAX_PIPELINED_REQUESTS}", "400"),
        ("request body", _size(middleware.MAX_BODY_BYTES), "413"),
        ("request body with a record", _size(middleware.MAX_RECORD_BODY_BYTES), "413"),
        ("time until the body has arrived", f"{middleware._BODY_TIMEOUT_SECONDS:g} s", "408"),
        (
            f"bodies over {_size(middleware.MAX_BODY_BYTES)} that are being received, of all clients",
            _size(rate_limits.MAX_UPLOAD_BYTES),
            "503",
        ),
        ("bytes outside headers and bodies (empty lines, chunk extensions)", overhead, "413"),
        (
            "socket message",
            f"{_size(socket_protocol.MAX_MESSAGE_BYTES)}, {socket_protocol._MAX_FRAGMENTS} frames",
            "socket closed",
        ),
        (
            "time until the first message of a socket (`hello`)",
            f"{socket_app._HELLO_TIMEOUT_SECONDS:g} s",
            "socket closed",
        ),
        (
            "time to answer a ping of the server, which sends one as often",
            f"{socket_protocol.PING_SECONDS:g} s",
            "socket closed",
        ),
        (
            "time without a byte that the client reads",
            f"{write_stall.WRITE_STALL_TIMEOUT_SECONDS:g} s",
            "connection closed",
        ),
    ]
    return _table(("subject", "limit", "beyond"), "lrl", rows)


def job_pools() -> str:
    """Return the table of the job pools of a server process."""
    rows = []
    for name, pool in POOLS.items():
        running = [f"{pool.max_running}", f"{pool.max_running_per_client}"]
        if name == "reviews":
            running = ["processors, at least 2", "half of them"]
        rows.append(
            (f"`{name}`", POOL_JOBS[name], *running, f"{pool.max_waiting:,}", f"{pool.max_waiting_per_client:,}")
        )
    header = ("pool", "jobs", "running in a process", "of one client", "waiting", "of one client")
    return _table(header, "llrrrr", rows)


def subprocess_pools() -> str:
    """Return the table of the subprocess pools of a server process."""

    def row(work: str, program: IsolatedProgram) -> tuple[str, ...]:
        limits = program.limits
        counts = (
            limits.max_running,
            limits.max_running_per_client,
            limits.max_waiting,
            limits.max_waiting_per_client,
        )
        return (work, *map(str, counts), f"{program.timeout_seconds:g} s", _size(MAX_MEMORY_BYTES))

    header = ("work", "running", "of one client", "waiting", "of one client", "time", "memory")
    return _table(header, "lrrrrrr", (row(*item) for item in SUBPROCESS_POOLS.items()))


TABLES = {
    "client-limits": client_limits,
    "fixed-limits": fixed_limits,
    "job-pools": job_pools,
    "subprocess-pools": subprocess_pools,
}


def fill_tables(page: str) -> str:
    """Return the page with each table between its marks; raise ValueError if marks are missing."""
    for name, table in TABLES.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        match = marks.search(page)
        if match is None:
            raise ValueError(f"docs/hosting.md has no marks of {name}")
        page = f"{page[: match.end(1)]}\n{table()}\n\n{page[match.start(2) :]}"
    return page


if __name__ == "__main__":
    HOSTING_PAGE.write_text(fill_tables(HOSTING_PAGE.read_text("utf-8")), "utf-8")
