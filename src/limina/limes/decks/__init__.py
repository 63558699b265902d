"""Decks of Limes: 24 card faces, their file format, and a trial of a deck by bots."""
