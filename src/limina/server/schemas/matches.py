"""Schemas of games and matches. Each game's own package has the types of its positions and legal turns."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from limina.bots.base import BotErrorKind
from limina.core.spec import OptionType, Unit
from limina.server.errors import ErrorCode
from limina.server.model import Phase, SeatKind

MAX_SEATS = 8
MAX_SEAT_TOKENS = 200
"""Seat tokens of one request for the matches of a player. The page sends as many at most."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it contains characters that cannot be shown")
    return text


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40), AfterValidator(_printable)]
GameName = Annotated[str, StringConstraints(max_length=40)]
BotName = Annotated[str, StringConstraints(max_length=40)]
MatchId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{6,32}$")]
SeatToken = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{22,64}$")]
RequestId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
TurnText = Annotated[str, StringConstraints(min_length=1, max_length=100)]
DeckId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{24}$")]
SeatIndex = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]

View = Annotated[dict[str, Any], Field(json_schema_extra={"x-view": "view"})]
"""The visible parts of a position, in the game's own type."""
Legal = Annotated[dict[str, Any], Field(json_schema_extra={"x-view": "legal"})]
"""The legal turns of a seat, in the game's own type."""
Preview = Annotated[dict[str, Any], Field(json_schema_extra={"x-view": "preview"})]
"""The result of a turn, in the game's own type."""
Companion = Annotated[dict[str, Any], Field(json_schema_extra={"x-view": "companion"})]
"""The evaluation of a physical game, in the game's own type."""


class ApiModel(BaseModel):
    """Base of all schemas: unknown fields are an error, and the docstrings of fields become their descriptions."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Error(ApiModel):
    """An error, as a sentence for people and as a code for programs."""

    error: str
    code: ErrorCode


# --- games and matches


class OptionInfo(ApiModel):
    """An option of a game, chosen when a match is created."""

    name: str
    type: OptionType
    """A `flag` is true or false, a `number` is from `min` to `max`. The game defines what a `list` contains."""
    default: bool | int | None
    min: int | None
    max: int | None
    help: str
    """Description in English."""


class PieceInfo(ApiModel):
    """The piece of a game that is printed in a chosen size, in millimeters."""

    name: str
    """Name in English."""
    default_mm: float
    min_mm: float
    max_mm: float


class GameInfo(ApiModel):
    """A game, its options and its bots."""

    name: str
    title: str
    summary: str
    """One English sentence about the game."""
    unit: Unit
    """Unit of `progress`."""
    simultaneous: bool
    """True if all players move in each round, so that turns can be hidden until its end. False if they alternate."""
    min_seats: int
    max_seats: int
    bots: list[str]
    """Levels of the built-in bots, weakest first, then the bots that the host added."""
    options: list[OptionInfo]
    has_lessons: bool
    can_take_back: bool
    """True if turns can be taken back in a match whose other seats are all bots, because the game hides nothing."""
    printed_piece: PieceInfo | None
    """The piece whose printed size can be chosen. Null if the server cannot print the game."""


class NewSeat(ApiModel):
    """A seat of a new match: of a person at your screen, of a bot, or open to join with the link of the match."""

    kind: SeatKind
    name: Name | None = None
    bot: BotName | None = None
    """Name of the bot. Allowed only if `kind` is `bot`."""


class NewMatch(ApiModel):
    """Settings of a new match."""

    game: GameName
    seats: Annotated[list[NewSeat], Field(min_length=1, max_length=MAX_SEATS)]
    options: Annotated[dict[str, JsonValue], Field(max_length=10)] = {}
    hidden_turns: bool = False
    """Hide the turns of an open round from the other players until all have moved."""
    allow_spectators: bool = True
    """Allow clients without a seat to watch. If false, only players can see the match, even after it is over."""
    shuffle_seats: bool = False
    """Shuffle the seats before the match begins."""


class NewDeck(ApiModel):
    """A deck to share or to try."""

    game: GameName
    faces: Annotated[list[Annotated[str, StringConstraints(max_length=40)]], Field(max_length=200)]
    """Cards in the game's notation, card 1 first."""


class DeckState(ApiModel):
    """A shared deck."""

    deck_id: str
    """Hash of the game and the faces."""
    game: str
    faces: list[str]


class HeldSeat(ApiModel):
    """A seat and the secret that proves that it is yours."""

    seat_index: int
    seat_token: str


class FailedBot(ApiModel):
    """A bot that failed and was replaced by another one."""

    bot: str
    kind: BotErrorKind
    """`unavailable` means that the host removed the bot."""
    message: str
    """The failure as an English sentence."""


class SeatState(ApiModel):
    """A seat of a match."""

    kind: SeatKind
    name: str
    """Name of the player. Empty while the seat is open."""
    bot: str | None
    turn_count: int
    """Number of turns that this seat has played, which is the `turn_index` of its next turn."""
    failed_bot: FailedBot | None
    """The bot that held this seat before and failed."""


class StepState(ApiModel):
    """An entry of a record: a turn, or an outcome of chance."""

    player: int | None
    """Index of the player. Null for chance."""
    text: str


class OutcomeState(ApiModel):
    """The end of a game."""

    winners: list[int]
    reason: str
    """The reason as an English sentence. The game's view has its parts in `end`."""


class Reveal(ApiModel):
    """Values behind the commitment of a match that is over.

    The commitment is the SHA-256 of the salt, a colon, and the entries of `order` joined by commas.
    """

    salt: str
    order: list[str]


class MatchState(ApiModel):
    """State of a match, as far as the client may see it."""

    match_id: str
    game: str
    version: int
    """Index of the last event. It grows with every change: equal versions are equal states."""
    phase: Phase
    options: dict[str, Any]
    hidden_turns: bool
    allow_spectators: bool
    seats: list[SeatState]
    my_seats: list[int]
    """Indices of the seats whose tokens the client sent."""
    to_move: list[int]
    """Indices of the seats that may play a turn now. Empty while seats are open."""
    commitment: str | None
    """Hash of a salt and all outcomes of chance, published before the first one. Null if the game has none."""
    reveal: Reveal | None
    """Values behind the commitment. Null until the match is over."""
    rematch_id: str | None
    """Id of the rematch, once there is one."""
    created_at: int
    """Milliseconds since 1970."""
    steps: list[StepState]
    """All steps, except turns that are hidden from the client."""
    view: View
    outcome: OutcomeState | None
    """The end of the game. Null while it is running."""
    legal: dict[int, Legal]
    """Legal turns of each of your seats that may move, by seat index."""


class JoinedMatch(ApiModel):
    """A match that the client created or joined, with the tokens of its seats.

    Store the tokens: the server has only their hashes and cannot send them again.
    """

    seat_tokens: list[HeldSeat]
    state: MatchState


class JoinRequest(ApiModel):
    """Take an open seat."""

    name: Name
    seat_index: SeatIndex | None = None
    """The seat to take. The default is the first open one."""
    seat_token: SeatToken | None = None
    """A random secret of the client, so that a repeated request gets the same seat. By default the server makes one."""


class AddBotRequest(ApiModel):
    """Let a bot take an open seat."""

    bot: BotName


class TurnRequest(ApiModel):
    """Play a turn."""

    idempotency_key: RequestId
    """A text that the client uses for no other turn of the match. A repeated request has the first one's result."""
    seat_index: SeatIndex
    turn_index: Count
    """Number of turns that the seat has played before."""
    turn: TurnText
    """The turn in the game's notation."""


class TakeBackRequest(ApiModel):
    """Take back the last turn of a seat, and the turns that bots have played since."""

    seat_index: SeatIndex
    turn_index: Count
    """Number of turns that the seat had played before this one. Nothing happens if the turn is already taken back."""
    version: Count | None = None
    """Version of the match at which the client saw the turn. Nothing happens if another turn has replaced it since."""


class SavedTurn(ApiModel):
    """A turn that the server has saved."""

    idempotency_key: str
    seat_index: int
    turn_index: int
    turn: str
    version: int
    """Version of the match after the turn."""


class PreviewRequest(ApiModel):
    """A turn to preview, or its first part."""

    seat_index: SeatIndex
    turn: TurnText


class PreviewResponse(ApiModel):
    """The result of a turn that was not played."""

    version: int
    """Version of the match that the preview starts from."""
    preview: Preview


class MyMatchesRequest(ApiModel):
    """Tokens of the seats whose matches to list."""

    seat_tokens: Annotated[list[SeatToken], Field(max_length=MAX_SEAT_TOKENS)]


class MatchSummary(ApiModel):
    """A match in the list of a player's matches."""

    match_id: str
    game: str
    phase: Phase
    seats: list[SeatState]
    my_seats: list[int]
    """Indices of the seats whose tokens the client sent."""
    to_move: list[int]
    """Indices of the seats that may play a turn now."""
    progress: int
    """Number of complete rounds, or of turns, by the game's `unit`."""
    winners: list[int]
    created_at: int
    """Milliseconds since 1970."""
    updated_at: int
    """Time of the last event, in milliseconds since 1970."""
    rematch_id: str | None
