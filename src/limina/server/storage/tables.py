"""The tables: matches, their events, the keys of seats, reviews, decks. What is here is changed by migrations only."""

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
    # Since when a bot is to move, if one is: so its turn is found when whoever was to see to it is gone.
    Column("bot_since", BigInteger, nullable=True),
)
Index(
    "ix_matches_bot_since",
    matches.c.bot_since,
    sqlite_where=matches.c.bot_since.is_not(None),
    postgresql_where=matches.c.bot_since.is_not(None),
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
