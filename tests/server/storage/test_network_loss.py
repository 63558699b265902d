"""A network between server and database that silently drops all packets, as routers and failovers do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from chaos.tcp_proxy import Proxy
from limina.server.errors import RefusedError, UnavailableError
from limina.server.matches import MatchRequest, MatchService, SeatRequest
from limina.server.settings import ServerSettings
from limina.server.storage import url_of
from support.database.stores import drop_tables, open_store
from support.server.match_services import play
from support.waiting import WAIT_TIMEOUT_SECONDS


def test_silently_dead_connections_are_replaced(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    way = Path(parse_qs(urlsplit(postgres).query)["host"][0]) / ".s.PGSQL.5432"

    async def scenario() -> None:
        proxy = Proxy(lambda: asyncio.open_unix_connection(str(way)))
        address = f"postgresql://postgres@127.0.0.1:{await proxy.open()}/postgres"
        async with open_store(url_of(ServerSettings(database=address)), shared=True) as store:
            service = MatchService(store)
            created, _ = await service.create(
                MatchRequest("limit", [SeatRequest("person"), SeatRequest("person")], options={"size": 4})
            )
            # Several at once, so that the pool has several connections.
            reads = [store.load(created.match.id) for _ in range(2)]
            await asyncio.gather(store.versions([created.match.id]), *reads)
            for patience in (
                "transactions._TIMEOUT_SECONDS",
                "postgres._TIMEOUT_SECONDS",
                "postgres_bus._TIMEOUT_SECONDS",
            ):
                monkeypatch.setattr(f"limina.server.storage.{patience}", 1.0)
            proxy.freeze_open_connections()
            while True:
                try:
                    loaded = await service.get(created.match.id)
                    turn = str(loaded.match.situation.position.legal_turns(0)[0])
                    await play(service, loaded, (0,), 0, 0, turn, "k")
                    break
                except (RefusedError, UnavailableError):  # until the dead connections are detected
                    continue
            await service.close()
        await proxy.close()

    try:
        asyncio.run(asyncio.wait_for(scenario(), WAIT_TIMEOUT_SECONDS / 4))
    finally:
        asyncio.run(drop_tables(url_of(ServerSettings(database=postgres))))
