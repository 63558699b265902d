"""The server: matches of people and bots, saved before anyone is told.

Who may know whom, left not knowing right: `schemas|tables, store, play, live|routes, app`.
"""
