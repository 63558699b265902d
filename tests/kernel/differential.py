"""Play random games in the kernel and in the reference and compare all legal turns, positions and scores.

`python -m kernel.differential GAMES [SEED]` (with tests on the path) compares any number of games.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from limina.limes import Deck
from limina.limes import Position as Limes
from limina.limit import Position as Limit
from reference import limes as plain_limes
from reference import limit as plain_limit


def random_deck(rng: Random) -> Deck:
    """Return the default deck or an unusual one, because bugs show in unusual displays."""
    if rng.random() < 0.6:
        return Deck.default()
    weights = [rng.random() ** 2 + 0.02 for _ in range(4)]
    faces = []
    for _ in range(24):
        zones = rng.choices("FWTR", weights, k=4)
        faces.append(" ".join(z + ("*" if z != "W" and rng.random() < 0.3 else "") for z in zones))
    return Deck(faces)


def compare_limes(seed: int) -> int:
    """Compare one game with random variants and number of players; return the number of turns."""
    rng = Random(seed)
    players = rng.choice((1, 1, 1, 2, 2, 3, 5))
    diagonal, ferryman = rng.random() < 0.4, rng.random() < 0.4
    deck = random_deck(rng)
    position = Limes.start(players, deck=deck, diagonal=diagonal, ferryman=ferryman)
    state = plain_limes.start(players, deck.faces, diagonal, ferryman)
    names = [f"player {n}" for n in range(players)]
    placing = rng.random()  # probability to place a worker: uniform play seldom places the last ones
    compared = 0
    for card in rng.sample(range(1, 25), 16):
        position, state = position.draw_card(card), plain_limes.draw(state, card)
        for player in rng.sample(range(players), players):
            legal = plain_limes.legal(state, player)
            kernel_turns = [str(turn) for turn in position.legal_turns(player)]
            assert sorted(kernel_turns) == sorted(legal), (seed, card, player)
            placed = [turn for turn in kernel_turns if "+" in turn]
            turn = rng.choice(placed if placed and rng.random() < placing else kernel_turns)
            position, state = position.play(turn, player), plain_limes.play(state, player, turn)
            compare_workers(position, state, player)
            compared += 1
        expected = plain_limes.summary(state, names)
        assert without_scored(position.summary(names)) == without_scored(expected), seed
    return compared


def without_scored(summary: dict[str, Any]) -> dict[str, Any]:
    """Return a summary without the marks of scoring workers and without the name of the game, which records add."""
    players = [
        player | {"workers": [{k: v for k, v in worker.items() if k != "scored"} for worker in player["workers"]]}
        for player in summary["players"]
    ]
    return {key: value for key, value in summary.items() if key != "game"} | {"players": players}


def compare_workers(position: Limes, state: plain_limes.State, player: int) -> None:
    """Compare the points of every worker and the zones that make them."""
    display = position.display(player)
    assert display.total == plain_limes.total(state, player)
    expected = plain_limes.workers(state, player)
    assert len(display.scores) == len(expected)
    for worker, plain in zip(display.scores, expected, strict=True):
        assert (worker.zone, worker.profession, worker.points) == (plain.zone, plain.profession, plain.points)
        assert set(worker.territory) == plain.territory
        assert {frozenset(zones) for zones in worker.counted} == set(plain.counted)
    # Of several workers in one territory any one may be the one who scores.
    scoring = [worker.territory for worker in display.scores if worker.scored]
    assert sorted(scoring) == sorted({worker.territory for worker in display.scores})
    lands = plain_limes.territories(plain_limes.ground(state.seats[player].display))
    assert set(display.territories) == set(lands.values())


def compare_limit(seed: int) -> int:
    """Compare one game of random size for two or three players; return the number of turns."""
    rng = Random(seed)
    players = rng.choice((2, 3))
    # Small boards reach rare cases, large ones long games.
    size = rng.choice((2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9, 12))
    if size >= 4 and rng.random() < 0.7:
        position = Limit.random(size, players, rng=rng)
        layout = list(position.layout)
        assert plain_limit.start(layout, players, size)
    else:
        layout = plain_limit.random_layout(size, players, rng)
        position = Limit.from_layout(layout, players)
    state = plain_limit.start(layout, players, size)
    compared = 0
    while not plain_limit.is_over(state):
        legal = plain_limit.legal(state)
        kernel_turns = [str(turn) for turn in position.legal_turns()]
        assert sorted(kernel_turns) == sorted(legal), (seed, compared)
        turn = rng.choice(kernel_turns)
        position, state = position.play(turn), plain_limit.play(state, turn)
        assert {"game": "limit"} | position.summary([]) == plain_limit.summary(state), (seed, compared)
        compared += 1
    assert position.outcome is not None
    assert not position.legal_turns()
    return compared


def main() -> None:
    """Compare many games and print progress."""
    games, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    turns = 0
    for n in range(games):
        turns += compare_limes(first + n) + compare_limit(first + n)
        if (n + 1) % 100 == 0 or n + 1 == games:
            print(f"{n + 1} of {games} games of each, {turns} turns agree", flush=True)


if __name__ == "__main__":
    main()
