"""Hosted bots: they play, and if one fails, it is replaced and named."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from limina.server.matches import HostedBots, MatchRequest, SeatRequest, transitions
from limina.server.matches.new_match import new_match
from limina.server.settings import HostedBot
from support import ROOT
from support.games.turns import random_turn
from support.server.clients import Client
from support.server.server_process import running_server, server_address
from support.waiting import wait_until

EXAMPLES = ROOT / "examples"
# Python classes and a program: crashing, hanging and choosing invalid turns.
OBJECTS = """
import time
class Crashing:
    def choose(self, position, player): return 1 / 0
class Hanging:
    def choose(self, position, player):
        while True:
            try: time.sleep(1)
            except BaseException: pass
class Nonsense:
    def choose(self, position, player): return "to be or not to be"
class Nothing:
    def choose(self, position, player): return None
"""
DEAF = "import time\nprint('ready\\nready', flush=True)\nwhile True: time.sleep(1)\n"
FAILURES = {
    "crashing": "crashed",
    "hanging": "timeout",
    "nonsense": "illegal_turn",
    "nothing": "illegal_turn",
    "deaf": "timeout",
    "silent": "crashed",
}


@pytest.fixture(scope="module")
def hosting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("bots")
    (folder / "objects.py").write_text(OBJECTS)
    (folder / "deaf.py").write_text(DEAF)
    bots = [f"{name}={folder / 'objects.py'}:{name.capitalize()}" for name in list(FAILURES)[:4]]
    bots += [
        f"careful={EXAMPLES / 'careful.py'}:Careful",
        f"lines=program:{sys.executable} {EXAMPLES / 'line_bot.py'}",
        f"limit/deaf=program:{sys.executable} {folder / 'deaf.py'}",
        f"limit/silent=program:{sys.executable} -c pass",
        "limit/quick=master@nodes=200",
    ]
    arguments = [word for bot in bots for word in ("--bot", bot)]
    with server_address(folder / "data", "--bot-timeout", "1", *arguments) as address:
        yield address


@pytest.fixture
def eve(hosting: str) -> Iterator[Client]:
    with closing(Client(hosting)) as client:
        yield client


def over(state: dict[str, Any]) -> bool:
    return bool(state["phase"] == "over")


def test_the_page_gets_the_bots_of_each_game(eve: Client) -> None:
    bots = {game["name"]: game["bots"] for game in eve.call("GET", "/games")}
    assert bots["limes"][-6:] == ["crashing", "hanging", "nonsense", "nothing", "careful", "lines"]
    assert bots["limit"][-3:] == ["deaf", "silent", "quick"]
    refused = eve.call("POST", "/matches", {"game": "limes", "seats": [me(), a_bot("deaf")]}, status=400)
    assert "careful" in refused["error"]


def me() -> dict[str, str]:
    return {"kind": "person", "name": "Eve"}


def a_bot(name: str) -> dict[str, str]:
    return {"kind": "bot", "bot": name}


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("limes", ("me", "careful", "lines"), {}),
        ("limit", ("careful", "me", "lines"), {"size": 4}),
        ("limit", ("quick", "me"), {"size": 4}),
    ],
)
def test_hosted_bots_play_a_whole_game(eve: Client, game: str, seats: tuple[str, ...], options: dict[str, Any]) -> None:
    live = eve.live(eve.create(game, *seats, options=options)["match_id"])
    live.play_until(over, random.Random(1))
    assert [seat["bot"] for seat in live.state["seats"]] == [None if seat == "me" else seat for seat in seats]
    assert [seat["failed_bot"] for seat in live.state["seats"]] == [None] * len(seats)


@pytest.mark.parametrize("bot", list(FAILURES))
def test_a_failed_hosted_bot_is_replaced_and_named(eve: Client, bot: str) -> None:
    live = eve.live(eve.create("limit", bot, "me", options={"size": 4})["match_id"])
    live.play_until(lambda state: 1 in state["to_move"], random.Random(2))
    (failed, _) = (seat["failed_bot"] for seat in live.state["seats"])
    assert (failed["bot"], failed["kind"]) == (bot, FAILURES[bot])
    assert failed["message"].startswith(f"the bot {bot} ")
    assert live.state["seats"][0]["bot"] == "skilled"
    # The match is played to its end, and so is its rematch without the failed bot.
    live.play_until(over, random.Random(3))
    match = live.state["match_id"]
    again = eve.call("POST", f"/matches/{match}/rematch", match_id=match, status=201)
    assert [seat["bot"] for seat in again["seats"]] == [None, "skilled"]
    assert [seat["failed_bot"] for seat in again["seats"]] == [None, None]


def test_other_bots_play_while_one_hangs(eve: Client) -> None:
    hanging = [eve.live(eve.create("limes", "me", *["hanging"] * 3)["match_id"]) for _ in range(2)]
    well = eve.live(eve.create("limes", "me", "random")["match_id"])
    well.play_until(over, random.Random(4))
    for live in hanging:
        live.until_state(lambda state: all(seat["bot"] != "hanging" for seat in state["seats"]))


def programs(server_process: int) -> set[int]:
    """Return the ids of the processes that a server has started."""
    pids = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            ours = int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == server_process
            # Each has a guard process, which ends it when the server is dead.
            if ours and not (folder / "cmdline").read_bytes().startswith(b"/bin/sh"):
                pids.add(int(folder.name))
    return pids


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for as Linux shows them")
def test_processes_end_with_their_match_and_with_the_server(tmp_path: Path) -> None:
    bot = f"lines=program:{sys.executable} {EXAMPLES / 'line_bot.py'}"
    hang = f"deaf=program:{sys.executable} -c 'import time; time.sleep(600)'"
    with running_server(tmp_path, "--bot", bot, "--bot", hang) as server, closing(Client(server.address)) as eve:
        process = server.process.pid
        live = eve.live(eve.create("limit", "lines", "me", options={"size": 4})["match_id"])
        live.until_state(lambda state: 1 in state["to_move"])
        (playing,) = programs(process)
        live.play_until(over, random.Random(5))
        running = eve.live(eve.create("limit", "lines", "me", options={"size": 4})["match_id"])
        running.until_state(lambda state: 1 in state["to_move"])
        stuck = eve.live(eve.create("limit", "deaf", "me", options={"size": 4})["match_id"])
        stuck.until_state(lambda state: state)
        wait_until(lambda: playing not in programs(process) and len(programs(process)) == 2)
        left = programs(process)
    assert not [pid for pid in left if Path(f"/proc/{pid}").exists()]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for as Linux shows them")
def test_processes_end_with_a_server_that_was_killed(tmp_path: Path) -> None:
    """A process that does not read its input does not see it end."""
    pid_file, script = tmp_path / "pid", tmp_path / "deaf.py"
    script.write_text(
        f"import os, time\ninput()\nopen({str(pid_file)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)\n"
    )
    bot = f"deaf=program:{sys.executable} {script}"
    with running_server(tmp_path / "data", "--bot", bot) as server, closing(Client(server.address)) as eve:
        eve.create("limit", "deaf", "me", options={"size": 4})
        wait_until(lambda: pid_file.exists() and pid_file.read_text())
        server.kill()
    with suppress(OSError):  # it does not exist, or is a zombie
        wait_until(lambda: ") Z" in Path(f"/proc/{pid_file.read_text()}/stat").read_text())


def test_a_bot_that_is_no_longer_offered_is_replaced(tmp_path: Path) -> None:
    bot = f"careful={EXAMPLES / 'careful.py'}:Careful"
    with server_address(tmp_path, "--bot", bot) as address, closing(Client(address)) as client:
        match, keys = client.create("limit", "me", "careful")["match_id"], client.seat_tokens
        live = client.live(match)
        live.until_state(lambda state: state)
        turn = random_turn(live.state, 0, random.Random(6))
        assert live.play(0, turn, "first")["version"] == 2  # after the layout
        live.until_state(lambda state: 0 in state["to_move"])
    with server_address(tmp_path) as address, closing(Client(address)) as client:
        client.seat_tokens = keys
        live = client.live(match)
        live.play_until(over, random.Random(7))
        failed = live.state["seats"][1]["failed_bot"]
        assert (failed["bot"], failed["kind"]) == ("careful", "unavailable")
    with server_address(tmp_path) as address, closing(Client(address)) as client:
        # After a restart, the state is the same, and a retry gets the same answer.
        client.seat_tokens = keys
        assert client.state(match)["seats"][1]["failed_bot"] == failed
        retry = {"idempotency_key": "first", "seat_index": 0, "turn_index": 0, "turn": turn}
        assert client.call("POST", f"/matches/{match}/turns", retry, match_id=match)["version"] == 2


def test_hosted_bots_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMINA_BOTS", "one=program:true --fast\n\n limit/two = master@nodes=100 \n")
    with server_address(tmp_path, "--bot", "three=program:true") as address, closing(Client(address)) as client:
        bots = {game["name"]: game["bots"] for game in client.call("GET", "/games")}
    assert bots["limes"][-2:] == ["one", "three"]
    assert bots["limit"][-3:] == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("nameless", "NAME=BOT"),
        ("novice=program:true", "there is a bot called 'novice' already"),
        ("mine=missing", "no installed package provides a bot called 'missing'"),
        ("mine=nowhere.py:Mine", "there is no file 'nowhere.py'"),
        ("mine=nomodule:Mine", "there is no module 'nomodule'"),
        ("mine=program:no-such-program", "there is no program 'no-such-program'"),
        ("chess/mine=program:true", "there is no game called 'chess'"),
    ],
)
def test_an_invalid_hosted_bot_is_an_error_at_the_start(
    bot: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from limina.cli import main

    assert main(["serve", "--port", "0", "--data", str(tmp_path), "--bot", bot]) == 1
    message = capsys.readouterr().err
    assert sentence in message
    assert message.count("\n") == 1


SLOW = """
import time
from pathlib import Path
class Slow:
    def choose(self, position, player):
        started = Path(__file__).with_name("started")
        if not started.exists():
            started.touch()
            time.sleep(600)
        return position.legal_turns(player)[0]
"""


def test_a_canceled_turn_ends_the_process_of_the_bot(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)

    async def scenario() -> None:
        bots = HostedBots([HostedBot("slow", f"{tmp_path / 'slow.py'}:Slow")], seconds=600)
        seats = [SeatRequest("bot", bot="slow"), SeatRequest("person")]
        match, _ = new_match(MatchRequest("limit", seats, {"size": 4}), bots)
        _, pending = transitions.create(match)
        match.apply_events(pending.events, pending.situation)
        asking = asyncio.create_task(bots.choose(match, 0))
        await asyncio.to_thread(wait_until, (tmp_path / "started").exists)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert not bots._processes
        async with asyncio.timeout(100):
            assert await bots.choose(match, 0) == str(match.situation.position.legal_turns(0)[0])
        await bots.stop()

    asyncio.run(scenario())
