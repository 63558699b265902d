"""The tables of the database. A migration changes them, and this module in the same commit."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    # The part of the record before the first step, as JSON: options, deck or layout.
    Column("start", Text, nullable=False),
    # The options that were chosen, as JSON.
    Column("options", Text, nullable=False),
    Column("hidden_turns", Boolean, nullable=False),
    Column("allow_spectators", Boolean, nullable=False),
    # All outcomes of chance that are decided in advance, and the salt of the commitment. Both stay on the server until
    # the game is over.
    Column("secret_chance_outcomes", Text, nullable=False),
    Column("secret_salt", String(64), nullable=False),
    # Milliseconds since 1970, like all times.
    Column("created_at", BigInteger, nullable=False),
    # The index of the last event. An append names the version that it builds on.
    Column("version", Integer, nullable=False),
    Column("is_over", Boolean, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("match_id", String(32), ForeignKey("matches.id"), primary_key=True),
    Column("event_index", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("seat_index", Integer, nullable=True),
    # The step, the id of the rematch, the number of steps that a take-back leaves, or seats as JSON.
    Column("payload", Text, nullable=False),
    # A retry of a turn is recognized by it, also after a restart.
    Column("idempotency_key", String(64), nullable=True),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("match_id", "idempotency_key"),
)

# An index of the seats in the events, to find the matches of a seat token.
seat_tokens = Table(
    "seat_tokens",
    metadata,
    # SHA-256 of the seat token, in hexadecimal.
    Column("token_hash", String(64), primary_key=True),
    Column("match_id", String(32), ForeignKey("matches.id"), primary_key=True),
    Column("seat_index", Integer, primary_key=True),
)

reviews = Table(
    "reviews",
    metadata,
    # The id of a match, or the hash of a record.
    Column("review_id", String(80), primary_key=True),
    # Reviews of other versions are not reused.
    Column("limina_version", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    # JSON lines, compressed.
    Column("lines", LargeBinary, nullable=False),
    Index(None, "created_at"),
)

decks = Table(
    "decks",
    metadata,
    # A hash of the faces.
    Column("id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    # As JSON.
    Column("faces", Text, nullable=False),
    # The last time that the deck was shared or, to the day, loaded by its link.
    Column("used_at", BigInteger, nullable=False),
    Index(None, "used_at"),
)

# Work for job workers. The job of a bot's turn is written by the append that makes it due, and removed by the append
# that plays it.
jobs = Table(
    "jobs",
    metadata,
    Column("job_id", String(180), primary_key=True),
    # The name of the handler.
    Column("kind", String(16), nullable=False),
    # Jobs of a pool share the limits on how many run and wait.
    Column("pool", String(16), nullable=False),
    # Keyed hash of the client whose request led to the job.
    Column("client", String(64), nullable=False),
    # Expected processor time in milliseconds.
    Column("cost", Integer, nullable=False),
    # A claim ends at `claimed_until`, unless it is renewed.
    Column("due_at", BigInteger, nullable=False),
    Column("watched_until", BigInteger, nullable=False),
    Column("claimed_by", String(32), nullable=False),
    Column("claimed_until", BigInteger, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Index(None, "pool", "client"),
)

# Lines that jobs have written, until the requester has read them. They are not part of backups.
job_output = Table(
    "job_output",
    metadata,
    Column("job_id", String(180), primary_key=True),
    Column("line_index", Integer, primary_key=True),
    Column("line", LargeBinary, nullable=False),
    Column("written_at", BigInteger, nullable=False),
    info={"transient": True},
)

# Random keys that all servers of the database share. They are not part of backups.
secrets = Table(
    "secrets",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", LargeBinary, nullable=False),
    info={"transient": True},
)

TRANSIENT = {table.name for table in metadata.sorted_tables if table.info.get("transient")}
STORED = [table for table in metadata.sorted_tables if not table.info.get("transient")]
"""The tables that a backup restores."""
