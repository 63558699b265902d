"""The lessons of all games: their positions can be reached, and they judge turns as the rules do."""

from __future__ import annotations

import json

import pytest

import limina
from limina import Game, IllegalTurnError, Record
from limina.core.lessons import Lesson
from limina.core.presenter import presenter_of

LESSONS = [
    (game, lesson) for game in map(limina.game, limina.game_names()) if game.tutor for lesson in game.tutor.lessons()
]


@pytest.fixture(params=LESSONS, ids=lambda taught_lesson: f"{taught_lesson[0].name}-{taught_lesson[1].id}")
def taught_lesson(request: pytest.FixtureRequest) -> tuple[Game, Lesson, Record]:
    game, lesson = request.param
    return game, lesson, Record.from_json(json.loads(json.dumps(lesson.record)))


def test_only_the_built_in_games_have_lessons() -> None:
    lesson_ids = {game.name: {lesson.id for owner, lesson in LESSONS if owner is game} for game, _ in LESSONS}
    assert {name: len(ids) for name, ids in lesson_ids.items()} == {"limes": 8, "limit": 5}


def test_a_lesson_shows_the_last_position_of_its_record(taught_lesson: tuple[Game, Lesson, Record]) -> None:
    game, lesson, record = taught_lesson
    presenter = presenter_of(game)
    assert record.position.to_move == (lesson.player,)
    assert lesson.view == presenter.view(record.position)
    for text, preview in lesson.previews.items():
        assert preview == presenter.preview(record.position, lesson.player, text)


def test_a_lesson_judges_every_offered_turn_and_can_be_solved(
    taught_lesson: tuple[Game, Lesson, Record],
) -> None:
    _, lesson, record = taught_lesson
    legal = {str(turn) for turn in record.position.legal_turns(lesson.player)}
    assert lesson.good
    assert lesson.wrong or lesson.wrong_prefixes or lesson.refused
    assert not set(lesson.good) & {*lesson.wrong, *lesson.wrong_prefixes}
    for text in (*lesson.good, *lesson.wrong, *lesson.wrong_prefixes):
        assert text in legal or any(turn.startswith(f"{text} ") for turn in legal), text
    for part in lesson.wrong_prefixes:
        assert not any(turn.startswith(f"{part} ") for turn in lesson.good), part
    assert lesson.accepts_partial or {*lesson.good, *lesson.wrong} <= legal


def test_turns_that_a_lesson_refuses_are_illegal(taught_lesson: tuple[Game, Lesson, Record]) -> None:
    game, lesson, record = taught_lesson
    legal = {str(turn) for turn in record.position.legal_turns(lesson.player)}
    for text in lesson.refused:
        assert not any(turn == text or turn.startswith(f"{text}-") or turn.startswith(f"{text} ") for turn in legal)
        if "-" in text:
            with pytest.raises(IllegalTurnError):
                record.position.play(game.read_turn(text), lesson.player)
