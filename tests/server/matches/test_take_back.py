"""Take-backs: in a game without hidden information, against bots."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from limina.bots import Budget, Choice, bot
from limina.core.position import Step
from limina.core.record import Record
from limina.limit import Position
from limina.server.matches import LoadedMatch, Match, MatchService, bot_runner, transitions, visibility
from limina.server.storage import Store
from support.database.databases import Database, DbCommand
from support.games.turns import legal_turns, random_turn
from support.server.clients import Client
from support.server.match_services import (
    UpdateListener,
    choose_turn,
    match_request,
    play,
    refusal_code,
    run_with_service,
    small_match_request,
)

ME = (0,)


async def play_on(service: MatchService, loaded: LoadedMatch, updates: UpdateListener) -> None:
    """Play a turn, and wait for the bots' answers."""
    match = loaded.match
    turn_index = match.situation.turn_counts[0]
    await play(service, loaded, ME, 0, turn_index, choose_turn(match, 0), f"{match.version}")
    await updates.until(lambda: match.is_over or match.to_move == ME)


async def begin(service: MatchService, *bots: str, size: int = 8) -> tuple[LoadedMatch, UpdateListener]:
    """Create a match that is not over after a few turns, as may happen with size 4."""
    loaded, _ = await service.create(match_request("limit", "person", *(bots or ("random",)), options={"size": size}))
    return loaded, UpdateListener(loaded)


@pytest.mark.parametrize("bots", [("random",), ("random", "novice")])
def test_the_last_turn_and_the_bots_answers_are_taken_back(tmp_path: Path, bots: tuple[str, ...]) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, updates = await begin(service, *bots)
        match = loaded.match
        await play_on(service, loaded, updates)
        before = visibility.state(match, ME)
        await play_on(service, loaded, updates)
        version = match.version
        await service.take_back(loaded, ME, 0, 1)
        after = visibility.state(match, ME)
        assert after.pop("version") == version + 1 > before.pop("version")
        assert after == before
        # A retry changes nothing, a restart restores the same state, and the game goes on.
        await service.take_back(loaded, ME, 0, 1)
        assert match.version == version + 1
        restarted = MatchService(store)
        assert visibility.state((await restarted.get(match.id)).match, ME) == visibility.state(match, ME)
        await restarted.close()
        await play_on(service, loaded, updates)
        assert match.situation.turn_counts[0] == 2
        await service.take_back(loaded, ME, 0, 1)
        await service.take_back(loaded, ME, 0, 0)
        assert match.situation.turn_counts == (0,) * len(match.seats)

    run_with_service(tmp_path, scenario)


def test_a_retry_of_a_taken_back_turn_is_not_played(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, updates = await begin(service)
        match = loaded.match
        turn = choose_turn(match, 0)
        first = await play(service, loaded, ME, 0, 0, turn, "k")
        await updates.until(lambda: match.to_move == ME)
        await service.take_back(loaded, ME, 0, 0)
        assert await play(service, loaded, ME, 0, 0, turn, "k") == first
        assert match.situation.turn_counts == (0, 0)

    run_with_service(tmp_path, scenario)


def test_a_late_retry_of_a_take_back_takes_back_no_other_turn(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, updates = await begin(service)
        match = loaded.match
        await play_on(service, loaded, updates)
        await play_on(service, loaded, updates)
        seen = match.version
        for _ in range(2):  # a retry without an answer
            await service.take_back(loaded, ME, 0, 1, seen)
        await play_on(service, loaded, updates)
        version = match.version
        await service.take_back(loaded, ME, 0, 1, seen)  # the first request, which arrives late
        restarted = MatchService(store)
        await restarted.take_back(await restarted.get(match.id), ME, 0, 1, seen)
        await restarted.close()
        assert (match.version, match.situation.turn_counts[0]) == (version, 2)
        await service.take_back(loaded, ME, 0, 1, version)
        assert match.situation.turn_counts[0] == 1
        match.played_turns.clear()  # a turn without an idempotency key is taken back like any other
        await service.take_back(loaded, ME, 0, 0, match.version)
        assert match.situation.turn_counts[0] == 0

    run_with_service(tmp_path, scenario)


def test_a_finished_game_goes_on_unless_it_has_a_rematch(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, updates = await begin(service, size=4)
        match = loaded.match
        while not match.is_over:
            await play_on(service, loaded, updates)
        turn_index = match.situation.turn_counts[0] - 1
        await service.take_back(loaded, ME, 0, turn_index)
        saved = await store.load(match.id)
        assert saved is not None
        assert (match.phase, saved.is_over, match.to_move) == ("playing", False, ME)
        while not match.is_over:
            await play_on(service, loaded, updates)
        await service.rematch(loaded, ME)
        assert await refusal_code(service.take_back(loaded, ME, 0, match.situation.turn_counts[0] - 1)) == "conflict"
        assert match.is_over

    run_with_service(tmp_path, scenario)


def test_a_take_back_is_refused_against_people_or_with_chance(tmp_path: Path) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, updates = await begin(service)
        match = loaded.match
        await play_on(service, loaded, updates)
        await play_on(service, loaded, updates)
        version = match.version
        for own_seats, seat, turn_index, code in (
            ((), 0, 1, "forbidden"),
            (ME, 1, 1, "forbidden"),
            (ME, 7, 1, "not_found"),
            (ME, 0, 0, "stale"),
        ):
            assert await refusal_code(service.take_back(loaded, own_seats, seat, turn_index)) == code
        assert match.version == version
        for request in (
            small_match_request("person", "person"),
            small_match_request("person", "random", "person"),
            match_request("limes", "person"),
        ):
            other, _ = await service.create(request)
            await play(service, other, ME, 0, 0, choose_turn(other.match, 0), "k")
            assert await refusal_code(service.take_back(other, ME, 0, 0)) == "illegal"
            assert other.match.situation.turn_counts[0] == 1

    run_with_service(tmp_path, scenario)


def test_take_backs_do_not_make_a_load_slower(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(service: MatchService, store: Store) -> None:
        loaded, updates = await begin(service, size=4)
        match = loaded.match
        chance = Random(3)
        for _ in range(40):
            if not match.is_over and (match.situation.turn_counts[0] == 0 or chance.random() < 0.6):
                await play_on(service, loaded, updates)
            else:
                await service.take_back(loaded, ME, 0, match.situation.turn_counts[0] - 1)
        assert match.take_back_count > 5
        saved = await store.load(match.id)
        assert saved is not None
        applied: list[Step] = []
        apply = Position.apply

        def counted(position: Position, step: Step) -> Position:
            applied.append(step)
            return apply(position, step)

        monkeypatch.setattr(Position, "apply", counted)
        restored = Match.restore(saved)
        assert applied == restored.steps == match.steps
        assert visibility.state(restored, ME) == visibility.state(match, ME)
        assert restored.played_turns == match.played_turns
        # Another process that has applied the first half gets the second half at once.
        seen = len(saved.events) // 2
        behind = Match.restore(replace(saved, events=saved.events[:seen]))
        applied.clear()
        behind.apply_events(saved.events[seen:])
        assert len(applied) <= len(match.steps)
        assert visibility.state(behind, ME) == visibility.state(match, ME)

    run_with_service(tmp_path, scenario)


@pytest.mark.parametrize(("constant", "maximum"), [("MAX_STEPS_FOR_TAKE_BACK", 2), ("MAX_TAKE_BACKS", 0)])
def test_take_backs_are_limited_in_number_and_game_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, constant: str, maximum: int
) -> None:
    monkeypatch.setattr(transitions, constant, maximum)

    async def scenario(service: MatchService, store: Store) -> None:
        loaded, updates = await begin(service)
        match = loaded.match
        await play_on(service, loaded, updates)
        await play_on(service, loaded, updates)
        assert await refusal_code(service.take_back(loaded, ME, 0, 1)) == "illegal"
        assert match.situation.turn_counts[0] == 2

    run_with_service(tmp_path, scenario)


class Slow:
    """A bot that waits until it may end, for each position."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.thinks = threading.Event()
        self.may_end = threading.Semaphore(0)

    def choose(self, record: Record, player: int, budget: Budget) -> Choice[object]:
        self.records.append(record)
        self.thinks.set()
        self.may_end.acquire()
        return Choice(record.position.legal_turns(player)[0])

    def close(self) -> None:
        """Do nothing."""


def test_a_bot_with_an_obsolete_position_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr(
        bot_runner, "bot", lambda game, name, *, seed: slow if name == "master" else bot(game, name, seed=seed)
    )

    async def scenario(service: MatchService, store: Store) -> None:
        loaded, updates = await begin(service, "master")
        match = loaded.match
        turns = [str(turn) for turn in match.situation.position.legal_turns(0)[:2]]
        await play(service, loaded, ME, 0, 0, turns[0], "first")
        await asyncio.to_thread(slow.thinks.wait)
        await service.take_back(loaded, ME, 0, 0)
        await play(service, loaded, ME, 0, 0, turns[1], "second")
        slow.may_end.release(2)
        await updates.until(lambda: match.to_move == ME)
        # It chooses again, for the turn that was played instead.
        assert [str(record.steps[-1].text) for record in slow.records] == turns
        assert match.situation.turn_counts == (1, 1)
        assert match.seats[1].failed is None

    run_with_service(tmp_path, scenario)


def test_all_viewers_and_the_record_have_fewer_steps(ada: Client, ben: Client) -> None:
    match, chance = ada.create("limit", "me", "random")["match_id"], Random(5)
    watching, table = ben.live(match), ada.live(match)
    watching.until_state(lambda state: True)
    before = table.play_until(lambda state: state["seats"][0]["turn_count"] == 1 and state["to_move"] == [0], chance)
    table.play_until(lambda state: state["seats"][1]["turn_count"] == 2, chance)
    body = {"seat_index": 0, "turn_index": 1}
    assert ben.request("POST", f"/matches/{match}/take-back", body).json()["code"] == "forbidden"
    answer = ada.call("POST", f"/matches/{match}/take-back", body, match)
    for viewer in (watching, table):
        viewer.until_state(lambda state: state["version"] == answer["version"])
        for part in ("steps", "view", "to_move", "phase"):
            assert viewer.state[part] == answer[part] == before[part]
    assert table.state["legal"] == before["legal"]
    assert len(ada.call("GET", f"/matches/{match}/record", match_id=match)["turns"]) == 2


def test_a_game_with_another_end_is_reviewed_again(ada: Client) -> None:
    match, chance = ada.create("limit", "me", "random", options={"size": 4})["match_id"], Random(1)
    table = ada.live(match)

    def turns(state: dict[str, Any]) -> list[str]:
        return [step["text"] for step in state["steps"] if step["player"] is not None]

    def played_to_its_end_and_reviewed() -> list[str]:
        while (over := table.until_state(lambda state: state["to_move"] in ([0], [])))["phase"] != "over":
            table.play(0, random_turn(over, 0, chance), f"{over['version']}")
        lines = ada.request("GET", f"/matches/{match}/review", seat_tokens=ada.seat_tokens[match]).text.splitlines()
        reviewed = [json.loads(line)["played"] for line in lines if '"type":"turn"' in line]
        assert reviewed == turns(over)
        return reviewed

    first = played_to_its_end_and_reviewed()
    # Back to a position with several legal turns, which are rare near the end of a game.
    others: list[str] = []
    while not others:
        turn_index = table.state["seats"][0]["turn_count"] - 1
        answer = ada.call("POST", f"/matches/{match}/take-back", {"seat_index": 0, "turn_index": turn_index}, match)
        state = table.until_state(lambda state, at=answer["version"]: state["version"] == at)
        others = [turn for turn in legal_turns(state, 0) if turn != first[len(turns(state))]]
    table.play(0, others[0], "otherwise")
    assert played_to_its_end_and_reviewed() != first


def test_the_check_finds_invalid_take_backs(database: Database, db_command: DbCommand) -> None:
    async def scenario(service: MatchService, store: Store) -> list[str]:
        match_ids = []
        for _ in range(3):
            loaded, updates = await begin(service)
            match = loaded.match
            await play_on(service, loaded, updates)
            await play_on(service, loaded, updates)
            await service.take_back(loaded, ME, 0, 1)
            await play_on(service, loaded, updates)
            match_ids.append(match.id)
        return match_ids

    match_ids = database.run_with_service(scenario)
    assert db_command.run("check", database)[0] == 0
    damage = "UPDATE events SET {} WHERE match_id = :id AND kind = 'take_back'"
    database.execute(damage.format("payload = '1'"), id=match_ids[0])
    database.execute(damage.format("seat_index = 1"), id=match_ids[1])
    status, out, _ = db_command.run("check", database)
    damage_by_id = dict(line.split(": ", 1) for line in out.splitlines()[:-1])
    assert (status, damage_by_id) == (
        1,
        {
            match_ids[0]: "event 6 (take_back): it does not lead to the last turn of this seat",
            match_ids[1]: "event 6 (take_back): no turn could be taken back",
        },
    )
