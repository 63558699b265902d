"""How often Python's garbage collector looks through a server's memory."""

import gc


def tune_garbage_collector() -> None:
    """To be called once all that stays is there."""
    # It need not be looked at again and again.
    gc.freeze()
    # Matches are many small objects that live long: looking through all of them seldom is enough. What is new is looked
    # through twice, in small portions, since everybody waits meanwhile: of 6,000 for 7 ms, of 250,000 for 107.
    gc.set_threshold(2_000, 2, 25_000)
