"""Decks of Limes: 24 card faces and a name, read from a TOML file."""

from __future__ import annotations

import base64
import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from limina._kernel import limes as kernel
from limina.core.files import read_text
from limina.core.validation import expect_list, expect_str, quote_truncated
from limina.errors import InvalidInputError
from limina.limes.draw.scene import LANDSCAPES, Ground, Landscape

if TYPE_CHECKING:
    from limina.limes.decks.trial import DeckTrial

_LANDSCAPES: dict[str, Landscape] = {landscape: landscape for landscape in LANDSCAPES}
LANDSCAPE_NAMES: dict[Landscape, str] = {"F": "field", "W": "water", "T": "forest", "R": "rock"}

MAX_DECK_CHARACTERS = 65_536
"""The longest text of a deck file that is parsed; a deck of 24 faces takes about 700 characters."""
_TOML_COMMENT = "# A face is nw ne sw se: F field, W water, T forest, R rock with a tower; * is a hut."

Zone = tuple[Landscape, bool]
Face = tuple[Zone, Zone, Zone, Zone]


def read_face(text: object, what: str = "the face") -> Face:
    """Read a face: four zones nw ne sw se, with `*` for a hut; `what` names it in error messages.

    >>> read_face("F* W T R")[0]
    ('F', True)
    """
    words = expect_str(text, what).split()
    if len(words) != 4:
        raise InvalidInputError(
            f"{what} must have four zones nw ne sw se such as 'F* W T R', not {quote_truncated(text)}"
        )
    zones: list[Zone] = []
    for word in words:
        landscape, hut = _LANDSCAPES.get(word[0]), word[1:]
        if landscape is None or hut not in ("", "*"):
            raise InvalidInputError(
                f"{what} has a zone {quote_truncated(word)}: write F, W, T or R, and * after it for a hut"
            )
        if landscape == "W" and hut:
            raise InvalidInputError(f"{what} has a hut on water")
        zones.append((landscape, bool(hut)))
    return zones[0], zones[1], zones[2], zones[3]


def rotate_face(face: Face) -> Face:
    """Return the face after a quarter turn clockwise."""
    nw, ne, sw, se = face
    return sw, nw, se, ne


def face_rotations(face: Face) -> list[Face]:
    """Return the face after 0 to 3 quarter turns clockwise."""
    faces = [face]
    for _ in range(3):
        faces.append(rotate_face(faces[-1]))
    return faces


def canonical_face(face: Face) -> Face:
    """Return the smallest of the four turnings, which is the same for all faces that differ by a turning only."""
    return min(face_rotations(face))


@dataclass(frozen=True)
class Deck:
    """A deck of 24 faces, card 1 first. Decks with the same faces are equal, even if their names differ.

    >>> Deck.default().faces[0]
    'W R F R*'
    >>> Deck.default() == Deck(Deck.default().faces, name="mine")
    True
    """

    faces: tuple[str, ...]
    name: str = ""

    def __init__(self, faces: Iterable[object], name: str = "") -> None:
        texts = list(faces)
        if len(texts) != kernel.DECK_SIZE:
            raise InvalidInputError(f"a deck has {kernel.DECK_SIZE} cards, this one has {len(texts)}")
        parsed = [read_face(text, f"card {number}") for number, text in enumerate(texts, 1)]
        object.__setattr__(self, "faces", tuple(write_face(face) for face in parsed))
        object.__setattr__(self, "name", name)

    def __eq__(self, other: object) -> bool:
        return self.faces == other.faces if isinstance(other, Deck) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.faces)

    def __reduce__(self) -> tuple[Any, ...]:
        # The cached kernel cards cannot be pickled; the copy makes its own.
        return Deck, (self.faces, self.name)

    @classmethod
    def from_faces(cls, faces: Sequence[object]) -> Deck:
        """Return the deck with these faces, card 1 first."""
        return cls(faces)

    @classmethod
    def default(cls) -> Deck:
        """Return the deck that ships with limina."""
        return _default()

    @classmethod
    def load(cls, path: str | Path) -> Deck:
        """Read a deck from a TOML file with the keys `name` (optional) and `cards`."""
        return cls.from_toml(read_text(path))

    @classmethod
    def from_toml(cls, content: str) -> Deck:
        """Read a deck from the text of a TOML file."""
        if len(content) > MAX_DECK_CHARACTERS:
            raise InvalidInputError(f"it is longer than {MAX_DECK_CHARACTERS} characters, and no deck is that long")
        try:
            data: dict[str, Any] = tomllib.loads(content)
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            raise InvalidInputError(f"it is not TOML: {str(error)[:80]}") from None
        if "cards" not in data:
            raise InvalidInputError("it has no list called cards")
        return cls(expect_list(data["cards"], "cards"), expect_str(data.get("name", ""), "name"))

    @classmethod
    def template(cls, name: str = "") -> Deck:
        """Return a deck to fill in, in which every zone is a field without a hut."""
        return cls(["F F F F"] * kernel.DECK_SIZE, name)

    @classmethod
    def random(cls, rng: Random, name: str = "") -> Deck:
        """Return a random deck: at most two zones of one landscape on a card, and no card twice, turned or not."""
        faces: dict[Face, Face] = {}
        while len(faces) < kernel.DECK_SIZE:
            landscapes = rng.sample(LANDSCAPES * 2, 4)
            face = read_face(" ".join(land + "*" * (land != "W" and rng.random() < 0.4) for land in landscapes))
            faces.setdefault(canonical_face(face), face)
        return cls([write_face(face) for face in faces.values()], name)

    def with_face(self, card_number: int, face: str) -> Deck:
        """Return the deck with another face on one of its cards."""
        self._check_number(card_number)
        return Deck([*self.faces[: card_number - 1], face, *self.faces[card_number:]], self.name)

    def with_rotated(self, card_number: int) -> Deck:
        """Return the deck with the face of one card turned a quarter clockwise."""
        self._check_number(card_number)
        return self.with_face(card_number, write_face(rotate_face(self.parsed_faces[card_number - 1])))

    def _check_number(self, card_number: int) -> None:
        if not 1 <= card_number <= len(self.faces):
            raise InvalidInputError(f"there is no card {card_number}: cards are 1 to {len(self.faces)}")

    def with_name(self, name: str) -> Deck:
        """Return the deck under another name."""
        return Deck(self.faces, name)

    def to_toml(self) -> str:
        """Return the text of a TOML file that holds the deck."""
        # A string in JSON is one in TOML too, except for the control character DEL, which TOML wants escaped.
        name = json.dumps(self.name).replace("\x7f", "\\u007f")
        cards = "".join(f'  "{face}",{" " * (12 - len(face))}# {number}\n' for number, face in enumerate(self.faces, 1))
        return f"{_TOML_COMMENT}\nname = {name}\ncards = [\n{cards}]\n"

    @property
    def id(self) -> str:
        """The id under which the deck is shared: a hash of the faces, without the name.

        >>> Deck.default().id == Deck.default().with_name("mine").id
        True
        """
        digest = hashlib.sha256("\n".join(("limes", *self.faces)).encode()).digest()
        return base64.urlsafe_b64encode(digest[:18]).decode()

    def trial(self, seed: int = 0) -> DeckTrial:
        """Return a trial in which bots play the deck on random deals."""
        from limina.limes.decks.trial import DeckTrial

        return DeckTrial(self, seed)

    @cached_property
    def parsed_faces(self) -> tuple[Face, ...]:
        """The parsed faces: for each zone its landscape, and True if it has a hut."""
        return tuple(read_face(face) for face in self.faces)

    @cached_property
    def cards(self) -> tuple[kernel.Card, ...]:
        """The cards in the form that the kernel takes."""
        return tuple(
            kernel.Card([(LANDSCAPES.index(landscape), hut) for landscape, hut in face]) for face in self.parsed_faces
        )

    def warnings(self) -> list[str]:
        """Return sentences about what is allowed but probably a mistake: cards that are the same, turned or not."""
        groups: dict[Face, list[int]] = {}
        for number, face in enumerate(self.parsed_faces, 1):
            groups.setdefault(canonical_face(face), []).append(number)
        return [
            f"cards {', '.join(map(str, numbers[:-1]))} and {numbers[-1]} are the same (turned or not)"
            for numbers in groups.values()
            if len(numbers) > 1
        ]

    def statistics(self) -> dict[str, Any]:
        """Count zones and huts by landscape, and cards by the number of their landscapes.

        >>> Deck.default().statistics()["zones"]
        {'field': 25, 'water': 27, 'forest': 20, 'rock': 24}
        """
        zones = Counter(LANDSCAPE_NAMES[landscape] for face in self.parsed_faces for landscape, _ in face)
        huts = Counter(LANDSCAPE_NAMES[landscape] for face in self.parsed_faces for landscape, hut in face if hut)
        diversity = Counter(len({landscape for landscape, _ in face}) for face in self.parsed_faces)
        return {
            "zones": {name: zones[name] for name in LANDSCAPE_NAMES.values()},
            "huts": {name: huts[name] for name in LANDSCAPE_NAMES.values() if name != "water"},
            "landscapes per card": {str(n): diversity[n] for n in sorted(diversity)},
        }

    def comparison(self) -> str:
        """Return one line that compares zones, huts and faces with limina's own deck."""
        default = Deck.default()
        own, reference = self.statistics(), default.statistics()
        zones = ", ".join(f"{own['zones'][name] - reference['zones'][name]:+d} {name}" for name in reference["zones"])
        huts = sum(own["huts"].values()) - sum(reference["huts"].values())
        shared = Counter(map(canonical_face, self.parsed_faces)) & Counter(map(canonical_face, default.parsed_faces))
        return (
            f"compared with {default.name}: {zones}, {huts:+d} huts, {shared.total()} faces in common (turned or not)"
        )

    def scene(self) -> list[list[Ground]]:
        """Return the faces as plain values for a drawing."""
        return [[Ground(landscape, hut) for landscape, hut in face] for face in self.parsed_faces]

    def text(self, *, color: bool = False) -> str:
        """Return the statistics, warnings and drawn cards for a terminal."""
        # Imported here because most programs draw nothing.
        from limina.limes.draw import text

        lines = [f"{self.name or 'a deck without a name'}: {len(self.faces)} cards"]
        for name, counts in self.statistics().items():
            total = f"{sum(counts.values())} " if name != "landscapes per card" else ""
            lines.append(f"{total}{name}: " + ", ".join(f"{count} x {key}" for key, count in counts.items()))
        if self != Deck.default():
            lines.append(self.comparison())
        lines.extend(f"warning: {warning}" for warning in self.warnings())
        return "\n".join([*lines, "", text.draw_cards(self.scene(), color=color)])

    def svg(self, *, theme: str = "light") -> str:
        """Return an SVG picture of the cards."""
        from limina.limes.draw import svg

        return svg.draw_cards(self.scene(), theme="dark" if theme == "dark" else "light")


def write_face(face: Sequence[Zone]) -> str:
    """Return the text of a face, which `read_face` reads back."""
    return " ".join(landscape + "*" * hut for landscape, hut in face)


@cache
def _default() -> Deck:
    return Deck.from_toml((files("limina.limes.decks") / "limina-24.toml").read_text("utf-8"))
