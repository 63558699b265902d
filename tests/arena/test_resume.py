"""Interrupted arenas resume with the same results, all records, and without files left behind."""

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
from limina.arena import ArenaPlan, ArenaReport, run_arena
from limina.arena.journal import default_journal_path
from limina.arena.standings import standings_text
from limina.errors import LiminaError
from support.waiting import wait_until

LIMIT = {"size": 4}


def played_games(plan: ArenaPlan, **options: object) -> list[dict[str, object]]:
    report = ArenaReport(plan, run_arena(plan, **options))  # type: ignore[arg-type]
    return report.to_json()["games"]  # type: ignore[no-any-return]


def test_a_resumed_run_has_the_results_of_an_uninterrupted_one(tmp_path: Path) -> None:
    plan = ArenaPlan(game("limit"), ("random", "random"), games=8, options=LIMIT)
    journal = tmp_path / "journal"
    reported: list[int] = []

    def interrupt(done: int, total: int, result: object) -> None:
        reported.append(done)
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_arena(plan, journal=journal, progress=interrupt)
    # An interruption can leave an incomplete line.
    with journal.open("a") as file:
        file.write('{"index": 4, "set')
    resumed: list[int] = []
    report = ArenaReport(
        plan, run_arena(plan, journal=journal, progress=lambda done, total, result: resumed.append(result.index))
    )
    assert reported == [1, 2, 3]
    assert resumed == [2, 3, 4, 5, 6, 7]  # the third game was interrupted before it was added to the journal
    assert report.to_json()["games"] == played_games(plan)
    # The journal is complete now, so nothing is played again and progress is not reported.
    assert ArenaReport(plan, run_arena(plan, journal=journal, progress=interrupt)).to_json() == report.to_json()


COMMAND = [str(Path(sys.executable).with_name("limina")), "arena", "limit", "random", "random"]


@pytest.mark.parametrize(("stop_signal", "is_named"), [(signal.SIGINT, False), (signal.SIGKILL, True)])
def test_the_same_command_resumes_an_interrupted_run(
    tmp_path: Path, stop_signal: signal.Signals, is_named: bool
) -> None:
    journal, records = tmp_path / "journal.jsonl", tmp_path / "records"
    command = [*COMMAND, "--games", "100", "--jobs", "2", "--option", "size=4", "--json", "--records", str(records)]
    command += ["--resume", str(journal)] if is_named else []
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    wait_until(lambda: (records / "limit-000010.json").exists() or process.poll() is not None)
    assert process.poll() is None, "the run ended before it could be interrupted"
    process.send_signal(stop_signal)
    _, stderr = process.communicate(timeout=60)
    if stop_signal is signal.SIGINT:
        assert process.returncode == 130
        assert "the same command continues the run" in stderr
    (journal_path,) = tmp_path.rglob("*.jsonl")
    before = len(journal_path.read_text().splitlines()) - 1
    assert 5 <= before < 100
    # A killed arena cannot end its processes. They notice its end by themselves.
    wait_until(lambda: not workers_of(process.pid))
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    plan = ArenaPlan(game("limit"), ("random", "random"), games=100, options=LIMIT)
    assert json.loads(done.stdout)["games"] == played_games(plan)
    assert len(list(records.glob("limit-*.json"))) == 100
    assert journal_path.exists() is is_named


def workers_of(session: int) -> list[str]:
    """Return the ids of the spawned processes of a session, from Linux's /proc."""
    process_ids = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if fields[3] == str(session) and fields[0] != "Z" and b"spawn_main" in (folder / "cmdline").read_bytes():
                process_ids.append(folder.name)
    return process_ids


def test_two_runs_do_not_share_a_journal(tmp_path: Path) -> None:
    plan = ArenaPlan(game("limit"), ("random", "random"), games=2, options=LIMIT)

    def run_again(done: int, total: int, result: object) -> None:
        with pytest.raises(LiminaError, match="another run uses"):
            run_arena(plan, journal=tmp_path / "journal")

    assert len(run_arena(plan, journal=tmp_path / "journal", progress=run_again)) == 2


def test_a_changed_bot_does_not_resume_the_run_of_its_old_version(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Mine:\n    def choose(self, p, n): return p.legal_turns(n)[0]\n")
    plan = ArenaPlan(game("limit"), ("random", f"{path}:Mine"), games=2, options=LIMIT)
    before = default_journal_path(plan)
    assert default_journal_path(plan) == before
    os.utime(path, (1, 1))
    assert default_journal_path(plan) != before


def test_a_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    run_arena(ArenaPlan(game("limit"), ("random", "random"), games=2, options=LIMIT), journal=journal)
    with pytest.raises(LiminaError, match="journal of another run, with another value of seed"):
        run_arena(ArenaPlan(game("limit"), ("random", "random"), games=2, options=LIMIT, seed=1), journal=journal)
    journal.write_text("something else\n")
    with pytest.raises(LiminaError, match="not a game of an arena"):
        run_arena(ArenaPlan(game("limit"), ("random", "random"), games=2, options=LIMIT), journal=journal)


JUNK: list[object] = [None, True, -1, 10**30, 1e308, "", "x", [], {}, [None], ["x", "y"], [0, 0, 0], [7, 8]]


def test_a_damaged_journal_is_refused_or_has_valid_statistics(tmp_path: Path) -> None:
    plan = ArenaPlan(game("limit"), ("random", "random"), games=2, options=LIMIT, keep_records=True)
    journal = tmp_path / "journal"
    run_arena(plan, journal=journal)
    header, first, second = journal.read_text().splitlines()
    damaged = [json.dumps(json.loads(first) | {key: junk}) for key in json.loads(first) for junk in JUNK]
    damaged += [*map(json.dumps, JUNK), "[" * 100_000, "\0", first[:-1]]
    refused: list[str] = []
    for line in damaged:
        journal.write_text("\n".join((header, line, second, "")))
        try:
            report = ArenaReport(plan, run_arena(plan, journal=journal))
        except LiminaError as error:
            refused.append(str(error))
            continue
        assert standings_text(report)
        assert json.dumps(report.to_json(), allow_nan=False)
    assert all("line 2 is not a game of an arena" in message for message in refused)
    assert len(refused) > len(damaged) / 2


def test_a_damaged_default_journal_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    plan = ArenaPlan(game("limit"), ("random", "random"), games=2, options=LIMIT)
    path = default_journal_path(plan)
    path.parent.mkdir(parents=True)
    path.write_text("nonsense\n")
    line_counts = []
    run_arena(plan, resumable=True, progress=lambda *_: line_counts.append(path.read_text().count("\n")))
    assert line_counts == [1, 2]  # the header, then the first game
    assert not path.exists()
