"""The tables: matches, their seats, their steps, and reviews. Nothing here is changed once a migration has made it."""

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
    true,
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
    Column("hidden", Boolean, nullable=False),
    # All that chance will do, as far as that is known in advance, and the salt: these leave the server only when the
    # game is over.
    Column("secret_order", Text, nullable=False),
    Column("secret_salt", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    # How many things happened beside the steps: seats taken, a rematch begun.
    Column("changes", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("rematch", String(32), ForeignKey("matches.id"), nullable=True),
    Column("spectators", Boolean, nullable=False, server_default=true()),
)

seats = Table(
    "seats",
    metadata,
    Column("match", String(32), ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(6), nullable=False),
    Column("name", String(40), nullable=False),
    Column("bot", String(40), nullable=True),
    # SHA-256 of the key of whoever sits here, in hexadecimal.
    Column("key_hash", String(64), nullable=True),
    # The bot that sat here and failed, how, and after how many steps another took its place.
    Column("failed_bot", String(40), nullable=True),
    Column("failed_how", String(10), nullable=True),
    Column("failed_at", Integer, nullable=True),
    Index(None, "key_hash"),
)

steps = Table(
    "steps",
    metadata,
    Column("match", String(32), ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    # Who did it; null for chance.
    Column("player", Integer, nullable=True),
    Column("text", Text, nullable=False),
    # The key that came with the turn, so that a retry is known even after a restart.
    Column("turn_key", String(64), nullable=True),
    Column("at", BigInteger, nullable=False),
    # The version of the match that it led to: how many things had happened in it then, steps and others.
    Column("version", Integer, nullable=False),
    UniqueConstraint("match", "turn_key"),
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
