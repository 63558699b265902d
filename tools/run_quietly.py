"""Runs a command without its chatter; if it fails, says what went wrong in a line and where the whole story is.

quietly.py SENTENCE COMMAND...
"""

import pathlib
import re
import subprocess
import sys


def main() -> int:
    """Run the command; its exit status."""
    sentence, command = sys.argv[1], sys.argv[2:]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if result.returncode == 0:
        return 0
    log = pathlib.Path("build") / "failed.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text(result.stdout)
    reasons = [line.strip() for line in result.stdout.splitlines() if re.search(r"\berror\b[: ]", line, re.IGNORECASE)]
    first = f": {reasons[0][:160]}" if reasons else ""
    print(f"limina: {sentence}{first} (all of it is in {log})", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
