"""Prints what pyproject.toml asks for, one requirement a line: requirements.py EXTRA...

`build` is what the kernel is built with: the extra, and what pip would fetch for each build anew.
"""

import pathlib
import sys
import tomllib


def main() -> None:
    """Print the requirements of the named extras."""
    project = tomllib.loads((pathlib.Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    for extra in sys.argv[1:]:
        wanted = project["project"]["optional-dependencies"][extra]
        print(*(project["build-system"]["requires"] if extra == "build" else []), *wanted, sep="\n")


if __name__ == "__main__":
    main()
