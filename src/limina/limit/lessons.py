"""The tutorial of Limit: positions in which one thing is to be learned, judged by the rules."""

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
"""Why a turn played in a position is not what is asked for; None if it is."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A lesson as it is written down."""

    id: str
    layout: str
    turns: tuple[str, ...]
    judge: Judge


class LimitTutor:
    """The lessons of Limit, in the order they are taken."""

    def lessons(self) -> tuple[Lesson, ...]:
        """All of them, made once."""
        return _lessons()


# --- what is asked for


def _anything(position: Position, played: kernel.PlayedTurn) -> Feedback | None:
    return None


def _capture_by_move(position: Position, played: kernel.PlayedTurn) -> Feedback | None:
    if played.captured_friends:
        return _own(position, played)
    return None if played.captured_by_move else _free(position, played.board)


def _capture_by_removal(position: Position, played: kernel.PlayedTurn) -> Feedback | None:
    if played.captured_friends:
        return _own(position, played)
    return None if played.captured_enemies else _free(position, played.board)


def _isolate(position: Position, played: kernel.PlayedTurn) -> Feedback | None:
    if played.captured_friends:
        return _own(position, played)
    return None if len(played.sunk) > 1 else Feedback("one-tile")


def _own(position: Position, played: kernel.PlayedTurn) -> Feedback:
    tiles = [position.names[tile] for tile, _ in played.captured_friends]
    return Feedback("own", {"n": len(tiles), "tiles": ", ".join(tiles)})


def _free(position: Position, board: kernel.Board) -> Feedback:
    """The enemy who is nearest to being captured still has freedom: where."""
    enemies = (pawn for player in range(board.players) if player != position.to_move[0] for pawn in board.pawns(player))
    pawn = min(enemies, key=lambda pawn: len(board.freedoms(pawn)))
    tiles = [position.names[tile] for tile in board.freedoms(pawn)]
    return Feedback("free", {"pawn": position.names[pawn], "n": len(tiles), "tiles": ", ".join(tiles)})


_OPEN = "a6K b5R b6B c3R c4Y c5K d2Y d3B d4R d5Y e1R e2K e3Y e4K e5B f3B"
_TASKS = (
    _Task("sink", "a4Y b2R b3K b4B b5Y c2Y c3R c4K c5B d1K d2B d3Y d4R e2R e3K e4B", (), _anything),
    _Task(
        "capture-by-move",
        "a5Y b3R b4K b5B b6K c2Y c3B c4R c5Y c6R d1R d2K d3Y d4K d5B e2B",
        ("c6-b6 xd2", "b5-b4 xb5"),
        _capture_by_move,
    ),
    _Task(
        "capture-by-removal",
        "a4Y b2R b3K b4B b5Y c2Y c3R c4K c5B d1K d2B d3Y d4R e2R e3K e4B",
        ("e2-c4 xa4", "e4-e2 xd1"),
        _capture_by_removal,
    ),
    _Task(
        "isolation",
        "a4Y b3R b4B b5K c3K c4Y d2Y d3R d4B e1R e2B e3K f1K f2Y f3R g2B",
        ("e1-f1 xe1", "e2-c4 xf2"),
        _isolate,
    ),
)


# --- how a lesson is made


@cache
def _lessons() -> tuple[Lesson, ...]:
    return (_moving(), *(_made(task) for task in _TASKS))


def _record(layout: str, turns: tuple[str, ...] = ()) -> Record[Position, Turn]:
    tiles = layout.split()
    record: Record[Position, Turn] = Record.new(game("limit"), ["-", "-"], size=len(tiles) // 4)
    record = record.apply(Step(None, layout))
    for turn in turns:
        record = record.play(turn)
    return record


def _moving() -> Lesson:
    """A pawn move alone: it is to end beside a friend."""
    record = _record(_OPEN)
    position, presenter = record.end, LimitPresenter()
    player = position.to_move[0]
    good: list[str] = []
    wrong_prefixes: dict[str, Feedback] = {}
    previews: dict[str, LimitPreview] = {}
    for source, target, _ in position.board.moves():
        text = f"{position.names[source]}-{position.names[target]}"
        previews[text] = presenter.preview(position, player, text)
        after = position.board.halfway(kernel.turn_code(source, target, None))
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
    return [number for number, place in enumerate(places) if place in around]


def _made(task: _Task) -> Lesson:
    record = _record(task.layout, task.turns)
    position, presenter = record.end, LimitPresenter()
    player, names = position.to_move[0], position.names
    good: list[str] = []
    wrong: dict[str, Feedback] = {}
    wrong_prefixes: dict[str, Feedback] = {}
    refused = _refused_moves(position)
    previews: dict[str, LimitPreview] = {}
    for source, target, _ in position.board.moves():
        move = f"{names[source]}-{names[target]}"
        previews[move] = presenter.preview(position, player, move)
        ended = {
            f"{move} x{position.decode(played.turn).removed}": task.judge(position, played)
            for played in position.board.completions(kernel.turn_code(source, target, None))
        }
        good += [text for text, why in ended.items() if why is None]
        reasons = {text: why for text, why in ended.items() if why is not None}
        wrong |= reasons
        if len(reasons) == len(ended):
            wrong_prefixes[move] = _halfway(position, source, target, task.judge) or next(iter(reasons.values()))
        for tile in position.board.tiles():
            if f"{move} x{names[tile]}" not in ended:
                problem = position.board.play(kernel.turn_code(source, target, tile))
                refused[f"{move} x{names[tile]}"] = _problem(problem, names[tile])
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


def _halfway(position: Position, source: int, target: int, judge: Judge) -> Feedback | None:
    """What is still wrong after a pawn move that leads nowhere, where that can be told of the move alone."""
    if judge is _isolate:
        return None
    return _free(position, position.board.halfway(kernel.turn_code(source, target, None)))


def _refused_moves(position: Position) -> dict[str, Feedback]:
    """What else may be clicked at first: tiles without a pawn to pick, tiles that a picked pawn cannot go to."""
    board, names = position.board, position.names
    moves = {(source, target) for source, target, _ in board.moves()}
    movable = {source for source, _ in moves}
    refused = {}
    for tile in board.tiles():
        if tile not in movable:
            empty = next(each for each in board.tiles() if each != tile)
            refused[names[tile]] = _problem(board.play(kernel.turn_code(tile, empty, None)), names[tile])
        for source in movable - {tile}:
            if tile not in movable and (source, tile) not in moves:
                problem = board.play(kernel.turn_code(source, tile, None))
                refused[f"{names[source]}-{names[tile]}"] = _problem(problem, names[tile])
    return refused


def _problem(problem: kernel.PlayedTurn | kernel.Problem, tile: str) -> Feedback:
    assert isinstance(problem, kernel.Problem)  # nothing that may be done is asked about
    return Feedback(problem.name.lower().replace("_", "-"), {"tile": tile})
