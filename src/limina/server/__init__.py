"""The server: matches of people and bots, saved before anyone is told.

Rooms, from the ground floor up: `errors` and `settings`, `storage` (the database), `matches` (what is legal, saved and
seen), `wire` (the shapes that go over it), `analysis` (reviews and hints), `web` (HTTP and sockets), `run`.
"""
