"""Write the examples of the rules for the page, from positions of played games: `make rule-examples`.

Also copy the texts of the rules from the page to the package, for the printed rules.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from limina.core import registry

ROOT = Path(__file__).parents[2]
WEB_SOURCES = ROOT / "web" / "src"
RULE_TEXTS_FOLDER = WEB_SOURCES / "rules"
EXAMPLES_FOLDER = RULE_TEXTS_FOLDER / "examples"
LANGUAGES = ("en", "de", "fr")


def examples_json(name: str) -> str:
    """Return all examples of a game as JSON, one per line."""
    return _format_lines([example.to_json() for example in import_module(f"limina.{name}.rule_examples").examples()])


def slideshow_json(name: str) -> str:
    """Return positions of a whole game as JSON, one per line, for the small board of the start page."""
    return _format_lines(import_module(f"limina.{name}.rule_examples").slideshow())


def _format_lines(items: list[dict[str, Any]]) -> str:
    lines = ",\n".join(json.dumps(item, separators=(",", ":")) for item in items)
    return f"[\n{lines}\n]\n"


def main() -> None:
    """Write the examples of all games. The files depend only on the examples in the package."""
    EXAMPLES_FOLDER.mkdir(parents=True, exist_ok=True)
    for name in registry.BUILTIN_GAMES:
        (EXAMPLES_FOLDER / f"{name}.json").write_text(examples_json(name), "utf-8")
        (WEB_SOURCES / "games" / name / "start" / "slideshow.json").write_text(slideshow_json(name), "utf-8")
        for language in LANGUAGES:
            text = (RULE_TEXTS_FOLDER / f"{name}.{language}.json").read_bytes()
            (ROOT / "src" / "limina" / name / "rulebook" / f"{language}.json").write_bytes(text)


if __name__ == "__main__":
    main()
