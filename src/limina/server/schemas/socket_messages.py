"""Schemas of socket messages, of the client and of the server."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from limina.server.model import Phase
from limina.server.schemas.matches import (
    MAX_SEATS,
    ApiModel,
    Count,
    Error,
    Legal,
    MatchState,
    OutcomeState,
    PreviewRequest,
    PreviewResponse,
    RequestId,
    Reveal,
    SavedTurn,
    SeatIndex,
    SeatToken,
    StepState,
    TurnRequest,
    View,
)

# --- messages of the client


class Hello(ApiModel):
    """The first message of a socket, or a later one with other tokens. A client without tokens is a spectator."""

    type: Literal["hello"]
    seat_tokens: Annotated[list[SeatToken], Field(max_length=MAX_SEATS)] = []  # noqa: RUF012  # pydantic copies
    version: Count | None = None
    """Version of the state that the client has after a reconnection."""
    legal: bool = True
    """Send legal turns with each state and update."""


class PlayTurn(TurnRequest):
    """Play a turn. The answer is `played`, once the turn is saved, or `refused`."""

    type: Literal["turn"]


class GetPreview(PreviewRequest):
    """Request a preview. The answer is `preview` or `refused`."""

    type: Literal["preview"]
    request_id: RequestId
    """A text of the client that the answer repeats."""


class GetLegal(ApiModel):
    """Request the legal turns of a seat. The answer is `legal` or `refused`."""

    type: Literal["legal"]
    request_id: RequestId
    """A text of the client that the answer repeats."""
    seat_index: SeatIndex


class Ping(ApiModel):
    """Test the connection. The answer is `pong`."""

    type: Literal["ping"]


ClientMessage = Annotated[Hello | PlayTurn | GetPreview | GetLegal | Ping, Field(discriminator="type")]
CLIENT_MESSAGE: TypeAdapter[Hello | PlayTurn | GetPreview | GetLegal | Ping] = TypeAdapter(ClientMessage)
_validate = CLIENT_MESSAGE.validator.validate_json


def read_client_message(content: str | bytes) -> Hello | PlayTurn | GetPreview | GetLegal | Ping:
    """Return the message of a client. Raise Pydantic's ValidationError if it is invalid."""
    message: Hello | PlayTurn | GetPreview | GetLegal | Ping = _validate(content)
    return message


# --- messages of the server


class StateMessage(ApiModel):
    """The whole state: the answer to `hello`, and sent after every change that is not a turn."""

    type: Literal["state"]
    state: MatchState


class CurrentMessage(ApiModel):
    """The answer to a `hello` with the current version: the client's state is up to date."""

    type: Literal["current"]
    version: int


class UpdateMessage(ApiModel):
    """The changes after a turn that is saved. Fields of the state that are not listed here stay as they are."""

    type: Literal["update"]
    version: int
    phase: Phase
    to_move: list[int]
    turn_counts: list[int]
    """New `turn_count` of each seat."""
    unchanged_steps: int
    """Number of the client's steps that stay. `steps` replaces those after them."""
    steps: list[StepState]
    view: View
    outcome: OutcomeState | None
    reveal: Reveal | None
    legal: dict[int, Legal]
    """Legal turns of those of the client's seats for which they changed, if its `hello` requested legal turns.

    The client's other seats in `to_move` keep their legal turns.
    """


class LegalMessage(ApiModel):
    """Legal turns of a seat: the answer to `legal`."""

    type: Literal["legal"]
    request_id: str
    version: int
    seat_index: int
    legal: Legal


class PlayedMessage(SavedTurn):
    """The answer to `turn`: the turn is saved. The update with the turn comes before this message."""

    type: Literal["played"]


class PreviewMessage(PreviewResponse):
    """The result of a turn: the answer to `preview`."""

    type: Literal["preview"]
    request_id: str


class RefusedMessage(Error):  # noqa: N818  # a message, no exception
    """The error of a request that was not carried out."""

    type: Literal["refused"]
    request_id: str | None
    """The `request_id` of the request, or the `idempotency_key` of a turn. Null if the request had neither."""


class PongMessage(ApiModel):
    """The answer to `ping`."""

    type: Literal["pong"]


ServerMessage = Annotated[
    StateMessage
    | CurrentMessage
    | UpdateMessage
    | LegalMessage
    | PlayedMessage
    | PreviewMessage
    | RefusedMessage
    | PongMessage,
    Field(discriminator="type"),
]
SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage)
