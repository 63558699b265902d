"""Schemas of requests, responses and socket messages."""
