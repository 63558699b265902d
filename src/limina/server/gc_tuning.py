"""Tune Python's garbage collector for a server."""

import gc


def tune_garbage_collector() -> None:
    """Run the garbage collector rarely. Call this when all long-lived objects exist."""
    gc.freeze()  # never scan the objects that exist now
    # Matches are many small objects that live long, so full collections are rare. Young objects are scanned twice, in
    # small portions, because a collection blocks all clients: 7 ms for 6,000 objects, 107 ms for 250,000.
    gc.set_threshold(2_000, 2, 25_000)
