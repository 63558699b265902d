"""The wire of games and matches: requests and answers. What a game shows is typed in the game's own folder."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from limina.bots.base import BotErrorKind
from limina.core.spec import OptionType, Unit
from limina.server.errors import ErrorCode
from limina.server.model import Phase, SeatKind

MOST_SEATS = 8
MOST_KEYS = 200


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it holds characters that cannot be shown")
    return text


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40), AfterValidator(_printable)]
MatchId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{6,32}$")]
SeatKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{22,64}$")]
TurnKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
TurnText = Annotated[str, StringConstraints(min_length=1, max_length=100)]
DeckId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{24}$")]
Seat = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]

View = Annotated[dict[str, Any], Field(json_schema_extra={"x-view": "view"})]
"""What everybody may see of a position, in the game's own words."""
Legal = Annotated[dict[str, Any], Field(json_schema_extra={"x-view": "legal"})]
"""Every legal turn of a seat, in the game's own words."""
Preview = Annotated[dict[str, Any], Field(json_schema_extra={"x-view": "preview"})]
"""What a turn would lead to, in the game's own words."""


Table = Annotated[dict[str, Any], Field(json_schema_extra={"x-view": "table"})]
"""What a real table is worth, in the game's own words."""


class Wire(BaseModel):
    """Whatever goes over the wire says exactly what it may hold."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Error(Wire):
    """What is wrong, in a sentence for a player and in a word for a program."""

    error: str
    code: ErrorCode


# --- games and matches


class OptionInfo(Wire):
    """One thing to choose before a game begins."""

    name: str
    type: OptionType
    """A flag is true or false; what a list holds is the game's own affair."""
    default: bool | int | None
    min: int | None
    max: int | None
    help: str
    """What it means, in English."""


class PieceInfo(Wire):
    """What of a game is printed at a chosen size, in millimetres."""

    name: str
    """In English."""
    default_mm: float
    min_mm: float
    max_mm: float


class GameInfo(Wire):
    """A game and what can be chosen."""

    name: str
    title: str
    summary: str
    """What one does in it, in an English sentence."""
    unit: Unit
    simultaneous: bool
    """Whether all move in each round, so that turns may stay hidden till its end; else one after the other."""
    min_seats: int
    max_seats: int
    bots: list[str]
    """Levels, weakest first, then the bots that the host has added."""
    options: list[OptionInfo]
    lessons: bool
    """Whether it can be learned by lessons."""
    can_take_back: bool
    """Whether turns can be taken back where every other seat is a bot's: nothing is hidden that one could have seen."""
    prints: PieceInfo | None
    """What is printed at a chosen size, where the game can be printed."""


class NewSeat(Wire):
    """Who is to sit here: a person (you, or others at your screen), a bot, or whoever joins by the link."""

    kind: SeatKind
    name: Name | None = None
    bot: Annotated[str, StringConstraints(max_length=40)] | None = None
    """The bot's level; only for bots."""


class NewMatch(Wire):
    """A match to begin."""

    game: Annotated[str, StringConstraints(max_length=40)]
    seats: Annotated[list[NewSeat], Field(min_length=1, max_length=MOST_SEATS)]
    options: Annotated[dict[str, JsonValue], Field(max_length=10)] = {}
    hidden: bool = False
    """Whether others' turns of an open round stay hidden till all have moved."""
    spectators: bool = True
    """Whether those who hold no seat may watch; else the game is for its players alone, also when it is over."""
    shuffle: bool = False
    """Whether the seats are put in random order before the game begins."""


class NewDeck(Wire):
    """A deck of a game that is played with cards of one's own."""

    game: Annotated[str, StringConstraints(max_length=40)]
    faces: Annotated[list[Annotated[str, StringConstraints(max_length=40)]], Field(max_length=200)]
    """The cards as they are written, card 1 first; whether they are sound is the game's own affair."""


class DeckState(Wire):
    """A deck that somebody shares."""

    id: str
    """It follows from the game and the faces."""
    game: str
    faces: list[str]


class HeldSeat(Wire):
    """A seat and the secret that proves it is yours."""

    seat: int
    key: str


class FailedBot(Wire):
    """A bot that failed; another one took its place."""

    bot: str
    kind: BotErrorKind
    sentence: str
    """The same in English."""


class SeatState(Wire):
    """Who sits here."""

    kind: SeatKind
    name: str
    """Empty while the seat is open."""
    bot: str | None
    """The bot's level."""
    turns: int
    """How many turns this seat has played: the `number` that its next turn must give."""
    failed: FailedBot | None
    """The bot that sat here before and failed."""


class StepState(Wire):
    """One entry of a record: what a player did, or (player null) what chance did."""

    player: int | None
    text: str


class OutcomeState(Wire):
    """How a game ended."""

    winners: list[int]
    reason: str
    """In an English sentence; the view's `end` has the parts."""


class Reveal(Wire):
    """Opened once the game is over: sha256 over salt, colon, order joined by commas gives the commitment."""

    salt: str
    order: list[str]


class MatchState(Wire):
    """All that a viewer may know of a match at one moment."""

    match: str
    game: str
    version: int
    """Grows with everything that happens; the same version is the same state."""
    phase: Phase
    options: dict[str, Any]
    hidden: bool
    spectators: bool
    """Whether those who hold no seat may watch."""
    seats: list[SeatState]
    mine: list[int]
    """The seats whose keys you gave."""
    to_move: list[int]
    """Seats that may play a turn now; empty while seats are open."""
    commitment: str | None
    """Published before the first draw: binds the server to all that chance will do."""
    reveal: Reveal | None
    rematch: str | None
    """The match that was begun as a rematch of this one."""
    created: int
    """Milliseconds since 1970."""
    steps: list[StepState]
    """All that happened; turns that are hidden from you are not among them."""
    view: View
    outcome: OutcomeState | None
    legal: dict[int, Legal]
    """The legal turns of each of your seats that may move."""


class Created(Wire):
    """A new match, or a seat in one, with the keys to your seats. Keep them: nobody can give them to you again."""

    keys: list[HeldSeat]
    state: MatchState


class Join(Wire):
    """Take an open seat."""

    name: Name
    seat: Seat | None = None
    """The first open one if none is named."""
    key: SeatKey | None = None
    """A secret of your own making, so that a retry gets the same seat; else the server makes one."""


class Fill(Wire):
    """Let a bot take an open seat; for those who have a seat."""

    seat: Seat
    bot: Annotated[str, StringConstraints(max_length=40)]


class Turn(Wire):
    """A turn to play."""

    key: TurnKey
    """Any text that you use for no other turn of this match: the same turn sent again is answered, not played again."""
    seat: Seat
    number: Count
    """How many turns the seat has played before."""
    turn: TurnText
    """In the game's notation."""


class TakeBack(Wire):
    """A turn to be taken back: the last one of your seat, with whatever bots have played since."""

    seat: Seat
    number: Count
    """Which one: how many turns the seat had played before it. If it is taken back already, nothing happens."""
    version: Count | None = None
    """The version at which you saw it. Then nothing happens either if another turn stands there by now: a request that
    comes late takes back no other turn than the one that was meant."""


class TurnPlayed(Wire):
    """The turn is saved."""

    key: str
    seat: int
    number: int
    turn: str
    version: int
    """The version of the match that the turn led to."""


class PreviewRequest(Wire):
    """A turn, or its first part, to look at."""

    seat: Seat
    turn: TurnText


class PreviewAnswer(Wire):
    """What it would lead to. Nothing was stored."""

    version: int
    preview: Preview


class Mine(Wire):
    """Keys of seats."""

    keys: Annotated[list[SeatKey], Field(max_length=MOST_KEYS)]


class MatchSummary(Wire):
    """A line of "my games"."""

    match: str
    game: str
    phase: Phase
    seats: list[SeatState]
    mine: list[int]
    to_move: list[int]
    progress: int
    """How many rounds, or turns, are complete."""
    winners: list[int]
    created: int
    updated: int
    rematch: str | None
