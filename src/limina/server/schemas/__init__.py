"""The shapes of requests, responses and socket messages."""
