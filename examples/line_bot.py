"""A bot as a program: it imports nothing of limina and speaks the lines of docs/engine-protocol.md.

It asks for the legal turns and plays one of them by chance, the same for the same seed.
"""

import json
import random
import sys


def main() -> None:
    """Answer line by line until there are no more."""
    chance = random.Random()
    turns: list[str] = []
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "limina":
            say("name line bot")
            say("wants legal")
            say("ready")
        elif command == "new":
            _game, seed = rest.split()
            chance = random.Random(int(seed))
            say("ready")
        elif command == "legal":
            turns = json.loads(rest)
        elif command == "go":
            say(f"turn {chance.choice(turns)}")
        elif command == "quit":
            return


def say(line: str) -> None:
    """Write a line and send it at once: an answer that waits in a buffer is never heard."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
