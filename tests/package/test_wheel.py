"""The wheel of `make wheel` in dist/, in an empty environment without compiler and network."""

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
# A network namespace without any network, if the system allows it.
WITHOUT_NETWORK = [shutil.which("unshare") or "", "--map-root-user", "--net"]
if not WITHOUT_NETWORK[0] or subprocess.run([*WITHOUT_NETWORK, "true"], capture_output=True).returncode != 0:
    WITHOUT_NETWORK = []


@pytest.fixture(scope="module")
def wheel() -> Path:
    assert len(WHEELS) == 1, "run `make wheel`"
    return WHEELS[0]


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with only the wheel and without a compiler."""
    home = tmp_path_factory.mktemp("home")
    venv.create(home, with_pip=True)
    run(home, "python", "-m", "pip", "install", "--no-index", str(wheel))
    return home


def environment_of(home: Path) -> dict[str, str]:
    return {"PATH": str(home / "bin"), "HOME": str(home), **NO_NETWORK}


def run(home: Path, program: str, *arguments: str, standard_input: str = "") -> str:
    command = [*WITHOUT_NETWORK, str(home / "bin" / program), *arguments]
    process = subprocess.run(
        command, env=environment_of(home), cwd=home, input=standard_input, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_environment_has_no_compiler(home: Path) -> None:
    for compiler in ("cc", "c++", "gcc", "g++", "clang", "cmake", "ninja"):
        assert shutil.which(compiler, path=environment_of(home)["PATH"]) is None


def test_installed_command_has_the_version_of_the_project(home: Path) -> None:
    output = run(home, "limina", "--version", "--verbose")
    declared = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text("utf-8"), flags=re.MULTILINE)
    assert declared is not None
    assert output.startswith(f"limina {declared[1]}\nkernel ISA ")
    where = run(home, "python", "-c", "import limina; print(limina.__file__)")
    assert Path(where.strip()).is_relative_to(home)


@pytest.mark.parametrize("isa", ["portable", "avx2", "avx512", "neon"])
def test_wheel_has_every_isa_that_this_machine_runs(home: Path, isa: str) -> None:
    if isa not in run(home, "limina", "--version", "--verbose"):
        return
    code = (
        f"import os; os.environ['LIMINA_KERNEL_ISA'] = {isa!r};"
        "from limina._kernel import _isa; print(_isa.selected_isa())"
    )
    assert run(home, "python", "-c", code).strip() == isa


@pytest.mark.parametrize("game", ["limes", "limit"])
def test_installed_command_plays_both_games(home: Path, game: str) -> None:
    result = json.loads(run(home, "limina", "arena", game, "novice", "casual", "--games", "2", "--json"))
    assert len(result["games"]) == 2
    assert all(played["verdict"] is None for played in result["games"])
    record = home / f"{game}.json"
    record.write_text(random_record(limina.game(game), 1).to_json_text())
    assert json.loads(run(home, "limina", "replay", "--json", str(record)))
    assert "analyze" in run(home, "limina", "--help")
    run(home, "limina", "show", str(record), "--svg", str(home / "picture.svg"))
    assert (home / "picture.svg").read_text().startswith("<svg")


def test_a_game_is_played_at_the_terminal(home: Path) -> None:
    assert "Limit" in run(home, "limina", "play", "limit", "bot:novice", "bot:novice", "--option", "size=4")


def test_wheel_has_the_benchmark_sets(home: Path) -> None:
    assert "% of par" in run(home, "limina", "benchmark", "novice", "--quick", "--game", "limes")


def test_serve_without_the_extra_names_it(home: Path) -> None:
    process = subprocess.run(
        [home / "bin" / "limina", "serve"], env=environment_of(home), cwd=home, capture_output=True, text=True
    )
    assert process.returncode == 1
    assert "limina[server]" in process.stderr


@pytest.fixture
def served(home: Path) -> Iterator[str]:
    """A server from the wheel, with the dependencies of the environment of the tests."""
    site_packages = sorted({str(package.locate_file("")) for package in distributions()})
    code = (
        f"import sys; sys.path += {[place for place in site_packages if place.endswith('site-packages')]};"
        "import limina; assert limina.__file__.startswith(sys.prefix), limina.__file__;"
        "from limina.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [str(home / "bin" / "python"), "-c", code, "serve", "--port", "0", "--data", str(home / "data")]
    with subprocess.Popen(command, env=environment_of(home), cwd=home, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = next((match[0] for line in server.stdout if (match := re.search(r"http://[\d.:]+", line))), None)
        try:
            assert address is not None
            yield address
        finally:
            server.terminate()


def test_wheel_serves_the_page_with_its_assets(served: str) -> None:
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


def test_wheel_and_sdist_have_the_expected_files(wheel: Path) -> None:
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
