"""Print requirements of pyproject.toml, one per line.

`print_requirements.py EXTRA...` prints those of the extras with their versions and hashes from constraints.txt; the
extra `build` includes the requirements of [build-system]. Without an extra it prints all requirements as declared.
"""

import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).parents[1]


def canonical_name(name: str) -> str:
    """Return the normalized name of a package, as constraints.txt has it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_lock() -> dict[str, list[str]]:
    """Return version, marker and hashes by package name: several entries if the version depends on markers."""
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
            *(requirement for extra in extras.values() for requirement in extra),
        ]:
            print(requirement)
        return
    entries = read_lock()
    for requirement in (requirement for extra in sys.argv[1:] for requirement in extras[extra]):
        match = re.match(r"([\w.-]+)(\[.*?\])?", requirement)
        assert match, requirement
        if canonical_name(match[1]) not in entries:
            sys.exit(f"error: constraints.txt has no {match[1]}: run `make lock`")
        for entry in entries[canonical_name(match[1])]:
            print(f"{match[0]}{entry}")


if __name__ == "__main__":
    main()
