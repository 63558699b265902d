"""A match is a log: steps, seats and whatever else happened become events with numbers."""

import json
from collections import defaultdict
from itertools import cycle, groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_OLD = ("matches", "seats", "steps")
_AT_ONCE = 500


def upgrade() -> None:
    """Put the old tables aside, make the new ones and fill them."""
    op.drop_index("ix_seats_key_hash", table_name="seats")
    for name in _OLD:
        op.execute(f"CREATE TABLE old_{name} AS SELECT * FROM {name}")
    for name in reversed(_OLD):
        op.drop_table(name)
    matches, events, keys = _make_tables()
    connection = op.get_bind()
    old = sa.MetaData()
    old.reflect(connection, only=[f"old_{name}" for name in _OLD])
    found = connection.execute(sa.select(old.tables["old_matches"])).all()
    seats = _by_match(connection, old.tables["old_seats"], "seat")
    for place in range(0, len(found), _AT_ONCE):
        some = found[place : place + _AT_ONCE]
        steps = _by_match(connection, old.tables["old_steps"], "number", [row.id for row in some])
        logs = {row.id: _log(row, seats[row.id], steps[row.id]) for row in some}
        op.bulk_insert(matches, [_match(row, logs[row.id]) for row in some])
        op.bulk_insert(events, [{"match": match, **event} for match, log in logs.items() for event in log])
        held = [seat for row in some for seat in seats[row.id] if seat.key_hash is not None]
        op.bulk_insert(keys, [{"key_hash": seat.key_hash, "match": seat.match, "seat": seat.seat} for seat in held])
    for name in _OLD:
        op.drop_table(f"old_{name}")


def _make_tables() -> tuple[sa.Table, sa.Table, sa.Table]:
    matches = op.create_table(
        "matches",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.Column("spectators", sa.Boolean, nullable=False),
        sa.Column("secret_order", sa.Text, nullable=False),
        sa.Column("secret_salt", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    events = op.create_table(
        "events",
        sa.Column("match", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("turn_key", sa.String(64), nullable=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "number", name="pk_events"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_events_match"),
        sa.UniqueConstraint("match", "turn_key", name="uq_events_match_turn_key"),
    )
    keys = op.create_table(
        "keys",
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("match", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", "match", "seat", name="pk_keys"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_keys_match"),
    )
    assert matches is not None
    assert events is not None
    assert keys is not None
    return matches, events, keys


def _by_match(connection: Any, table: sa.Table, order: str, only: list[str] | None = None) -> defaultdict[str, list]:
    query = sa.select(table).order_by(table.c.match, table.c[order])
    if only is not None:
        query = query.where(table.c.match.in_(only))
    rows = groupby(connection.execute(query), attrgetter("match"))
    return defaultdict(list, {match: list(its) for match, its in rows})


def _match(row: Any, log: list[dict[str, Any]]) -> dict[str, Any]:
    try:
        start = json.loads(row.start)
        options = start.pop("chosen", {})
    except (ValueError, AttributeError, TypeError):  # damaged, and it stays so: the others are none the worse for it
        written, options = row.start, {}
    else:
        written = json.dumps(start)
    kept = ("id", "game", "secret_order", "secret_salt", "created")
    flags = {name: bool(getattr(row, name)) for name in ("hidden", "spectators", "over")}
    version = log[-1]["number"]
    values = {name: getattr(row, name) for name in kept}
    return {**values, **flags, "start": written, "options": json.dumps(options), "version": version}


def _log(row: Any, seats: list[Any], steps: list[Any]) -> list[dict[str, Any]]:
    """All events of a match, with the numbers that its versions had.

    Steps say their version; the numbers between are those of what else happened. A rematch came last, and a seat knows
    after how many steps its bot was replaced, if only for the last time. All others were seats that were taken, we do
    not know which: those that have somebody now, from the last one on, are as good as any, since only who sits there
    in the end can be seen.
    """
    log = [_event(each.version, _kind(each.player), each.at, each.player, each.text, each.turn_key) for each in steps]
    taken = {each.version for each in steps}
    other = [number for number in range(1, len(steps) + row.changes + 1) if number not in taken]
    if row.rematch is not None and other:
        log.append(_event(other.pop(), "rematch", steps[-1].at if steps else row.created, None, row.rematch))
    first = {each.seat: _seat(each) for each in seats}
    replaced = {}
    for each in sorted((each for each in seats if each.failed_bot), key=attrgetter("failed_at"), reverse=True):
        after = steps[min(each.failed_at, len(steps)) - 1].version if each.failed_at > 0 and steps else 0
        later = [number for number in other if number > after] or other[-1:]
        if later:
            other.remove(later[0])
            replaced[each.seat] = later[0]
            log.append(_event(later[0], "replaced", _time(row, steps, later[0]), each.seat, json.dumps([_seat(each)])))
            first[each.seat] = {"kind": "bot", "name": each.failed_bot, "bot": each.failed_bot}
    opened = set()
    begun = min((each.version for each in steps if each.player is not None), default=len(taken) + row.changes + 1)
    candidates = [each for each in seats if each.kind != "open"] or seats
    for number, each in zip(reversed(other), cycle(reversed(candidates))):
        sits = _seat(each) if replaced.get(each.seat, number) < number else first[each.seat]
        log.append(_event(number, "seated", _time(row, steps, number), each.seat, json.dumps([sits])))
        if number < begun:
            opened.add(each.seat)
    sitting = [{"kind": "open", "name": ""} if each.seat in opened else first[each.seat] for each in seats]
    log.append(_event(0, "created", row.created, None, json.dumps(sitting)))
    return sorted(log, key=lambda event: event["number"])


def _kind(player: int | None) -> str:
    return "drawn" if player is None else "played"


def _event(number: int, kind: str, at: int, seat: int | None, text: str, key: str | None = None) -> dict[str, Any]:
    return {"number": number, "kind": kind, "seat": seat, "text": text, "turn_key": key, "at": at}


def _time(row: Any, steps: list[Any], number: int) -> int:
    """When something happened at the latest: with the step before it."""
    times: list[int] = [each.at for each in steps if each.version < number]
    return times[-1] if times else int(row.created)


def _seat(row: Any) -> dict[str, Any]:
    seat = {"kind": row.kind, "name": row.name}
    if row.bot is not None:
        seat["bot"] = row.bot
    if row.key_hash is not None:
        seat["key_hash"] = row.key_hash
    if row.failed_bot is not None:
        seat["failed"] = {"bot": row.failed_bot, "how": row.failed_how, "at": row.failed_at}
    return seat
