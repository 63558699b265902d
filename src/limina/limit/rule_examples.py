"""The examples of the rules as records: legal games that can be drawn, with claims that tests check.

`highlight` says what is marked in the position after `turn` turns. Its kinds are `pawn` (the tiles that a pawn
reaches), `turn` (the last turn with its captures), `attempt` (an illegal turn), `danger` (the pawns in danger with
their freedoms), `removable` (the tiles that can be removed after a pawn move) and `position` (nothing).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

from limina.core.record import Record
from limina.gamekit.rule_examples import find_example, load_examples
from limina.gamekit.svg import side_by_side
from limina.limit.draw import svg
from limina.limit.draw.scene import COLORS, Scene, place_name
from limina.limit.notation import Turn, read_place
from limina.limit.position import Position
from limina.limit.presenter import LimitPresenter
from limina.limit.printing import pieces


@dataclass(frozen=True, slots=True)
class Example:
    """An example of the rules: a game, a moment in it, and the feature that it illustrates.

    >>> example("capture-by-move").highlight
    {'kind': 'turn', 'text': 'c2-d3 xc6'}
    """

    id: str
    record: dict[str, Any]
    """The record's JSON object."""
    turn: int
    highlight: dict[str, str]
    claims: dict[str, Any]
    page_only: bool = False
    """True if the documentation does not contain it."""

    @property
    def position(self) -> Position:
        """The position after `turn` turns."""
        record: Record[Position, Turn] = Record.from_json(self.record)
        return [position for position in record.positions() if not position.awaits_chance][self.turn]

    def scene(self) -> Scene:
        """Return the position for the drawings, with the highlight."""
        kind, text = self.highlight["kind"], self.highlight["text"]
        position = self.position
        if kind == "turn":
            return replace(position.scene(), danger=frozenset())
        plain = position.scene(marks=False)
        if kind == "position":
            return plain
        if kind == "danger":
            danger = [pawn for player in range(position.players) for pawn in position.pawns_in_danger(player)]
            freedoms = [free for pawn in danger for free in position.freedoms(pawn)]
            return replace(
                plain, danger=frozenset(map(read_place, danger)), freedoms=frozenset(map(read_place, freedoms))
            )
        if kind == "removable":
            return _scene_after_move(position, plain, Turn.read(text))
        if kind == "pawn":
            reach = frozenset(map(read_place, position.reachable_tiles(text)))
            return replace(plain, reach=reach, moved=None)
        return _scene_of_attempt(position, plain, Turn.read(text))

    def svg(self) -> str:
        """Return the scene as an SVG document."""
        return svg.draw(self.scene())

    def to_json(self) -> dict[str, Any]:
        """Return the scene as plain values, for a page to draw."""
        scene = self.scene()
        pawns: list[list[str]] = [[] for _ in range(self.position.players)]
        for place, player in scene.pawns.items():
            pawns[player].append(place_name(place))
        return {
            "id": self.id,
            "tiles": {place_name(place): color for place, color in scene.tiles.items() if place not in scene.sunk},
            "pawns": pawns,
            "sunk": [[place_name(place), scene.tiles[place]] for place in scene.sunk],
            "captured": [[place_name(place), player] for place, player in scene.captured],
            "moved": [place_name(place) for place in scene.moved] if scene.moved else None,
            "danger": sorted(map(place_name, scene.danger)),
            "reach": sorted(map(place_name, scene.reach)),
            "freedoms": sorted(map(place_name, scene.freedoms)),
            "removable": sorted(map(place_name, scene.removable)),
            "play": self._playable(),
        }

    def _playable(self) -> dict[str, Any] | None:
        """Return the game up to the position or the highlighted turn, to be tried out; None if it is over there."""
        full: Record[Position, Turn] = Record.from_json(self.record)
        record = full.without_last(len(full.steps) - 1 - self.turn + (self.highlight["kind"] == "turn"))
        return {"record": record.to_json(), "player": record.position.to_move[0]} if record.position.to_move else None


def _scene_of_attempt(position: Position, scene: Scene, turn: Turn) -> Scene:
    """Return the scene of an illegal turn: the moved pawn, the sinking tile, and the pawns that it would capture."""
    assert turn.source is not None
    assert turn.target is not None
    source, target = read_place(turn.source), read_place(turn.target)
    pawns = {place: player for place, player in scene.pawns.items() if place != source}
    captured = position.board.captures(position.encode_turn(turn))
    return replace(
        scene,
        pawns=pawns | {target: scene.pawns[source]},
        moved=(source, target),
        sunk=(read_place(turn.removed),) if turn.removed else (),
        danger=frozenset(read_place(position.names[tile]) for tile, _ in captured),
    )


def _scene_after_move(position: Position, scene: Scene, turn: Turn) -> Scene:
    """Return the scene after a pawn move, with the tiles that can be removed then."""
    assert turn.source is not None
    assert turn.target is not None
    source, target = read_place(turn.source), read_place(turn.target)
    completions = position.board.completions(position.encode_turn(turn))
    removed = [position.decode_turn(played.turn).removed for played in completions]
    pawns = {place: player for place, player in scene.pawns.items() if place != source}
    return replace(
        scene,
        pawns=pawns | {target: scene.pawns[source]},
        moved=(source, target),
        removable=frozenset(read_place(tile) for tile in removed if tile is not None),
    )


@cache
def examples() -> tuple[Example, ...]:
    """Return all examples, in the order of the rules."""
    return tuple(Example(**data) for data in load_examples("limina.limit"))


def example(name: str) -> Example:
    """Return the example of that name."""
    return find_example(name, examples())


def slideshow() -> list[dict[str, Any]]:
    """Return the first positions of a game as plain values, for the slideshow of the start page."""
    record: Record[Position, Turn] = Record.from_json(example("full-game").record)
    views = [LimitPresenter().view(position) for position in islice(record.positions(), 1, 10)]
    return [{"tiles": view["tiles"], "pawns": view["pawns"], "last": view["last"]} for view in views]


def pictures() -> dict[str, str]:
    """Return the SVG pictures of the documentation, by file name without suffix."""
    documented = [entry for entry in examples() if entry.id != "full-game" and not entry.page_only]
    drawn = {f"limit-{entry.id}": entry.svg() for entry in documented}
    printed = [*(pieces.draw_tile(color, turn) for turn, color in enumerate(COLORS)), pieces.draw_back()]
    return drawn | {"limit": example("full-game").svg(), "limit-printed": side_by_side(printed)}
