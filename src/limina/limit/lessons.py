"""The tutorial of Limit: a position for each lesson, with feedback that the rules give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from limina._kernel import limit as kernel
from limina.core.lessons import Feedback, Lesson
from limina.core.position import Step
from limina.core.record import Record
from limina.core.registry import game
from limina.limit.notation import Turn
from limina.limit.position import Position
from limina.limit.presenter import LimitPresenter, LimitPreview

Judge = Callable[[Position, kernel.PlayedTurn], Feedback | None]
"""Returns the feedback to a turn that misses the goal of a lesson, or None if the turn reaches it."""


@dataclass(frozen=True, slots=True)
class _Task:
    """The definition of a lesson: the position after some turns on a layout, and the judge of the goal."""

    id: str
    layout: str
    turns: tuple[str, ...]
    judge: Judge


class LimitTutor:
    """The lessons of Limit, in the order in which learners take them."""

    def lessons(self) -> tuple[Lesson, ...]:
        """Return all lessons. The first call builds them."""
        return _lessons()


# --- goals


def _accept_any(position: Position, played: kernel.PlayedTurn) -> Feedback | None:
    return None


def _judge_capture_by_move(position: Position, played: kernel.PlayedTurn) -> Feedback | None:
    if played.captured_friends:
        return _own_capture_feedback(position, played)
    return None if played.captured_by_move else _freedom_feedback(position, played.board)


def _judge_capture_by_removal(position: Position, played: kernel.PlayedTurn) -> Feedback | None:
    if played.captured_friends:
        return _own_capture_feedback(position, played)
    return None if played.captured_enemies else _freedom_feedback(position, played.board)


def _judge_isolation(position: Position, played: kernel.PlayedTurn) -> Feedback | None:
    if played.captured_friends:
        return _own_capture_feedback(position, played)
    return None if len(played.sunk) > 1 else Feedback("one-tile")


def _own_capture_feedback(position: Position, played: kernel.PlayedTurn) -> Feedback:
    tiles = [position.names[tile] for tile, _ in played.captured_friends]
    return Feedback("own", {"n": len(tiles), "tiles": ", ".join(tiles)})


def _freedom_feedback(position: Position, board: kernel.Board) -> Feedback:
    """Return the freedoms of the enemy pawn that has the fewest."""
    enemies = (pawn for player in range(board.players) if player != position.to_move[0] for pawn in board.pawns(player))
    pawn = min(enemies, key=lambda pawn: len(board.freedoms(pawn)))
    tiles = [position.names[tile] for tile in board.freedoms(pawn)]
    return Feedback("free", {"pawn": position.names[pawn], "n": len(tiles), "tiles": ", ".join(tiles)})


_MOVE_LAYOUT = "a6K b5R b6B c3R c4Y c5K d2Y d3B d4R d5Y e1R e2K e3Y e4K e5B f3B"
_TASKS = (
    _Task("sink", "a4Y b2R b3K b4B b5Y c2Y c3R c4K c5B d1K d2B d3Y d4R e2R e3K e4B", (), _accept_any),
    _Task(
        "capture-by-move",
        "a5Y b3R b4K b5B b6K c2Y c3B c4R c5Y c6R d1R d2K d3Y d4K d5B e2B",
        ("c6-b6 xd2", "b5-b4 xb5"),
        _judge_capture_by_move,
    ),
    _Task(
        "capture-by-removal",
        "a4Y b2R b3K b4B b5Y c2Y c3R c4K c5B d1K d2B d3Y d4R e2R e3K e4B",
        ("e2-c4 xa4", "e4-e2 xd1"),
        _judge_capture_by_removal,
    ),
    _Task(
        "isolation",
        "a4Y b3R b4B b5K c3K c4Y d2Y d3R d4B e1R e2B e3K f1K f2Y f3R g2B",
        ("e1-f1 xe1", "e2-c4 xf2"),
        _judge_isolation,
    ),
)


# --- building the lessons


@cache
def _lessons() -> tuple[Lesson, ...]:
    return (_build_move_lesson(), *(_build_lesson(task) for task in _TASKS))


def _record(layout: str, turns: tuple[str, ...] = ()) -> Record[Position, Turn]:
    tiles = layout.split()
    record: Record[Position, Turn] = Record.new(game("limit"), ["-", "-"], size=len(tiles) // 4)
    record = record.apply(Step(None, layout))
    for turn in turns:
        record = record.play(turn)
    return record


def _build_move_lesson() -> Lesson:
    """Return the lesson that asks for a pawn move alone, to a tile beside another own pawn."""
    record = _record(_MOVE_LAYOUT)
    position, presenter = record.position, LimitPresenter()
    player = position.to_move[0]
    good: list[str] = []
    wrong_prefixes: dict[str, Feedback] = {}
    previews: dict[str, LimitPreview] = {}
    for source, target, _ in position.board.pawn_moves():
        text = f"{position.names[source]}-{position.names[target]}"
        previews[text] = presenter.preview(position, player, text)
        after = position.board.after_pawn_move(kernel.turn_code(source, target, None))
        pawns = set(after.pawns(player)) - {target}
        if pawns & set(_neighbors(position, target)):
            good.append(text)
        else:
            wrong_prefixes[text] = Feedback("no-group")
    return Lesson(
        id="move",
        record=record.to_json(),
        player=player,
        view=presenter.view(position),
        legal=presenter.legal(position, player),
        previews=previews,
        good=tuple(good),
        wrong={},
        wrong_prefixes=wrong_prefixes,
        refused=_refused_moves(position),
        accepts_partial=True,
    )


def _neighbors(position: Position, tile: int) -> list[int]:
    places = [(q, r) for q, r, _ in position.board.places()]
    q, r = places[tile]
    around = {(q - 1, r), (q + 1, r), (q, r - 1), (q, r + 1), (q + 1, r - 1), (q - 1, r + 1)}
    return [index for index, place in enumerate(places) if place in around]


def _build_lesson(task: _Task) -> Lesson:
    record = _record(task.layout, task.turns)
    position, presenter = record.position, LimitPresenter()
    player, names = position.to_move[0], position.names
    good: list[str] = []
    wrong: dict[str, Feedback] = {}
    wrong_prefixes: dict[str, Feedback] = {}
    refused = _refused_moves(position)
    previews: dict[str, LimitPreview] = {}
    for source, target, _ in position.board.pawn_moves():
        move = f"{names[source]}-{names[target]}"
        previews[move] = presenter.preview(position, player, move)
        judged = {
            f"{move} x{position.decode_turn(played.turn).removed}": task.judge(position, played)
            for played in position.board.completions(kernel.turn_code(source, target, None))
        }
        good += [text for text, feedback in judged.items() if feedback is None]
        missed = {text: feedback for text, feedback in judged.items() if feedback is not None}
        wrong |= missed
        if len(missed) == len(judged):
            wrong_prefixes[move] = _move_feedback(position, source, target, task.judge) or next(iter(missed.values()))
        for tile in position.board.tiles():
            if f"{move} x{names[tile]}" not in judged:
                problem = position.board.play(kernel.turn_code(source, target, tile))
                refused[f"{move} x{names[tile]}"] = _problem_feedback(problem, names[tile])
    return Lesson(
        id=task.id,
        record=record.to_json(),
        player=player,
        view=presenter.view(position),
        legal=presenter.legal(position, player),
        previews=previews,
        good=tuple(good),
        wrong=wrong,
        wrong_prefixes=wrong_prefixes,
        refused=refused,
    )


def _move_feedback(position: Position, source: int, target: int, judge: Judge) -> Feedback | None:
    """Return the feedback to a pawn move after which no turn reaches the goal, or None if it depends on the removal."""
    if judge is _judge_isolation:
        return None
    return _freedom_feedback(position, position.board.after_pawn_move(kernel.turn_code(source, target, None)))


def _refused_moves(position: Position) -> dict[str, Feedback]:
    """Return the feedback to illegal choices: tiles without a movable pawn, and targets that a pawn cannot reach."""
    board, names = position.board, position.names
    moves = {(source, target) for source, target, _ in board.pawn_moves()}
    movable = {source for source, _ in moves}
    refused = {}
    for tile in board.tiles():
        if tile not in movable:
            other = next(target for target in board.tiles() if target != tile)
            refused[names[tile]] = _problem_feedback(board.play(kernel.turn_code(tile, other, None)), names[tile])
        for source in movable - {tile}:
            if tile not in movable and (source, tile) not in moves:
                problem = board.play(kernel.turn_code(source, tile, None))
                refused[f"{names[source]}-{names[tile]}"] = _problem_feedback(problem, names[tile])
    return refused


def _problem_feedback(problem: kernel.PlayedTurn | kernel.IllegalTurnReason, tile: str) -> Feedback:
    assert isinstance(problem, kernel.IllegalTurnReason)  # the callers pass illegal turns only
    return Feedback(problem.name.lower().replace("_", "-"), {"tile": tile})
