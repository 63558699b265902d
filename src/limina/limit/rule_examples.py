"""The examples of the rules as records: each is a true game that can be drawn, with claims that can be checked.

`highlight` says what to show in the position after `turn` turns: a `pawn` with all that it reaches, the `turn` just
played with what it took, or the `attempt` at a turn that the rules refuse.
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
from limina.limit.draw.scene import COLORS, Scene, name
from limina.limit.notation import Turn, read_place
from limina.limit.position import Position
from limina.limit.presenter import LimitPresenter
from limina.limit.printing import pieces


@dataclass(frozen=True, slots=True)
class Example:
    """One example: a game, the moment of it to be shown, and what it is to show.

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
    """Whether the documentation does without it."""

    @property
    def position(self) -> Position:
        """The position to be shown."""
        played: Record[Position, Turn] = Record.from_json(self.record)
        return [position for position in played.positions() if not position.awaits_chance][self.turn]

    def scene(self) -> Scene:
        """The position as a drawing takes it, with what the example is about."""
        kind, text = self.highlight["kind"], self.highlight["text"]
        position = self.position
        if kind == "turn":
            return replace(position.scene(), danger=frozenset())
        plain = position.scene(marks=False)
        if kind == "position":
            return plain
        if kind == "danger":
            danger = [pawn for player in range(position.players) for pawn in position.in_danger(player)]
            freedoms = [free for pawn in danger for free in position.freedoms(pawn)]
            return replace(
                plain, danger=frozenset(map(read_place, danger)), breath=frozenset(map(read_place, freedoms))
            )
        if kind == "removable":
            return _half(position, plain, Turn.read(text))
        if kind == "pawn":
            reach = frozenset(map(read_place, position.reach(text)))
            return replace(plain, reach=reach, moved=None)
        return _attempted(position, plain, Turn.read(text))

    def svg(self) -> str:
        """The picture of it."""
        return svg.draw(self.scene())

    def to_json(self) -> dict[str, Any]:
        """The same as plain values, for a page to draw."""
        scene = self.scene()
        pawns: list[list[str]] = [[] for _ in range(self.position.players)]
        for place, player in scene.pawns.items():
            pawns[player].append(name(place))
        return {
            "id": self.id,
            "tiles": {name(place): color for place, color in scene.tiles.items() if place not in scene.sunk},
            "pawns": pawns,
            "sunk": [[name(place), scene.tiles[place]] for place in scene.sunk],
            "captured": [[name(place), player] for place, player in scene.captured],
            "moved": [name(place) for place in scene.moved] if scene.moved else None,
            "danger": sorted(map(name, scene.danger)),
            "reach": sorted(map(name, scene.reach)),
            "breath": sorted(map(name, scene.breath)),
            "removable": sorted(map(name, scene.removable)),
            "play": self._before(),
        }

    def _before(self) -> dict[str, Any] | None:
        """The game before the turn that is shown, or where it stands, to be tried out; None once it is over."""
        played: Record[Position, Turn] = Record.from_json(self.record)
        record = played.without_last(len(played.steps) - 1 - self.turn + (self.highlight["kind"] == "turn"))
        return {"record": record.to_json(), "player": record.end.to_move[0]} if record.end.to_move else None


def _attempted(position: Position, scene: Scene, turn: Turn) -> Scene:
    """What a refused turn would look like: the pawn on its way, the tile sinking, the threatened pawns marked."""
    assert turn.source is not None
    assert turn.target is not None
    source, target = read_place(turn.source), read_place(turn.target)
    pawns = {place: player for place, player in scene.pawns.items() if place != source}
    taken = position.board.captures(position.encode(turn))
    return replace(
        scene,
        pawns=pawns | {target: scene.pawns[source]},
        moved=(source, target),
        sunk=(read_place(turn.removed),) if turn.removed else (),
        danger=frozenset(read_place(position.names[tile]) for tile, _ in taken),
    )


def _half(position: Position, scene: Scene, turn: Turn) -> Scene:
    """A pawn on its new tile, and the tiles that may be removed now."""
    assert turn.source is not None
    assert turn.target is not None
    source, target = read_place(turn.source), read_place(turn.target)
    removed = [position.decode(played.turn).removed for played in position.board.completions(position.encode(turn))]
    pawns = {place: player for place, player in scene.pawns.items() if place != source}
    return replace(
        scene,
        pawns=pawns | {target: scene.pawns[source]},
        moved=(source, target),
        removable=frozenset(read_place(tile) for tile in removed if tile is not None),
    )


@cache
def examples() -> tuple[Example, ...]:
    """All examples, in the order of the rules."""
    return tuple(Example(**data) for data in load_examples("limina.limit"))


def example(name: str) -> Example:
    """The example of that name."""
    return find_example(name, examples())


def slideshow() -> list[dict[str, Any]]:
    """The first turns of a whole game, for a page that shows a little board on which something happens."""
    played: Record[Position, Turn] = Record.from_json(example("full-game").record)
    views = [LimitPresenter().view(position) for position in islice(played.positions(), 1, 10)]
    return [{"tiles": view["tiles"], "pawns": view["pawns"], "last": view["last"]} for view in views]


def pictures() -> dict[str, str]:
    """The pictures of the documentation, by the names of their files."""
    drawn = {f"limit-{each.id}": each.svg() for each in examples() if each.id != "full-game" and not each.page_only}
    printed = [*(pieces.draw_tile(color, turn) for turn, color in enumerate(COLORS)), pieces.draw_back()]
    return drawn | {"limit": example("full-game").svg(), "limit-printed": side_by_side(printed)}
