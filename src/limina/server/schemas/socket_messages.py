"""The wire, continued: every message of a socket, of either side."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from limina.server.model import Phase
from limina.server.schemas.matches import (
    MOST_SEATS,
    Count,
    Error,
    Legal,
    MatchState,
    OutcomeState,
    PreviewAnswer,
    PreviewRequest,
    Reveal,
    Seat,
    SeatKey,
    StepState,
    Turn,
    TurnKey,
    TurnPlayed,
    View,
    Wire,
)

# --- socket messages, of the client


class Hello(Wire):
    """The first message: who you are. Without keys you are a spectator."""

    type: Literal["hello"]
    keys: Annotated[list[SeatKey], Field(max_length=MOST_SEATS)] = []  # noqa: RUF012  # every message gets its own
    version: Count | None = None
    """The version you have, after a reconnection."""
    legal: bool = True
    """Whether legal turns are to be sent with each state and update."""


class PlayTurn(Turn):
    """Play a turn; answered by `played` once it is saved, or by `refused`."""

    type: Literal["turn"]


class AskPreview(PreviewRequest):
    """Answered by `preview` or `refused`."""

    type: Literal["preview"]
    key: TurnKey
    """Comes back with the answer."""


class AskLegal(Wire):
    """Answered by `legal` or `refused`."""

    type: Literal["legal"]
    key: TurnKey
    seat: Seat


class Ping(Wire):
    """Answered by `pong`."""

    type: Literal["ping"]


ClientMessage = Annotated[Hello | PlayTurn | AskPreview | AskLegal | Ping, Field(discriminator="type")]
CLIENT_MESSAGE: TypeAdapter[Hello | PlayTurn | AskPreview | AskLegal | Ping] = TypeAdapter(ClientMessage)
_validate = CLIENT_MESSAGE.validator.validate_json


def read_client_message(content: str | bytes) -> Hello | PlayTurn | AskPreview | AskLegal | Ping:
    """Return the message of a client; raises Pydantic's ValidationError for one that is invalid."""
    message: Hello | PlayTurn | AskPreview | AskLegal | Ping = _validate(content)
    return message


# --- socket messages, of the server


class StateMessage(Wire):
    """Everything: the answer to `hello`, and whenever something else than a turn happened."""

    type: Literal["state"]
    state: MatchState


class CurrentMessage(Wire):
    """The answer to a `hello` whose version is the current one: nothing has happened since."""

    type: Literal["current"]
    version: int


class UpdateMessage(Wire):
    """A turn was played and saved. Replaces what its fields say; everything else of the state stays."""

    type: Literal["update"]
    version: int
    phase: Phase
    to_move: list[int]
    turns: list[int]
    """For each seat how many turns it has played."""
    first: int
    """How many of the steps you know stay; `steps` follow them."""
    steps: list[StepState]
    view: View
    outcome: OutcomeState | None
    reveal: Reveal | None
    legal: dict[int, Legal]
    """The legal turns of those of your seats for which they changed, if your `hello` asked for them. Your other seats
    that may still move keep theirs."""


class LegalMessage(Wire):
    """The legal turns of one of your seats, as you asked."""

    type: Literal["legal"]
    key: str
    version: int
    seat: int
    legal: Legal


class PlayedMessage(TurnPlayed):
    """Your turn is saved. The update that shows it comes before this."""

    type: Literal["played"]


class PreviewMessage(PreviewAnswer):
    """What a turn would lead to."""

    type: Literal["preview"]
    key: str


class RefusedMessage(Error):  # noqa: N818  # a message, no exception
    """What you asked for was not done, and why; `key` names the request."""

    type: Literal["refused"]
    key: str | None


class PongMessage(Wire):
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
