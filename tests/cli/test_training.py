"""`limina train`, whatever the game: what goes wrong is said in a sentence."""

from pathlib import Path

import pytest

from limina import game_names
from limina.cli import main
from limina.core import registry


@pytest.mark.parametrize("name", [game.name for game in registry.games() if game.trainer is not None])
@pytest.mark.parametrize("what", ["--out", "--checkpoint"])
def test_a_place_that_cannot_be_written_is_said_in_a_sentence(
    name: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a file").touch()
    where = {"--out": tmp_path / "values", "--checkpoint": tmp_path / "checkpoint", what: tmp_path / "a file" / "x"}
    arguments = [str(word) for pair in where.items() for word in pair]
    assert main(["train", name, "--games", "1000000", *arguments]) == 1
    assert "a file/x cannot be written: " in capsys.readouterr().err


def test_one_game_does_not_go_on_from_another_s_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = game_names()[:2]
    where = ["--games", "0", "--out", str(tmp_path / "values"), "--checkpoint", str(tmp_path / "checkpoint")]
    assert main(["train", first, *where]) == 0
    assert main(["train", second, *where]) == 1
    assert "is not a checkpoint of this training" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["limit", "--plan", "tiny"], "Limit has no plan tiny: it has all, large"),
        (["limit", "--from", "nowhere.bin"], "the weights in nowhere.bin cannot be read"),
        (["limes", "--from", "nowhere.bin"], "leave out --from"),
    ],
)
def test_what_cannot_be_practised_is_said_in_a_sentence(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *arguments, "--games", "0", "--out", str(tmp_path / "values")]) == 1
    assert said in capsys.readouterr().err
