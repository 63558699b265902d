"""Columns, tables and stored words get the names of the glossary. No data are added or removed."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_COLUMNS = {
    "matches": {
        "hidden": "hidden_turns",
        "spectators": "allow_spectators",
        "secret_order": "secret_chance_outcomes",
        "created": "created_at",
        "over": "is_over",
    },
    "reviews": {"key": "review_id", "version": "limina_version", "made": "created_at"},
    "decks": {"used": "used_at"},
}
_EVENT_KINDS = {
    "seated": "seat_taken",
    "replaced": "bot_replaced",
    "drawn": "chance",
    "played": "turn",
    "taken_back": "take_back",
}
# In the JSON of json.dumps only a name is followed by a colon, and quotation marks in texts are escaped: so no text
# that a person entered, such as a name, can contain one of these.
_SEAT_JSON = {
    '"key_hash": ': '"token_hash": ',
    '"how": "late"': '"kind": "timeout"',
    '"how": "nonsense"': '"kind": "illegal_turn"',
    '"how": "gone"': '"kind": "unavailable"',
    '"how": ': '"kind": ',
    '"at": ': '"step_count": ',
}


def upgrade() -> None:
    """Rename columns in place; copy the events and seat tokens into tables with the new names and words."""
    op.drop_index("ix_reviews_made", table_name="reviews")
    op.drop_index("ix_decks_used", table_name="decks")
    for table, columns in _COLUMNS.items():
        for old, new in columns.items():
            # Not alter_column: for SQLite, Alembic would copy the table and drop one that events refer to.
            op.execute(f'ALTER TABLE {table} RENAME COLUMN "{old}" TO {new}')
    op.create_index("ix_reviews_created_at", "reviews", ["created_at"])
    op.create_index("ix_decks_used_at", "decks", ["used_at"])
    _copy_seat_tokens()
    _copy_events()


def _copy_seat_tokens() -> None:
    op.create_table(
        "seat_tokens",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("match_id", sa.String(32), nullable=False),
        sa.Column("seat_index", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", "match_id", "seat_index", name="pk_seat_tokens"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seat_tokens_match_id"),
    )
    op.execute('INSERT INTO seat_tokens (token_hash, match_id, seat_index) SELECT key_hash, "match", seat FROM keys')
    op.drop_table("keys")


def _copy_events() -> None:
    op.rename_table("events", "former_events")
    if op.get_bind().dialect.name == "postgresql":  # where the name of a primary key is that of its index
        op.drop_constraint("pk_events", "former_events")
    op.create_table(
        "events",
        sa.Column("match_id", sa.String(32), nullable=False),
        sa.Column("event_index", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat_index", sa.Integer, nullable=True),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("idempotency_key", sa.String(64), nullable=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "event_index", name="pk_events"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_events_match_id"),
        sa.UniqueConstraint("match_id", "idempotency_key", name="uq_events_match_id_idempotency_key"),
    )
    kind = " ".join(f"WHEN '{old}' THEN '{new}'" for old, new in _EVENT_KINDS.items())
    payload = "text"
    for old, new in _SEAT_JSON.items():
        payload = f"replace({payload}, '{old}', '{new}')"
    statement = (
        "INSERT INTO events (match_id, event_index, kind, seat_index, payload, idempotency_key, created_at) "
        f'SELECT "match", number, CASE kind {kind} ELSE kind END, seat, '
        f"CASE WHEN kind IN ('created', 'seated', 'replaced') THEN {payload} ELSE text END, turn_key, \"at\" "
        "FROM former_events"
    )
    op.get_bind().exec_driver_sql(statement)  # a colon in it does not begin the name of a parameter
    op.drop_table("former_events")
