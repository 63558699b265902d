"""The tutorial of Limes: positions in which one thing is to be learned, judged by the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from limina.core.lessons import Feedback, Lesson
from limina.core.position import Step
from limina.core.record import Record
from limina.core.registry import game
from limina.limes.display import Display, WorkerScore
from limina.limes.draw.scene import Landscape, Profession
from limina.limes.notation import Turn
from limina.limes.position import Position
from limina.limes.presenter import LimesLegal, LimesPresenter, LimesPreview

Workers = Literal["none", "place", "move"]
_SIGNS: dict[Workers, str] = {"none": "", "place": "+", "move": ">"}
Judge = Callable[[Display, Turn], Feedback | None]
"""Why the display that a turn leads to is not what is asked for; None if it is. A value `n` says how near it comes."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A lesson as it is written down."""

    id: str
    played: tuple[tuple[int, str], ...]
    """The cards drawn before, each with the turn it was laid by."""
    card: int
    workers: Workers
    """What may be done with them."""
    judge: Judge


class LimesTutor:
    """The lessons of Limes, in the order they are taken."""

    def lessons(self) -> tuple[Lesson, ...]:
        """All of them, made once."""
        return _lessons()


# --- what is asked for


def _grow(landscape: Landscape, goal: int) -> Judge:
    """A territory of so many zones."""

    def judge(display: Display, turn: Turn) -> Feedback | None:
        sizes = [
            len(territory) for territory in display.territories if display.ground[min(territory)].landscape == landscape
        ]
        most = max(sizes, default=0)
        return None if most >= goal else Feedback(f"grow-{landscape}", {"n": most, "goal": goal})

    return judge


def _work(profession: Profession, goal: int) -> Judge:
    """A new worker of that profession who is worth so much."""

    def judge(display: Display, turn: Turn) -> Feedback | None:
        worker = _at(display, turn.target)
        if worker is None:
            return Feedback("no-worker")
        if worker.profession != profession:
            return Feedback(f"not-{profession}", {"profession": f":limes.profession.{worker.profession}"})
        return None if worker.points >= goal else Feedback(profession, {"n": worker.points, "goal": goal})

    return judge


def _move(goal: int) -> Judge:
    """A worker who was moved to where he is worth so much."""

    def judge(display: Display, turn: Turn) -> Feedback | None:
        worker = _at(display, turn.target)
        if worker is None:
            return Feedback("not-moved")
        return None if worker.points >= goal else Feedback("move", {"n": worker.points, "goal": goal})

    return judge


def _alone(goal: int) -> Judge:
    """A new worker in a territory where nobody else stands, worth so much."""

    def judge(display: Display, turn: Turn) -> Feedback | None:
        worker = _at(display, turn.target)
        if worker is None:
            return Feedback("no-worker")
        if sum(other.territory == worker.territory for other in display.scores) > 1:
            return Feedback("shared")
        return None if worker.points >= goal else Feedback("alone", {"n": worker.points, "goal": goal})

    return judge


def _at(display: Display, zone: str | None) -> WorkerScore | None:
    return next((worker for worker in display.scores if worker.zone == zone), None)


_TASKS = (
    _Task("lay", ((15, "d4r0"),), 16, "none", _grow("F", 4)),
    _Task("territory", ((18, "d4r0"), (22, "e4r0")), 20, "none", _grow("W", 5)),
    _Task("farmer", ((15, "d4r0"), (16, "e4r3")), 24, "place", _work("farmer", 6)),
    _Task("fisherman", ((18, "d4r0"), (22, "e4r0")), 13, "place", _work("fisherman", 4)),
    _Task("woodcutter", ((14, "d4r0"), (4, "e4r0")), 13, "place", _work("woodcutter", 4)),
    _Task("watchman", ((10, "d4r0"), (15, "d5r0")), 24, "place", _work("watchman", 3)),
    _Task("move", ((9, "d4r0 +sw"), (21, "e4r0")), 15, "move", _move(4)),
    _Task("one-scores", ((15, "d4r0 +nw"), (16, "e4r3")), 8, "place", _alone(2)),
)


# --- how a lesson is made


@cache
def _lessons() -> tuple[Lesson, ...]:
    return tuple(_made(task) for task in _TASKS)


def _made(task: _Task) -> Lesson:
    steps = [step for card, turn in task.played for step in (Step(None, str(card)), Step(0, turn))]
    record: Record[Position, Turn] = Record.new(game("limes"), ["-"])
    for step in (*steps, Step(None, str(task.card))):
        record = record.apply(step)
    position, presenter = record.end, LimesPresenter()
    legal = _offered(presenter.legal(position, 0), task.workers)
    good: list[str] = []
    wrong: dict[str, Feedback] = {}
    wrong_prefixes: dict[str, Feedback] = {}
    previews: dict[str, LimesPreview] = {}
    for laid, actions in legal["turns"].items():
        reasons = []
        for text in [f"{laid} {action}".rstrip() for action in actions]:
            previews[text] = presenter.preview(position, 0, text)
            why = _verdict(position, text, task.judge)
            if why is None:
                good.append(text)
            else:
                wrong[text] = why
                reasons.append(why)
        if len(reasons) == len(actions) > 1:  # told before anybody thinks of a worker
            nearest = max(reasons, key=lambda why: int(why.values.get("n", -1)))
            wrong_prefixes[laid] = Feedback(f"{nearest.key}-here", nearest.values)
    return Lesson(
        id=task.id,
        record=record.to_json(),
        player=0,
        view=presenter.view(position),
        legal=legal,
        previews=previews,
        good=tuple(good),
        wrong=wrong,
        wrong_prefixes=wrong_prefixes,
        accepts_partial=task.workers == "none",
    )


def _offered(legal: LimesLegal, workers: Workers) -> LimesLegal:
    """The turns that have to do with what is to be learned; the workers may always be left alone."""
    sign = _SIGNS[workers]
    turns = {
        laid: {action: total for action, total in actions.items() if not action or (sign and sign in action)}
        for laid, actions in legal["turns"].items()
    }
    return {"cells": legal["cells"], "turns": turns}


def _verdict(position: Position, text: str, judge: Judge) -> Feedback | None:
    turn = Turn.read(text)
    return judge(position.play(turn, 0).display(0), turn)
