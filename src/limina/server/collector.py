"""How often Python's garbage collector looks through a server's memory."""

import gc


def tune_collector() -> None:
    """To be called once all that stays is there."""
    # It need not be looked at again and again.
    gc.freeze()
    # Matches are many small objects that live long: looking through all of them seldom is enough. What is new is looked
    # through in small portions, since everybody waits meanwhile: 5,000 take 6 ms, 20,000 took 40.
    gc.set_threshold(5_000, 50, 400)
