"""A hook of MkDocs (see mkdocs.yml) that adds pages which are not in docs/ to the documentation site.

These are files of the repository's root, the rules in each language, and the API reference. Links in docs/ are relative
to the repository. The hook rewrites links to files that have a page on the site, and replaces other links to files by
their text.
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
# Files of the repository by path, and their pages on the site.
EXTRA_PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "SECURITY.md": "security.md",
    "examples/README.md": "examples.md",
}
# The pages of the API reference: title and public modules.
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
    """Add the pages that are not in docs/."""
    for source, target in EXTRA_PAGES.items():
        text = (ROOT / source).read_text("utf-8")
        files.append(File.generated(config, target, content=_rewrite_links(text, source, target)))
    for name in registry.BUILTIN_GAMES:
        for language in LANGUAGES:
            for uri, content in _render_rules(name, language).items():
                if files.get_file_from_path(uri) is None:
                    files.append(File.generated(config, uri, content=content))
    for page, (title, modules) in REFERENCE.items():
        text = f"# {title}\n\n" + "\n".join(f"::: {module}\n" for module in modules)
        files.append(File.generated(config, f"reference/{page}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Rewrite the links to files of the repository."""
    uri = page.file.src_uri
    return markdown if page.file.generated_by else _rewrite_links(markdown, f"docs/{uri}", uri)


def _rewrite_links(text: str, source: str, target: str) -> str:
    """Return a text of the repository with its links rewritten for the site."""

    def rewrite(link: re.Match[str]) -> str:
        sign, label, path, anchor = link[1], link[2], link[3], link[4] or ""
        if "://" in path:
            return link[0]
        target_path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if target_path in EXTRA_PAGES:
            uri = EXTRA_PAGES[target_path]
        elif target_path.startswith("docs/"):
            uri = target_path.removeprefix("docs/")
        else:
            return label
        return f"{sign}[{label}]({posixpath.relpath(uri, posixpath.dirname(target) or '.')}{anchor})"

    return _LINK.sub(rewrite, text)


def _render_rules(name: str, language: str) -> dict[str, str]:
    """Return the page of the rules of a game in a language, and the pictures of its examples, by URI."""
    book = json.loads((files(f"limina.{name}") / "rulebook" / f"{language}.json").read_text("utf-8"))
    example = import_module(f"limina.{name}.rule_examples").example
    pages = {}
    lines = [f"# {book['title']}", book["lead"]]
    for section in book["sections"]:
        lines += [f"## {section['title']} {{ #{section['id']} }}", f"*{section['summary']}*", *section["details"]]
        lines += [f"> {text}" for text in section["ruling"]]
        for entry in section["examples"]:
            pages[f"rules/img/{name}-{entry['id']}.svg"] = example(entry["id"]).svg()
            lines += [f"![{entry['caption']}](img/{name}-{entry['id']}.svg)", f"*{entry['caption']}*"]
    return {f"rules/{name}.{language}.md": "\n\n".join(lines) + "\n", **pages}
