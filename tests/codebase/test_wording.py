"""Identifiers, docstrings and texts use the words of the field (see docs/glossary.md)."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from functools import cache

from support import ROOT

CODE_FOLDERS = ("bench/", "examples/", "kernel/", "src/", "tests/", "tools/", "web/src/", "web/tests/")
DOCSTRING_FOLDERS = ("src/", "tools/", "tests/support/")
CODE_SUFFIXES = (".cpp", ".hpp", ".py", ".svelte", ".ts")
TEXT_SUFFIXES = (*CODE_SUFFIXES, ".en.json", ".html", ".md", ".sh", ".toml", ".yml", "CMakeLists.txt", "Makefile")
# Generated files, translations, records of the past, and this file.
IGNORED = re.compile(
    r"tests/codebase/test_wording\.py|web/src/lib/api/schema\..*|web/src/messages/(de|fr)/.*|CHANGELOG\.md"
    r"|src/limina/_kernel/.*\.pyi|.*/versions/.*"
)

BANNED_PREFIX = re.compile(r"_*(MOST|LEAST)_")
BANNED_NAMES = {"asked", "each", "found", "how", "kept", "made", "said", "told", "wanted", "worth"}
BANNED_NAME_PARTS = {
    *("crew", "everybody", "heed", "kept", "nobody", "rival", "rivals", "said", "somebody", "stranger", "strangers"),
    *("told", "wanted", "whoever"),
}
BANNED_FIRST_WORDS = re.compile(r"(Whether|What|Who|Whom|Whose|How|Where|Of|That|The same)\b")
BANNED_WORDS = re.compile(
    r"\b(whoever|nobody|somebody|everybody|houses?|rooms?|(?<!\.)floors?|crews?|strangers?|told|kept|heeds?|bells?|rivals?)\b",
    re.IGNORECASE,
)
# Ordinary uses of banned words: file or folder, and phrase.
ALLOWED_PHRASES = (
    ("src/limina/benchmark/measure.py", '"rival"'),  # a field of the published results
    ("tests/support/database/postgres.py", "nobody"),  # the Unix user
    ("web/src/learn/limes.en.json", "the little house"),  # a drawing on the cards
    ("web/src/messages/en/", "no room to breathe"),
)

STRING_OR_COMMENT = re.compile(
    r"//[^\n]*|/\*.*?\*/|<!--.*?-->|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.DOTALL
)
WORD_OF_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@cache
def tracked_files() -> tuple[str, ...]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return tuple(name for name in names if (ROOT / name).is_file() and not IGNORED.fullmatch(name))


def files_to_check(folders: tuple[str, ...], suffixes: tuple[str, ...]) -> list[str]:
    return [name for name in tracked_files() if name.startswith(folders) and name.endswith(suffixes)]


def identifiers(name: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of each identifier of a file."""
    source = (ROOT / name).read_text("utf-8")
    if name.endswith(".py"):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME:
                yield token.start[0], token.string
        return
    if name.endswith(".svelte"):  # in the markup, identifiers and texts look the same
        source = "\n".join(re.findall(r"<script.*?</script>", source, re.DOTALL))
    code = STRING_OR_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), source)
    code = re.sub(r"\b(test|describe)\.each\b", "", code)  # Vitest's name
    for line, text in enumerate(code.splitlines(), 1):
        for word in re.findall(r"[A-Za-z_]\w*", text):
            yield line, word


def is_banned(identifier: str) -> bool:
    parts = {part.lower() for part in WORD_OF_NAME.findall(identifier)}
    return bool(BANNED_PREFIX.match(identifier) or identifier in BANNED_NAMES or parts & BANNED_NAME_PARTS)


def docstrings(name: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of the docstrings of a Python file, including those of attributes and constants."""
    for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def is_allowed(name: str, text: str, match: re.Match[str]) -> bool:
    return any(
        name.startswith(path) and phrase in text[max(0, match.start() - len(phrase)) : match.end() + len(phrase)]
        for path, phrase in ALLOWED_PHRASES
    )


def test_identifiers_use_the_words_of_the_field() -> None:
    offenders = [
        f"{name}:{line}: {identifier}"
        for name in files_to_check(CODE_FOLDERS, CODE_SUFFIXES)
        for line, identifier in identifiers(name)
        if is_banned(identifier)
    ]
    assert offenders == []


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    offenders = [
        f"{name}:{line}: {text[:60]}"
        for name in files_to_check(DOCSTRING_FOLDERS, (".py",))
        for line, text in docstrings(name)
        if BANNED_FIRST_WORDS.match(text)
    ]
    assert offenders == []


def test_texts_use_the_words_of_the_field() -> None:
    offenders = []
    for name in [*files_to_check(("",), TEXT_SUFFIXES), *files_to_check(("web/src/messages/en/",), (".json",))]:
        text = (ROOT / name).read_text("utf-8")
        offenders += [
            f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
            for match in BANNED_WORDS.finditer(text)
            if not is_allowed(name, text, match)
        ]
    assert offenders == []
