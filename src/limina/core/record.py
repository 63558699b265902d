"""Records: all steps of a game, which can be replayed, and their JSON format."""

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
    """A record has more steps than the caller allows."""


@dataclass(frozen=True, slots=True, eq=False)
class Record(Generic[P, T]):
    """A game with all its steps so far. Records are immutable; every step returns a new one.

    >>> import random, limina
    >>> record = limina.Record.new(limina.game("limes"), ["Ada"])
    >>> record = record.apply_random_chance_step(random.Random(1)).play("d4r0 +nw")
    >>> [str(step.text) for step in record.steps]
    ['5', 'd4r0 +nw']
    >>> record.position.round
    1
    >>> limina.Record.from_json_text(record.to_json_text()) == record
    True
    """

    game: Game[P, T]
    names: tuple[str, ...]
    """Names of the players."""
    start: P
    """Initial position."""
    steps: tuple[Step, ...] = ()
    position: P = field(default=None)  # type: ignore[assignment]  # computed in __post_init__ unless the caller knows it
    """Position after the last step."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys at the top level that limina does not know. They survive reading and writing."""
    starts_at_beginning: bool = True
    """False if the record begins at a later position, so it cannot be written."""

    def __post_init__(self) -> None:
        if self.position is None:
            position = self.start
            for step in self.steps:
                position = position.apply(step)
            object.__setattr__(self, "position", position)

    def _value(self) -> object:
        # Compare the written form, which omits the order of the turns within a round.
        return self.game.name, self.names, self.start, json.dumps(self.game.pack(self.start, self.steps))

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, Record) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._value())

    # --- playing

    @classmethod
    def new(cls, game: Game[P, T], names: Sequence[str], **options: Any) -> Record[P, T]:
        """Return the record of a new game, before any chance step.

        Raises InvalidInputError if the number of players or an option is invalid.
        """
        return cls(game, tuple(names), game.start(len(names), **options))

    @classmethod
    def from_position(cls, game: Game[P, T], position: P) -> Record[P, T]:
        """Return a record that begins at any position, to ask bots about it. It cannot be written."""
        return cls(
            game,
            tuple(f"player {player + 1}" for player in range(position.players)),
            position,
            starts_at_beginning=False,
        )

    def play(self, turn: T | str, player: int | None = None) -> Record[P, T]:
        """Return the record with one more turn. Raises LiminaError if the turn cannot be read or is not legal."""
        if player is None and len(self.position.to_move) == 1:
            player = self.position.to_move[0]
        parsed = self.game.read_turn(turn) if isinstance(turn, str) else turn
        position = self.position.play(parsed, player)
        assert player is not None  # else the play above has raised an error
        return replace(self, steps=(*self.steps, Step(player, str(parsed))), position=position)

    def apply(self, step: Step) -> Record[P, T]:
        """Return the record with one more step of a player or of chance. Raises LiminaError if it is not legal."""
        return replace(self, steps=(*self.steps, step), position=self.position.apply(step))

    def apply_random_chance_step(self, rng: RandomSource) -> Record[P, T]:
        """Return the record after a random chance step."""
        return self.apply(self.position.draw_chance_step(as_random(rng)))

    def positions_by_progress(self, last: P | None = None) -> list[P]:
        """Return the first position after each round (or turn), up to the last position or the end of the record."""
        end = self.position if last is None else last
        first_positions: dict[int, P] = {}
        for position in self.positions():
            if not position.awaits_chance or position.progress:  # leave out the start that awaits its setup
                first_positions.setdefault(position.progress, position)
        return [*(position for progress, position in first_positions.items() if progress < end.progress), end]

    @property
    def chance_steps(self) -> tuple[Step, ...]:
        """All chance steps."""
        return tuple(step for step in self.steps if step.player is None)

    def without_last(self, steps: int = 1) -> Record[P, T]:
        """Return the record without its last steps."""
        return self._with_steps(self.steps[: len(self.steps) - steps])

    def visible_to(self, player: int) -> Record[P, T]:
        """Return the record without the turns of other players that are still hidden in an open round."""
        moved = set(range(self.position.players)) - {*self.position.to_move, player}
        if not self.game.spec.simultaneous or not moved or not self.position.to_move:
            return self
        positions = list(self.positions())
        first = len(self.steps)
        while (
            first
            and self.steps[first - 1].player is not None
            and positions[first - 1].progress == self.position.progress
        ):
            first -= 1
        own_steps = tuple(step for step in self.steps[first:] if step.player == player)
        return self._with_steps((*self.steps[:first], *own_steps))

    def _with_steps(self, steps: tuple[Step, ...]) -> Record[P, T]:
        return Record(
            self.game, self.names, self.start, steps, extra=self.extra, starts_at_beginning=self.starts_at_beginning
        )

    def positions(self) -> Iterator[P]:
        """Yield the initial position and the position after each step."""
        position = self.start
        yield position
        for step in self.steps:
            position = position.apply(step)
            yield position

    # --- reading

    @classmethod
    def from_json_text(cls, text: str | bytes) -> Record:
        """Return the record of a JSON text after a replay. Raises LiminaError if the text or a step is invalid."""
        return cls.from_json(parse_json(text))

    @classmethod
    def from_json(cls, data: object, max_steps: int | None = None) -> Record:
        """Return the record of a parsed JSON object after a replay.

        Raises LiminaError if the object or a step is invalid, and RecordTooLongError, before it plays a step, if there
        are more than `max_steps`.
        """
        data = expect_object(data, "a record")
        record_format = data.get("format")
        if record_format != FORMAT:
            actual = "it is missing" if record_format is None else f"it is {quote_truncated(record_format)}"
            raise InvalidInputError(f'the key "format" of a record must be {FORMAT!r}, but {actual}')
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
                f"records of up to {max_steps:,} steps are accepted here, but this one has {len(parsed_steps):,}"
            )
        position, steps = start, []
        for step, location in parsed_steps:
            try:
                if step.player == IMPLICIT_PLAYER:
                    step = step._replace(player=resolve_player(position, None))
                position = position.apply(step)
            except LiminaError as error:
                context = location if step.player is None else f"{location}: {_quote_turn(step.text)}"
                raise type(error)(f"{context}: {error}") from None
            steps.append(step)
        if the_game.spec.chance == "setup" and position.awaits_chance:
            raise InvalidInputError("the setup is missing, so there is no game yet")
        known = {"format", "game", "players", *the_game.pack(start, ())}
        extra = {key: value for key, value in data.items() if key not in known}
        record = cls(the_game, tuple(names), start, tuple(steps), position, extra)
        if "result" in extra:
            _check_result(extra["result"], record)
        return record

    # --- writing

    def summary(self) -> dict[str, Any]:
        """Return the state of the game as plain values, as `limina replay --json` prints it."""
        return {"game": self.game.name, **self.position.summary(self.names)}

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain values. Raises LiminaError if it does not begin at the start of the game."""
        if not self.starts_at_beginning:
            raise LiminaError("this needs the whole record of a game, not only a position")
        game_data = self.game.pack(self.start, self.steps)
        extra = {key: value for key, value in self.extra.items() if key != "result"}
        data = {"format": FORMAT, "game": self.game.name, "players": list(self.names), **game_data, **extra}
        if self.position.outcome is not None:
            data["result"] = {"winners": list(self.position.outcome.winners)}
        return data

    def to_json_text(self) -> str:
        """Return the record as a line of JSON."""
        data = self.to_json()
        text = json.dumps(data, ensure_ascii=False)
        # A name may contain a lone surrogate, which UTF-8 cannot encode. JSON can escape it.
        return text if is_encodable(text) else json.dumps(data)


def parse_json(text: str | bytes) -> object:
    """Return the value of a JSON text from outside. Raises InvalidInputError if it is invalid or too large."""
    if len(text) > MAX_FILE_BYTES:
        raise InvalidInputError(f"it is larger than {MAX_FILE_BYTES // 1024 // 1024} MiB")
    try:
        return json.loads(decode_text(text) if isinstance(text, bytes) else text, parse_constant=_reject_constant)
    except RecursionError:
        raise InvalidInputError("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidInputError(f"it is not JSON: {error.msg.lower()} ({place})") from None
    except InvalidInputError:
        raise
    except ValueError:  # a number with more digits than Python converts
        raise InvalidInputError("it holds a number that is too long") from None


def _reject_constant(name: str) -> NoReturn:
    raise InvalidInputError(f"it is not JSON: {name} is not a number")


def _quote_turn(text: str) -> str:
    # Without quotation marks if it is as short as a turn.
    return text if text.isascii() and text.isprintable() and len(text) <= 40 else quote_truncated(text)


def _check_result(result: object, record: Record) -> None:
    """Raise IllegalTurnError if a result (winners, or any part of the summary) contradicts the replay."""
    if isinstance(result, list):
        result = {"winners": result}
    claims = expect_object(result, "result")
    summary = record.summary()
    if record.game.scoring is not None:
        summary["totals"] = list(record.game.scoring.points(record.position))
    for key, claim in claims.items():
        if key in summary and not _is_same_json(claim, summary[key]):
            raise IllegalTurnError(
                f"result: {key} is {_quote_value(claim)}, but the replay gives {_quote_value(summary[key])}"
            )


def _is_same_json(claim: object, actual: object) -> bool:
    # Compare the JSON, because Python takes True for 1.
    return json.dumps(claim, sort_keys=True) == json.dumps(actual, sort_keys=True)


def _quote_value(value: object) -> str:
    return json.dumps(value) if len(json.dumps(value)) <= 60 else json_type_name(value)
