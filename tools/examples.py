"""Write the examples of the rules as the page draws them, all of them from true games: `make examples`.

The other way goes the text of the rules: the printed sheet has a copy of the page's.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from limina.core import registry

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "web" / "src"
TEXTS = PAGE / "rules"
HERE = TEXTS / "examples"
LANGUAGES = ("en", "de", "fr")


def made(name: str) -> str:
    """All examples of a game, one to a line."""
    return _lines([example.shown() for example in import_module(f"limina.{name}.rule_examples").examples()])


def moments(name: str) -> str:
    """Moments of a whole game, one to a line, for the little board of the start page."""
    return _lines(import_module(f"limina.{name}.rule_examples").moments())


def _lines(shown: list[dict[str, Any]]) -> str:
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in shown)
    return f"[\n{lines}\n]\n"


def main() -> None:
    """Write every game's examples; the same games always give the same files."""
    HERE.mkdir(parents=True, exist_ok=True)
    for name in registry.OURS:
        (HERE / f"{name}.json").write_text(made(name), "utf-8")
        (PAGE / "games" / name / "start" / "slideshow.json").write_text(moments(name), "utf-8")
        for language in LANGUAGES:
            text = (TEXTS / f"{name}.{language}.json").read_bytes()
            (ROOT / "src" / "limina" / name / "rulebook" / f"{language}.json").write_bytes(text)


if __name__ == "__main__":
    main()
