"""Records: all turns of one game, replayable, as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NoReturn

from limina.core.files import MAX_FILE_BYTES, decode_text
from limina.core.game import Game
from limina.core.position import IMPLICIT_PLAYER, P, Step, T, resolve_player
from limina.core.registry import game
from limina.core.rng import RandomSource, as_random
from limina.core.validation import expect_list, expect_object, expect_str, is_encodable, json_type_name, quote_truncated
from limina.errors import IllegalTurnError, InvalidInputError, LiminaError

FORMAT = "limina/1"


class RecordTooLongError(LiminaError):
    """A record has more steps than whoever reads it is ready for."""


@dataclass(frozen=True, slots=True, eq=False)
class Record(Generic[P, T]):
    """A game from its start to where it stands. Playing on returns a new record.

    >>> from random import Random
    >>> record = Record.new(game("limes"), ["Ada"])
    >>> record = record.apply_chance(Random(1)).play("d4r0 +nw")
    >>> record.end.round
    1
    >>> Record.read(record.write()) == record
    True
    """

    game: Game[P, T]
    names: tuple[str, ...]
    start: P
    steps: tuple[Step, ...] = ()
    end: P = field(default=None)  # type: ignore[assignment]  # made of the two above
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys at the top level that this program does not know; they are kept."""
    starts_at_beginning: bool = True
    """Whether it begins where the game began."""

    def __post_init__(self) -> None:
        if self.end is None:
            position = self.start
            for step in self.steps:
                position = position.apply(step)
            object.__setattr__(self, "end", position)

    def _value(self) -> object:
        # What is written down: where players move in one round, their order within it is not.
        return self.game.name, self.names, self.start, json.dumps(self.game.pack(self.start, self.steps))

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, Record) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._value())

    # --- playing

    @classmethod
    def new(cls, game: Game[P, T], names: Sequence[str], **options: Any) -> Record[P, T]:
        """A new game between players of these names, before chance has done anything."""
        return cls(game, tuple(names), game.start(len(names), **options))

    @classmethod
    def from_position(cls, game: Game[P, T], position: P) -> Record[P, T]:
        """A record that begins at a position, for questions about it; how it came about is not known."""
        return cls(
            game,
            tuple(f"player {player + 1}" for player in range(position.players)),
            position,
            starts_at_beginning=False,
        )

    def play(self, turn: T | str, player: int | None = None) -> Record[P, T]:
        """The record with one more turn."""
        if player is None and len(self.end.to_move) == 1:
            player = self.end.to_move[0]
        read = self.game.read_turn(turn) if isinstance(turn, str) else turn
        end = self.end.play(read, player)
        assert player is not None  # play would have complained
        return replace(self, steps=(*self.steps, Step(player, str(read))), end=end)

    def apply(self, step: Step) -> Record[P, T]:
        """The record with one more step, of chance or of a player."""
        return replace(self, steps=(*self.steps, step), end=self.end.apply(step))

    def apply_chance(self, rng: RandomSource) -> Record[P, T]:
        """The record after chance has done its part."""
        return self.apply(self.end.chance(as_random(rng)))

    def positions_by_progress(self, last: P | None = None) -> list[P]:
        """The positions up to one, or to the end, each when so many rounds (or turns) were first behind it."""
        end = self.end if last is None else last
        found: dict[int, P] = {}
        for position in self.positions():
            if not position.awaits_chance or position.progress:  # not the table before it is laid
                found.setdefault(position.progress, position)
        return [*(position for progress, position in found.items() if progress < end.progress), end]

    @property
    def chance_steps(self) -> tuple[Step, ...]:
        """All that chance has done."""
        return tuple(step for step in self.steps if step.player is None)

    def without_last(self, steps: int = 1) -> Record[P, T]:
        """The record without its last steps."""
        return self._with_steps(self.steps[: len(self.steps) - steps])

    def visible_to(self, player: int) -> Record[P, T]:
        """The record as a player may see it: where all move at once, without what others did in the open round."""
        moved = set(range(self.end.players)) - {*self.end.to_move, player}
        if not self.game.spec.simultaneous or not moved or not self.end.to_move:
            return self
        positions = list(self.positions())
        first = len(self.steps)
        while first and self.steps[first - 1].player is not None and positions[first - 1].progress == self.end.progress:
            first -= 1
        kept = tuple(step for step in self.steps[first:] if step.player == player)
        return self._with_steps((*self.steps[:first], *kept))

    def _with_steps(self, steps: tuple[Step, ...]) -> Record[P, T]:
        return Record(
            self.game, self.names, self.start, steps, extra=self.extra, starts_at_beginning=self.starts_at_beginning
        )

    def positions(self) -> Iterator[P]:
        """The start and the position after each step."""
        position = self.start
        yield position
        for step in self.steps:
            position = position.apply(step)
            yield position

    # --- reading

    @classmethod
    def read(cls, text: str | bytes) -> Record:
        """Read a record from JSON and replay it; whatever is wrong with it is said in one sentence."""
        return cls.from_json(parse(text))

    @classmethod
    def from_json(cls, data: object, max_steps: int | None = None) -> Record:
        """Make a record of a parsed JSON object; RecordTooLongError, before a step is played, if it has too many."""
        data = expect_object(data, "a record")
        form = data.get("format")
        if form != FORMAT:
            said = "it does not say so" if form is None else f"it says {quote_truncated(form)}"
            raise InvalidInputError(f"the format must be {FORMAT!r}, and {said}")
        the_game = game(expect_str(data.get("game"), "game"))
        names = [
            expect_str(name, f"player {n}'s name")
            for n, name in enumerate(expect_list(data.get("players"), "players"), 1)
        ]
        if len(names) not in the_game.spec.players:
            raise InvalidInputError(f"{the_game.title} is for {the_game.spec.player_range_text}, not {len(names)}")
        start, parsed_steps = the_game.unpack(data, len(names))
        if max_steps is not None and len(parsed_steps) > max_steps:
            raise RecordTooLongError(
                f"games of up to {max_steps:,} steps are read here, this one has {len(parsed_steps):,}"
            )
        position, steps = start, []
        for step, location in parsed_steps:
            try:
                if step.player == IMPLICIT_PLAYER:
                    step = step._replace(player=resolve_player(position, None))
                position = position.apply(step)
            except LiminaError as error:
                where = location if step.player is None else f"{location}: {_quoted(step.text)}"
                raise type(error)(f"{where}: {error}") from None
            steps.append(step)
        if the_game.spec.chance == "setup" and position.awaits_chance:
            raise InvalidInputError("the table has not been laid, so there is no game yet")
        known = {"format", "game", "players", *the_game.pack(start, ())}
        extra = {key: value for key, value in data.items() if key not in known}
        record = cls(the_game, tuple(names), start, tuple(steps), position, extra)
        if "result" in extra:
            _check_result(extra["result"], record)
        return record

    # --- writing

    def summary(self) -> dict[str, Any]:
        """Where the game stands, as `limina replay --json` prints it."""
        return {"game": self.game.name, **self.end.summary(self.names)}

    def to_json(self) -> dict[str, Any]:
        """The record as plain values; a finished game gets its result."""
        if not self.starts_at_beginning:
            raise LiminaError("this needs the whole record of a game, not a mere position")
        own = self.game.pack(self.start, self.steps)
        extra = {key: value for key, value in self.extra.items() if key != "result"}
        data = {"format": FORMAT, "game": self.game.name, "players": list(self.names), **own, **extra}
        if self.end.outcome is not None:
            data["result"] = {"winners": list(self.end.outcome.winners)}
        return data

    def write(self) -> str:
        """The record as JSON, one line."""
        data = self.to_json()
        written = json.dumps(data, ensure_ascii=False)
        # Half a character cannot be written as such: a name may hold one, and the record is to be read again.
        return written if is_encodable(written) else json.dumps(data)


def parse(text: str | bytes) -> object:
    """Parse JSON from outside: anything odd becomes one sentence."""
    if len(text) > MAX_FILE_BYTES:
        raise InvalidInputError(f"it is larger than {MAX_FILE_BYTES // 1024 // 1024} MiB")
    try:
        return json.loads(decode_text(text) if isinstance(text, bytes) else text, parse_constant=_no_constant)
    except RecursionError:
        raise InvalidInputError("it is nested too deep") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidInputError(f"it is not JSON: {error.msg.lower()} ({where})") from None
    except InvalidInputError:
        raise
    except ValueError:  # a number with more digits than Python reads
        raise InvalidInputError("it holds a number that is too long") from None


def _no_constant(name: str) -> NoReturn:
    raise InvalidInputError(f"it is not JSON: {name} is not a number")


def _quoted(text: str) -> str:
    """A turn as it was written, or quoted where that would not fit a line."""
    return text if text.isascii() and text.isprintable() and len(text) <= 40 else quote_truncated(text)


def _check_result(result: object, record: Record) -> None:
    """A result is a list of winners, or an object with any part of the summary; it must agree with the replay."""
    if isinstance(result, list):
        result = {"winners": result}
    claims = expect_object(result, "result")
    summary = record.summary()
    if record.game.scoring is not None:
        summary["totals"] = list(record.game.scoring.points(record.end))
    for key, claim in claims.items():
        if key in summary and not _same(claim, summary[key]):
            raise IllegalTurnError(
                f"result: {key} is {_format_value(claim)}, but the replay gives {_format_value(summary[key])}"
            )


def _same(claim: object, found: object) -> bool:
    """Whether two JSON values say the same; true is not 1 here."""
    return json.dumps(claim, sort_keys=True) == json.dumps(found, sort_keys=True)


def _format_value(value: object) -> str:
    return json.dumps(value) if len(json.dumps(value)) <= 60 else json_type_name(value)
