"""Print requirements of pyproject.toml, one a line.

`requirements.py EXTRA...` prints those of the extras, with the versions and hashes of constraints.txt; `build` includes
what [build-system] requires. Without an extra it prints everything as it is declared.
"""

import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).parents[1]


def canonical_name(name: str) -> str:
    """Return the name by which constraints.txt knows a package."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_lock() -> dict[str, list[str]]:
    """Return what follows each package's name in constraints.txt: version, marker and hashes."""
    entries: dict[str, list[str]] = {}
    text = (ROOT / "constraints.txt").read_text("utf-8").replace("\\\n", "")
    for name, rest in re.findall(r"^([\w.-]+)(==.+)$", text, flags=re.MULTILINE):
        entries.setdefault(canonical_name(name), []).append(" ".join(rest.split()))
    return entries


def main() -> None:
    """Print the requirements."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]
    extras["build"] += project["build-system"]["requires"]
    if len(sys.argv) == 1:
        for requirement in [
            *project["project"]["dependencies"],
            *(each for extra in extras.values() for each in extra),
        ]:
            print(requirement)
        return
    entries = read_lock()
    for requirement in (each for extra in sys.argv[1:] for each in extras[extra]):
        match = re.match(r"([\w.-]+)(\[.*?\])?", requirement)
        assert match, requirement
        if canonical_name(match[1]) not in entries:
            sys.exit(f"error: constraints.txt has no {match[1]}: run `make lock`")
        for entry in entries[canonical_name(match[1])]:
            print(f"{match[0]}{entry}")


if __name__ == "__main__":
    main()
