"""The wheel that `make wheel` left in dist/, in an empty environment without a compiler and without a network."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest

import limina
from support import ROOT
from support.games.records import random_record

WHEELS = sorted((ROOT / "dist").glob("*.whl"))
NO_NETWORK = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "http_proxy": "http://127.0.0.1:9"}
# Where the system lets us, there is truly none: not even this machine itself can be reached.
CUT_OFF = [shutil.which("unshare") or "", "--map-root-user", "--net"]
if not CUT_OFF[0] or subprocess.run([*CUT_OFF, "true"], capture_output=True).returncode != 0:
    CUT_OFF = []


@pytest.fixture(scope="module")
def wheel() -> Path:
    assert len(WHEELS) == 1, "run `make wheel`"
    return WHEELS[0]


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel alone, from which no compiler can be found."""
    home = tmp_path_factory.mktemp("home")
    venv.create(home, with_pip=True)
    run(home, "python", "-m", "pip", "install", "--no-index", str(wheel))
    return home


def surroundings(home: Path) -> dict[str, str]:
    return {"PATH": str(home / "bin"), "HOME": str(home), **NO_NETWORK}


def run(home: Path, program: str, *words: str, said: str = "") -> str:
    command = [*CUT_OFF, str(home / "bin" / program), *words]
    done = subprocess.run(command, env=surroundings(home), cwd=home, input=said, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_is_no_compiler_where_it_is_installed(home: Path) -> None:
    for compiler in ("cc", "c++", "gcc", "g++", "clang", "cmake", "ninja"):
        assert shutil.which(compiler, path=surroundings(home)["PATH"]) is None


def test_it_runs_from_where_it_was_installed_with_the_version_of_the_project(home: Path) -> None:
    said = run(home, "limina", "--version", "--verbose")
    declared = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text("utf-8"), flags=re.MULTILINE)
    assert declared is not None
    assert said.startswith(f"limina {declared[1]}\nkernel ISA ")
    where = run(home, "python", "-c", "import limina; print(limina.__file__)")
    assert Path(where.strip()).is_relative_to(home)


@pytest.mark.parametrize("isa", ["portable", "avx2", "avx512", "neon"])
def test_every_isa_that_this_machine_runs_is_inside(home: Path, isa: str) -> None:
    if isa not in run(home, "limina", "--version", "--verbose"):
        return
    code = (
        f"import os; os.environ['LIMINA_KERNEL_ISA'] = {isa!r};"
        "from limina._kernel import _isa; print(_isa.selected_isa())"
    )
    assert run(home, "python", "-c", code).strip() == isa


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_it_plays_both_games(home: Path, game: str) -> None:
    figures = json.loads(run(home, "limina", "arena", game, "novice", "casual", "--games", "2", "--json"))
    assert len(figures["games"]) == 2
    assert all(each["verdict"] is None for each in figures["games"])
    record = home / f"{game}.json"
    record.write_text(random_record(limina.game(game), 1).write())
    assert json.loads(run(home, "limina", "replay", "--json", str(record)))
    assert "analyze" in run(home, "limina", "--help")
    run(home, "limina", "show", str(record), "--svg", str(home / "picture.svg"))
    assert (home / "picture.svg").read_text().startswith("<svg")


def test_a_game_is_played_at_the_terminal(home: Path) -> None:
    assert "Limit" in run(home, "limina", "play", "limit", "bot:novice", "bot:novice", "--option", "size=4")


def test_the_benchmark_has_its_sets_inside(home: Path) -> None:
    assert "% of par" in run(home, "limina", "benchmark", "novice", "--quick", "--game", "limes")


def test_without_the_server_it_says_what_to_install(home: Path) -> None:
    done = subprocess.run(
        [home / "bin" / "limina", "serve"], env=surroundings(home), cwd=home, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "limina[server]" in done.stderr


@pytest.fixture
def served(home: Path) -> Iterator[str]:
    """The page as it comes out of the wheel; what the server needs is lent by the environment of the tests."""
    lent = sorted({str(each.locate_file("")) for each in distributions()})
    code = (
        f"import sys; sys.path += {[place for place in lent if place.endswith('site-packages')]};"
        "import limina; assert limina.__file__.startswith(sys.prefix), limina.__file__;"
        "from limina.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [str(home / "bin" / "python"), "-c", code, "serve", "--port", "0", "--data", str(home / "data")]
    with subprocess.Popen(command, env=surroundings(home), cwd=home, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = next((found[0] for line in server.stdout if (found := re.search(r"http://[\d.:]+", line))), None)
        try:
            assert address is not None
            yield address
        finally:
            server.terminate()


def test_the_page_is_inside_and_served_with_all_it_asks_for(served: str) -> None:
    def fetched(path: str) -> bytes:
        with urllib.request.urlopen(f"{served}/{path}", timeout=30) as answer:
            assert answer.status == 200
            content: bytes = answer.read()
            return content

    page = fetched("").decode()
    files = re.findall(r'(?:src|href)="/?(?:\./)?(assets/[^"]+)"', page)
    assert any(name.endswith(".js") for name in files)
    for name in files:
        assert fetched(name)
    assert "limes" in fetched("api/games").decode()


def test_the_wheel_and_the_sdist_hold_what_they_should(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    assert "limina/web/index.html" in names
    assert "limina/py.typed" in names
    assert not any(name.startswith(("tests/", "build/")) for name in names)
    if sys.platform == "linux":
        assert "manylinux" in wheel.name
    (sdist,) = (ROOT / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as tar:
        inside = {name.partition("/")[2] for name in tar.getnames()}
    assert {
        "pyproject.toml",
        "CMakeLists.txt",
        "LICENSE",
        "kernel/limit/rules.cpp",
        "src/limina/web/index.html",
    } <= inside
