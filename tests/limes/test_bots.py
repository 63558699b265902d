"""Limes's bots: legal, repeatable, stopped when told, fair, spaced in strength; par and training as they claim."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from limina import Record, game
from limina._kernel import Stop
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
from limina.limes.weights import VALUES

AS_USUAL = Budget()
# Few landscapes, many huts, cards that are alike: as far from our own deck as decks go.
ODD_DECK = Deck(["F F F F", "T* T* T* T*", "R R R R", "W W W W", "F* W F* W", "R T R T"] * 4)
DEAL = [24, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]


def quick(name: str, seed: int = 0, threads: int = 1) -> Bot:
    """The bot of that name, with less to think where it would think long."""
    options = {"master": {"rollouts": 16}}.get(name, {})
    return BOTS[name](seed=seed, threads=threads, **options)


def choice(bot: Bot, position: Position, player: int = 0, budget: Budget = AS_USUAL) -> Choice[Turn]:
    """What the bot chooses in a position, however it came about."""
    return bot.choose(Record.from_position(game("limes"), position), player, budget)


def drawn(position: Position, chance: Random) -> Position:
    """The position with the next card."""
    return position.apply(position.chance(chance))


def total(bot: Bot, seed: int) -> int:
    """What the bot reaches alone with a deal."""
    position = Position.start()
    for card in Random(seed).sample(range(1, 25), 16):
        position = position.draw(card)
        position = position.play(choice(bot, position).turn)
    return position.display().total


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("deck", [Deck.default(), ODD_DECK], ids=["ours", "odd"])
@pytest.mark.parametrize(("diagonal", "ferryman"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_bot_plays_legal_turns_to_the_end(name: str, deck: Deck, diagonal: bool, ferryman: bool) -> None:
    players = 1 + diagonal + ferryman
    position = Position.start(players, deck=deck, diagonal=diagonal, ferryman=ferryman)
    chance, bot = Random(5), quick(name)
    while position.outcome is None:
        position = drawn(position, chance)
        for player in chance.sample(range(players), players):
            chosen = choice(bot, position, player)
            assert chosen.turn in position.legal_turns(player)
            assert chosen.info is not None
            assert chosen.info.candidates[0] == Candidate(chosen.turn, chosen.info.value)
            position = position.play(chosen.turn, player)


def test_a_bot_is_not_asked_out_of_turn() -> None:
    for name in BOTS:
        with pytest.raises(IllegalTurnError, match="has to move"):
            choice(quick(name), Position.start())


def middle(players: int = 1, rounds: int = 7) -> Position:
    """A position in the middle of a game, with a card drawn."""
    position, chance, bot = Position.start(players), Random(9), skilled(seed=2)
    for _ in range(rounds):
        position = drawn(position, chance)
        for player in range(players):
            position = position.play(choice(bot, position, player).turn, player)
    return drawn(position, chance)


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seed_thinks_the_same_whatever_came_before(name: str) -> None:
    position = middle(2)
    bot = quick(name, seed=4)
    once = choice(bot, position, 1)
    choice(bot, middle(1, 3))
    assert choice(bot, position, 1) == once == choice(quick(name, seed=4), position, 1)


def test_the_master_thinks_the_same_on_two_threads() -> None:
    position = middle()
    assert choice(quick("master", threads=2), position) == choice(quick("master"), position)


def test_two_deals_that_differ_only_in_what_comes_look_the_same() -> None:
    common, rest = DEAL[:6], DEAL[6:]
    choices = []
    for future in (rest, rest[::-1]):
        deal = iter([*common, *future])
        position, bot = Position.start(), quick("master", seed=6)
        for _ in range(5):
            position = position.draw(next(deal))
            position = position.play(choice(bot, position).turn)
        choices.append(choice(bot, position.draw(next(deal))))
    assert choices[0] == choices[1]


def test_whoever_asks_says_how_long_it_may_take() -> None:
    position = middle()
    patient = master(rollouts=50_000_000, milliseconds=1e9)  # by itself it would think for an hour
    assert choice(patient, position, 0, Budget(seconds=0.05)).turn in position.legal_turns(0)


def test_whoever_asks_says_how_much_to_work_where_the_bot_can_be_told() -> None:
    position = middle()
    patient = master(rollouts=50_000_000, milliseconds=1e9)
    told = choice(patient, position, 0, Budget(max_work=16))
    assert told == choice(master(rollouts=16), position)
    assert told.info is not None
    assert 0 < told.info.work < 1000
    for bot in (novice(), casual(), skilled()):
        with pytest.raises(LiminaError, match="has no work limit"):
            choice(bot, position, 0, Budget(max_work=16))


def test_a_stopped_search_ends_with_a_legal_turn() -> None:
    position, stop = middle(), Stop()
    bot = master(rollouts=50_000_000, milliseconds=1e9)
    found: list[Turn] = []
    thread = threading.Thread(target=lambda: found.append(choice(bot, position, 0, Budget(cancel_token=stop)).turn))
    thread.start()
    threading.Timer(0.1, stop.set).start()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert found[0] in position.legal_turns()


def test_more_work_than_anybody_has_time_for_is_ended_by_the_time() -> None:
    position = drawn(Position.start(), Random(1))
    hurried = choice(master(seed=1, milliseconds=100), position, budget=Budget(max_work=10**9))
    assert hurried.info is not None
    assert hurried.info.work > 0


@pytest.mark.parametrize("rounds", [1, 5, 9])
def test_no_turn_that_was_dropped_early_looks_better_than_the_one_chosen(rounds: int) -> None:
    chosen = choice(master(rollouts=300), middle(rounds=rounds))
    assert chosen.info is not None
    assert len(chosen.info.candidates) > 4
    assert max(candidate.value for candidate in chosen.info.candidates) == chosen.info.value


def test_the_last_card_is_laid_for_the_most_points() -> None:
    position = middle(rounds=15)
    best = max(position.play(turn).display().total for turn in position.legal_turns())
    chosen = choice(quick("master"), position)
    assert chosen.info is not None
    assert chosen.info.value == best
    assert position.play(chosen.turn).display().total == best


def test_two_cards_before_the_end_the_master_knows_what_to_expect() -> None:
    # Two faces only, so that all that may come can be tried here as well.
    position, chance = Position.start(deck=Deck(["F* W T R"] * 12 + ["F T R* W"] * 12)), Random(3)
    for _ in range(13):
        position = drawn(position, chance)
        position = position.play(choice(skilled(seed=1), position).turn)
    position = drawn(position, chance)
    chosen = choice(master(), position)

    def expected(display: kernel.Display, unseen: frozenset[int]) -> float:
        """The mean over the cards that may come next of the best that follows."""
        faces = [[number for number in unseen if (number > 12) == second] for second in (False, True)]
        return sum(len(same) / len(unseen) * best(display, unseen, same[0]) for same in faces if same)

    def best(display: kernel.Display, unseen: frozenset[int], number: int) -> float:
        card = position.deck.cards[number - 1]
        turns = VALUES.default.turns(display, card)
        if display.cards == kernel.ROUNDS - 1:
            return turns[0][1]
        nexts = [display.play(card, code) for code, _ in turns]
        return max(expected(after, unseen - {number}) for after in nexts if isinstance(after, kernel.Display))

    assert chosen.info is not None
    exact = expected(position.play(chosen.turn).boards[0], frozenset(position.unseen))
    assert chosen.info.value == pytest.approx(exact)


def test_the_end_is_counted_out_however_long_it_may_take() -> None:
    position = middle(rounds=13)
    patient, usual = choice(master(milliseconds=float("inf")), position), choice(master(), position)
    assert patient == usual


def test_the_levels_are_spaced() -> None:
    means = {make: mean(total(make(seed=1), deal) for deal in range(60)) for make in (novice, casual, skilled)}
    assert 25 < means[novice] < 32
    assert 34 < means[casual] < 39
    assert 42 < means[skilled] < 47


def test_the_master_is_stronger_even_in_a_hurry() -> None:
    deals = range(8)
    hurried = mean(total(master(seed=1, rollouts=300), deal) for deal in deals)
    assert hurried > mean(total(skilled(seed=1), deal) for deal in deals) + 1


def test_the_master_expects_more_where_more_huts_may_come() -> None:
    # Cards that differ in their huts alone; every other one has them.
    position, chance, bot = Position.start(deck=Deck(["F W T R", "F* W T* R"] * 12)), Random(9), skilled(seed=2)
    for _ in range(7):
        position = drawn(position, chance)
        position = position.play(choice(bot, position).turn)
    position = drawn(position, chance)
    bare, rich = (sorted(card for card in position.unseen if card % 2 == odd) for odd in (1, 0))

    def expected(cards: list[int]) -> float:
        """What the values say of the best turn, before any of these cards has come."""
        found, _, _ = kernel.search(
            VALUES.default,
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
            stop=Stop(),
        )
        return found[0][1]

    assert expected(bare[:3] + rich[:5]) > expected(bare[:4] + rich[:4]) > expected(bare[:5] + rich[:3])


VARIANTS = [{}, {"diagonal": True}, {"ferryman": True}]


def replayed(found: Par) -> int:
    """What the rules say of the game that was found."""
    record = Record(game("limes"), ("par",), found.start, found.steps)
    assert record.end.outcome is not None
    total: int = record.summary()["players"][0]["total"]
    return total


@pytest.mark.parametrize("variants", VARIANTS)
def test_par_replays_to_its_total(variants: dict[str, bool]) -> None:
    found = par(Deck.default(), DEAL, variants=variants, max_arrangements=250_000, threads=1)
    assert replayed(found) == found.total >= 52
    assert par(Deck.default(), DEAL, variants=variants, max_arrangements=250_000, threads=2) == found


@pytest.mark.parametrize("deck", [Deck.default(), ODD_DECK], ids=["ours", "odd"])
def test_the_workers_of_hasty_pars_find_their_way(deck: Deck) -> None:
    chance, moved, diagonal = Random(3), 0, 0
    for number in range(60):
        deal = chance.sample(range(1, 25), 16)
        found = par(deck, deal, variants=VARIANTS[number % 3], max_arrangements=1 + number)
        assert replayed(found) == found.total
        moved += any(">" in str(turn) for turn in found.turns)
        diagonal += not _beside(found)
    assert moved
    assert diagonal


def _beside(found: Par) -> bool:
    """Whether each card lies beside one before it, side by side."""
    cells = [(ord(str(turn)[0]), int(str(turn)[1])) for turn in found.turns]
    return all(any(abs(x - u) + abs(y - v) == 1 for u, v in cells[:n]) for n, (x, y) in enumerate(cells) if n)


def test_par_of_nonsense_is_refused() -> None:
    with pytest.raises(IllegalTurnError, match="16 different"):
        par(Deck.default(), DEAL[:-1])
    with pytest.raises(IllegalTurnError, match="16 different"):
        par(Deck.default(), [*DEAL[:-1], 24])
    with pytest.raises(IllegalTurnError, match="1 to 24"):
        par(Deck.default(), [*DEAL[:-1], 25])
    for seconds in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(IllegalTurnError, match="above 0"):
            par(Deck.default(), DEAL, max_seconds=seconds)
    stop = Stop()
    stop.set()
    with pytest.raises(LiminaError, match="stopped"):
        par(Deck.default(), DEAL, cancel_token=stop)


def test_par_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = Record.new(game("limes"), ["Ada"])
    for card in DEAL:
        record = record.apply(Step(None, str(card)))
        record = record.play(novice().choose(record, 0, AS_USUAL).turn)
    (tmp_path / "game.json").write_text(record.write())
    asked = ["par", str(tmp_path / "game.json"), "--budget", "5000"]
    assert main([*asked, "--json", "--save", str(tmp_path / "best.json")]) == 0
    said = json.loads(capsys.readouterr().out)
    assert Record.read((tmp_path / "best.json").read_text()).summary()["players"][0]["total"] == said["par"]
    assert main([*asked, "--no-color"]) == 0
    assert f"Par {said['par']}" in capsys.readouterr().out
    (tmp_path / "deals.txt").write_text(" ".join(map(str, DEAL)) + "\n")
    assert main(["par", "--deals", str(tmp_path / "deals.txt"), "--budget", "5000"]) == 0
    assert capsys.readouterr().out.startswith(f"{said['par']} <= {said['bound']}  ")


def _told(path: Path) -> tuple[dict[str, object], bytes]:
    """The provenance and the weights in a file of values."""
    head, _, weights = path.read_bytes().partition(b"\n")
    provenance: dict[str, object] = json.loads(head)["made_by"]
    return provenance, weights


def test_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    train = LimesTrainer().train
    lines: list[str] = []
    whole, parts, checkpoint = tmp_path / "whole.bin", tmp_path / "parts.bin", tmp_path / "checkpoint"
    train(seed=3, minutes=0, games=8000, out=whole, checkpoint=None, report=lines.append)
    for games in (4000, 8000):
        train(seed=3, minutes=0, games=games, out=parts, checkpoint=checkpoint, report=lines.append)
    provenance, weights = _told(whole)
    assert weights == _told(parts)[1]
    assert provenance["games"] == 8000
    assert VALUES.read(whole).write() != kernel.Values().write()
    with pytest.raises(InvalidInputError, match="started with seed 3"):
        train(seed=4, minutes=0, games=8000, out=parts, checkpoint=checkpoint, report=lines.append)
    checkpoint.write_bytes(b"nonsense")
    with pytest.raises(InvalidInputError, match="not a checkpoint"):
        train(seed=3, minutes=0, games=8000, out=parts, checkpoint=checkpoint, report=lines.append)
