"""The bots of Limes: legality, repeatability, limits and strength. Also par and training."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from limina import Record, game
from limina._kernel import CancelToken
from limina._kernel import limes as kernel
from limina.bots import Bot, Budget, Candidate, Choice
from limina.cli.main import main
from limina.core.position import Step
from limina.errors import IllegalTurnError, InvalidInputError, LiminaError
from limina.limes import Deck, Position
from limina.limes.bots import BOTS, casual, master, novice, skilled
from limina.limes.notation import Turn
from limina.limes.par import Par, par
from limina.limes.train import LimesTrainer
from limina.limes.weights import WEIGHTS

UNLIMITED = Budget()
# Few landscapes, many huts and equal cards: very different from limina's own deck.
ODD_DECK = Deck(["F F F F", "T* T* T* T*", "R R R R", "W W W W", "F* W F* W", "R T R T"] * 4)
DEAL = [24, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]


def quick_bot(name: str, seed: int = 0, threads: int = 1) -> Bot:
    """Return a bot by its name, with few rollouts."""
    options = {"master": {"rollouts": 16}}.get(name, {})
    return BOTS[name](seed=seed, threads=threads, **options)


def choice(bot: Bot, position: Position, player: int = 0, budget: Budget = UNLIMITED) -> Choice[Turn]:
    """Return the choice of a bot in a position without its history."""
    return bot.choose(Record.from_position(game("limes"), position), player, budget)


def draw_card(position: Position, rng: Random) -> Position:
    """Return the position after the draw of a random card."""
    return position.apply(position.draw_chance_step(rng))


def play_alone(bot: Bot, seed: int) -> int:
    """Return the points of a bot that plays a random deal alone."""
    position = Position.start()
    for card in Random(seed).sample(range(1, 25), 16):
        position = position.draw_card(card)
        position = position.play(choice(bot, position).turn)
    return position.display().total


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("deck", [Deck.default(), ODD_DECK], ids=["ours", "odd"])
@pytest.mark.parametrize(("diagonal", "ferryman"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_bot_plays_legal_turns_to_the_end(name: str, deck: Deck, diagonal: bool, ferryman: bool) -> None:
    players = 1 + diagonal + ferryman
    position = Position.start(players, deck=deck, diagonal=diagonal, ferryman=ferryman)
    rng, bot = Random(5), quick_bot(name)
    while position.outcome is None:
        position = draw_card(position, rng)
        for player in rng.sample(range(players), players):
            chosen = choice(bot, position, player)
            assert chosen.turn in position.legal_turns(player)
            assert chosen.info is not None
            assert chosen.info.candidates[0] == Candidate(chosen.turn, chosen.info.value)
            position = position.play(chosen.turn, player)


def test_a_bot_refuses_to_choose_for_a_player_who_is_not_to_move() -> None:
    for name in BOTS:
        with pytest.raises(IllegalTurnError, match="has to move"):
            choice(quick_bot(name), Position.start())


def middle_position(players: int = 1, rounds: int = 7) -> Position:
    """Return a position after these rounds, with a card drawn."""
    position, rng, bot = Position.start(players), Random(9), skilled(seed=2)
    for _ in range(rounds):
        position = draw_card(position, rng)
        for player in range(players):
            position = position.play(choice(bot, position, player).turn, player)
    return draw_card(position, rng)


@pytest.mark.parametrize("name", BOTS)
def test_a_choice_depends_on_seed_and_position_but_not_on_earlier_choices(name: str) -> None:
    position = middle_position(2)
    bot = quick_bot(name, seed=4)
    first = choice(bot, position, 1)
    choice(bot, middle_position(1, 3))
    assert choice(bot, position, 1) == first == choice(quick_bot(name, seed=4), position, 1)


def test_the_master_chooses_the_same_on_two_threads() -> None:
    position = middle_position()
    assert choice(quick_bot("master", threads=2), position) == choice(quick_bot("master"), position)


def test_a_choice_does_not_depend_on_cards_that_are_not_drawn_yet() -> None:
    common, rest = DEAL[:6], DEAL[6:]
    choices = []
    for future in (rest, rest[::-1]):
        deal = iter([*common, *future])
        position, bot = Position.start(), quick_bot("master", seed=6)
        for _ in range(5):
            position = position.draw_card(next(deal))
            position = position.play(choice(bot, position).turn)
        choices.append(choice(bot, position.draw_card(next(deal))))
    assert choices[0] == choices[1]


def test_a_budget_limits_the_time() -> None:
    position = middle_position()
    slow = master(rollouts=50_000_000, milliseconds=1e9)  # takes an hour without a limit
    assert choice(slow, position, 0, Budget(seconds=0.05)).turn in position.legal_turns(0)


def test_a_budget_limits_the_work_of_the_master_and_of_no_other_level() -> None:
    position = middle_position()
    slow = master(rollouts=50_000_000, milliseconds=1e9)
    limited = choice(slow, position, 0, Budget(max_work=16))
    assert limited == choice(master(rollouts=16), position)
    assert limited.info is not None
    assert 0 < limited.info.work < 1000
    for bot in (novice(), casual(), skilled()):
        with pytest.raises(LiminaError, match="has no work limit"):
            choice(bot, position, 0, Budget(max_work=16))


def test_a_cancelled_search_returns_a_legal_turn() -> None:
    position, cancel_token = middle_position(), CancelToken()
    bot = master(rollouts=50_000_000, milliseconds=1e9)
    budget, turns = Budget(cancel_token=cancel_token), list[Turn]()
    thread = threading.Thread(target=lambda: turns.append(choice(bot, position, 0, budget).turn))
    thread.start()
    threading.Timer(0.1, cancel_token.cancel).start()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert turns[0] in position.legal_turns()


def test_the_master_stops_at_its_own_time_limit_despite_a_large_budget() -> None:
    position = draw_card(Position.start(), Random(1))
    limited = choice(master(seed=1, milliseconds=100), position, budget=Budget(max_work=10**9))
    assert limited.info is not None
    assert limited.info.work > 0


@pytest.mark.parametrize("rounds", [1, 5, 9])
def test_no_other_candidate_has_a_higher_value_than_the_chosen_turn(rounds: int) -> None:
    chosen = choice(master(rollouts=300), middle_position(rounds=rounds))
    assert chosen.info is not None
    assert len(chosen.info.candidates) > 4
    assert max(candidate.value for candidate in chosen.info.candidates) == chosen.info.value


def test_the_master_plays_the_last_card_for_the_most_points() -> None:
    position = middle_position(rounds=15)
    best = max(position.play(turn).display().total for turn in position.legal_turns())
    chosen = choice(quick_bot("master"), position)
    assert chosen.info is not None
    assert chosen.info.value == best
    assert position.play(chosen.turn).display().total == best


def test_the_master_is_exact_with_two_cards_to_come() -> None:
    # Two faces only, so that the test can try all cards that may come.
    position, rng = Position.start(deck=Deck(["F* W T R"] * 12 + ["F T R* W"] * 12)), Random(3)
    for _ in range(13):
        position = draw_card(position, rng)
        position = position.play(choice(skilled(seed=1), position).turn)
    position = draw_card(position, rng)
    chosen = choice(master(), position)

    def expected(display: kernel.Display, unseen: frozenset[int]) -> float:
        """Return the mean over the next card of the best total with it."""
        faces = [[number for number in unseen if (number > 12) == second] for second in (False, True)]
        return sum(len(equal) / len(unseen) * best_total(display, unseen, equal[0]) for equal in faces if equal)

    def best_total(display: kernel.Display, unseen: frozenset[int], number: int) -> float:
        card = position.deck.cards[number - 1]
        turns = WEIGHTS.default.ranked_turns(display, card)
        if display.card_count == kernel.ROUNDS - 1:
            return turns[0][1]
        displays = [display.play(card, code) for code, _ in turns]
        return max(expected(after, unseen - {number}) for after in displays if isinstance(after, kernel.Display))

    assert chosen.info is not None
    exact = expected(position.play(chosen.turn).boards[0], frozenset(position.unseen))
    assert chosen.info.value == pytest.approx(exact)


def test_the_end_is_solved_the_same_without_a_time_limit() -> None:
    position = middle_position(rounds=13)
    assert choice(master(milliseconds=float("inf")), position) == choice(master(), position)


def test_the_levels_differ_in_strength() -> None:
    means = {level: mean(play_alone(level(seed=1), deal) for deal in range(60)) for level in (novice, casual, skilled)}
    assert 25 < means[novice] < 32
    assert 34 < means[casual] < 39
    assert 42 < means[skilled] < 47


def test_the_master_is_stronger_than_skilled_with_few_rollouts_too() -> None:
    deals = range(8)
    master_mean = mean(play_alone(master(seed=1, rollouts=300), deal) for deal in deals)
    assert master_mean > mean(play_alone(skilled(seed=1), deal) for deal in deals) + 1


def test_the_master_expects_more_points_if_more_huts_are_unseen() -> None:
    # The cards differ only in their huts, which every second card has.
    position, rng, bot = Position.start(deck=Deck(["F W T R", "F* W T* R"] * 12)), Random(9), skilled(seed=2)
    for _ in range(7):
        position = draw_card(position, rng)
        position = position.play(choice(bot, position).turn)
    position = draw_card(position, rng)
    without_huts, with_huts = (sorted(card for card in position.unseen if card % 2 == odd) for odd in (1, 0))

    def expected(cards: list[int]) -> float:
        """Return the value of the best turn if these cards are unseen."""
        turns, _, _ = kernel.search(
            WEIGHTS.default,
            position.boards[0],
            position.deck.cards,
            position.draws[-1] - 1,
            sum(1 << card - 1 for card in cards),
            [],
            rollouts=1,
            candidates=1,
            depth=0,
            threads=1,
            seconds=60,
            seed=1,
            cancel_token=CancelToken(),
        )
        return turns[0][1]

    values = [expected(without_huts[:count] + with_huts[: 8 - count]) for count in (3, 4, 5)]
    assert values[0] > values[1] > values[2]


VARIANTS = [{}, {"diagonal": True}, {"ferryman": True}]


def replayed_total(solution: Par) -> int:
    """Return the total of a par when its turns are played."""
    record = Record(game("limes"), ("par",), solution.start, solution.steps)
    assert record.position.outcome is not None
    total: int = record.summary()["players"][0]["total"]
    return total


@pytest.mark.parametrize("variants", VARIANTS)
def test_par_replays_to_its_total(variants: dict[str, bool]) -> None:
    solution = par(Deck.default(), DEAL, variants=variants, max_arrangements=250_000, threads=1)
    assert replayed_total(solution) == solution.total >= 52
    assert par(Deck.default(), DEAL, variants=variants, max_arrangements=250_000, threads=2) == solution


@pytest.mark.parametrize("deck", [Deck.default(), ODD_DECK], ids=["ours", "odd"])
def test_pars_of_few_arrangements_have_legal_turns(deck: Deck) -> None:
    rng, with_moves, with_diagonals = Random(3), 0, 0
    for number in range(60):
        deal = rng.sample(range(1, 25), 16)
        solution = par(deck, deal, variants=VARIANTS[number % 3], max_arrangements=1 + number)
        assert replayed_total(solution) == solution.total
        with_moves += any(">" in str(turn) for turn in solution.turns)
        with_diagonals += not _touches_side_by_side(solution)
    assert with_moves
    assert with_diagonals


def _touches_side_by_side(solution: Par) -> bool:
    """Return True if each card touches an earlier one along a side."""
    cells = [(ord(str(turn)[0]), int(str(turn)[1])) for turn in solution.turns]
    return all(any(abs(x - u) + abs(y - v) == 1 for u, v in cells[:n]) for n, (x, y) in enumerate(cells) if n)


def test_par_refuses_invalid_deals_and_limits() -> None:
    with pytest.raises(IllegalTurnError, match="16 different"):
        par(Deck.default(), DEAL[:-1])
    with pytest.raises(IllegalTurnError, match="16 different"):
        par(Deck.default(), [*DEAL[:-1], 24])
    with pytest.raises(IllegalTurnError, match="1 to 24"):
        par(Deck.default(), [*DEAL[:-1], 25])
    for seconds in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(IllegalTurnError, match="above 0"):
            par(Deck.default(), DEAL, max_seconds=seconds)
    cancel_token = CancelToken()
    cancel_token.cancel()
    with pytest.raises(LiminaError, match="stopped"):
        par(Deck.default(), DEAL, cancel_token=cancel_token)


def test_the_par_command_reports_and_saves_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = Record.new(game("limes"), ["Ada"])
    for card in DEAL:
        record = record.apply(Step(None, str(card)))
        record = record.play(novice().choose(record, 0, UNLIMITED).turn)
    (tmp_path / "game.json").write_text(record.to_json_text())
    command = ["par", str(tmp_path / "game.json"), "--budget", "5000"]
    assert main([*command, "--json", "--save", str(tmp_path / "best.json")]) == 0
    result = json.loads(capsys.readouterr().out)
    assert Record.from_json_text((tmp_path / "best.json").read_text()).summary()["players"][0]["total"] == result["par"]
    assert main([*command, "--no-color"]) == 0
    assert f"Par {result['par']}" in capsys.readouterr().out
    (tmp_path / "deals.txt").write_text(" ".join(map(str, DEAL)) + "\n")
    assert main(["par", "--deals", str(tmp_path / "deals.txt"), "--budget", "5000"]) == 0
    assert capsys.readouterr().out.startswith(f"{result['par']} <= {result['bound']}  ")


def _read_weights_file(path: Path) -> tuple[dict[str, object], bytes]:
    """Return the provenance and the compressed weights."""
    head, _, weights = path.read_bytes().partition(b"\n")
    provenance: dict[str, object] = json.loads(head)["made_by"]
    return provenance, weights


def test_training_in_two_parts_gives_the_same_weights_as_in_one(tmp_path: Path) -> None:
    train = LimesTrainer().train
    lines: list[str] = []
    whole, parts, checkpoint = tmp_path / "whole.bin", tmp_path / "parts.bin", tmp_path / "checkpoint"
    train(seed=3, minutes=0, games=8000, out=whole, checkpoint=None, report=lines.append)
    for games in (4000, 8000):
        train(seed=3, minutes=0, games=games, out=parts, checkpoint=checkpoint, report=lines.append)
    provenance, weights = _read_weights_file(whole)
    assert weights == _read_weights_file(parts)[1]
    assert provenance["games"] == 8000
    assert WEIGHTS.read(whole).to_bytes() != kernel.Weights().to_bytes()
    with pytest.raises(InvalidInputError, match="started with seed 3"):
        train(seed=4, minutes=0, games=8000, out=parts, checkpoint=checkpoint, report=lines.append)
    checkpoint.write_bytes(b"nonsense")
    with pytest.raises(InvalidInputError, match="not a checkpoint"):
        train(seed=3, minutes=0, games=8000, out=parts, checkpoint=checkpoint, report=lines.append)
