"""Invalid input: one line on standard error, exit status 1, no traceback and no output."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import limina
from limina import LiminaError, Record, _kernel
from limina.cli import main
from support.games.records import random_record

LIMES = random_record(limina.game("limes"), 11, players=2, steps=17).to_json()
LIMIT = random_record(limina.game("limit"), 12, players=2, steps=9).to_json()


def changed(base: dict[str, Any], **changes: Any) -> str:
    return json.dumps({key: value for key, value in (base | changes).items() if value is not ...})


BAD = {
    "empty": "",
    "not JSON": "{",
    "truncated": json.dumps(LIMES)[:-40],
    "a list": "[]",
    "a number": "12",
    "null": "null",
    "deep": "[" * 200_000,
    "deep object": '{"a":' * 100_000,
    "a huge number": '{"format": "limina/1", "game": ' + "9" * 10_000 + "}",
    "infinity": '{"format": "limina/1", "x": Infinity}',
    "no format": changed(LIMES, format=...),
    "a later format": changed(LIMES, format="limina/9"),
    "no game": changed(LIMES, game=...),
    "another game": changed(LIMES, game="chess"),
    "a game of a wrong kind": changed(LIMES, game=["limes"]),
    "no players": changed(LIMES, players=[]),
    "players of a wrong kind": changed(LIMES, players="Ada"),
    "a player of a wrong kind": changed(LIMES, players=["Ada", 7]),
    "too many players": changed(LIMIT, players=["a", "b", "c", "d"]),
    "too few turns in a round": changed(LIMES, players=["a", "b", "c"]),
    "an unknown option": changed(LIMES, options={"ferry": True}),
    "an option of a wrong kind": changed(LIMES, options={"ferryman": 1}),
    "options of a wrong kind": changed(LIMES, options=[]),
    "a short deck": changed(LIMES, deck=["F F F F"]),
    "a hut on water": changed(LIMES, deck=["W* F F F"] * 24),
    "a letter that is none": changed(LIMES, deck=["X F F F"] * 24),
    "a face of a wrong kind": changed(LIMES, deck=[None] * 24),
    "a card that is none": changed(LIMES, draws=[25, *LIMES["draws"][1:]]),
    "card zero": changed(LIMES, draws=[0, *LIMES["draws"][1:]]),
    "a card as text": changed(LIMES, draws=["1", *LIMES["draws"][1:]]),
    "a card as true": changed(LIMES, draws=[True, *LIMES["draws"][1:]]),
    "a card as a fraction": changed(LIMES, draws=[1.5, *LIMES["draws"][1:]]),
    "a card twice": changed(LIMES, draws=[LIMES["draws"][0]] * len(LIMES["draws"])),
    "more rounds than cards": changed(LIMES, draws=LIMES["draws"][:-2]),
    "more cards than rounds": changed(LIMES, draws=[*LIMES["draws"], *set(range(1, 25)).difference(LIMES["draws"])]),
    "a null in a closed round": changed(LIMES, turns=[[None, LIMES["turns"][0][1]], *LIMES["turns"][1:]]),
    "a turn of a wrong kind": changed(LIMES, turns=[[{}, None], *LIMES["turns"][1:]]),
    "turns of a wrong kind": changed(LIMES, turns={}),
    "a round of a wrong kind": changed(LIMES, turns=["d4r0", *LIMES["turns"][1:]]),
    "no layout": changed(LIMIT, layout=...),
    "a layout of a wrong kind": changed(LIMIT, layout="c4R"),
    "an empty layout": changed(LIMIT, layout=[], turns=[]),
    "a short layout": changed(LIMIT, layout=LIMIT["layout"][:-1]),
    "a tile twice": changed(LIMIT, layout=[LIMIT["layout"][0], *LIMIT["layout"][:-1]]),
    "a tile that is none": changed(LIMIT, layout=["4cR", *LIMIT["layout"][1:]]),
    "a tile of no color": changed(LIMIT, layout=["c4G", *LIMIT["layout"][1:]]),
    "a tile far away": changed(LIMIT, layout=["z99" + LIMIT["layout"][0][-1], *LIMIT["layout"][1:]]),
    "a wrong size": changed(LIMIT, options={"size": 7}),
    "a size beyond": changed(LIMIT, options={"size": 17}, layout=[]),
    "a size of a wrong kind": changed(LIMIT, options={"size": "8"}),
    "a turn that is none": changed(LIMIT, turns=["c4"]),
    "an enemy's turn": changed(LIMIT, turns=[LIMIT["turns"][1], *LIMIT["turns"]]),
    "a turn as null": changed(LIMIT, turns=[None]),
    "a result that is not so": changed(LIMIT, result={"winners": [0]}),
    "a result of a wrong kind": changed(LIMIT, result="red"),
    "control characters": changed(LIMIT, turns=["\x1b[31m\n\x07"]),
    "a lone surrogate": changed(LIMIT, turns=["\ud800"]),
    "a very long turn": changed(LIMIT, turns=["c4-" * 10_000]),
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("command", ["replay", "legal"])
def test_a_bad_record_is_one_line_and_status_1(
    command: str, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(LIMES))
    bad.write_text(content)
    assert main([command, "--json", str(good), str(bad), str(good)]) == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1, "the record before it, nothing for it or after it"
    assert len(err.splitlines()) == 1
    assert str(bad) in err
    assert len(err) < len(str(bad)) + 250
    assert err.isascii() or err.isprintable() or err.rstrip("\n").isprintable()


@pytest.mark.parametrize("make", [b"\xff\xfe\x00", b"\x80" * 100], ids=["utf-16", "no text"])
def test_a_binary_file_is_refused(make: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(make)
    assert main(["replay", str(bad)]) == 1
    assert "UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["missing.json", ".", "a\x00b"])
def test_a_file_that_cannot_be_opened(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", name]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_an_error_names_the_place_and_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(json.dumps(LIMES))
    data["turns"][2][1] = "c1r0"
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(data))
    assert main(["replay", "--json", str(bad)]) == 1
    assert f"{bad}: round 3, player 2: c1r0: c1 is not beside any card" in capsys.readouterr().err


REASONS = [
    ("limes", ["d4r0 +nw"], "f4r0", "f4 is not beside any card"),
    ("limes", [], "e4r0", "the first card always lies on d4"),
    ("limes", ["d4r0"], "d4r1", "a card already lies on d4"),
    ("limes", ["d4r0", "e4r0", "f4r0", "g4r0"], "c4r0", "the display would be 5 cards wide"),
    ("limes", ["d4r0", "d5r0", "d6r0", "d7r0"], "d3r0", "the display would be 5 cards high"),
    ("limes", ["d4r0 +nw"], "e4r0 d4.se>e4.nw", "no worker stands on d4.se"),
    ("limes", ["d4r0 +nw"], "e4r0 d4.nw>f4.nw", "there is no card under f4.nw"),
    ("limes", ["d4r0 +nw"], "e4r0 d4.nw>d4.nw", "already"),
]


@pytest.mark.parametrize(("game", "turns", "illegal_turn", "words"), REASONS, ids=[words for *_, words in REASONS])
def test_an_illegal_turn_says_why(game: str, turns: list[str], illegal_turn: str, words: str) -> None:
    record = Record.new(limina.game(game), ["Ada"])
    chance = Random(3)
    for turn in turns:
        record = record.apply_random_chance_step(chance).play(turn)
    with pytest.raises(limina.IllegalTurnError, match=words):
        record.apply_random_chance_step(chance).play(illegal_turn)


def test_placing_a_worker_from_an_empty_supply_is_illegal() -> None:
    position = limina.game("limes").start()
    chance = Random(5)
    for _ in range(7):
        position = position.apply(position.draw_chance_step(chance))
        position = position.play(next(turn for turn in position.legal_turns() if "+" in str(turn)))
    position = position.apply(position.draw_chance_step(chance))
    cell = str(position.legal_turns()[0])[:4]
    with pytest.raises(limina.IllegalTurnError, match="no worker is left in the supply"):
        position.play(f"{cell} +nw")


def mangled(text: str, chance: Random) -> str:
    """Return a record with random damage: changed characters or values, or turns from another place."""
    kind = chance.random()
    if kind < 0.35:
        place, what = chance.randrange(len(text)), chance.choice(['"', "[", "}", "0", "-", "\\u0000", "e", ",", ""])
        return text[:place] + what + text[place + chance.randrange(3) :]
    data = json.loads(text)
    spots: list[tuple[Any, Any]] = []

    def collect(value: Any) -> None:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in items:
            spots.append((value, key))
            collect(inner)

    collect(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        owner, key = chance.choice(spots)
        other, other_key = chance.choice(spots)
        junk: list[Any] = [None, True, -1, 0, 1e300, "", "d4r0", "c4-c5 xd3", [], {}, 2**70, "x" * 50]
        owner[key] = chance.choice([*junk, copy.deepcopy(other[other_key])])
    return json.dumps(data)


@pytest.mark.parametrize("first", range(0, 2000, 500))
def test_mangled_records_never_crash(first: int) -> None:
    """Fuzz records: reading one returns a record or raises LiminaError."""
    survived, messages = 0, []
    for seed in range(first, first + 500):
        chance = Random(seed)
        text = mangled(json.dumps(chance.choice((LIMES, LIMIT))), chance)
        try:
            record = Record.from_json_text(text)
        except LiminaError as error:
            messages.append(str(error))
            continue
        survived += 1
        assert Record.from_json_text(record.to_json_text()) == record
    assert len(messages) > 200, "the mangling must break many records"
    assert survived > 5, "and leave some alive"
    assert not [message for message in messages if "\n" in message or len(message) > 250]


PROMISE = {"commitment": "ab" * 32, "salt": "cd" * 32, "order": list(range(1, 25))}


@pytest.mark.parametrize(
    "command", ["show", "show --round 2", "legal", "replay", "verify", "par --budget 1", "analyze --work 1 --player 0"]
)
def test_mangled_records_never_crash_a_command(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fuzz commands with damaged records: each prints an answer or one error."""
    word, *options = command.split()
    whole = random_record(limina.game("limes"), 11, players=1, steps=32).to_json() | PROMISE
    file = tmp_path / "mangled.json"
    for seed in range(8 if word == "analyze" else 60):
        chance = Random(f"{command} {seed}")
        file.write_text(mangled(json.dumps(chance.choice((whole, LIMES | PROMISE, LIMIT))), chance))
        status = main([word, str(file), *options])
        out, err = capsys.readouterr()
        if status == 0:
            assert out
        else:
            assert status == 1
            last = err.splitlines()[-1]  # progress may come before it
            assert last.startswith(f"limina: {file}: ")
            assert len(last) < 300 + len(str(file))


def test_random_numbers_as_turns_never_crash_the_kernel() -> None:
    """Fuzz turns: the kernel accepts any number, and plays exactly the legal ones."""
    chance = Random(7)
    for game in ("limes", "limit"):
        end = random_record(limina.game(game), 13, players=2, steps=9).position
        if end.awaits_chance:
            end = end.apply(end.draw_chance_step(chance))
        mover = end.to_move[0]
        kernel: Any = getattr(_kernel, game)
        codes = end.legal_turns(mover)._codes
        board: Any = end.boards[mover] if game == "limes" else end.board
        extra = (end._drawn,) if game == "limes" else ()
        for _ in range(20_000):
            code = chance.choice((chance.getrandbits(32), chance.getrandbits(24), chance.getrandbits(16)))
            legal = kernel.turn_code(*kernel.turn_parts(code)) in codes
            assert isinstance(board.play(*extra, code), kernel.IllegalTurnReason) is not legal
        assert not any(isinstance(board.play(*extra, code), kernel.IllegalTurnReason) for code in codes)
        assert len(set(map(str, end.legal_turns(mover)))) == len(codes)


@pytest.mark.parametrize(
    "state",
    [(), ([0] * 7, [0] * 7), ([2**64 - 1] * 7, [0] * 8), ([1] + [0] * 6, [3, 3, 9, 9, 7, 1, 0, 0])],
)
def test_a_forged_display_is_refused(state: Any) -> None:
    from limina._kernel import limes

    with pytest.raises((TypeError, ValueError)):
        limes.Display.__new__(limes.Display).__setstate__(state)


def test_invalid_arguments_are_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["fly"], ["replay"], ["show", "a", "b"], ["play", "chess"], ["play", "limit", "alone"]):
        with pytest.raises(SystemExit) if not arguments or arguments[0] != "play" else _nothing() as stopped:
            assert main(arguments) == 1
        if stopped is not None:
            assert stopped.value.code == 1
        assert len(capsys.readouterr().err.splitlines()) == 1


def _nothing() -> Any:
    from contextlib import nullcontext

    return nullcontext()


def test_a_closed_pipe_causes_no_error(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(LIMES))
    command = f"{sys.executable} -m limina replay " + f"{file} " * 200 + "| head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""
