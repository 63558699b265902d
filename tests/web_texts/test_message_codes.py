"""The page has messages for all error codes and bot errors of the server, in every language."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from limina.bots.base import BotErrorKind
from limina.server.errors import ErrorCode
from limina.server.schemas.matches import FailedBot
from support import ROOT

MESSAGES = ROOT / "web" / "src" / "messages"


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_every_error_code_has_a_message(language: str) -> None:
    messages: dict[str, Any] = {}
    for namespace in ("page", "match"):
        messages |= json.loads((MESSAGES / language / f"{namespace}.json").read_text(encoding="utf-8"))
    assert {key.removeprefix("error.") for key in messages if key.startswith("error.")} == {
        *get_args(ErrorCode),
        "offline",
        "unexpected",
    }
    assert {key.removeprefix("seat.failed.") for key in messages if key.startswith("seat.failed.")} == {
        *get_args(BotErrorKind)
    }


def test_the_schema_lists_all_bot_errors() -> None:
    assert {*get_args(FailedBot.model_fields["kind"].annotation)} == {*get_args(BotErrorKind)}
