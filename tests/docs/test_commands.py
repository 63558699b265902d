"""Commands, options, modules, files, settings and metrics that the documentation names exist."""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from limina.cli import main
from support import ROOT

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "examples" / "README.md"]
PRESENT = [page for page in PAGES if page.name != "CHANGELOG.md" and page.parent.name not in ("lab", "decisions")]
"""Pages about limina as it is. Lab notes, decisions and the changelog also name what is gone."""
MAKE_TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
SOURCE_FOLDERS = [ROOT / folder for folder in ("", "src/limina", "src/limina/server")]
SOURCE_FILE = re.compile(r"(src|kernel|web|tests|tools|bench|examples|server|core|bots|limes|limit|cli)/[\w/.-]+")
SETTING = re.compile(r"\b(?:LIMINA|BENCH)_[A-Z_]+\b")
"""Environment variables."""
METRIC = re.compile(r"\blimina_\w+")
METRIC_SUFFIXES = re.compile("_(total|bucket|count|sum)$")
"""Suffixes that Prometheus adds to the name of a metric."""
NOT_METRICS = {"limina_limes", "limina_limit"}
"""The games' names in OpenSpiel."""
NOT_MODULES = {"limina.games", "limina.sqlite"}
"""The group of entry points for games, and the file of the database."""


def page_id(page: Path) -> str:
    """Return the path of a page as the id of its test."""
    return str(page.relative_to(ROOT))


def code_lines(text: str) -> list[str]:
    """Return the lines of code blocks and the contents of code spans."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return lines + re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


@cache
def command_help(command: tuple[str, ...]) -> str | None:
    """Return the help of a command, or None if there is no such command."""
    import contextlib
    import io

    output = io.StringIO()
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(io.StringIO()),
        pytest.raises(SystemExit) as end,
    ):
        main([*command, "--help"])
    return None if end.value.code else output.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_make_targets_and_linked_files_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    for targets in re.findall(r"(?:`|^)make((?: [a-z-]+)+)", text, flags=re.MULTILINE):
        assert set(targets.split()) <= MAKE_TARGETS, targets
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert "://" in link or (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PRESENT, ids=page_id)
def test_commands_and_their_options_exist(page: Path) -> None:
    for line in code_lines(page.read_text("utf-8")):
        if re.match(r"limina [a-z]", line) is None:
            continue
        words = line.partition("  #")[0].split()
        command = (words[1],)
        text = command_help(command)
        assert text is not None, line
        if len(words) > 2 and re.fullmatch("[a-z]+", words[2]) and re.search(rf"^ +{words[2]}\b", text, re.MULTILINE):
            text = command_help((*command, words[2])) or text
        for option in re.findall(r"(?<!\S)--[a-z][a-z-]+", " ".join(words).partition("'")[0]):
            assert option in text, line


@pytest.mark.parametrize("page", PRESENT, ids=page_id)
def test_modules_and_source_files_exist(page: Path) -> None:
    for line in code_lines(page.read_text("utf-8")):
        if re.fullmatch(r"limina(\.\w+)+", line) and line not in NOT_MODULES:
            names = line.split(".")
            value = importlib.import_module("limina")
            for index, name in enumerate(names[1:], 2):
                value = getattr(value, name, None) or importlib.import_module(".".join(names[:index]))
        elif SOURCE_FILE.fullmatch(line):
            assert any((folder / line).exists() for folder in SOURCE_FOLDERS), line


@cache
def settings_of_the_code() -> set[str]:
    """Return the environment variables that source files name; a benchmark names its own without the prefix."""
    files = [path for folder in ("src", "bench", "tools", "tests") for path in (ROOT / folder).rglob("*.py")]
    text = "\n".join(path.read_text("utf-8") for path in files if path.parent != Path(__file__).parent)
    return {*SETTING.findall(text), *(f"BENCH_{name}" for name in re.findall(r'_settings?\(\s*"([A-Z_]+)"', text))}


@pytest.mark.parametrize("page", PRESENT, ids=page_id)
def test_environment_variables_exist(page: Path) -> None:
    assert set(SETTING.findall(page.read_text("utf-8"))) <= settings_of_the_code()


@cache
def exported_metrics() -> set[str]:
    """Return the names of the metrics without the suffixes that Prometheus adds."""
    server = ROOT / "src" / "limina" / "server"
    files = [server / "services.py", *(server / "monitoring").glob("*.py")]
    return {name for path in files for name in re.findall(r'"(limina_\w+)"', path.read_text("utf-8"))}


@pytest.mark.parametrize("page", PRESENT, ids=page_id)
def test_metrics_exist(page: Path) -> None:
    named = set(METRIC.findall(page.read_text("utf-8"))) - NOT_METRICS
    assert {METRIC_SUFFIXES.sub("", name) for name in named} <= exported_metrics()


def test_hosting_names_every_metric() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    assert exported_metrics() <= {METRIC_SUFFIXES.sub("", name) for name in METRIC.findall(text)}
