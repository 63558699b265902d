"""Positions, records, games and bots' common types: what every game and every front end builds on."""
