"""Run the commands of README.md in a minimal Debian 12 that has only the packages README.md names.

`make test-clean-install`, as root; parts of it with `make test-clean-install COMMANDS=play USERS=plain`. debootstrap
makes the system in build/clean-install. It uses the package sources, certificates and proxies of this machine, and its
Node, because that of Debian 12 is too old. Every mount is in a mount namespace of this program and ends with it.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK_FOLDER = ROOT / "build" / "clean-install"
BASE_SYSTEM = WORK_FOLDER / "base"
DEBIAN_RELEASE = "bookworm"
USERS = {"root": "/root", "plain": "/home/plain"}
COMMANDS = ("play", "test")
PAGE_TIMEOUT_SECONDS = 1800
"""Bounds the time from `make play` to the page, with everything that is built on the way."""
STOP_TIMEOUT_SECONDS = 60
# Environment variables that configure package sources, certificates and proxies.
SOURCE_VARIABLES = re.compile(
    r"(pip|uv|npm_config|ssl_cert)_.*|node_extra_ca_certs|.*_(ca_bundle|proxy)", re.IGNORECASE
)
SYSTEM_FILES = ("resolv.conf", "hosts", "pip.conf", "uv/uv.toml")
HOME_FILES = (".npmrc", ".pip/pip.conf", ".config/pip/pip.conf", ".config/uv/uv.toml")


class StepFailedError(Exception):
    """A step failed; the message names it."""


def print_progress(text: str) -> None:
    """Print a line of progress."""
    print(f"limina: {text}", flush=True)


def run(*command: str | Path, log: Path | None = None) -> str:
    """Run a command, which must succeed; return its output, which is also written to the log."""
    with log.open("w+b") if log is not None else tempfile.TemporaryFile() as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT).returncode
        output.seek(0)
        text = output.read().decode(errors="replace")
    if status:
        last = text.strip().splitlines()[-1:] or ["it printed nothing"]
        name = shlex.join(map(str, command)).rpartition("TERM=dumb ")[2]
        raise StepFailedError(f"`{name[:160]}` failed: {last[0]}")
    return text


def remove_folder(folder: Path) -> None:
    """Remove a folder, but nothing that is mounted in it."""
    run("rm", "-rf", "--one-file-system", folder)


def readme_packages() -> tuple[list[str], list[str]]:
    """Return the packages that README.md names for Debian 12: to build, and for the tests of plain users."""
    text = (ROOT / "README.md").read_text("utf-8")
    build = re.search(r"^\| Debian 12 \| `sudo apt install ([^`]+)`", text, re.MULTILINE)
    tests = re.search(r"^`sudo apt install ([^`]+)` first", text, re.MULTILINE)
    if build is None or tests is None:
        raise StepFailedError("README.md does not name the packages for Debian 12 as it used to")
    return build[1].split(), tests[1].split()


def make_base_system() -> None:
    """Make a minimal Debian unless it exists."""
    complete = WORK_FOLDER / "base.complete"
    if complete.exists():
        return
    if shutil.which("debootstrap") is None:
        print_progress("installing debootstrap")
        run("apt-get", "install", "-y", "--no-install-recommends", "debootstrap")
    print_progress("making a minimal Debian 12")
    remove_folder(BASE_SYSTEM)
    targets = run("apt-get", "indextargets", "--format", "$(RELEASE) $(REPO_URI)", "Created-By: Packages").splitlines()
    mirrors = [target.partition(" ")[2] for target in targets if target.startswith(f"{DEBIAN_RELEASE} ")]
    run(
        "debootstrap",
        "--variant=minbase",
        DEBIAN_RELEASE,
        BASE_SYSTEM,
        *mirrors[:1],
        log=WORK_FOLDER / "debootstrap.log",
    )
    complete.touch()


class DebianSystem:
    """A copy of the minimal Debian, for one user."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.home = USERS[user]
        self.root = WORK_FOLDER / user
        self.variables = {name: value for name, value in os.environ.items() if SOURCE_VARIABLES.fullmatch(name)}
        remove_folder(self.root)
        run("cp", "-a", BASE_SYSTEM, self.root)
        self.mount("-t", "proc", "proc", at="proc")
        self.mount("-t", "sysfs", "-o", "ro", "sysfs", at="sys")
        self.mount("-t", "devpts", "-o", "newinstance,ptmxmode=0666,mode=0620,gid=5", "devpts", at="dev/pts")
        self.mount("-t", "tmpfs", "tmpfs", at="dev/shm")
        archives = WORK_FOLDER / "archives"
        archives.mkdir(exist_ok=True)
        self.mount("--bind", archives, at="var/cache/apt/archives")
        self.copy_sources()
        if user != "root":
            self.execute("useradd", "--create-home", "--shell", "/bin/sh", user)
        self.execute("apt-get", "update")

    def mount(self, *arguments: str | Path, at: str) -> None:
        """Mount something in a folder of the system."""
        (self.root / at).mkdir(parents=True, exist_ok=True)
        run("mount", *arguments, self.root / at)

    def close(self) -> None:
        """Unmount everything and remove the system."""
        mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text("utf-8").splitlines()]
        for mount in reversed(mounts):
            if mount.startswith(f"{self.root}/"):
                run("umount", mount)
        remove_folder(self.root)

    def copy_sources(self) -> None:
        """Copy the configuration of the package sources of this machine into the system."""
        files = [*(Path("/etc") / name for name in SYSTEM_FILES), *(Path.home() / name for name in HOME_FILES)]
        for file in files:
            target = file if file.is_relative_to("/etc") else Path(self.home) / file.relative_to(Path.home())
            self.copy(file, target)
        if f"VERSION_CODENAME={DEBIAN_RELEASE}\n" in Path("/etc/os-release").read_text("utf-8"):
            (self.root / "etc/apt/sources.list").unlink()
            for name in ("etc/apt/sources.list", "etc/apt/sources.list.d", "etc/apt/keyrings", "usr/share/keyrings"):
                self.copy(Path("/", name), Path("/", name))
            (self.root / "etc/apt/apt.conf.d/90host").write_text(run("apt-config", "dump", "Acquire"))
        self.copy(Path("/usr/local/share/ca-certificates"), Path("/usr/local/share/ca-certificates"))
        # Copy or mount certificates and folders of packages that the configuration names.
        settings = [*self.variables.values(), *(file.read_text("utf-8") for file in filter(Path.is_file, files))]
        paths = re.findall(r"(?<![\w.:/])(?:file://)?(/[\w./+-]+)", " ".join(settings))
        for path in sorted(set(map(Path, paths))):
            if path.name == "simple":  # a package index, with the packages beside it
                path = path.parent
            if not (self.root / path.relative_to("/")).exists():
                if path.is_file() or path.is_relative_to("/etc"):
                    self.copy(path, path)
                elif path.is_dir():
                    self.mount("--bind", "-o", "ro", path, at=str(path.relative_to("/")))

    def copy(self, source: Path, target: Path) -> None:
        """Copy a file or a folder of this machine into the system, for everyone to read."""
        inside = self.root / target.relative_to("/")
        inside.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, inside, dirs_exist_ok=True, ignore_dangling_symlinks=True)
        elif source.exists():
            shutil.copyfile(source, inside)

    def chroot(self, *command: str, user: str = "root") -> list[str]:
        """Return the command that runs another one in the system, with the environment of a login."""
        path = "/usr/local/bin:/usr/bin:/bin"
        if user == "root":
            path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        variables = {"HOME": USERS[user], "USER": user, "LOGNAME": user, "PATH": path, **self.variables}
        if "CI" in os.environ:
            variables["CI"] = os.environ["CI"]
        variables["TERM"] = "dumb"
        settings = [f"{name}={value}" for name, value in variables.items()]
        return ["chroot", f"--userspec={user}", str(self.root), "/usr/bin/env", "-i", *settings, *command]

    def execute(self, *arguments: str) -> str:
        """Run a command in the system as root."""
        command = self.chroot("env", "DEBIAN_FRONTEND=noninteractive", *arguments)
        return run(*command, log=WORK_FOLDER / f"{self.user}-setup.log")

    def install(self, packages: list[str]) -> None:
        """Install packages, without those that they recommend."""
        print_progress(f"{self.user}: apt install {' '.join(packages)}")
        # Keep the packages from starting services.
        policy = self.root / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        self.execute("apt-get", "install", "-y", "--no-install-recommends", *packages)
        policy.unlink()

    def install_node(self) -> None:
        """Copy Node and npm of this machine to the paths of an archive from nodejs.org."""
        node = Path(run("node", "-p", "process.execPath").strip())
        npm = Path(run("npm", "root", "--global", "--silent").strip()) / "npm"
        run("install", "-D", node, self.root / "usr/local/bin/node")
        modules = self.root / "usr/local/lib/node_modules"
        modules.mkdir(parents=True)
        run("cp", "-aL", npm, modules)
        for name in ("npm", "npx"):
            (self.root / "usr/local/bin" / name).symlink_to(f"../lib/node_modules/npm/bin/{name}-cli.js")
        print_progress(f"{self.user}: Node {self.execute('node', '--version').strip()} is copied from this machine")

    def clone(self, name: str) -> str:
        """Clone HEAD into the user's home; return the path in the system."""
        clone = f"{self.home}/{name}"
        run("git", "clone", "--quiet", "--no-hardlinks", ROOT, f"{self.root}{clone}")
        self.execute("chown", "-R", f"{self.user}:", self.home)
        return clone

    def check_missing(self, packages: list[str]) -> None:
        """Check that `make play` without these packages names all of them and Node in one line."""
        clone = self.clone("missing")
        result = subprocess.run(
            self.chroot("make", "-C", clone, "play", user=self.user), capture_output=True, text=True
        )
        lines = [line for line in result.stderr.splitlines() if line.startswith("limina: ")]
        unnamed = [name for name in [*packages, "Node"] if not re.search(rf" {re.escape(name)}(\W|$)", " ".join(lines))]
        if result.returncode == 0 or len(lines) != 1 or unnamed:
            raise StepFailedError(
                f"`make play` does not say that {unnamed} are missing: {result.stdout}{result.stderr}"
            )
        print_progress(f"{self.user}: without packages it prints: {lines[0]}")

    def play(self, log: Path) -> str:
        """Start `make play`, get the page once, and stop it with Ctrl-C; return a line about the page."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command = self.chroot("make", "-C", self.clone("play"), "play", f"PORT={port}", user=self.user)
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                page = self.get_page(port, process)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGINT)
                process.wait(STOP_TIMEOUT_SECONDS)
        return f"the page has {len(page)} bytes"

    def get_page(self, port: int, process: subprocess.Popen[bytes]) -> bytes:
        """Wait for the server and return its page."""
        deadline = time.monotonic() + PAGE_TIMEOUT_SECONDS
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise StepFailedError(f"it exited with status {process.returncode}")
            try:
                with opener.open(f"http://127.0.0.1:{port}/", timeout=10) as answer:
                    page: bytes = answer.read()
            except (OSError, urllib.error.URLError):
                time.sleep(0.5)
                continue
            if b"<html" not in page:
                raise StepFailedError("the page is not HTML")
            return page
        raise StepFailedError(f"there was no page after {PAGE_TIMEOUT_SECONDS} s")

    def test(self, log: Path) -> str:
        """Run `make test`; return its last lines, which are pytest's."""
        output = run(*self.chroot("make", "-C", self.clone("test"), "test", user=self.user), log=log)
        return ", ".join(line for line in output.splitlines() if re.match(r"\d+ (passed|failed)", line))


def run_all(users: list[str], commands: list[str]) -> Iterator[bool]:
    """Run the commands as the users; yield True for each that passes."""
    build, tests = readme_packages()
    for user in users:
        system = DebianSystem(user)
        system.install(["make"])
        system.check_missing([name for name in build if name != "make"])
        # Root's `make test` installs what the tests need.
        system.install(build if user == "root" else build + tests)
        system.install_node()
        passed = True
        for command in commands:
            log = WORK_FOLDER / f"{user}-{command}.log"
            started = time.monotonic()
            try:
                observed = system.play(log) if command == "play" else system.test(log)
            except StepFailedError as error:
                passed = False
                print(*log.read_text("utf-8", errors="replace").splitlines()[-40:], sep="\n")
                print_progress(f"make {command} as {user} failed: {error} ({log.relative_to(ROOT)})")
            else:
                print_progress(f"make {command} as {user} passed in {time.monotonic() - started:.0f} s: {observed}")
            yield passed
        if passed:
            system.close()


def run_as_init() -> None:
    """Continue in a child process if this is the first of its PID namespace, which has to reap all orphans."""
    if os.getpid() != 1 or (child := os.fork()) == 0:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        ended, status = os.wait()
        if ended == child:
            os._exit(abs(os.waitstatus_to_exitcode(status)))


def main() -> int:
    """Run the commands; return 1 if one failed."""
    parser = argparse.ArgumentParser(prog="make test-clean-install", description=__doc__)
    parser.add_argument("--users", nargs="+", choices=USERS, default=list(USERS))
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        parser.error("run it as root: only root can make a system")
    run_as_init()
    WORK_FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        if run("git", "-C", ROOT, "status", "--porcelain").strip():
            print_progress("uncommitted changes are not tested")
        make_base_system()
        return 0 if all(list(run_all(arguments.users, arguments.commands))) else 1
    except StepFailedError as error:
        print(f"limina: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
