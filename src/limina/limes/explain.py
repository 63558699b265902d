"""Explanations of turns in sentences: workers that gain or lose points, and territories that can still grow."""

from __future__ import annotations

from typing import NamedTuple

from limina.core.message import TranslatableMessage
from limina.limes.decks.deck import LANDSCAPE_NAMES
from limina.limes.display import Display, WorkerScore
from limina.limes.draw.outline import neighbors
from limina.limes.notation import QUARTERS, Turn, zone_xy
from limina.limes.position import Position

_MAX_NAMED_WORKERS = 3
"""The number of workers that a sentence names."""


class _Effect(NamedTuple):
    """A turn with the display before and after it."""

    turn: str
    before: Display
    after: Display
    moved_from: str | None
    moved_to: str | None

    @property
    def gain(self) -> int:
        return self.after.total - self.before.total

    def origin(self, zone: str) -> str | None:
        """Return the zone before the turn of the worker that is now on `zone`; None if it came from the supply."""
        return self.moved_from if zone == self.moved_to else zone


class LimesExplainer:
    """Explains the effects of turns on a display."""

    def explain(self, position: Position, player: int, played: Turn | None, best: Turn) -> list[str]:
        """Return sentences on the effects of the best turn and, if one was played, of the played turn."""
        best_effect = _effect(position, player, best)
        if played is None:
            return [_describe_points(best_effect), *_describe_openings(best_effect)]
        played_effect = _effect(position, player, played)
        if played_effect.after == best_effect.after:
            return []
        points = [_describe_points(best_effect), _describe_points(played_effect)]
        return [*points, *_compare(best_effect, played_effect)]


def _effect(position: Position, player: int, turn: Turn) -> _Effect:
    after = position.play(turn, player).display(player)
    return _Effect(str(turn), position.display(player), after, turn.source, turn.target)


# --- points


def _describe_points(effect: _Effect) -> TranslatableMessage:
    gain = effect.gain
    count = f"{gain:+d} point{'' if abs(gain) == 1 else 's'}" if gain else "no points"
    changes = _describe_changes(effect)
    parts = changes[:_MAX_NAMED_WORKERS]
    if len(changes) > _MAX_NAMED_WORKERS:
        more = len(changes) - _MAX_NAMED_WORKERS
        parts.append(TranslatableMessage(f"and {more} more", "limes.more", {"n": more}))
    text = f"{effect.turn} brings {count} now{': ' if changes else ''}{'; '.join(parts)}."
    values: dict[str, str | int] = {"turn": effect.turn, "gain": f"{gain:+d}", "n": abs(gain)}
    return TranslatableMessage(text, "limes.points" if gain else "limes.no-points", values, parts)


def _describe_changes(effect: _Effect) -> list[TranslatableMessage]:
    """Return a phrase for each worker whose points change, the largest change first."""
    before = _worker_by_zone(effect.before)
    changes: list[tuple[int, TranslatableMessage]] = []

    def add(change: int, text: str, key: str, worker: WorkerScore, **values: str | int) -> None:
        all_values = {"name": f":limes.profession.{worker.profession}", "zone": worker.zone, **values}
        changes.append((change, TranslatableMessage(text, f"limes.{key}", all_values)))

    for zone, worker in _worker_by_zone(effect.after).items():
        origin = effect.origin(zone)
        now = _scored_points(worker)
        subject = f"the {worker.profession} on {zone}"
        if origin is None:
            add(now, f"the new {worker.profession} on {zone} is worth {now}", "new", worker, now=now)
            continue
        old = before.get(origin)
        was = _scored_points(old) if old is not None else 0
        if origin != zone:
            text = f"the worker from {origin} (worth {was}) is worth {now} as a {worker.profession} on {zone}"
            add(now - was, text, "moved", worker, origin=origin, was=was, now=now)
        elif worker.points and not worker.scored and was:
            add(-was, f"{subject} no longer scores: another worker scores in the territory", "stopped", worker)
        elif now > was:
            add(now - was, f"{subject} gains {now - was} and is worth {now}", "gains", worker, n=now - was, now=now)
        elif now < was:
            add(now - was, f"{subject} loses {was - now} and is worth {now}", "loses", worker, n=was - now, now=now)
    return [message for _, message in sorted(changes, key=lambda change: -abs(change[0]))]


def _worker_by_zone(display: Display) -> dict[str, WorkerScore]:
    """Return the worker on each zone; of several on one zone, the one that scores. `scores` lists it first."""
    workers: dict[str, WorkerScore] = {}
    for worker in display.scores:
        workers.setdefault(worker.zone, worker)
    return workers


def _scored_points(worker: WorkerScore) -> int:
    return worker.points if worker.scored else 0


# --- territories


def _open_sides(display: Display) -> dict[str, int]:
    """Return the number of sides on which a territory can still grow, by the zone of its scoring worker."""
    open_zones = {zone_xy(f"{cell}.{quarter}") for cell in display.open_cells for quarter in QUARTERS}
    open_sides = {}
    for worker in display.scores:
        if worker.scored and worker.profession != "watchman":  # the territory of a tower never grows
            open_sides[worker.zone] = sum(
                side in open_zones for zone in worker.territory for side in neighbors(zone_xy(zone))
            )
    return open_sides


def _territory_sentence(effect: _Effect, zone: str, end: str, key: str, **values: str | int) -> TranslatableMessage:
    """Return a sentence about the territory of the worker on a zone."""
    worker = _worker_by_zone(effect.after)[zone]
    letter = effect.after.ground[zone].landscape
    names = {"land": f":limes.landscape.{letter}", "name": f":limes.profession.{worker.profession}", "zone": zone}
    text = f"The {LANDSCAPE_NAMES[letter]} of the {worker.profession} on {zone} {end}"
    return TranslatableMessage(text, f"limes.{key}", {**names, **values})


def _describe_openings(effect: _Effect) -> list[TranslatableMessage]:
    """Return sentences on territories that the turn closes, and on new ones that can grow on many sides."""
    before, after = _open_sides(effect.before), _open_sides(effect.after)
    if not any(after.values()):
        return []
    closed = [zone for zone, sides in before.items() if sides and after.get(zone) == 0]
    wide = [zone for zone, sides in after.items() if sides >= 3 and zone not in before]
    return [
        *(_territory_sentence(effect, zone, "cannot grow any more.", "closed") for zone in closed[:_MAX_NAMED_WORKERS]),
        *(
            _territory_sentence(effect, zone, f"can grow on {after[zone]} sides.", "open", n=after[zone])
            for zone in wide[:_MAX_NAMED_WORKERS]
        ),
    ]


def _compare(best: _Effect, played: _Effect) -> list[TranslatableMessage]:
    """Return sentences on territories that only the best turn leaves open, and on the workers in the supply."""
    sentences: list[TranslatableMessage] = []
    best_sides, played_sides = _open_sides(best.after), _open_sides(played.after)
    for zone in best_sides.keys() & played_sides.keys():
        if best.origin(zone) != played.origin(zone):
            continue
        sides, other_sides = best_sides[zone], played_sides[zone]
        values: dict[str, str | int] = {"n": sides, "other": other_sides, "turn": played.turn}
        if sides and not other_sides:
            end = f"stays open on {sides} side{'' if sides == 1 else 's'}; {played.turn} closes it."
            sentences.append(_territory_sentence(best, zone, end, "closes", **values))
        elif sides >= other_sides + 2:
            end = f"stays open on {sides} sides instead of {other_sides}."
            sentences.append(_territory_sentence(best, zone, end, "narrows", **values))
    sentences.sort()
    supply, other_supply = best.after.supply, played.after.supply
    if supply != other_supply:
        is_more = supply > other_supply
        predicate, key = ("keeps a worker for later", "keeps") if is_more else ("puts a worker to work", "employs")
        text = f"{best.turn} {predicate}: {supply} in the supply instead of {other_supply}."
        values = {"turn": best.turn, "n": supply, "other": other_supply}
        sentences.append(TranslatableMessage(text, f"limes.{key}", values))
    return sentences[: _MAX_NAMED_WORKERS + 1]
