"""Programs as bots: both sides of the engine protocol, the example bots, and the verdicts on failures."""

from __future__ import annotations

import io
import json
import os
import select
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import pytest

from limina import Record, game
from limina.arena import ArenaPlan, ArenaReport, run_arena
from limina.bots import BotError, Budget, bot, choose_checked, external
from limina.bots.engine import Engine
from limina.bots.engine_client import EngineClient
from limina.cli import main
from limina.cli.terminal_game import Console, TerminalGame
from limina.errors import InvalidInputError, LiminaError
from support import ROOT
from support.games.records import start_record

PYTHON = sys.executable
LINE_BOT = f"program:{PYTHON} {ROOT / 'examples' / 'line_bot.py'}"
CAREFUL = f"{ROOT / 'examples' / 'careful.py'}:Careful"
ENGINE = f"program:{Path(PYTHON).with_name('limina')} engine"

# A correct program, except for the parts that a test replaces.
PROGRAM = """
import sys, time
def say(line): print(line, flush=True)
for line in sys.stdin:
    command = line.split()[0]
    if command == "limina":
        {hello}
    elif command == "new":
        {new}
    elif command == "go":
        {go}
"""


def record(name: str = "limit") -> Record:
    return Record.new(game(name), ["a", "b"]).apply_random_chance_step(Random(1))


def program_command(folder: Path, *, hello: str = "say('ready')", new: str = "say('ready')", go: str) -> str:
    path = folder / "program.py"
    path.write_text(PROGRAM.format(hello=hello, new=new, go=go))
    return f"{PYTHON} {path}"


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        ({"go": "1 / 0"}, r"it ended \(exit status 1\): ZeroDivisionError: division by zero"),
        ({"go": "sys.exit(3)"}, r"it ended \(exit status 3\)"),
        ({"go": "__import__('os').kill(__import__('os').getpid(), 9)"}, r"it ended \(killed by signal 9\)"),
        ({"go": "time.sleep(600)"}, r"it did not answer within 0.2 s"),
        ({"go": "\n        while True: say('info still here')"}, r"it did not answer within 0.2 s"),
        ({"go": "say('hello')"}, r"it answered 'hello' instead of `turn`"),
        ({"go": "say('turn')"}, r"its turn '' was refused"),
        ({"go": "say('turn gibberish')"}, r"its turn 'gibberish' was refused: 'gibberish' is not a turn"),
        ({"go": "say('turn a0-a1 xa2')"}, r"its turn 'a0-a1 xa2' was refused"),
        ({"go": "say('error I am lost')"}, r"it gave up: I am lost"),
        ({"go": "sys.stdout.buffer.write(bytes([255, 254, 10])); sys.stdout.flush()"}, r"it answered .* instead of"),
        ({"go": "sys.stdout.write('x' * 200000); sys.stdout.flush(); time.sleep(600)"}, r"a line longer than 64 KiB"),
        ({"go": "pass", "new": "say('error I play chess only')"}, r"it gave up: I play chess only"),
    ],
)
def test_a_failing_program_gets_a_verdict(tmp_path: Path, parts: dict[str, str], verdict: str) -> None:
    program = EngineClient(game("limit"), program_command(tmp_path, **parts))
    is_timeout = "within" in verdict
    with pytest.raises(BotError, match=verdict):
        choose_checked(program, record(), 0, Budget(seconds=0.2 if is_timeout else 60))
    # It cannot return to the game.
    with pytest.raises(BotError, match=verdict):
        choose_checked(program, record(), 0)


def test_a_program_that_is_never_ready_is_ended(tmp_path: Path) -> None:
    command = program_command(tmp_path, hello="time.sleep(600)", go="pass")
    with pytest.raises(BotError, match=r"it was not ready within 0.2 s"):
        choose_checked(EngineClient(game("limit"), command, start_timeout=0.2), record(), 0)


def test_a_program_that_does_not_read_is_ended(tmp_path: Path) -> None:
    # The record fills the pipe, so that a blocking write would never return.
    path = tmp_path / "no_reader.py"
    path.write_text("import time\nprint('ready\\nready', flush=True)\ntime.sleep(600)\n")
    long_record = start_record(game("limit"), ["a" * 500_000, "b"], Random(1))
    with pytest.raises(BotError, match=r"it did not answer within 0.2 s"):
        choose_checked(EngineClient(game("limit"), f"{PYTHON} {path}"), long_record, 0, Budget(seconds=0.2))


def test_the_children_of_a_program_end_with_it(tmp_path: Path) -> None:
    # The child holds the pipe open. If it lived on, reading the answer would never return.
    child = "__import__('subprocess').Popen([sys.executable, '-c', 'import time; time.sleep(600)']); time.sleep(600)"
    with pytest.raises(BotError, match="did not answer"):
        choose_checked(
            EngineClient(game("limit"), program_command(tmp_path, go=child)), record(), 0, Budget(seconds=0.5)
        )


@pytest.mark.parametrize("ends", ["read c", "read c; sleep 600"])
def test_background_children_of_a_program_end_with_it(tmp_path: Path, ends: str) -> None:
    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    script = f"sleep 600 2> {tmp_path / 'held'} & read a; echo ready; read b; echo ready; {ends}"
    with pytest.raises(BotError, match="it ended" if ends == "read c" else "did not answer"):
        choose_checked(EngineClient(game("limit"), f"sh -c '{script}'"), record(), 0, Budget(seconds=1))
    assert select.select([held], [], [], 60)[0], "the child still holds the pipe open"
    assert os.read(held, 1) == b""
    os.close(held)


@pytest.mark.parametrize(("ends", "verdict"), [("sys.exit()", "it ended"), ("time.sleep(600)", "did not answer")])
def test_a_child_in_another_session_does_not_block(tmp_path: Path, ends: str, verdict: str) -> None:
    """The child is not in the process group of the program, and holds its pipes open."""
    child = "Popen([sys.executable, '-c', 'import time; time.sleep(5)'], start_new_session=True)"
    command = program_command(tmp_path, go=f"__import__('subprocess').{child}; {ends}")
    with pytest.raises(BotError, match=verdict):
        choose_checked(EngineClient(game("limit"), command), record(), 0, Budget(seconds=2))


def test_a_program_may_write_any_amount_to_stderr(tmp_path: Path) -> None:
    command = program_command(tmp_path, go="sys.stderr.write('x' * 5_000_000 + chr(10) + 'the end'); sys.exit(2)")
    with pytest.raises(BotError, match=r"it ended \(exit status 2\): the end"):
        choose_checked(EngineClient(game("limit"), command), record(), 0)


def test_the_arena_continues_after_a_program_crashed(tmp_path: Path) -> None:
    command = f"program:{program_command(tmp_path, go='1 / 0')}"
    plan = ArenaPlan(game("limit"), ("random", command), games=2, options={"size": 4})
    for result in ArenaReport(plan, run_arena(plan)).to_json()["games"]:
        assert result["verdict"] == f"{command} forfeits: it ended (exit status 1): ZeroDivisionError: division by zero"
        assert [result["seats"][seat] for seat in result["winners"]] == ["random"]


# --- the engine side


def engine_output(name: str, lines: list[str], level: str = "random") -> list[str]:
    output: list[str] = []
    Engine(game(name), level, output.append).run(lines)
    return output


@pytest.mark.parametrize("name", ["limes", "limit"])
def test_the_engine_answers(name: str) -> None:
    start = record(name)
    output = engine_output(
        name, ["limina 1", f"new {name} 7", f"position {start.to_json_text()}", "legal []", "go 0 1000", "quit"]
    )
    assert output[:3] == ["name limina random", "ready", "ready"]
    assert output[3].startswith("turn ")
    assert output[3].removeprefix("turn ") in start.position.legal_turns(0)
    again = engine_output(name, [f"new {name} 7\n", f"position {start.to_json_text()}\n", "go 0 1000\n"])
    assert again == ["ready", output[3]]


def test_the_engine_passes_the_time_limit_to_its_bot(tmp_path: Path) -> None:
    path = tmp_path / "timed.py"
    # The bot returns its time limit as its turn, which the engine does not check.
    path.write_text("class Timed:\n    def choose(self, record, player, budget): return repr(budget.seconds)\n")
    position = f"position {record().to_json_text()}"
    output = engine_output("limit", [position, "go 0 1500", "go 0 20", f"go 0 {'9' * 25}", "go 0"], f"{path}:Timed")
    assert [float(line.removeprefix("turn ")) for line in output] == [1.5, 0.02, 1e6, 60]


def test_the_engine_answers_wrong_lines_with_errors() -> None:
    output = engine_output(
        "limit",
        [
            "limina 2",
            "new limes 1",
            "new limit x",
            "go 0 1",
            "position {",
            f"position {record('limes').to_json_text()}",
            f"position {record().to_json_text()}",
            "go 1 100",
            "go x",
            f"go {'1' * 5000}",
            f"new limit {'1' * 5000}",
            "",
            f"go 0 {'9' * 25}",
        ],
    )
    assert all(line.startswith("error ") for line in output[:-1])
    assert len(output) == 11
    assert output[-1].startswith("turn ")


def test_the_engine_answers_unknown_commands_with_info() -> None:
    output = engine_output(
        "limit", ["limina 1", "new limit 7", "stop", f"position {record().to_json_text()}", "go 0 1000"]
    )
    # A host ignores lines that begin with `info`.
    assert output[3] == "info 'stop' is not a command: see docs/engine-protocol.md"
    assert output[4].startswith("turn ")


def test_the_engine_command_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("limina 1\nquit\n"))
    assert main(["engine", "limes", "random"]) == 0
    assert capsys.readouterr().out == "name limina random\nready\n"


@pytest.mark.parametrize("name", ["limes", "limit"])
def test_a_bot_plays_the_same_through_the_protocol(name: str) -> None:
    options = {"size": 4} if name == "limit" else {}
    direct = ArenaPlan(game(name), ("random", "random"), games=2, options=options, keep_records=True)
    over_protocol = ArenaPlan(
        game(name), ("random", f"{ENGINE} {name} random"), games=2, options=options, keep_records=True
    )
    turns = [
        [result.record["turns"] for result in run_arena(plan) if result.record] for plan in (direct, over_protocol)
    ]
    assert len(turns[0]) == 2
    assert turns[0] == turns[1]


# --- the example bots


@pytest.mark.parametrize("name", ["limes", "limit"])
def test_the_example_bots_play(name: str) -> None:
    options = {"size": 4} if name == "limit" else {}
    plan = ArenaPlan(game(name), ("random", CAREFUL, LINE_BOT), games=2, options=options)
    report = ArenaReport(plan, run_arena(plan))
    assert [result["verdict"] for result in report.to_json()["games"]] == [None] * 6
    assert report.ratings[0][0] == 1, "the bot that looks ahead is not the strongest"


def test_the_line_bot_does_not_import_limina() -> None:
    assert "import limina" not in (ROOT / "examples" / "line_bot.py").read_text()
    assert "from limina" not in (ROOT / "examples" / "line_bot.py").read_text()


# --- finding bots


def test_a_bot_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "installed_bot.py").write_text("class First:\n    def choose(self, p, n): return p.legal_turns(n)[0]\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [EntryPoint("first", "installed_bot:First", external.ENTRY_POINT_GROUP)]
    monkeypatch.setattr(external, "_entry_points", lambda: points)
    loaded = bot(game("limit"), "first")
    assert loaded.choose(record(), 0, Budget()).turn == record().position.legal_turns()[0]
    with pytest.raises(InvalidInputError, match="random, first"):
        bot(game("limit"), "second")


def test_a_bot_is_found_in_a_module_of_the_current_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "local_bot.py").write_text(
        "class Bots:\n    @staticmethod\n    def make(*, seed):\n        return SeedBot(seed)\n"
        "class SeedBot:\n    def __init__(self, seed): self.seed = seed\n    def choose(self, p, n): return self.seed\n"
    )
    monkeypatch.chdir(tmp_path)
    loaded = bot(game("limit"), "local_bot:Bots.make", seed=5, allow_external=True)
    assert loaded.choose(record(), 0, Budget()).turn == 5
    assert str(tmp_path) not in sys.path


def test_a_bot_can_be_named_with_options(tmp_path: Path) -> None:
    few = bot(game("limit"), "master@nodes=300", allow_external=True)
    info = few.choose(record(), 0, Budget()).info
    assert info is not None
    assert info.work < 2000
    (tmp_path / "mine@home.py").write_text(
        "class Mine:\n    def __init__(self, depth=1, **more): self.options = depth, more\n"
        "    def choose(self, p, n): return self.options\n"
    )
    mine = bot(game("limes"), f"{tmp_path}/mine@home.py:Mine@depth=3,slow=yes,words=a b", allow_external=True)
    options = mine.choose(record("limes"), 0, Budget()).turn
    assert options == (3, {"seed": 0, "threads": 1, "slow": True, "words": "a b"})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("master@nodes=many", r"nodes .* must be a whole number above 0, not 'many'"),
        ("master@nodes=1.5", r"whole number above 0"),
        ("master@milliseconds=-1", r"a number above 0"),
        ("master@seed=3", r"has no option 'seed': it has nodes, milliseconds"),
        ("novice@nodes=3", r"has no option 'nodes': it has none"),
        ("unknown@nodes=3", r"there is no bot called 'unknown'"),
    ],
)
def test_wrong_options_are_refused(name: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        bot(game("limit"), name, allow_external=True)


def test_options_in_an_untrusted_name_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="there is no bot called 'master@nodes=9'"):
        bot(game("limit"), "master@nodes=9")


@pytest.mark.parametrize("name", ["program:true", "exec:true", "os:abort", "x.py:Bot"])
def test_an_untrusted_name_that_runs_code_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError, match="external bots are not allowed here"):
        bot(game("limit"), name)


def test_the_terminal_plays_against_a_program(tmp_path: Path) -> None:
    output: list[str] = []
    console = Console(lambda prompt: "quit", output.append, lambda path, text: None, False)
    new = Record.new(game("limit"), [f"bot:{LINE_BOT}", "you"], size=4)
    terminal_game = TerminalGame(new, tmp_path / "game", console, Random(1), allow_external=True)
    assert terminal_game.play() is False
    layout, turn = terminal_game.record.steps
    assert layout.player is None
    assert f"bot:{LINE_BOT} plays {turn.text}" in [" ".join(text.split()) for text in output]  # it may be wrapped


def test_programs_named_in_a_record_are_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    marker = tmp_path / "ran"
    names = [f'bot:program:{PYTHON} -c \'open("{marker}", "w")\'', "you"]
    path = tmp_path / "game.json"
    path.write_text(start_record(game("limit"), names, Random(1)).to_json_text())
    assert main(["play", "--resume", str(path)]) == 1
    assert "not allowed here" in capsys.readouterr().err
    assert not marker.exists()


def test_a_failing_bot_in_the_terminal_leaves_the_game_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_file = tmp_path / "game.json"
    command = f"bot:program:{program_command(tmp_path, go='1 / 0')}"
    assert main(["play", "limit", command, "you", "--save", str(save_file), "--seed", "1"]) == 0
    assert "cannot play on: it ended (exit status 1)" in " ".join(capsys.readouterr().out.split())
    assert json.loads(save_file.read_text())["turns"] == []


@pytest.mark.parametrize("name", ["limes", "limit"])
def test_a_program_needs_the_whole_record(name: str) -> None:
    # A record from a position cannot be written as JSON.
    with pytest.raises(LiminaError, match="needs the whole record"):
        EngineClient(game(name), PYTHON).choose(Record.from_position(game(name), record(name).position), 0, Budget())
