"""Why one turn is better than another, in words: who gains or loses points, and which territory stays open."""

from __future__ import annotations

from typing import NamedTuple

from limina.core.message import TranslatableMessage
from limina.limes.decks.deck import LANDSCAPE_NAMES
from limina.limes.display import Display, WorkerScore
from limina.limes.draw.outline import neighbors
from limina.limes.notation import QUARTERS, Turn, zone_xy
from limina.limes.position import Position

MOST = 3
"""Workers that a sentence names; more would not be read."""


class _Effect(NamedTuple):
    """What a turn does to one display."""

    turn: str
    before: Display
    after: Display
    moved_from: str | None
    moved_to: str | None

    @property
    def gain(self) -> int:
        return self.after.total - self.before.total

    def origin(self, zone: str) -> str | None:
        """Where the worker who now stands on a zone stood before; None if he came from the supply."""
        if zone != self.moved_to:
            return zone
        return self.moved_from


class LimesExplainer:
    """Says what turns do to a display."""

    def explain(self, position: Position, player: int, played: Turn | None, best: Turn) -> list[str]:
        """Sentences on what the best turn does, and on what the turn played does instead."""
        good = _effect(position, player, best)
        if played is None:
            return [_points(good), *_openings(good)]
        poor = _effect(position, player, played)
        if poor.after == good.after:
            return []
        return [_points(good), _points(poor), *_compared(good, poor)]


def _effect(position: Position, player: int, turn: Turn) -> _Effect:
    after = position.play(turn, player).display(player)
    return _Effect(str(turn), position.display(player), after, turn.source, turn.target)


# --- points


def _points(effect: _Effect) -> TranslatableMessage:
    gain = effect.gain
    count = f"{gain:+d} point{'' if abs(gain) == 1 else 's'}" if gain else "no points"
    changes = _changes(effect)
    shown = changes[:MOST]
    if len(changes) > MOST:
        more = len(changes) - MOST
        shown.append(TranslatableMessage(f"and {more} more", "limes.more", {"n": more}))
    text = f"{effect.turn} brings {count} now{': ' if changes else ''}{'; '.join(shown)}."
    values: dict[str, str | int] = {"turn": effect.turn, "gain": f"{gain:+d}", "n": abs(gain)}
    return TranslatableMessage(text, "limes.points" if gain else "limes.no-points", values, shown)


def _changes(effect: _Effect) -> list[TranslatableMessage]:
    """What happens to each worker, the largest change first."""
    before = _by_zone(effect.before)
    found: list[tuple[int, TranslatableMessage]] = []

    def add(change: int, text: str, key: str, worker: WorkerScore, **values: str | int) -> None:
        named = {"name": f":limes.profession.{worker.profession}", "zone": worker.zone, **values}
        found.append((change, TranslatableMessage(text, f"limes.{key}", named)))

    for zone, worker in _by_zone(effect.after).items():
        origin = effect.origin(zone)
        now = _counted(worker)
        who = f"the {worker.profession} on {zone}"
        if origin is None:
            add(now, f"the new {worker.profession} on {zone} is worth {now}", "new", worker, now=now)
            continue
        old = before.get(origin)
        was = _counted(old) if old is not None else 0
        if origin != zone:
            text = f"the worker from {origin} (worth {was}) is worth {now} as {_a(worker)} on {zone}"
            add(now - was, text, "moved", worker, origin=origin, was=was, now=now)
        elif worker.points and not worker.scored and was:
            add(-was, f"{who} scores no more: another one has come to his territory", "stopped", worker)
        elif now > was:
            add(now - was, f"{who} gains {now - was} and is worth {now}", "gains", worker, n=now - was, now=now)
        elif now < was:
            add(now - was, f"{who} loses {was - now} and is worth {now}", "loses", worker, n=was - now, now=now)
    return [words for _, words in sorted(found, key=lambda each: -abs(each[0]))]


def _by_zone(display: Display) -> dict[str, WorkerScore]:
    """The workers by where they stand; of several on one zone, the one who scores."""
    found: dict[str, WorkerScore] = {}
    for worker in display.scores:
        found.setdefault(worker.zone, worker)
    return found


def _counted(worker: WorkerScore) -> int:
    return worker.points if worker.scored else 0


def _a(worker: WorkerScore) -> str:
    return f"a {worker.profession}"


# --- territories


def _openness(display: Display) -> dict[str, int]:
    """For each zone with a scoring worker: the sides on which his territory can still grow."""
    open_zones = {zone_xy(f"{cell}.{quarter}") for cell in display.open_cells for quarter in QUARTERS}
    found = {}
    for worker in display.scores:
        if worker.scored and worker.profession != "watchman":  # he stands on a rock, and it never grows
            sides = sum(side in open_zones for zone in worker.territory for side in neighbors(zone_xy(zone)))
            found[worker.zone] = sides
    return found


def _territory(effect: _Effect, zone: str, end: str, key: str, **values: str | int) -> TranslatableMessage:
    """A sentence about the territory of the worker on a zone."""
    worker = _by_zone(effect.after)[zone]
    letter = effect.after.ground[zone].landscape
    words = {"land": f":limes.landscape.{letter}", "name": f":limes.profession.{worker.profession}", "zone": zone}
    text = f"The {LANDSCAPE_NAMES[letter]} of the {worker.profession} on {zone} {end}"
    return TranslatableMessage(text, f"limes.{key}", {**words, **values})


def _openings(effect: _Effect) -> list[TranslatableMessage]:
    """What a turn opens or closes, compared with before."""
    before, after = _openness(effect.before), _openness(effect.after)
    if not any(after.values()):
        return []
    closed = [zone for zone, sides in before.items() if sides and after.get(zone) == 0]
    wide = [zone for zone, sides in after.items() if sides >= 3 and zone not in before]
    return [
        *(_territory(effect, zone, "cannot grow any more.", "closed") for zone in closed[:MOST]),
        *(_territory(effect, zone, f"can grow on {after[zone]} sides.", "open", n=after[zone]) for zone in wide[:MOST]),
    ]


def _compared(good: _Effect, poor: _Effect) -> list[TranslatableMessage]:
    """What one turn leaves open and the other does not, and how many workers each leaves."""
    said: list[TranslatableMessage] = []
    here, there = _openness(good.after), _openness(poor.after)
    for zone in here.keys() & there.keys():
        if good.origin(zone) != poor.origin(zone):
            continue
        values: dict[str, str | int] = {"n": here[zone], "other": there[zone], "turn": poor.turn}
        if here[zone] and not there[zone]:
            sides = f"{here[zone]} side{'' if here[zone] == 1 else 's'}"
            said.append(_territory(good, zone, f"stays open on {sides}; {poor.turn} closes it.", "closes", **values))
        elif here[zone] >= there[zone] + 2:
            end = f"stays open on {here[zone]} sides instead of {there[zone]}."
            said.append(_territory(good, zone, end, "narrows", **values))
    said.sort()
    left, other = good.after.supply, poor.after.supply
    if left != other:
        does, key = ("keeps a worker for later", "keeps") if left > other else ("puts a worker to work", "employs")
        text = f"{good.turn} {does}: {left} in the supply instead of {other}."
        said.append(TranslatableMessage(text, f"limes.{key}", {"turn": good.turn, "n": left, "other": other}))
    return said[: MOST + 1]
