"""Programs and packages that tests need and that may be missing.

In CI a missing requirement fails the test, because `make test` can install all of them. Elsewhere the test is skipped,
and the reason names the command that installs it. PostgreSQL is not in the list: without it tests fail everywhere.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec

import pytest

from support import ROOT

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
NGINX_PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
"""The PATH with the folders of Debian's nginx, which are not in every user's PATH."""
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


@dataclass(frozen=True)
class Requirement:
    """A program or package, where it is, and how to install it."""

    title: str
    path: str | None
    """The path of the program or its name; None if it is missing."""
    packages: Mapping[str, str] = field(default_factory=dict)
    """The name of the package, by package manager."""
    command: str = ""
    """The command that installs it on any system."""

    def describe_missing(self) -> str:
        """Return a sentence that says it is missing and names the command that installs it."""
        return f"{self.title} is missing: {install_hint(self.packages, self.command)}"


def install_hint(packages: Mapping[str, str], command: str = "") -> str:
    """Return an advice with the command, or with the one of this system's package manager."""
    manager = next((name for name in packages if shutil.which(name)), None)
    command = command or (f"{manager} install {packages[manager]}" if manager else "")
    return f"install it with `{command}`" if command else "install it"


REQUIREMENTS = {
    "axe": Requirement("axe-core", str(AXE) if AXE.exists() else None, command="make web"),
    "chromium": Requirement(
        "Chromium",
        next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None),
        {"apt-get": "chromium-headless-shell", "dnf": "chromium-headless", "brew": "--cask chromium"},
    ),
    "nginx": Requirement(
        "nginx",
        shutil.which("nginx", path=NGINX_PATH),
        {"apt-get": "nginx-light", "dnf": "nginx-core", "brew": "nginx"},
    ),
    "openssl": Requirement(
        "openssl", shutil.which("openssl"), {"apt-get": "openssl", "dnf": "openssl", "brew": "openssl"}
    ),
    "ray": Requirement("Ray", "ray" if find_spec("ray") else None, command="sh tools/install-python-deps.sh ray"),
    "systemd": Requirement(
        "systemd-analyze", shutil.which("systemd-analyze"), {"apt-get": "systemd", "dnf": "systemd"}
    ),
}


def require(name: str) -> None:
    """Fail the test in CI, or skip it elsewhere, if this requirement is missing."""
    requirement = REQUIREMENTS[name]
    if requirement.path is not None:
        return
    if os.environ.get("CI"):
        pytest.fail(f"{requirement.describe_missing()} (because CI is set, this is not skipped)", pytrace=False)
    pytest.skip(requirement.describe_missing())
