"""Decks: 24 card faces. A deck is data, and anyone may bring their own."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from limina._kernel import limes as kernel
from limina.check import a_list, a_text, short
from limina.errors import UnreadableError
from limina.files import read_text
from limina.limes.scene import LANDSCAPES, Ground, Landscape

_LANDSCAPES: dict[str, Landscape] = {landscape: landscape for landscape in LANDSCAPES}
LANDSCAPE_NAMES: dict[Landscape, str] = {"F": "field", "W": "water", "T": "forest", "R": "rock"}

Zone = tuple[Landscape, bool]
Face = tuple[Zone, Zone, Zone, Zone]


def read_face(written: object, what: str = "the face") -> Face:
    """Read a face: four zones nw ne sw se, `*` for a hut.

    >>> read_face("F* W T R")[0]
    ('F', True)
    """
    words = a_text(written, what).split()
    if len(words) != 4:
        raise UnreadableError(f"{what} must have four zones nw ne sw se such as 'F* W T R', not {short(written)}")
    zones: list[Zone] = []
    for word in words:
        landscape, hut = _LANDSCAPES.get(word[0]), word[1:]
        if landscape is None or hut not in ("", "*"):
            raise UnreadableError(f"{what} has a zone {short(word)}: write F, W, T or R, and * after it for a hut")
        if landscape == "W" and hut:
            raise UnreadableError(f"{what} has a hut on water")
        zones.append((landscape, bool(hut)))
    return zones[0], zones[1], zones[2], zones[3]


def turned(face: Face) -> Face:
    """The face after a quarter turn clockwise."""
    nw, ne, sw, se = face
    return sw, nw, se, ne


def alike(face: Face) -> Face:
    """One face that stands for all its turnings."""
    turnings = [face]
    for _ in range(3):
        turnings.append(turned(turnings[-1]))
    return min(turnings)


@dataclass(frozen=True)
class Deck:
    """24 faces, card 1 first. Two decks with the same faces are the same deck.

    >>> Deck.default().faces[0]
    'W R F R*'
    >>> Deck.default() == Deck(Deck.default().faces, name="mine")
    True
    """

    faces: tuple[str, ...]
    name: str = ""

    def __init__(self, faces: Iterable[object], name: str = "") -> None:
        given = list(faces)
        if len(given) != kernel.CARDS:
            raise UnreadableError(f"a deck has {kernel.CARDS} cards, this one has {len(given)}")
        read = [read_face(face, f"card {number}") for number, face in enumerate(given, 1)]
        object.__setattr__(self, "faces", tuple(write_face(face) for face in read))
        object.__setattr__(self, "name", name)

    def __eq__(self, other: object) -> bool:
        return self.faces == other.faces if isinstance(other, Deck) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.faces)

    def __reduce__(self) -> tuple[Any, ...]:
        # The kernel's cards are made again where they are needed.
        return Deck, (self.faces, self.name)

    @classmethod
    def default(cls) -> Deck:
        """The deck that ships with limina."""
        return _default()

    @classmethod
    def load(cls, path: str | Path) -> Deck:
        """Read a deck from a TOML file with `name` and `cards`."""
        return cls.from_toml(read_text(path))

    @classmethod
    def from_toml(cls, content: str) -> Deck:
        """Read a deck from the text of a TOML file."""
        try:
            data: dict[str, Any] = tomllib.loads(content)
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            raise UnreadableError(f"it is not TOML: {str(error)[:80]}") from None
        if "cards" not in data:
            raise UnreadableError("it has no list called cards")
        return cls(a_list(data["cards"], "cards"), a_text(data.get("name", ""), "name"))

    @cached_property
    def grounds(self) -> tuple[Face, ...]:
        """The faces as (landscape, hut) for each zone."""
        return tuple(read_face(face) for face in self.faces)

    @cached_property
    def cards(self) -> tuple[kernel.Card, ...]:
        """The cards as the kernel knows them."""
        return tuple(
            kernel.Card([(LANDSCAPES.index(landscape), hut) for landscape, hut in face]) for face in self.grounds
        )

    def warnings(self) -> list[str]:
        """What is allowed but probably not meant: cards that are the same but for a turning."""
        groups: dict[Face, list[int]] = {}
        for number, face in enumerate(self.grounds, 1):
            groups.setdefault(alike(face), []).append(number)
        return [
            f"cards {', '.join(map(str, numbers[:-1]))} and {numbers[-1]} are the same up to turning"
            for numbers in groups.values()
            if len(numbers) > 1
        ]

    def statistics(self) -> dict[str, Any]:
        """How many zones and huts of each landscape there are.

        >>> Deck.default().statistics()["zones"]
        {'field': 25, 'water': 27, 'forest': 20, 'rock': 24}
        """
        zones = Counter(LANDSCAPE_NAMES[landscape] for face in self.grounds for landscape, _ in face)
        huts = Counter(LANDSCAPE_NAMES[landscape] for face in self.grounds for landscape, hut in face if hut)
        kinds = Counter(len({landscape for landscape, _ in face}) for face in self.grounds)
        return {
            "zones": {name: zones[name] for name in LANDSCAPE_NAMES.values()},
            "huts": {name: huts[name] for name in LANDSCAPE_NAMES.values() if name != "water"},
            "landscapes per card": {str(n): kinds[n] for n in sorted(kinds)},
        }

    def scene(self) -> list[list[Ground]]:
        """The faces as a drawing takes them."""
        return [[Ground(landscape, hut) for landscape, hut in face] for face in self.grounds]

    def text(self, *, colour: bool = False) -> str:
        """The cards, what there is of everything, and what is odd."""
        # The drawings are loaded when something is drawn: most programs never look.
        from limina.limes import text

        lines = [f"{self.name or 'a deck without a name'}: {len(self.faces)} cards"]
        for what, counts in self.statistics().items():
            total = f"{sum(counts.values())} " if what != "landscapes per card" else ""
            lines.append(f"{total}{what}: " + ", ".join(f"{count} x {name}" for name, count in counts.items()))
        lines.extend(f"warning: {warning}" for warning in self.warnings())
        return "\n".join([*lines, "", text.draw_cards(self.scene(), colour=colour)])

    def svg(self, *, theme: str = "light") -> str:
        """A picture of the cards."""
        from limina.limes import svg

        return svg.draw_cards(self.scene(), theme="dark" if theme == "dark" else "light")


def write_face(face: Sequence[Zone]) -> str:
    """A face as text; the other way of `read_face`."""
    return " ".join(landscape + "*" * hut for landscape, hut in face)


@cache
def _default() -> Deck:
    return Deck.from_toml((files("limina.limes") / "limina-24.toml").read_text("utf-8"))
