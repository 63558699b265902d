"""The authority by itself, without HTTP: it takes plain values, saves, and only then lets anyone know."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from kit.stores import open_store
from limina.bots import BotFailure, Budget, Choice, bot
from limina.record import Record
from limina.server.errors import RefusedError
from limina.server.matches import Authority, BotRunner, Match, MatchRequest, SeatRequest, bot_runner, visibility
from limina.server.matches import authority as authority_module
from limina.server.model import FailedBot, SeatKind
from limina.server.storage import Store, Written, sqlite
from limina.server.storage.writer import Part

Story = Callable[[Authority, Store], Coroutine[Any, Any, None]]
CHANCE = Random(11)


@asynccontextmanager
async def authority_of(folder: Path, bots: BotRunner | None = None) -> AsyncIterator[tuple[Authority, Store]]:
    async with open_store(folder) as store:
        authority = Authority(store, bots)
        try:
            yield authority, store
        finally:
            await authority.close()


def tell(folder: Path, story: Story, bots: Callable[[], BotRunner] | None = None) -> None:
    """Let a story happen at an authority with an empty database."""

    async def run() -> None:
        async with authority_of(folder, bots() if bots else None) as (authority, store):
            await story(authority, store)

    asyncio.run(run())


def request(game: str, *kinds: str, **wanted: Any) -> MatchRequest:
    """A match of people, open seats or bots."""
    known: dict[str, SeatKind] = {"person": "person", "open": "open"}
    seats = [SeatRequest(known[kind]) if kind in known else SeatRequest("bot", bot=kind) for kind in kinds]
    return MatchRequest(game, seats, **wanted)


def small(*kinds: str) -> MatchRequest:
    return request("limit", *kinds, options={"size": 4})


def a_turn(match: Match, seat: int) -> str:
    return str(CHANCE.choice(match.shown.position.legal_turns(seat)))


async def play_out(authority: Authority, match: Match) -> None:
    """Let people play any turns until the game is over."""
    everybody = tuple(range(len(match.seats)))
    while not match.over:
        seat = match.to_move[0]
        number = match.shown.turns[seat]
        await authority.play(match, everybody, seat, number, a_turn(match, seat), f"{seat}-{number}")


class Listener:
    """Hears of everything that is saved, and can wait for it."""

    def __init__(self, match: Match) -> None:
        self.versions: list[int] = []
        self._news = asyncio.Event()
        match.listeners.add(self)

    def __call__(self, match: Match, before: object) -> None:
        self.versions.append(match.version)
        self._news.set()

    async def until(self, happened: Callable[[], object]) -> None:
        while not happened():
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 60)


async def refused(asked: Coroutine[Any, Any, Any]) -> str:
    with pytest.raises(RefusedError) as caught:
        await asked
    return caught.value.code


async def forbid_events(store: Store, forbidden: bool) -> None:
    """Let the database refuse every event, as one does whose disk is full; or take them again."""
    async with store._engine.begin() as connection:
        if forbidden:
            await connection.execute(
                text("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END")
            )
        else:
            await connection.execute(text("DROP TRIGGER full"))


# --- beginning


def test_a_match_begins_once_it_is_saved(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, keys = await authority.create(request("limes", "person", "person", "open"))
        assert list(keys) == [0, 1]
        assert match.seats_of(keys.values()) == (0, 1)
        assert (match.phase, match.version, match.to_move) == ("waiting", 0, ())
        saved = await store.load(match.id)
        assert saved is not None
        assert [seat.kind for seat in saved.events[0].seats] == ["person", "person", "open"]
        assert await authority.find(match.id) is match
        full, _ = await authority.create(request("limes", "person"))
        assert (full.phase, full.version, full.to_move) == ("playing", 1, (0,))  # the first card lies there

    tell(tmp_path, story)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (request("limit", "person"), "2 to 3 players"),
        (request("limes", "random"), "at least one seat must be for a person"),
        (request("limit", "person", "person", hidden=True), "nothing can stay hidden"),
        (request("limes", "person", "genius"), "no such bot"),
        (MatchRequest("limes", [SeatRequest("person", bot="random")]), "only a bot's seat"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_a_sentence(wanted: MatchRequest, words: str, tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        with pytest.raises(RefusedError, match=words) as caught:
            await authority.create(wanted)
        assert caught.value.code == "unreadable"

    tell(tmp_path, story)


def test_there_is_no_match_that_nobody_began(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        assert await refused(authority.find("nothing-here")) == "not_found"

    tell(tmp_path, story)


# --- seats


def test_those_who_join_at_once_get_a_seat_each_and_the_last_one_none(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person", "open", "open"))
        joining = [authority.join(match, name) for name in ("Ben", "Cleo", "Dan")]
        ben, cleo, dan = await asyncio.gather(*joining, return_exceptions=True)
        assert [isinstance(each, tuple) and each[0] for each in (ben, cleo)] == [1, 2]
        assert isinstance(dan, RefusedError)
        assert dan.code == "conflict"
        assert (match.phase, match.version) == ("playing", 3)  # two seats and a card
        assert [seat.name for seat in match.seats[1:]] == ["Ben", "Cleo"]

    tell(tmp_path, story)


def test_whoever_joins_again_with_the_same_key_sits_where_they_sat(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person", "open", "open"))
        key = "k" * 30
        both = await asyncio.gather(authority.join(match, "Ben", 2, key), authority.join(match, "Ben", None, key))
        assert list(both) == [(2, key), (2, key)]
        assert match.seats[1].kind == "open"
        assert await refused(authority.join(match, "Cleo", 2)) == "conflict"
        assert await refused(authority.join(match, "Cleo", 7)) == "not_found"

    tell(tmp_path, story)


def test_only_players_invite_a_bot_which_then_plays(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("open", "person"))
        heard = Listener(match)
        assert await refused(authority.fill(match, (), 0, "random")) == "forbidden"
        assert await refused(authority.fill(match, (1,), 0, "genius")) == "unreadable"
        await authority.fill(match, (1,), 0, "random")
        await heard.until(lambda: match.to_move == (1,))
        assert match.shown.turns == (1, 0)

    tell(tmp_path, story)


# --- turns


def test_a_turn_is_told_once_it_is_saved_and_then_answered(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person"))
        heard = Listener(match)
        playing = asyncio.create_task(authority.play(match, (0,), 0, 0, "d4r0  +nw", "first"))
        await asyncio.sleep(0)
        assert (match.saving is not None, match.shown.steps) == (True, 1)  # accepted, and nobody knows
        assert heard.versions == []
        played = await playing
        assert (played.text, played.version, heard.versions) == ("d4r0 +nw", 3, [3])
        saved = await store.load(match.id)
        assert saved is not None
        assert [(event.kind, event.seat, event.key, event.number) for event in saved.events] == [
            ("created", None, None, 0),
            ("drawn", None, None, 1),
            ("played", 0, "first", 2),
            ("drawn", None, None, 3),
        ]

    tell(tmp_path, story)


def test_whoever_cannot_be_told_keeps_nobody_else_from_playing(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("person", "random"))
        match.listeners.add(lambda *_: setattr(match, "no such thing", 1 // 0))
        assert (await authority.play(match, (0,), 0, 0, a_turn(match, 0), "k")).version == 2
        while authority._thinking:
            await asyncio.wait(authority._thinking)
        assert match.shown.turns == (1, 1)

    tell(tmp_path, story)


def test_the_same_turn_sent_again_is_answered_and_not_played_again_also_after_a_restart(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person", "open"))
        await authority.join(match, "Ben")
        once, again = await asyncio.gather(*(authority.play(match, (0,), 0, 0, "d4r0", "k") for _ in range(2)))
        assert once is again
        await authority.play(match, (1,), 1, 0, "d4r1", "l")
        assert await refused(authority.play(match, (0,), 0, 0, "d4r1", "k")) == "conflict"
        assert await refused(authority.play(match, (0,), 0, 1, "d4r0", "k")) == "conflict"
        assert await refused(authority.play(match, (0, 1), 1, 0, "d4r0", "k")) == "conflict"
        other = Authority(store)
        found = await other.find(match.id)
        assert found is not match
        late = await other.play(found, (0,), 0, 0, " d4r0 ", "k")
        assert (late.seat, late.number, late.text, late.version) == (once.seat, once.number, once.text, once.version)
        assert visibility.state(found, (0,)) == visibility.state(match, (0,))
        await other.close()

    tell(tmp_path, story)


def test_a_turn_for_another_seat_or_another_moment_changes_nothing(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("person", "open"))
        turn = a_turn(match, 0)
        assert await refused(authority.play(match, (0,), 0, 0, turn, "k")) == "stale"  # somebody is missing
        await authority.join(match, "Ben")
        heard = Listener(match)
        assert await refused(authority.play(match, (0,), 1, 0, turn, "k")) == "forbidden"
        assert await refused(authority.play(match, (), 0, 0, turn, "k")) == "forbidden"
        assert await refused(authority.play(match, (0,), 7, 0, turn, "k")) == "not_found"
        assert await refused(authority.play(match, (0,), 0, 1, turn, "k")) == "stale"
        assert (match.saving, match.version, heard.versions, match.played) == (None, 2, [], {})
        await authority.play(match, (0,), 0, 0, turn, "k")
        assert await refused(authority.play(match, (0,), 0, 0, turn, "other")) == "stale"

    tell(tmp_path, story)


def test_of_two_turns_at_once_one_is_played(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("person", "person"))
        turns = [authority.play(match, (0,), 0, 0, a_turn(match, 0), f"k{n}") for n in range(2)]
        first, second = await asyncio.gather(*turns, return_exceptions=True)
        assert not isinstance(first, BaseException)
        assert isinstance(second, RefusedError)
        assert second.code == "stale"

    tell(tmp_path, story)


# --- rematches


def test_a_rematch_is_begun_once_whoever_asks(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, keys = await authority.create(small("person", "person"))
        assert await refused(authority.rematch(match, (0,))) == "conflict"
        await play_out(authority, match)
        heard = Listener(match)
        assert await refused(authority.rematch(match, ())) == "forbidden"
        version = match.version
        first, second = await asyncio.gather(authority.rematch(match, (0,)), authority.rematch(match, (1,)))
        assert first is second
        assert (match.rematch, heard.versions) == (first.id, [version + 1])
        # The other one begins, and everybody's key fits.
        assert first.seats_of([keys[0]]) == (1,)
        assert await authority.rematch(match, (0,)) is first
        saved = await store.load(match.id)
        assert saved is not None
        assert (saved.events[-1].text, saved.over, saved.version) == (first.id, True, version + 1)

    tell(tmp_path, story)


# --- what cannot be saved


def test_what_cannot_be_saved_is_forgotten_and_the_match_goes_on_from_what_is(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person", "person"))
        await authority.play(match, (0,), 0, 0, "d4r0", "kept")
        heard = Listener(match)
        await forbid_events(store, True)
        # The second would build on the first; both come to nothing.
        turns = [authority.play(match, (0, 1), 1, 0, "d4r1", "a"), authority.play(match, (0,), 0, 1, "d5r0", "b")]
        assert [type(each) for each in await asyncio.gather(*turns, return_exceptions=True)] == [RefusedError] * 2
        assert match.broken
        assert set(heard.versions) == {2}  # all have to come back, and have seen nothing of it
        assert await refused(authority.play(match, (1,), 1, 0, "d4r1", "c")) == "unavailable"
        await forbid_events(store, False)
        found = await authority.find(match.id)
        assert found is not match
        assert (found.version, found.shown.turns) == (2, (1, 0))
        assert (await authority.play(found, (0,), 0, 0, "d4r0", "kept")).version == 2
        assert (await authority.play(found, (1,), 1, 0, "d4r1", "a")).version == 4

    tell(tmp_path, story)


def test_nothing_that_chance_did_can_be_felt_before_it_is_saved(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person"))
        await forbid_events(store, True)
        first = authority.play(match, (0,), 0, 0, "d4r0", "first")
        # What may be played next depends on the card that is drawn after the first turn.
        guesses = [f"d5r{turned} +{worker}" for turned in range(4) for worker in ("nw", "ne", "sw", "se")]
        seconds = [authority.play(match, (0,), 0, 1, guess, guess) for guess in guesses]
        answers = await asyncio.gather(first, *seconds, return_exceptions=True)
        assert {(type(answer), str(answer)) for answer in answers} == {
            (RefusedError, "this could not be saved: please try again")
        }

    tell(tmp_path, story)


def test_whoever_comes_just_when_an_answer_is_known_is_answered_too(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("person", "person"))
        turn = a_turn(match, 0)
        first = asyncio.create_task(authority.play(match, (0,), 0, 0, turn, "k"))
        await asyncio.sleep(0)
        assert match.saving is not None
        match.saving.set_result(Written.FAILED)
        assert await refused(authority.play(match, (0,), 0, 0, turn, "k")) == "unavailable"
        assert await refused(asyncio.wait_for(first, 60)) == "unavailable"

    tell(tmp_path, story)


def test_a_seat_that_cannot_be_saved_stays_open(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(request("limes", "person", "open"))
        await forbid_events(store, True)  # with the last seat comes the first card
        assert await refused(authority.join(match, "Ben")) == "unavailable"
        await forbid_events(store, False)
        found = await authority.find(match.id)
        assert (found.phase, found.version) == ("waiting", 0)
        assert (await authority.join(found, "Ben"))[0] == 1

    tell(tmp_path, story)


def test_a_locked_file_fails_all_who_wait_together_and_they_are_told_when_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_BUSY_SECONDS", 0.1)

    async def story(authority: Authority, store: Store) -> None:
        matches = [(await authority.create(small("person", "person")))[0] for _ in range(20)]
        tried: list[int] = []
        commit = store._writer.commit

        async def counted(parts: Sequence[Part]) -> list[bool]:
            tried.append(len(parts))
            return await commit(parts)

        monkeypatch.setattr(store._writer, "commit", counted)
        with closing(sqlite3.connect(tmp_path / "limina.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            turns = [authority.play(match, (0,), 0, 0, a_turn(match, 0), "k") for match in matches]
            answers = await asyncio.gather(*turns, return_exceptions=True)
            assert sum(tried) == 20
            assert len(tried) <= 2  # what came first, and all that waited meanwhile
            for answer in answers:
                assert isinstance(answer, RefusedError)
                assert (answer.code, answer.retry) == ("unavailable", 2)
            # What was saved can be seen all the while.
            found = await authority.find(matches[0].id)
            assert found.version == 1
        assert (await authority.play(found, (0,), 0, 0, a_turn(found, 0), "k")).version == 2

    tell(tmp_path, story)


def test_matches_in_use_do_not_keep_others_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authority_module, "_MOST_IN_MEMORY", 10)
    monkeypatch.setattr(authority_module, "_LOOKED_AT", 3)

    async def story(authority: Authority, store: Store) -> None:
        watched = [(await authority.create(small("person", "person")))[0] for _ in range(8)]
        for match in watched:
            Listener(match)
        for _ in range(40):
            await authority.create(small("person", "person"))
        assert len(authority._matches) <= 14
        assert all(authority._matches[match.id] is match for match in watched)

    tell(tmp_path, story)


# --- bots


class Failing(BotRunner):
    """Some bots fail whenever they are asked."""

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self._failing = failing
        self.asked: list[str] = []

    async def choose(self, match: Match, seat: int) -> str:
        level = match.seats[seat].bot or ""
        self.asked.append(level)
        if level in self._failing:
            raise BotFailure("it fell over", "crashed")
        return await super().choose(match, seat)


def test_a_bot_that_fails_is_replaced_and_the_players_are_told(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("novice", "person"))
        heard = Listener(match)
        await heard.until(lambda: match.to_move == (1,))
        seat = match.seats[0]
        assert (seat.bot, seat.failed and (seat.failed.bot, seat.failed.how)) == ("skilled", ("novice", "crashed"))
        told = visibility.state(match, (1,))["seats"][0]["failed"]
        assert told["sentence"] == "the bot novice has crashed: skilled plays on in its place"
        assert match.version == 3  # the tiles were laid, it was replaced, and the other one has played
        found = await Authority(store).find(match.id)
        assert visibility.state(found, (1,)) == visibility.state(match, (1,))

    tell(tmp_path, story, lambda: Failing("novice"))


class Odd:
    """A bot of ours that does what none of ours should do."""

    def __init__(self, how: str) -> None:
        self._how = how
        self.enough = threading.Event()

    def choose(self, record: Record, player: int, budget: Budget) -> Choice[str]:
        if self._how == "crashed":
            raise ZeroDivisionError
        if self._how == "late":
            self.enough.wait()
        return Choice("to be or not to be")


@pytest.mark.parametrize("how", ["crashed", "late", "nonsense"])
def test_one_of_ours_that_fails_is_replaced_like_any_other(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = Odd(how)
    monkeypatch.setattr(
        bot_runner, "bot", lambda game, name, *, seed: odd if name == "novice" else bot(game, name, seed=seed)
    )

    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("novice", "person"))
        # Whoever comes next may take as long as this machine needs.
        match.listeners.add(lambda *_: setattr(authority.bots, "_seconds", 60.0))
        heard = Listener(match)
        await heard.until(lambda: match.to_move == (1,))
        odd.enough.set()
        assert match.seats[0].bot == "skilled"
        assert match.seats[0].failed == FailedBot("novice", how, 1)

    tell(tmp_path, story, lambda: BotRunner(seconds=0.01 if how == "late" else 60))


def test_where_the_usual_bot_fails_too_any_legal_turn_is_played(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        match, _ = await authority.create(small("novice", "person"))
        heard = Listener(match)
        await heard.until(lambda: match.to_move == (1,))
        assert match.seats[0].bot == "random"
        assert match.version == 4
        # Also the version of every step is as it was, though a seat remembers only the last that failed.
        found = await Authority(store).find(match.id)
        assert found.version == 4

    tell(tmp_path, story, lambda: Failing("novice", "skilled"))


def test_where_every_bot_fails_nobody_is_asked_for_ever(tmp_path: Path) -> None:
    async def story(authority: Authority, store: Store) -> None:
        bots = authority.bots
        assert isinstance(bots, Failing)
        match, _ = await authority.create(small("novice", "person"))
        while authority._thinking:
            await asyncio.wait(authority._thinking)
        assert match.seats[0].bot == "random"
        assert bots.asked == ["novice", "skilled", "random"]

    tell(tmp_path, story, lambda: Failing("novice", "skilled", "random"))
