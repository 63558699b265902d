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
    # The record's own part before the first step: options, deck or layout, as JSON.
    Column("start", Text, nullable=False),
    # The options as they were chosen, as JSON.
    Column("options", Text, nullable=False),
    Column("hidden", Boolean, nullable=False),
    Column("spectators", Boolean, nullable=False),
    # All that chance will do, as far as that is known in advance, and the salt: these leave the server only when the
    # game is over.
    Column("secret_order", Text, nullable=False),
    Column("secret_salt", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    # The number of its last event: whoever adds events says which one they build on.
    Column("version", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("match", String(32), ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("seat", Integer, nullable=True),
    # The step, the rematch's id, how many steps are left, or who sits down, as JSON.
    Column("text", Text, nullable=False),
    # The key that came with the turn, so that a retry is known even after a restart.
    Column("turn_key", String(64), nullable=True),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("match", "turn_key"),
)

# Who holds which key follows from the events; here it can be found by the key.
keys = Table(
    "keys",
    metadata,
    # SHA-256 of the key of whoever sits there, in hexadecimal.
    Column("key_hash", String(64), primary_key=True),
    Column("match", String(32), ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
)

reviews = Table(
    "reviews",
    metadata,
    # The match, or the hash of a record that was sent.
    Column("key", String(80), primary_key=True),
    # Which limina made it: another one may think better.
    Column("version", String(40), nullable=False),
    Column("made", BigInteger, nullable=False),
    # Its lines as they were told, compressed.
    Column("lines", LargeBinary, nullable=False),
    Index(None, "made"),
)

decks = Table(
    "decks",
    metadata,
    # It follows from the faces.
    Column("id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    # As JSON.
    Column("faces", Text, nullable=False),
    # When somebody last shared it or, to the day, had it by its link.
    Column("used", BigInteger, nullable=False),
    Index(None, "used"),
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
    # Times are milliseconds since 1970. A claim has ended when its time is over.
    Column("due_at", BigInteger, nullable=False),
    Column("watched_until", BigInteger, nullable=False),
    Column("claimed_by", String(32), nullable=False),
    Column("claimed_until", BigInteger, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Index(None, "pool", "client"),
)

# Lines that jobs have written, for the processes that read them. They are not part of backups.
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
