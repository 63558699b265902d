"""The OpenAPI document matches the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok

from limina.server.app import App
from limina.server.export_openapi import document_text
from limina.server.settings import ServerSettings
from support import ROOT
from support.server.clients import Client

FILE = ROOT / "web" / "src" / "lib" / "api" / "schema.json"


def test_the_stored_document_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == document_text(), "out of date: run `make openapi-schema`"


def test_no_request_makes_the_server_fail(address: str) -> None:
    document = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    seen = 0
    for operation in document.get_all_operations():
        assert isinstance(operation, Ok)
        strategy = operation.ok().as_strategy()

        @settings(
            max_examples=15, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
        )
        @given(case=strategy)
        def try_out(case: Any) -> None:
            answer = case.call()
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400:
                assert set(answer.json()) == {"error", "code"}

        try_out()
        seen += 1
    assert seen >= 14


def test_responses_match_their_schemas(ada: Client) -> None:
    from limina.server.schemas import matches, records

    state = ada.create("limes", "me", "random")
    matches.MatchState.model_validate(state)
    for game in ada.call("GET", "/games"):
        matches.GameInfo.model_validate(game)
    for line in ada.call("POST", "/me/matches", {"seat_tokens": ada.seat_tokens[state["match_id"]]}):
        matches.MatchSummary.model_validate(line)
    records.Replay.model_validate(ada.call("GET", f"/matches/{state['match_id']}/replay", match_id=state["match_id"]))


def test_building_the_application_creates_no_folder(tmp_path: Path) -> None:
    App(ServerSettings(data=tmp_path / "none"))
    assert not (tmp_path / "none").exists()
