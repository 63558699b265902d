"""Write the examples of the rules as the page draws them, all of them from true games: `make rule-examples`.

The other way goes the text of the rules: the printed sheet has a copy of the page's.
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
    """All examples of a game, one to a line."""
    return _format_lines([example.shown() for example in import_module(f"limina.{name}.rule_examples").examples()])


def slideshow_json(name: str) -> str:
    """Moments of a whole game, one to a line, for the little board of the start page."""
    return _format_lines(import_module(f"limina.{name}.rule_examples").moments())


def _format_lines(shown: list[dict[str, Any]]) -> str:
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in shown)
    return f"[\n{lines}\n]\n"


def main() -> None:
    """Write every game's examples; the same games always give the same files."""
    EXAMPLES_FOLDER.mkdir(parents=True, exist_ok=True)
    for name in registry.OURS:
        (EXAMPLES_FOLDER / f"{name}.json").write_text(examples_json(name), "utf-8")
        (WEB_SOURCES / "games" / name / "start" / "slideshow.json").write_text(slideshow_json(name), "utf-8")
        for language in LANGUAGES:
            text = (RULE_TEXTS_FOLDER / f"{name}.{language}.json").read_bytes()
            (ROOT / "src" / "limina" / name / "rulebook" / f"{language}.json").write_bytes(text)


if __name__ == "__main__":
    main()
