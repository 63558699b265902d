"""`limina train`: errors are one sentence, for each game."""

from pathlib import Path

import pytest

from limina import game_names
from limina.cli import main
from limina.core import registry


@pytest.mark.parametrize("name", [game.name for game in registry.games() if game.trainer is not None])
@pytest.mark.parametrize("what", ["--out", "--checkpoint"])
def test_train_reports_a_path_that_cannot_be_written(
    name: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a file").touch()
    paths = {"--out": tmp_path / "values", "--checkpoint": tmp_path / "checkpoint", what: tmp_path / "a file" / "x"}
    arguments = [str(word) for pair in paths.items() for word in pair]
    assert main(["train", name, "--games", "1000000", *arguments]) == 1
    assert "a file/x cannot be written: " in capsys.readouterr().err


def test_train_refuses_the_checkpoint_of_another_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = game_names()[:2]
    paths = ["--games", "0", "--out", str(tmp_path / "values"), "--checkpoint", str(tmp_path / "checkpoint")]
    assert main(["train", first, *paths]) == 0
    assert main(["train", second, *paths]) == 1
    assert "is not a checkpoint of this training" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["limit", "--plan", "tiny"], "Limit has no plan tiny: it has all, large"),
        (["limit", "--from", "nowhere.bin"], "the weights in nowhere.bin cannot be read"),
        (["limes", "--from", "nowhere.bin"], "leave out --from"),
    ],
)
def test_train_reports_invalid_plans_and_weights(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *arguments, "--games", "0", "--out", str(tmp_path / "values")]) == 1
    assert message in capsys.readouterr().err
