"""Run a command and hide its output; if it fails, print one line with the first error and the log file.

run_quietly.py SENTENCE COMMAND...
"""

import pathlib
import re
import subprocess
import sys


def main() -> int:
    """Run the command; return 1 if it fails."""
    sentence, command = sys.argv[1], sys.argv[2:]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if result.returncode == 0:
        return 0
    log = pathlib.Path("build") / "failed.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text(result.stdout)
    errors = [line.strip() for line in result.stdout.splitlines() if re.search(r"\berror\b[: ]", line, re.IGNORECASE)]
    first = f": {errors[0][:160]}" if errors else ""
    print(f"limina: {sentence}{first} (the whole output is in {log})", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
