"""The tutorial of Limes: lessons with one goal each, in which the rules judge every turn."""

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

WorkerAction = Literal["none", "place", "move"]
_ACTION_SIGNS: dict[WorkerAction, str] = {"none": "", "place": "+", "move": ">"}
"""The sign that the notation of such an action contains."""
Judge = Callable[[Display, Turn], Feedback | None]
"""Takes the display after a turn and the turn; returns None if the goal is reached, else feedback.

The value `n` of the feedback says how close the turn comes.
"""


@dataclass(frozen=True, slots=True)
class _Task:
    """The description of a lesson."""

    id: str
    played: tuple[tuple[int, str], ...]
    """The cards drawn before, each with its turn."""
    card: int
    worker_action: WorkerAction
    """The only worker action that the lesson offers."""
    judge: Judge


class LimesTutor:
    """Teaches Limes in lessons."""

    def lessons(self) -> tuple[Lesson, ...]:
        """Return the lessons in order."""
        return _lessons()


# --- goals


def _grow(landscape: Landscape, goal: int) -> Judge:
    """Ask for a territory with this many zones."""

    def judge(display: Display, turn: Turn) -> Feedback | None:
        sizes = [
            len(territory) for territory in display.territories if display.ground[min(territory)].landscape == landscape
        ]
        largest = max(sizes, default=0)
        return None if largest >= goal else Feedback(f"grow-{landscape}", {"n": largest, "goal": goal})

    return judge


def _work(profession: Profession, goal: int) -> Judge:
    """Ask for a new worker of a profession with this many points."""

    def judge(display: Display, turn: Turn) -> Feedback | None:
        worker = _worker_on(display, turn.target)
        if worker is None:
            return Feedback("no-worker")
        if worker.profession != profession:
            return Feedback(f"not-{profession}", {"profession": f":limes.profession.{worker.profession}"})
        return None if worker.points >= goal else Feedback(profession, {"n": worker.points, "goal": goal})

    return judge


def _move(goal: int) -> Judge:
    """Ask for a worker that has this many points after its move."""

    def judge(display: Display, turn: Turn) -> Feedback | None:
        worker = _worker_on(display, turn.target)
        if worker is None:
            return Feedback("not-moved")
        return None if worker.points >= goal else Feedback("move", {"n": worker.points, "goal": goal})

    return judge


def _alone(goal: int) -> Judge:
    """Ask for a new worker with this many points, alone in its territory."""

    def judge(display: Display, turn: Turn) -> Feedback | None:
        worker = _worker_on(display, turn.target)
        if worker is None:
            return Feedback("no-worker")
        if sum(other.territory == worker.territory for other in display.scores) > 1:
            return Feedback("shared")
        return None if worker.points >= goal else Feedback("alone", {"n": worker.points, "goal": goal})

    return judge


def _worker_on(display: Display, zone: str | None) -> WorkerScore | None:
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


# --- building lessons


@cache
def _lessons() -> tuple[Lesson, ...]:
    return tuple(_build(task) for task in _TASKS)


def _build(task: _Task) -> Lesson:
    steps = [step for card, turn in task.played for step in (Step(None, str(card)), Step(0, turn))]
    record: Record[Position, Turn] = Record.new(game("limes"), ["-"])
    for step in (*steps, Step(None, str(task.card))):
        record = record.apply(step)
    position, presenter = record.position, LimesPresenter()
    legal = _offered_turns(presenter.legal(position, 0), task.worker_action)
    good: list[str] = []
    wrong: dict[str, Feedback] = {}
    wrong_prefixes: dict[str, Feedback] = {}
    previews: dict[str, LimesPreview] = {}
    for placement, actions in legal["turns"].items():
        misses = []
        for text in [f"{placement} {action}".rstrip() for action in actions]:
            previews[text] = presenter.preview(position, 0, text)
            feedback = _judge(position, text, task.judge)
            if feedback is None:
                good.append(text)
            else:
                wrong[text] = feedback
                misses.append(feedback)
        if len(misses) == len(actions) > 1:
            # No worker action reaches the goal, so the page can say so when the card is laid.
            nearest = max(misses, key=lambda feedback: int(feedback.values.get("n", -1)))
            wrong_prefixes[placement] = Feedback(f"{nearest.key}-here", nearest.values)
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
        accepts_partial=task.worker_action == "none",
    )


def _offered_turns(legal: LimesLegal, worker_action: WorkerAction) -> LimesLegal:
    """Keep the turns without a worker action and those with the action of the lesson."""
    sign = _ACTION_SIGNS[worker_action]
    turns = {
        placement: {action: total for action, total in actions.items() if not action or (sign and sign in action)}
        for placement, actions in legal["turns"].items()
    }
    return {"cells": legal["cells"], "turns": turns}


def _judge(position: Position, text: str, judge: Judge) -> Feedback | None:
    turn = Turn.read(text)
    return judge(position.play(turn, 0).display(0), turn)
