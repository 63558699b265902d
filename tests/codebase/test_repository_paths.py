"""The files of the repository name no paths or registries outside of it."""

from __future__ import annotations

import re
import subprocess

from support import ROOT


def test_no_file_names_a_registry_or_a_path_outside_the_project() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    texts = (".py", ".md", ".txt", ".toml", ".json", ".lock", ".sh", "Makefile")
    suspicious = re.compile("pypi" + r"\.org|files\.pythonhosted|registry\." + "npmjs|/work" + "/|/root" + "/")
    named = [
        name for name in tracked
        if (ROOT / name).is_file() and name.endswith(texts)
        and suspicious.search((ROOT / name).read_text(errors="replace"))
    ]  # fmt: skip
    assert not named
