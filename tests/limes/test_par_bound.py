"""The upper bound of par: no par exceeds it, and a par that equals it is the best."""

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
    "fields only": (["F F F F"] * 16, 64),
    "fields and bare rock": (["F F F F"] * 15 + ["R R R R"], 60),
    "half fields, half water without a hut": (["F F W W"] * 16, 32),
    "forest only": (["T T T T"] * 16, 0),
    "a hut in the forest, and no water": (["T* T T T"] * 16, 0),
    "rock only": (["R* R R R"] * 16, 0),
    "half fields, half rock": (["F F F F"] * 8 + ["R R R R"] * 8, 32),
    "four farmers and three fishermen": (["W F F* R*"] * 16, 28),
    "watchmen in the forest, and a woodcutter": (["R T T T"] * 6 + ["T T T T"] * 10, 90),
    "water only": (["W W W W"] * 16, 0),
}


def random_deck(rng: Random) -> Deck:
    """Return a deck of few different faces, with common and rare landscapes, with or without huts."""
    weights = [rng.random() ** rng.choice([1, 3, 8]) for _ in range(4)]
    hut_rate = rng.choice([0.0, 0.2, 0.5, 1.0])

    def zone() -> str:
        landscape = rng.choices("FWTR", weights)[0]
        return landscape + "*" * (landscape != "W" and rng.random() < hut_rate)

    faces = [" ".join(zone() for _ in range(4)) for _ in range(rng.choice([1, 2, 4, 16]))]
    return Deck(rng.choices(faces, k=24))


def test_no_par_of_any_deck_exceeds_the_bound() -> None:
    rng, equal = Random(11), 0
    for number in range(300):
        deck = random_deck(rng) if number % 3 else Deck.default()
        deal = rng.sample(range(1, 25), 16)
        solution = par(deck, deal, variants=VARIANTS[number % 4], max_arrangements=1500, threads=1)
        assert solution.total <= solution.bound, (deck.faces, deal)
        equal += solution.total == solution.bound > 0
    assert equal


@pytest.mark.parametrize(("faces", "best"), KNOWN.values(), ids=KNOWN)
def test_par_and_bound_equal_the_best_total_where_it_is_known(faces: list[str], best: int) -> None:
    solution = par(Deck([*faces, *faces[:8]]), DEAL, max_arrangements=20_000)
    assert (solution.total, solution.bound) == (best, best)


def test_the_bound_does_not_depend_on_the_order_of_the_cards() -> None:
    rng, cards = Random(2), list(Deck.default().cards[:16])
    bound = kernel.upper_bound(cards)
    for _ in range(5):
        rng.shuffle(cards)
        assert kernel.upper_bound(cards) == bound
    with pytest.raises(ValueError, match="16 cards"):
        kernel.upper_bound(cards[:-1])


def test_the_par_command_prints_the_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text(" ".join(map(str, DEAL)) + "\n")
    assert main(["par", "--deals", str(deals), "--budget", "2000", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["par"] <= result["bound"]
    assert main(["par", "--deals", str(deals), "--budget", "2000"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{result['par']} <= {result['bound']}  1 2 3")
    assert last.endswith("over 1 deals; 0 of them known to be the best")


def test_a_par_that_equals_the_bound_is_reported_as_the_best() -> None:
    from limina.cli.commands.par import par_text

    best = par(Deck(["F F F F"] * 24), DEAL, max_arrangements=1)
    assert isinstance(best, Par)
    assert par_text(best) == "64 (nothing better is possible)"
    other = par(Deck.default(), DEAL, max_arrangements=1)
    assert par_text(other) == f"{other.total} (more than {other.bound} is not possible)"
