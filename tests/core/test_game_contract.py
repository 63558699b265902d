"""The contract that every game fulfills. A new game must pass this suite."""

import copy
import json
import pickle
import xml.etree.ElementTree as ET
from random import Random

import pytest
from pydantic import TypeAdapter

import limina
from limina import Game, IllegalTurnError, InvalidInputError, Record
from limina.analysis import ReviewSummary, analyze
from limina.bots import bot, bot_names, choose_checked
from limina.core import registry
from limina.core.presenter import presenter_of
from support.games.records import random_record

GAMES = [limina.game(name) for name in limina.game_names()]


def few_players(game: Game) -> int:
    """Return 2 if the game is for 2 players, else its smallest number of players."""
    return 2 if 2 in game.spec.players else game.spec.players[0]


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> Game:
    chosen: Game = request.param
    return chosen


@pytest.mark.parametrize("seed", range(4))
def test_a_game_ends_with_a_winner(game: Game, seed: int) -> None:
    end = random_record(game, seed).position
    assert end.outcome is not None
    assert end.outcome.winners
    assert set(end.outcome.winners) <= set(range(end.players))
    assert end.to_move == ()
    assert not end.awaits_chance
    assert all(len(end.legal_turns(player)) == 0 for player in range(end.players))
    with pytest.raises(IllegalTurnError, match="over"):
        end.play(random_record(game, seed).steps[-1].text)


@pytest.mark.parametrize("seed", range(4))
def test_replaying_a_prefix_gives_its_last_position(game: Game, seed: int) -> None:
    record = random_record(game, seed)
    positions = list(record.positions())
    assert positions[-1] == record.position
    for length in range(0, len(record.steps) + 1, 5):
        prefix = record.without_last(len(record.steps) - length)
        assert prefix.position == positions[length]
        assert hash(prefix.position) == hash(positions[length])


@pytest.mark.parametrize("seed", range(4))
def test_a_record_is_read_as_it_was_written(game: Game, seed: int) -> None:
    for steps in (0, 1, 7, 10_000):
        record = random_record(game, seed, steps=steps)
        again = Record.from_json_text(record.to_json_text())
        assert again == record
        assert len(again.steps) == len(record.steps)
        assert again.to_json_text() == record.to_json_text()
        assert again.summary() == record.summary()


def test_unknown_keys_of_a_record_are_preserved(game: Game) -> None:
    data = random_record(game, 1, steps=5).to_json() | {"event": {"round": 3}, "remark": "preserved"}
    again = Record.from_json_text(json.dumps(data)).to_json()
    assert again["event"] == {"round": 3}
    assert again["remark"] == "preserved"


def test_a_result_must_agree_with_the_replay(game: Game) -> None:
    data = random_record(game, 1).to_json()
    Record.from_json(data)
    data["result"]["winners"] = [w + 1 for w in data["result"]["winners"]]
    with pytest.raises(IllegalTurnError, match="result"):
        Record.from_json(data)


def test_positions_are_immutable_values(game: Game) -> None:
    record = random_record(game, 2, steps=9)
    before, texts = record.without_last().position, [str(turn) for turn in record.position.legal_turns()]
    mover = record.position.to_move[0] if record.position.to_move else None
    if mover is not None:
        record.position.play(record.position.legal_turns(mover)[0], mover)
    assert [str(turn) for turn in record.position.legal_turns()] == texts, "playing must not change a position"
    assert before != record.position
    assert len({before, record.position, record.without_last().position}) == 2
    assert copy.deepcopy(record.position) == record.position
    assert pickle.loads(pickle.dumps(record.position)) == record.position
    with pytest.raises((AttributeError, TypeError)):
        record.position.players = 7


@pytest.mark.parametrize("seed", range(3))
def test_turns_are_read_as_they_are_printed(game: Game, seed: int) -> None:
    end = random_record(game, seed, steps=6).position
    for mover in end.to_move:
        turns = end.legal_turns(mover)
        assert len(set(map(str, turns))) == len(turns), "no turn is listed twice"
        for turn in turns:
            again = game.read_turn(str(turn))
            assert again == turn
            assert hash(again) == hash(turn)
            assert eval(repr(turn), {"Turn": type(turn)}) == turn


@pytest.mark.parametrize("seed", range(3))
def test_every_legal_turn_can_be_played_and_changes_the_position(game: Game, seed: int) -> None:
    end = random_record(game, seed, steps=8).position
    for mover in end.to_move:
        turns = end.legal_turns(mover)
        assert turns
        for turn in turns[:: max(1, len(turns) // 40)]:
            assert turn in turns
            assert str(turn) in turns
            assert end.play(turn, mover) == end.play(str(turn), mover) != end


ALMOST_TURNS = ("?", "d4", "-1", "d4r9", "a1-")
"""Texts that are no turns of the built-in games, but could be turns of other games."""


@pytest.mark.parametrize("words", ["", "x" * 1000, "d4r0 " * 50, "\x00", "ä4-b5", "☃", *ALMOST_TURNS])
def test_invalid_turn_texts_are_refused(game: Game, words: str) -> None:
    if words in ALMOST_TURNS and game.name not in registry.BUILTIN_GAMES:
        return
    with pytest.raises(InvalidInputError, match="is not a"):
        game.read_turn(words)


def test_a_missing_player_is_refused(game: Game) -> None:
    record = random_record(game, 3, players=few_players(game), steps=3)
    for player in (-1, few_players(game), 99):
        with pytest.raises(IllegalTurnError, match="no player"):
            record.position.legal_turns(player)


def test_invalid_player_counts_and_unknown_options_are_refused(game: Game) -> None:
    counts = game.spec.players
    for players in (-1, 0, counts[-1] + 1):
        with pytest.raises(InvalidInputError, match="players"):
            game.start(players)
    with pytest.raises(InvalidInputError, match="color"):
        game.start(counts[0], color="red")


def test_chance_depends_only_on_the_seed(game: Game) -> None:
    def opening(seed: int) -> Record:
        return random_record(game, seed, players=few_players(game), steps=3)

    assert opening(5) == opening(5)
    assert len({opening(seed).to_json_text() for seed in range(8)}) > 4


@pytest.mark.parametrize("steps", [0, 4, 10_000])
def test_a_position_is_drawn_as_text_and_svg(game: Game, steps: int) -> None:
    end = random_record(game, 4, steps=steps).position
    plain, colored = end.text(), end.text(color=True)
    assert "\x1b" not in plain
    assert "\x1b" in colored or steps == 0, "an empty display has no colors"
    assert str(end) == plain
    for theme in ("light", "dark"):
        assert ET.fromstring(end.svg(theme=theme)).tag.endswith("svg")
    assert end._repr_svg_() == end.svg()
    assert game.name in repr(end)
    assert len(repr(end)) < 100


# --- description


def test_a_game_describes_itself(game: Game) -> None:
    assert game.spec.name == game.name
    assert game.title
    assert game.spec.summary.endswith(".")
    assert "\n" in game.spec.rules
    assert all(option.help for option in game.spec.options)
    assert all(option.describe() for option in game.spec.options)
    assert game.spec.players[0] <= game.spec.max_seats <= game.spec.players[-1]


def test_options_have_valid_defaults_and_refuse_invalid_values(game: Game) -> None:
    start = game.start(game.spec.players[0])
    assert start == game.start(game.spec.players[0], **game.options_of(start))
    for option in game.spec.options:
        if option.default is not None:
            assert option.validate(option.default) == option.default
        with pytest.raises(InvalidInputError, match=option.name):
            game.start(game.spec.players[0], **{option.name: 0.5})
        if option.type != "list":
            with pytest.raises(InvalidInputError, match=option.name):
                option.parse("?")


# --- chance


def test_an_outcome_of_chance_is_a_step_that_can_be_applied(game: Game) -> None:
    record = random_record(game, 6)
    for before, step in zip(record.positions(), record.steps, strict=False):
        assert before.awaits_chance == (step.player is None)
        if before.awaits_chance:
            drawn = before.draw_chance_step(Random(9))
            assert drawn.player is None
            assert drawn == before.draw_chance_step(Random(9)), "only the random source decides"
            assert not before.apply(drawn).awaits_chance
    assert all(step.player is not None for step in record.steps) == (game.spec.chance == "none")


def test_a_deal_contains_the_outcomes_of_chance_of_one_game(game: Game) -> None:
    rng = Random(3)
    setup = game.random_setup(rng, game.spec.players[0])
    assert all(step.player is None for step in setup.deal)
    record, deal = Record.from_position(game, setup.start), iter(setup.deal)
    while record.position.outcome is None:
        if record.position.awaits_chance:
            step = next(deal, None)
            record = record.apply_random_chance_step(rng) if step is None else record.apply(step)
        else:
            mover = record.position.to_move[0]
            record = record.play(rng.choice(record.position.legal_turns(mover)), mover)
    dealt = record.chance_steps[: len(setup.deal)]
    assert setup.deal[: len(dealt)] == dealt
    if game.spec.chance == "setup":
        assert len(setup.deal) == len(record.chance_steps)


def test_a_setup_can_be_written_as_a_line(game: Game) -> None:
    players = game.spec.players[0]
    setup = game.random_setup(Random(4), players)
    line = " ".join(step.text for step in setup.deal)
    if game.spec.setups is None:
        with pytest.raises(InvalidInputError, match="cannot be set up from a file"):
            game.read_setup(line, players)
        return
    assert game.read_setup(line, players) == setup
    assert game.spec.setups.singular
    assert game.spec.setups.line_help
    for wrong in ("", "?", line + " " + line):
        with pytest.raises(InvalidInputError):
            game.read_setup(wrong, players)


# --- presenting


@pytest.mark.parametrize("steps", [0, 5, 10_000])
def test_the_presenter_returns_values_of_its_declared_types(game: Game, steps: int) -> None:
    presenter = presenter_of(game)
    types = {name: TypeAdapter(kind) for name, kind in presenter.types.items()}
    assert set(types) == {"view", "legal", "preview"}
    record = random_record(game, 7, players=few_players(game), steps=steps)
    before = None
    for position in record.positions():
        types["view"].validate_python(presenter.view(position), strict=True)
        types["view"].validate_python(presenter.view(position, before), strict=True)
        assert len(presenter.scores(position)) == position.players
        before = position
    for player in range(record.position.players):
        types["legal"].validate_python(presenter.legal(record.position, player), strict=True)
    for mover in record.position.to_move:
        for turn in record.position.legal_turns(mover)[:5]:
            preview = presenter.preview(record.position, mover, str(turn))
            types["preview"].validate_python(preview, strict=True)
            assert preview["turn"] == str(turn)


def test_a_preview_of_an_illegal_turn_is_refused(game: Game) -> None:
    record = random_record(game, 7, players=few_players(game))
    with pytest.raises(IllegalTurnError):
        presenter_of(game).preview(record.position, 0, record.steps[-1].text)


# --- bots


def bots_of(game: Game) -> list[str]:
    return [name for name in bot_names(game) if name not in ("master", "uct")]


@pytest.mark.parametrize("seed", range(2))
def test_every_bot_chooses_the_same_legal_turn_for_the_same_seed(game: Game, seed: int) -> None:
    record = random_record(game, seed, players=few_players(game), steps=7)
    while not record.position.to_move:
        record = record.apply_random_chance_step(Random(seed))
    mover = record.position.to_move[-1]
    for name in bots_of(game):
        choices = [choose_checked(bot(game, name, seed=seed), record, mover) for _ in range(2)]
        assert choices[0] == choices[1]
        assert choices[0].turn in record.position.legal_turns(mover)
        info = choices[0].info
        if info is not None:
            assert info.value == info.candidates[0].value
            assert info.candidates[0].turn == choices[0].turn
            assert all(candidate.turn in record.position.legal_turns(mover) for candidate in info.candidates)


def test_a_bot_chooses_in_a_position_without_its_history(game: Game) -> None:
    record = random_record(game, 5, players=few_players(game), steps=7)
    while not record.position.to_move:
        record = record.apply_random_chance_step(Random(5))
    mover = record.position.to_move[0]
    for name in bots_of(game):
        choices = [
            choose_checked(bot(game, name, seed=1), known_record, mover)
            for known_record in (record, Record.from_position(game, record.position))
        ]
        # Bots of other packages may use the history of the game.
        assert choices[0] == choices[1] or game.name not in registry.BUILTIN_GAMES


def test_a_whole_game_can_be_analyzed(game: Game) -> None:
    record = random_record(game, 8, players=few_players(game))
    level = "skilled" if "skilled" in game.bots else None
    reviews = list(analyze(record, level=level, threads=1))
    assert [review.step for review in reviews] == [
        index for index, step in enumerate(record.steps) if step.player is not None
    ]
    assert all(review.loss >= 0 for review in reviews)
    summary = ReviewSummary(record, reviews).to_json()
    assert len(summary["players"]) == few_players(game)


# --- optional capabilities


def test_a_game_with_scoring_counts_the_points_of_every_player(game: Game) -> None:
    if game.scoring is None:
        return
    end = random_record(game, 2, players=few_players(game)).position
    points = game.scoring.points(end)
    assert len(points) == few_players(game)
    assert end.outcome is not None
    assert points[end.outcome.winners[0]] == max(points)


def test_a_game_with_an_explainer_explains_turns_in_sentences(game: Game) -> None:
    if game.explainer is None:
        return
    record = random_record(game, 2, players=few_players(game), steps=9)
    while not record.position.to_move:
        record = record.apply_random_chance_step(Random(2))
    mover = record.position.to_move[0]
    turns = list(record.position.legal_turns(mover))
    alone = [game.explainer.explain(record.position, mover, None, turn) for turn in turns[:20]]
    compared = [game.explainer.explain(record.position, mover, turns[0], turn) for turn in turns[:20]]
    all_sentences = [sentence for sentences in alone + compared for sentence in sentences]
    assert all_sentences
    assert all(sentence.endswith(".") for sentence in all_sentences)
    assert game.explainer.explain(record.position, mover, turns[0], turns[0]) == []


def test_a_game_with_par_solves_to_a_game_that_can_be_replayed(game: Game) -> None:
    if game.solver is None:
        return
    setup = game.random_setup(Random(1), game.spec.players[0])
    assert not game.solver.is_complete_deal(setup.start, setup.deal[:1])
    assert game.solver.is_complete_deal(setup.start, setup.deal)
    solution = game.solver.solve(setup.start, setup.deal, max_work=500)
    best = Record(game, ("par",), solution.start, solution.steps)
    assert best.position.outcome is not None
    assert game.scoring is not None
    assert game.scoring.points(best.position) == (solution.total,)
