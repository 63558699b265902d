"""The server: matches of people and bots, which are published only when they are saved.

`model`, `errors` and `settings` are below all packages: `storage` (the database), `jobs` (the queue and its workers),
`matches` (what is legal, saved and visible), `schemas` (requests, responses and messages), `analysis` (reviews and
hints), `network`, `monitoring` and `page` (protocols with limits, metrics, files), `live` (sockets) and `api` (HTTP).
"""
