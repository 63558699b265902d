"""The bound beside par: nothing that is found exceeds it, and where it is met the best is known."""

import json
from pathlib import Path
from random import Random

import pytest

from limina._kernel import limes as kernel
from limina.cli.main import main
from limina.limes import Deck
from limina.limes.par import Par, par

VARIANTS = [{"diagonal": diagonal, "ferryman": ferryman} for diagonal in (False, True) for ferryman in (False, True)]
DEAL = range(1, 17)
KNOWN = {
    "fields alone": (["F F F F"] * 16, 64),
    "fields and bare rock": (["F F F F"] * 15 + ["R R R R"], 60),
    "half fields, half water without a hut": (["F F W W"] * 16, 32),
    "forest without an end": (["T T T T"] * 16, 0),
    "a hut in the forest, and no water": (["T* T T T"] * 16, 0),
    "rock alone": (["R* R R R"] * 16, 0),
    "half fields, half rock": (["F F F F"] * 8 + ["R R R R"] * 8, 32),
    "four farmers and three fishermen": (["W F F* R*"] * 16, 28),
    "watchmen in the forest, and a woodcutter": (["R T T T"] * 6 + ["T T T T"] * 10, 90),
    "water alone": (["W W W W"] * 16, 0),
}


def random_deck(chance: Random) -> Deck:
    """Some faces again and again, of landscapes that are common or rare, with or without huts."""
    weights = [chance.random() ** chance.choice([1, 3, 8]) for _ in range(4)]
    huts = chance.choice([0.0, 0.2, 0.5, 1.0])

    def zone() -> str:
        landscape = chance.choices("FWTR", weights)[0]
        return landscape + "*" * (landscape != "W" and chance.random() < huts)

    faces = [" ".join(zone() for _ in range(4)) for _ in range(chance.choice([1, 2, 4, 16]))]
    return Deck(chance.choices(faces, k=24))


def test_nothing_found_for_any_deck_exceeds_the_bound() -> None:
    chance, met = Random(11), 0
    for number in range(300):
        deck = random_deck(chance) if number % 3 else Deck.default()
        deal = chance.sample(range(1, 25), 16)
        found = par(deck, deal, variants=VARIANTS[number % 4], max_arrangements=1500, threads=1)
        assert found.total <= found.bound, (deck.faces, deal)
        met += found.total == found.bound > 0
    assert met


@pytest.mark.parametrize(("faces", "best"), KNOWN.values(), ids=KNOWN)
def test_where_the_best_is_known_par_and_bound_are_just_that(faces: list[str], best: int) -> None:
    found = par(Deck([*faces, *faces[:8]]), DEAL, max_arrangements=20_000)
    assert (found.total, found.bound) == (best, best)


def test_the_bound_is_of_the_cards_and_not_of_their_order() -> None:
    chance, cards = Random(2), list(Deck.default().cards[:16])
    bound = kernel.bound(cards)
    for _ in range(5):
        chance.shuffle(cards)
        assert kernel.bound(cards) == bound
    with pytest.raises(ValueError, match="16 cards"):
        kernel.bound(cards[:-1])


def test_the_command_says_how_far_par_may_be_from_the_best(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text(" ".join(map(str, DEAL)) + "\n")
    assert main(["par", "--deals", str(deals), "--budget", "2000", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["par"] <= said["bound"]
    assert main(["par", "--deals", str(deals), "--budget", "2000"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{said['par']} <= {said['bound']}  1 2 3")
    assert last.endswith("over 1 deals; 0 of them known to be the best")


def test_the_best_there_is_is_called_so() -> None:
    from limina.cli.commands.par import in_words

    best = par(Deck(["F F F F"] * 24), DEAL, max_arrangements=1)
    assert isinstance(best, Par)
    assert in_words(best) == "64 (nothing better is possible)"
    some = par(Deck.default(), DEAL, max_arrangements=1)
    assert in_words(some) == f"{some.total} (more than {some.bound} is not possible)"
