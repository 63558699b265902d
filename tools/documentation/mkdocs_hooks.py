"""What the documentation site has beside docs/: pages of the tree above it, the rules in each language, the reference.

A hook of MkDocs (see mkdocs.yml). Pages in docs/ are written for readers of the tree too, so their links lead to files
of the tree: those that have a page on the site lead there, and of others only the name is left.
"""

from __future__ import annotations

import json
import posixpath
import re
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from limina.core import registry
from limina.printing.rulebook import LANGUAGES

ROOT = Path(__file__).parents[2]
# Files of the tree, and what they are called on the site.
EXTRA_PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
}
# What a Python program may rely on, page by page: what they are about, and the modules.
REFERENCE = {
    "games": (
        "Games, positions, records",
        ["limina", "limina.core.game", "limina.core.capabilities", "limina.core.spec", "limina.core.record"],
    ),
    "limes": ("Limes", ["limina.limes", "limina.limes.par"]),
    "limit": ("Limit", ["limina.limit"]),
    "bots": ("Bots", ["limina.bots.base", "limina.bots", "limina.limes.bots", "limina.limit.bots"]),
    "arena": ("Arena and benchmark", ["limina.arena", "limina.arena.statistics", "limina.benchmark"]),
    "analysis": ("Analysis", ["limina.analysis"]),
    "rl": (
        "Environments and batches",
        ["limina.rl", "limina.rl.gym_env", "limina.rl.pettingzoo_env", "limina.rl.batch"],
    ),
}
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that do not lie in docs/."""
    for source, target in EXTRA_PAGES.items():
        text = (ROOT / source).read_text("utf-8")
        files.append(File.generated(config, target, content=_rewrite_links(text, source, target)))
    for name in registry.OURS:
        for language in LANGUAGES:
            for uri, content in _render_rules(name, language).items():
                if files.get_file_from_path(uri) is None:
                    files.append(File.generated(config, uri, content=content))
    for page, (title, modules) in REFERENCE.items():
        text = f"# {title}\n\n" + "\n".join(f"::: {module}\n" for module in modules)
        files.append(File.generated(config, f"reference/{page}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links to files of the tree lead to their pages."""
    uri = page.file.src_uri
    return markdown if page.file.generated_by else _rewrite_links(markdown, f"docs/{uri}", uri)


def _rewrite_links(text: str, source: str, target: str) -> str:
    """A text of the tree as a text of the site."""

    def rewrite(found: re.Match[str]) -> str:
        sign, words, path, anchor = found[1], found[2], found[3], found[4] or ""
        if "://" in path:
            return found[0]
        target_path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if target_path in EXTRA_PAGES:
            uri = EXTRA_PAGES[target_path]
        elif target_path.startswith("docs/"):
            uri = target_path.removeprefix("docs/")
        else:
            return words
        return f"{sign}[{words}]({posixpath.relpath(uri, posixpath.dirname(target) or '.')}{anchor})"

    return _LINK.sub(rewrite, text)


def _render_rules(name: str, language: str) -> dict[str, str]:
    """The rules of a game as the page tells them, and the pictures of their examples."""
    book = json.loads((files(f"limina.{name}") / "rulebook" / f"{language}.json").read_text("utf-8"))
    example = import_module(f"limina.{name}.rule_examples").example
    pages = {}
    lines = [f"# {book['title']}", book["lead"]]
    for section in book["sections"]:
        lines += [f"## {section['title']} {{ #{section['id']} }}", f"*{section['summary']}*", *section["details"]]
        lines += [f"> {text}" for text in section["ruling"]]
        for each in section["examples"]:
            picture = f"rules/img/{name}-{each['id']}.svg"
            pages[picture] = example(each["id"]).svg()
            lines += [f"![{each['caption']}](img/{name}-{each['id']}.svg)", f"*{each['caption']}*"]
    return {f"rules/{name}.{language}.md": "\n\n".join(lines) + "\n", **pages}
