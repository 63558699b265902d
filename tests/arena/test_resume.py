"""An arena that was interrupted goes on, to the same results, with every record and without leaving anything behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from limina import game
from limina.arena import Plan, Report, run
from limina.arena.journal import usual_path
from limina.arena.standings import standings
from limina.errors import LiminaError
from support.waiting import wait_until

LIMIT = {"size": 4}


def outcomes(plan: Plan, **how: object) -> list[dict[str, object]]:
    report = Report(plan, run(plan, **how))  # type: ignore[arg-type]
    return report.to_json()["games"]  # type: ignore[no-any-return]


def test_an_interrupted_run_goes_on_to_the_same_table(tmp_path: Path) -> None:
    plan = Plan(game("limit"), ("random", "random"), games=8, options=LIMIT)
    journal = tmp_path / "journal"
    seen: list[int] = []

    def interrupt(done: int, of: int, played: object) -> None:
        seen.append(done)
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan, journal=journal, progress=interrupt)
    # The interruption may have cut a line off in the middle.
    with journal.open("a") as file:
        file.write('{"index": 4, "set')
    resumed: list[int] = []
    report = Report(plan, run(plan, journal=journal, progress=lambda done, of, played: resumed.append(played.index)))
    assert seen == [1, 2, 3]
    assert resumed == [2, 3, 4, 5, 6, 7]  # whatever was interrupted in its third game is done again
    assert report.to_json()["games"] == outcomes(plan)
    # All is there now: nothing is played again.
    assert Report(plan, run(plan, journal=journal, progress=interrupt)).to_json() == report.to_json()


COMMAND = [str(Path(sys.executable).with_name("limina")), "arena", "limit", "random", "random"]


@pytest.mark.parametrize(("how", "named"), [(signal.SIGINT, False), (signal.SIGKILL, True)])
def test_the_same_command_goes_on_after_an_interruption(tmp_path: Path, how: signal.Signals, named: bool) -> None:
    journal, records = tmp_path / "journal.jsonl", tmp_path / "records"
    command = [*COMMAND, "--games", "100", "--jobs", "2", "--option", "size=4", "--json", "--records", str(records)]
    command += ["--resume", str(journal)] if named else []
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    wait_until(lambda: (records / "limit-000010.json").exists() or process.poll() is not None)
    assert process.poll() is None, "it was over before it could be interrupted"
    process.send_signal(how)
    _, said = process.communicate(timeout=60)
    if how is signal.SIGINT:
        assert process.returncode == 130
        assert "the same command continues the run" in said
    (kept,) = tmp_path.rglob("*.jsonl")
    before = len(kept.read_text().splitlines()) - 1
    assert 5 <= before < 100
    # Whoever was killed could not end its processes: they notice, and let go of the session.
    wait_until(lambda: not workers_of(process.pid))
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    plan = Plan(game("limit"), ("random", "random"), games=100, options=LIMIT)
    assert json.loads(done.stdout)["games"] == outcomes(plan)
    assert len(list(records.glob("limit-*.json"))) == 100
    assert kept.exists() is named


def workers_of(session: int) -> list[str]:
    """The processes that play in a session of its own, as Linux shows them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if fields[3] == str(session) and fields[0] != "Z" and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.append(folder.name)
    return found


def test_two_runs_do_not_share_a_journal(tmp_path: Path) -> None:
    plan = Plan(game("limit"), ("random", "random"), games=2, options=LIMIT)

    def meanwhile(done: int, of: int, played: object) -> None:
        with pytest.raises(LiminaError, match="another run uses"):
            run(plan, journal=tmp_path / "journal")

    assert len(run(plan, journal=tmp_path / "journal", progress=meanwhile)) == 2


def test_a_changed_bot_does_not_finish_what_another_began(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Mine:\n    def choose(self, p, n): return p.legal_turns(n)[0]\n")
    plan = Plan(game("limit"), ("random", f"{path}:Mine"), games=2, options=LIMIT)
    before = usual_path(plan)
    assert usual_path(plan) == before
    os.utime(path, (1, 1))
    assert usual_path(plan) != before


def test_a_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    run(Plan(game("limit"), ("random", "random"), games=2, options=LIMIT), journal=journal)
    with pytest.raises(LiminaError, match="another run: its seed differ"):
        run(Plan(game("limit"), ("random", "random"), games=2, options=LIMIT, seed=1), journal=journal)
    journal.write_text("something else\n")
    with pytest.raises(LiminaError, match="not a game of an arena"):
        run(Plan(game("limit"), ("random", "random"), games=2, options=LIMIT), journal=journal)


JUNK: list[object] = [None, True, -1, 10**30, 1e308, "", "x", [], {}, [None], ["x", "y"], [0, 0, 0], [7, 8]]


def test_a_damaged_journal_is_said_and_never_believed(tmp_path: Path) -> None:
    """Whatever stands in place of anything: it is read as a game, and all figures can be made, or it is refused."""
    plan = Plan(game("limit"), ("random", "random"), games=2, options=LIMIT, keep=True)
    journal = tmp_path / "journal"
    run(plan, journal=journal)
    header, first, second = journal.read_text().splitlines()
    damaged = [json.dumps(json.loads(first) | {key: junk}) for key in json.loads(first) for junk in JUNK]
    damaged += [*map(json.dumps, JUNK), "[" * 100_000, "\0", first[:-1]]
    refused: list[str] = []
    for line in damaged:
        journal.write_text("\n".join((header, line, second, "")))
        try:
            report = Report(plan, run(plan, journal=journal))
        except LiminaError as error:
            refused.append(str(error))
            continue
        assert standings(report)
        assert json.dumps(report.to_json(), allow_nan=False)
    assert all("line 2 is not a game of an arena" in sentence for sentence in refused)
    assert len(refused) > len(damaged) / 2


def test_a_damaged_journal_that_nobody_named_is_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    plan = Plan(game("limit"), ("random", "random"), games=2, options=LIMIT)
    path = usual_path(plan)
    path.parent.mkdir(parents=True)
    path.write_text("nonsense\n")
    seen = []
    run(plan, resumable=True, progress=lambda *_: seen.append(path.read_text().count("\n")))
    assert seen == [1, 2], "a header, and then the games"
    assert not path.exists()
