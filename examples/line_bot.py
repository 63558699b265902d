"""A bot as a program: it implements docs/engine-protocol.md without importing limina.

It asks for the legal turns and plays a random one. Equal seeds lead to equal turns.
"""

import json
import random
import sys


def main() -> None:
    """Answer lines until `quit` or the end of the input."""
    rng = random.Random()
    turns: list[str] = []
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "limina":
            write_line("name line bot")
            write_line("wants legal")
            write_line("ready")
        elif command == "new":
            _game, seed = rest.split()
            rng = random.Random(int(seed))
            write_line("ready")
        elif command == "legal":
            turns = json.loads(rest)
        elif command == "go":
            write_line(f"turn {rng.choice(turns)}")
        elif command == "quit":
            return


def write_line(line: str) -> None:
    """Write a line and flush the buffer, since the host waits for the answer."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
