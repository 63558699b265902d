"""Every lesson is a position that the rules lead to, and says of each turn what the rules say."""

from __future__ import annotations

import json

import pytest

import limina
from limina import Game, IllegalTurnError, Record
from limina.core.lessons import Lesson
from limina.core.presenter import presenter_of

TAUGHT = [
    (game, lesson) for game in map(limina.game, limina.game_names()) if game.tutor for lesson in game.tutor.lessons()
]


@pytest.fixture(params=TAUGHT, ids=lambda taught: f"{taught[0].name}-{taught[1].id}")
def taught(request: pytest.FixtureRequest) -> tuple[Game, Lesson, Record]:
    game, lesson = request.param
    return game, lesson, Record.from_json(json.loads(json.dumps(lesson.record)))


def test_our_games_can_be_learned_and_a_strangers_need_not() -> None:
    ids = {game.name: {lesson.id for each, lesson in TAUGHT if each is game} for game, _ in TAUGHT}
    assert {name: len(found) for name, found in ids.items()} == {"limes": 8, "limit": 5}


def test_a_lesson_shows_where_its_record_stands(taught: tuple[Game, Lesson, Record]) -> None:
    game, lesson, record = taught
    presenter = presenter_of(game)
    assert record.end.to_move == (lesson.player,)
    assert lesson.view == presenter.view(record.end)
    for text, preview in lesson.previews.items():
        assert preview == presenter.preview(record.end, lesson.player, text)


def test_every_turn_that_is_offered_is_judged_and_one_at_least_reaches_the_goal(
    taught: tuple[Game, Lesson, Record],
) -> None:
    _, lesson, record = taught
    legal = {str(turn) for turn in record.end.legal_turns(lesson.player)}
    assert lesson.good
    assert lesson.wrong or lesson.wrong_prefixes or lesson.refused
    assert not set(lesson.good) & {*lesson.wrong, *lesson.wrong_prefixes}
    for text in (*lesson.good, *lesson.wrong, *lesson.wrong_prefixes):
        assert text in legal or any(turn.startswith(f"{text} ") for turn in legal), text
    for part in lesson.wrong_prefixes:
        assert not any(turn.startswith(f"{part} ") for turn in lesson.good), part
    assert lesson.accepts_partial or {*lesson.good, *lesson.wrong} <= legal


def test_what_is_refused_the_rules_refuse(taught: tuple[Game, Lesson, Record]) -> None:
    game, lesson, record = taught
    legal = {str(turn) for turn in record.end.legal_turns(lesson.player)}
    for text in lesson.refused:
        assert not any(turn == text or turn.startswith(f"{text}-") or turn.startswith(f"{text} ") for turn in legal)
        if "-" in text:
            with pytest.raises(IllegalTurnError):
                record.end.play(game.read_turn(text), lesson.player)
