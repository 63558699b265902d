"""Plays one random game in the kernel and in the plain reference side by side and compares everything.

`python -m kernel.differential GAMES [SEED]` (with tests on the path) goes on for any number of games.
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


def random_deck(chance: Random) -> Deck:
    """Our deck, or one that nobody would print: that is where rules break."""
    if chance.random() < 0.6:
        return Deck.default()
    weights = [chance.random() ** 2 + 0.02 for _ in range(4)]
    faces = []
    for _ in range(24):
        zones = chance.choices("FWTR", weights, k=4)
        faces.append(" ".join(z + ("*" if z != "W" and chance.random() < 0.3 else "") for z in zones))
    return Deck(faces)


def compare_limes(seed: int) -> int:
    """One game with any variants and number of players; the number of turns compared."""
    chance = Random(seed)
    players = chance.choice((1, 1, 1, 2, 2, 3, 5))
    diagonal, ferryman = chance.random() < 0.4, chance.random() < 0.4
    deck = random_deck(chance)
    position = Limes.start(players, deck=deck, diagonal=diagonal, ferryman=ferryman)
    state = plain_limes.start(players, deck.faces, diagonal, ferryman)
    names = [f"player {n}" for n in range(players)]
    placing = chance.random()  # uniform play seldom places the last workers
    compared = 0
    for card in chance.sample(range(1, 25), 16):
        position, state = position.draw(card), plain_limes.draw(state, card)
        for player in chance.sample(range(players), players):
            legal = plain_limes.legal(state, player)
            mine = [str(turn) for turn in position.legal_turns(player)]
            assert sorted(mine) == sorted(legal), (seed, card, player)
            placed = [turn for turn in mine if "+" in turn]
            turn = chance.choice(placed if placed and chance.random() < placing else mine)
            position, state = position.play(turn, player), plain_limes.play(state, player, turn)
            compare_workers(position, state, player)
            compared += 1
        expected = plain_limes.summary(state, names)
        assert without_scored(position.summary(names)) == without_scored(expected), seed
    return compared


def without_scored(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary without the marks of who scores, and without the game's name that only records add."""
    players = [
        player | {"workers": [{k: v for k, v in worker.items() if k != "scored"} for worker in player["workers"]]}
        for player in summary["players"]
    ]
    return {key: value for key, value in summary.items() if key != "game"} | {"players": players}


def compare_workers(position: Limes, state: plain_limes.State, player: int) -> None:
    """Every worker's points and what they are made of."""
    display = position.display(player)
    assert display.total == plain_limes.total(state, player)
    expected = plain_limes.workers(state, player)
    assert len(display.scores) == len(expected)
    for mine, plain in zip(display.scores, expected, strict=True):
        assert (mine.zone, mine.profession, mine.points) == (plain.zone, plain.profession, plain.points)
        assert set(mine.territory) == plain.territory
        assert {frozenset(thing) for thing in mine.counted} == set(plain.counted)
    # Of several workers in one territory any one may be the one who scores.
    scoring = [worker.territory for worker in display.scores if worker.scored]
    assert sorted(scoring) == sorted({worker.territory for worker in display.scores})
    lands = plain_limes.territories(plain_limes.ground(state.seats[player].display))
    assert set(display.territories) == set(lands.values())


def compare_limit(seed: int) -> int:
    """One game of any size for two or three; the number of turns compared."""
    chance = Random(seed)
    players = chance.choice((2, 3))
    # Small boards reach the odd cases, large ones the long games.
    size = chance.choice((2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9, 12))
    if size >= 4 and chance.random() < 0.7:
        position = Limit.random(size, players, rng=chance)
        layout = list(position.layout)
        assert plain_limit.start(layout, players, size)
    else:
        layout = plain_limit.random_layout(size, players, chance)
        position = Limit.from_layout(layout, players)
    state = plain_limit.start(layout, players, size)
    compared = 0
    while not plain_limit.is_over(state):
        legal = plain_limit.legal(state)
        mine = [str(turn) for turn in position.legal_turns()]
        assert sorted(mine) == sorted(legal), (seed, compared)
        turn = chance.choice(mine)
        position, state = position.play(turn), plain_limit.play(state, turn)
        assert {"game": "limit"} | position.summary([]) == plain_limit.summary(state), (seed, compared)
        compared += 1
    assert position.outcome is not None
    assert not position.legal_turns()
    return compared


def main() -> None:
    """Compare many games, with a line now and then."""
    games, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    turns = 0
    for n in range(games):
        turns += compare_limes(first + n) + compare_limit(first + n)
        if (n + 1) % 100 == 0 or n + 1 == games:
            print(f"{n + 1} of {games} games of each, {turns} turns alike", flush=True)


if __name__ == "__main__":
    main()
