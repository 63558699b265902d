"""Properties of all positions that can be reached, tested on positions that hypothesis chooses."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from limina.limes import Deck, Turn
from limina.limes import Position as Limes
from limina.limit import Position as Limit
from limina.limit import Turn as LimitTurn

settings.register_profile("limina", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("limina")

zones = st.builds(
    "{}{}.{}".format, st.sampled_from("abcdefg"), st.integers(1, 7), st.sampled_from(["nw", "ne", "sw", "se"])
)
cells = st.builds("{}{}".format, st.sampled_from("abcdefg"), st.integers(1, 7))
tiles = st.builds("{}{}".format, st.sampled_from("abcdefghijklmnopqrstuvwxyz"), st.integers(0, 99))


@st.composite
def limes_turns(draw: st.DrawFn) -> Turn:
    cell, turning = draw(cells), draw(st.integers(0, 3))
    action = draw(st.sampled_from(["none", "place", "move"]))
    if action == "none":
        return Turn(cell, turning)
    if action == "place":
        return Turn(cell, turning, target=f"{cell}.{draw(st.sampled_from(['nw', 'ne', 'sw', 'se']))}")
    return Turn(cell, turning, draw(zones), draw(zones))


@st.composite
def limes_positions(draw: st.DrawFn) -> Limes:
    chance = Random(draw(st.integers(0, 2**32)))
    faces = [" ".join(chance.choice(["F", "F*", "W", "T", "T*", "R", "R*"]) for _ in range(4)) for _ in range(24)]
    deck = Deck(faces) if draw(st.booleans()) else None
    position = Limes.start(deck=deck, diagonal=draw(st.booleans()), ferryman=draw(st.booleans()))
    for _ in range(draw(st.integers(1, 16))):
        position = position.apply(position.draw_chance_step(chance))
        position = position.play(chance.choice(position.legal_turns()))
    return position


@st.composite
def limit_positions(draw: st.DrawFn) -> Limit:
    chance = Random(draw(st.integers(0, 2**32)))
    position = Limit.random(draw(st.integers(4, 10)), draw(st.integers(2, 3)), rng=chance)
    for _ in range(draw(st.integers(0, 12))):
        turns = position.legal_turns()
        if not turns:
            break
        position = position.play(chance.choice(turns))
    return position


@given(limes_turns())
def test_a_limes_turn_is_read_as_it_was_written(turn: Turn) -> None:
    assert Turn.read(str(turn)) == turn
    assert Turn.from_code(turn.code) == turn


@given(st.none() | tiles, tiles, st.none() | tiles)
def test_a_limit_turn_is_read_as_it_was_written(source: str | None, target: str, removed: str | None) -> None:
    turn = LimitTurn(source, target if source else None, removed)
    assert LimitTurn.read(str(turn)) == turn


@given(limes_positions())
def test_sixteen_cards_fill_a_square(position: Limes) -> None:
    columns, rows = ({cell[n] for cell in position.display().cells} for n in (0, 1))
    assert len(columns) <= 4
    assert len(rows) <= 4
    if position.round == 16:
        assert len(position.display().cells) == 16
        assert (len(columns), len(rows)) == (4, 4)
    else:
        assert position.display().open_cells, "a card can always be placed"


@given(limes_positions())
def test_each_zone_belongs_to_one_territory(position: Limes) -> None:
    display = position.display()
    territories = display.territories
    assert sorted(zone for territory in territories for zone in territory) == sorted(display.ground)
    for territory in territories:
        landscapes = {display.ground[zone].landscape for zone in territory}
        assert len(landscapes) == 1
        assert landscapes != {"R"} or len(territory) == 1


@given(limes_positions())
def test_the_points_of_a_worker_are_the_groups_that_it_counts(position: Limes) -> None:
    display = position.display()
    assert len(display.scores) + display.supply == 7
    assert display.total == sum(worker.points for worker in display.scores if worker.scored)
    for worker in display.scores:
        assert worker.zone in worker.territory
        assert frozenset(worker.territory) in set(display.territories)
        groups = {frozenset(group) for group in worker.counted}
        assert len(groups) == worker.points, "no group is counted twice"
        match worker.profession:
            case "farmer":
                assert frozenset().union(*groups) == set(worker.territory)
            case "fisherman":
                assert all(display.ground[zone].hut for group in groups for zone in group)
            case "woodcutter":
                assert groups <= set(display.territories)
                assert frozenset(worker.territory) not in groups
            case "watchman":
                assert all(display.ground[zone].landscape == "T" for group in groups for zone in group)


@given(limes_positions(), st.integers(0, 2**32))
def test_a_turn_that_moves_no_worker_is_always_legal(position: Limes, seed: int) -> None:
    if position.awaits_chance:
        position = position.apply(position.draw_chance_step(Random(seed)))
        turns = {str(turn) for turn in position.legal_turns()}
        plain = [t for t in turns if Turn.read(t).source is None]
        assert plain, "placing the card without moving a worker is always allowed"


@given(limit_positions())
def test_no_group_is_without_freedom_after_a_turn(position: Limit) -> None:
    for player in range(position.players):
        for pawn in position.pawns(player):
            assert position.freedoms(pawn), f"{pawn} should have been captured"


@given(limit_positions())
def test_the_tiles_are_connected_and_all_pawns_stand_on_tiles(position: Limit) -> None:
    standing = [pawn for player in range(position.players) for pawn in position.pawns(player)]
    assert len(standing) == len(set(standing))
    assert set(standing) <= set(position.tiles)
    cells = {(ord(name[0]), int(name[1:])) for name in position.tiles}
    reached, edge = set(), {min(cells)}
    while edge:
        reached |= edge
        steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
        edge = {(q + dq, r + dr) for q, r in edge for dq, dr in steps} & cells - reached
    assert reached == cells


@given(limit_positions(), st.integers(0, 2**32))
def test_a_turn_removes_the_tiles_and_pawns_that_it_reports(position: Limit, seed: int) -> None:
    turns = position.legal_turns()
    if not turns:
        return
    turn = Random(seed).choice(turns)
    after = position.play(turn)
    assert after.last_turn is not None
    gone = set(position.tiles) - set(after.tiles)
    assert gone == {name for name, _ in after.last_turn.sunk}
    assert (turn.removed in gone) if turn.removed else not gone
    before = sum(len(position.pawns(player)) for player in range(position.players))
    left = sum(len(after.pawns(player)) for player in range(position.players))
    assert before - left == len(after.last_turn.captured)
    if position.board.captures_forbidden:
        assert before == left


@given(st.integers(4, 16), st.integers(2, 3), st.integers(0, 2**32))
@settings(max_examples=40)
def test_a_random_layout_follows_the_setup_rules(size: int, players: int, seed: int) -> None:
    layout = Limit.random(size, players, rng=Random(seed)).layout
    assert Limit.from_layout(layout, players).layout == layout
    assert min(layout)[0] == "a"
    assert len(layout) == 4 * size
