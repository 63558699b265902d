"""A reference implementation of the rules of Limes, written from the specification, simple and slow."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

ROUNDS = 16
CARDS = 24
WORKERS = 7
SPAN = 4
COLUMNS = "abcdefg"
ROWS = "1234567"
CORNERS = ("nw", "ne", "sw", "se")
FIRST_CELL = "d4"
PROFESSIONS = {"F": "farmer", "W": "fisherman", "T": "woodcutter", "R": "watchman"}
SIDE_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
CORNER_STEPS = ((-1, -1), (1, -1), (-1, 1), (1, 1))

Zone = tuple[str, bool]
"""The landscape letter of a zone, and True if it has a hut."""
Face = tuple[Zone, Zone, Zone, Zone]
Territory = frozenset[str]

# Zones are identified by name. Their places in the 14x14 grid are only used to find neighbors.
PLACES = {
    f"{column}{row}.{corner}": (2 * x + index % 2, 2 * y + index // 2)
    for x, column in enumerate(COLUMNS)
    for y, row in enumerate(ROWS)
    for index, corner in enumerate(CORNERS)
}
NAMES = {place: name for name, place in PLACES.items()}
BESIDE = {
    name: tuple(NAMES[x + dx, y + dy] for dx, dy in SIDE_STEPS if (x + dx, y + dy) in NAMES)
    for name, (x, y) in PLACES.items()
}


@dataclass(frozen=True)
class Seat:
    """The display and the workers of a player. The display is never changed in place."""

    display: Mapping[str, Face]
    workers: tuple[str, ...] = ()
    supply: int = WORKERS
    turns: int = 0


@dataclass(frozen=True)
class State:
    """A position of all players."""

    deck: tuple[str, ...]
    diagonal: bool
    ferryman: bool
    draws: tuple[int, ...]
    seats: tuple[Seat, ...]

    @property
    def players(self) -> int:
        return len(self.seats)


@dataclass(frozen=True)
class Worker:
    """A worker in the display, with the points and the zones that make them."""

    zone: str
    profession: str
    points: int
    scored: bool
    territory: Territory
    counted: list[frozenset[str]]


# --- cards ------------------------------------------------------------------------------------------------------


@cache
def read_face(text: str) -> Face:
    """Read a printed face such as `F* W T R`."""
    words = text.split(" ")
    if len(words) != 4 or not all(re.fullmatch(r"W|[FTR]\*?", word) for word in words):
        raise ValueError(f"{text!r} is not a card face")
    nw, ne, sw, se = ((word[0], word.endswith("*")) for word in words)
    return nw, ne, sw, se


def turned(face: Face, turning: int) -> Face:
    """The face after so many quarter turns clockwise."""
    for _ in range(turning):
        nw, ne, sw, se = face
        face = (sw, nw, se, ne)
    return face


# --- the ground of one display ----------------------------------------------------------------------------------


def ground(display: Mapping[str, Face]) -> dict[str, Zone]:
    """All zones of a display by name."""
    return {
        f"{cell}.{corner}": zone for cell, face in display.items() for corner, zone in zip(CORNERS, face, strict=True)
    }


def territories(zones: Mapping[str, Zone]) -> dict[str, Territory]:
    """The territory that each zone belongs to."""
    territory_of: dict[str, Territory] = {}
    for start, (landscape, _) in zones.items():
        if start in territory_of:
            continue
        members = [start]
        if landscape != "R":
            for zone in members:  # grows during the loop: a breadth-first search
                for other in BESIDE[zone]:
                    if other in zones and zones[other][0] == landscape and other not in members:
                        members.append(other)
        territory = frozenset(members)
        for zone in territory:
            territory_of[zone] = territory
    return territory_of


def beside(territory: Territory, lands: Mapping[str, Territory]) -> set[Territory]:
    """The territories adjacent to this one."""
    around = {lands[other] for zone in territory for other in BESIDE[zone] if other in lands}
    return around - {territory}


def forest_seen(tower: str, zones: Mapping[str, Zone]) -> list[str]:
    """Return the forest zones that a watchman sees from their tower. Empty zones do not block sight."""
    seen = []
    for dx, dy in SIDE_STEPS:
        x, y = PLACES[tower]
        while (zone := NAMES.get((x := x + dx, y := y + dy))) is not None:
            landscape = zones[zone][0] if zone in zones else ""
            if landscape == "R":
                break
            if landscape == "T":
                seen.append(zone)
    return seen


def counted(zone: str, zones: Mapping[str, Zone], lands: Mapping[str, Territory]) -> list[frozenset[str]]:
    """Return the zones that score for a worker on this zone, one entry for each point."""
    territory = lands[zone]
    match zones[zone][0]:
        case "F":
            return [frozenset({field}) for field in sorted(territory)]
        case "W":
            shore = {other for water in territory for other in BESIDE[water] if other in zones}
            return [frozenset({hut}) for hut in sorted(shore) if zones[hut][1]]
        case "T":
            return sorted(beside(territory, lands), key=min)
        case _:
            return [frozenset({forest}) for forest in sorted(forest_seen(zone, zones))]


# --- turns ------------------------------------------------------------------------------------------------------


def start(players: int, deck: Sequence[str], diagonal: bool = False, ferryman: bool = False) -> State:
    """A game before its first draw."""
    if players < 1:
        raise ValueError("a game needs a player")
    if len(deck) != CARDS:
        raise ValueError(f"a deck has {CARDS} cards, not {len(deck)}")
    for face in deck:
        read_face(face)
    return State(tuple(deck), diagonal, ferryman, (), tuple(Seat({}) for _ in range(players)))


def draw(state: State, card: int) -> State:
    """Open the next round with this card."""
    if not 1 <= card <= CARDS:
        raise ValueError(f"there is no card {card}")
    if card in state.draws:
        raise ValueError(f"card {card} was drawn before")
    if len(state.draws) == ROUNDS:
        raise ValueError(f"there are only {ROUNDS} rounds")
    if rounds(state) < len(state.draws):
        raise ValueError("the last round is still open")
    return replace(state, draws=(*state.draws, card))


def rounds(state: State) -> int:
    """The number of complete rounds."""
    return min(seat.turns for seat in state.seats)


def is_over(state: State) -> bool:
    """Return True if all rounds are complete."""
    return rounds(state) == ROUNDS


def cells(display: Mapping[str, Face], diagonal: bool) -> list[str]:
    """Return the cells where the next card may be placed."""
    if not display:
        return [FIRST_CELL]
    occupied = {(COLUMNS.index(cell[0]), ROWS.index(cell[1])) for cell in display}
    steps = SIDE_STEPS + CORNER_STEPS if diagonal else SIDE_STEPS
    open_cells = []
    for x, column in enumerate(COLUMNS):
        for y, row in enumerate(ROWS):
            if (x, y) in occupied or not any((x + dx, y + dy) in occupied for dx, dy in steps):
                continue
            xs = [x, *(cell[0] for cell in occupied)]
            ys = [y, *(cell[1] for cell in occupied)]
            if max(xs) - min(xs) < SPAN and max(ys) - min(ys) < SPAN:
                open_cells.append(column + row)
    return open_cells


def moves(seat: Seat, ferryman: bool) -> list[tuple[str, str]]:
    """Return origin and target of all worker moves in the display."""
    zones = ground(seat.display)
    lands = territories(zones)
    occupied = {lands[worker] for worker in seat.workers}
    worker_moves = []
    for origin in sorted(set(seat.workers)):
        own = lands[origin]
        near = beside(own, lands)
        reach = set(near)
        if ferryman:
            for water in near:
                if zones[min(water)][0] == "W" and water in occupied:
                    reach |= beside(water, lands) - {own}
        targets = {zone for territory in reach for zone in territory}
        worker_moves += [(origin, target) for target in sorted(targets)]
    return worker_moves


def actions(seat: Seat, ferryman: bool) -> list[str]:
    """Return the legal worker actions after the card, in notation. The empty text is no action."""
    texts = [""]
    if seat.supply:
        texts += [f"+{corner}" for corner in CORNERS]
    if seat.workers:
        texts += [f"{origin}>{target}" for origin, target in moves(seat, ferryman)]
    return texts


def laid(state: State, player: int, cell: str, turning: int) -> Seat:
    """Return the player's seat with the drawn card placed, before the worker action."""
    seat = state.seats[player]
    face = turned(read_face(state.deck[state.draws[-1] - 1]), turning)
    return replace(seat, display={**seat.display, cell: face}, turns=seat.turns + 1)


def acted(seat: Seat, cell: str, action: str) -> Seat:
    """Return the seat after the worker action, with the new card on `cell`."""
    if not action:
        return seat
    if action.startswith("+"):
        placed = (*seat.workers, f"{cell}.{action[1:]}")
        return replace(seat, workers=tuple(sorted(placed)), supply=seat.supply - 1)
    origin, target = action.split(">")
    moved = list(seat.workers)
    moved[moved.index(origin)] = target
    return replace(seat, workers=tuple(sorted(moved)))


def with_seat(state: State, player: int, seat: Seat) -> State:
    """Return the state with one seat replaced."""
    return replace(state, seats=(*state.seats[:player], seat, *state.seats[player + 1 :]))


def has_turn(state: State, player: int) -> bool:
    """Return True if the player has not placed the last card."""
    if not 0 <= player < state.players:
        raise ValueError(f"there is no player {player}")
    return state.seats[player].turns < len(state.draws)


def legal(state: State, player: int) -> list[str]:
    """All legal turns of a player in the notation."""
    if not has_turn(state, player):
        return []
    return [
        f"{cell}r{turning} {action}".rstrip()
        for cell in cells(state.seats[player].display, state.diagonal)
        for turning in range(4)
        for action in actions(laid(state, player, cell, turning), state.ferryman)
    ]


def play(state: State, player: int, text: str) -> State:
    """Return the state after a player's turn. Raises ValueError if it is illegal."""
    if not has_turn(state, player):
        raise ValueError(f"{text}: no card to lay")
    parts = re.fullmatch(r"([a-g][1-7])r([0-3])(?: (\S+))?", text)
    if parts is None:
        raise ValueError(f"{text}: not a turn")
    cell, turning, action = parts[1], int(parts[2]), parts[3] or ""
    if cell not in cells(state.seats[player].display, state.diagonal):
        raise ValueError(f"{text}: the card may not lie there")
    seat = laid(state, player, cell, turning)
    if action not in actions(seat, state.ferryman):
        raise ValueError(f"{text}: the worker may not do that")
    return with_seat(state, player, acted(seat, cell, action))


def playout(state: State, rng: random.Random) -> State:
    """Play to the end with uniformly random card, cell, turning and action."""
    while not is_over(state):
        if rounds(state) == len(state.draws):
            remaining = [card for card in range(1, CARDS + 1) if card not in state.draws]
            state = draw(state, rng.choice(remaining))
        for player in range(state.players):
            if not has_turn(state, player):
                continue
            cell = rng.choice(cells(state.seats[player].display, state.diagonal))
            seat = laid(state, player, cell, rng.randrange(4))
            action = rng.choice(actions(seat, state.ferryman))
            state = with_seat(state, player, acted(seat, cell, action))
    return state


# --- scoring ----------------------------------------------------------------------------------------------------


def workers(state: State, player: int) -> list[Worker]:
    """The player's workers in the display by zone name; the first of each territory is the one that scores."""
    seat = state.seats[player]
    zones = ground(seat.display)
    lands = territories(zones)
    scored: set[Territory] = set()
    result = []
    for zone in seat.workers:
        count = counted(zone, zones, lands)
        profession = PROFESSIONS[zones[zone][0]]
        result.append(Worker(zone, profession, len(count), lands[zone] not in scored, lands[zone], count))
        scored.add(lands[zone])
    return result


def scores(state: State, player: int) -> list[int]:
    """The points of the scoring workers, best first, a missing worker counting 0."""
    points = sorted((worker.points for worker in workers(state, player) if worker.scored), reverse=True)
    return points + [0] * (WORKERS - len(points))


def total(state: State, player: int) -> int:
    """The player's score as the display is now."""
    return sum(scores(state, player))


def winners(state: State) -> list[int]:
    """Return the players who win or share the win. Empty until the game is over."""
    if not is_over(state):
        return []
    results = [(total(state, player), scores(state, player)) for player in range(state.players)]
    return [player for player, result in enumerate(results) if result == max(results)]


def rating(total: int) -> str:
    """Return the rating of a solitaire total."""
    for min_total, text in ((49, "excellent"), (42, "very good"), (35, "good"), (28, "OK")):
        if total >= min_total:
            return text
    return "capable of improvement"


def summary(state: State, names: Sequence[str]) -> dict[str, Any]:
    """The object that `limina replay --json` prints."""
    over = is_over(state)
    players = []
    for player, name in enumerate(names):
        points = total(state, player)
        scored_workers = [
            {"zone": worker.zone, "profession": worker.profession, "points": worker.points, "scored": worker.scored}
            for worker in workers(state, player)
        ]
        solitaire_rating = rating(points) if over and state.players == 1 else None
        supply = state.seats[player].supply
        entry = {"name": name, "total": points, "supply": supply, "rating": solitaire_rating}
        players.append(entry | {"workers": scored_workers})
    return {"game": "limes", "over": over, "round": rounds(state), "winners": winners(state), "players": players}
