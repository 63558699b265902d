"""Read files of limited size, and write files atomically."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from limina.errors import InvalidInputError, LiminaError

MAX_FILE_BYTES = 16 * 1024 * 1024
"""Maximum size of a file that is read. Protects from devices such as /dev/zero, which never end."""
_TEMP_FILE_NAME = re.compile(r"\..+\.(\d+)")


def read_limited(path: str | Path) -> bytes:
    """Return the content of a file, but at most `MAX_FILE_BYTES + 1` bytes, so that the caller can tell its size.

    Raises InvalidInputError if the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InvalidInputError(system_error_text(error, "it cannot be opened")) from None


def read_text(path: str | Path) -> str:
    """Return the text of a UTF-8 file. Raises InvalidInputError if it cannot be read or decoded, or is too large."""
    return decode_text(read_limited(path))


def decode_text(content: bytes) -> str:
    """Return the text of a file's content in UTF-8, without a byte order mark.

    Raises InvalidInputError if it cannot be decoded or is too large.
    """
    if len(content) > MAX_FILE_BYTES:
        raise InvalidInputError(f"it is larger than {MAX_FILE_BYTES // 1024 // 1024} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError("it is not text in UTF-8") from None


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file atomically and create its folder if needed. Raises LiminaError if that fails.

    Devices and pipes are written directly.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with _writing(path):
        if is_special(path):
            path.write_bytes(data)  # replacing it would leave an ordinary file in its place
            return
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as temp:
            temp.write_bytes(data)


@contextmanager
def atomic_file(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """Yield a temporary file that replaces the file at `path` if the body of the `with` statement succeeds.

    The file gets the permissions of `mode`, reduced by the umask. Raises LiminaError if it cannot be written.
    """
    with _writing(path):
        path = path.resolve()  # replace the target of a link, not the link
        temp = path.with_name(f".{path.name}.{os.getpid()}")
        os.close(os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode))
        try:
            yield temp
            with open(temp, "rb") as file:
                os.fsync(file.fileno())
            os.replace(temp, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                temp.unlink()


def check_writable(path: Path) -> None:
    """Raise LiminaError if it is clear already that this file cannot be written. Creates its folder."""
    with _writing(path):
        if path.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        path.with_name("x")  # raises ValueError for a path without a file name
        if not is_special(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        written = [path] if path.exists() else []
        if not is_special(path):
            written.append(path.parent)  # the file is replaced by a new one
        if not all(os.access(target, os.W_OK) for target in written):
            raise PermissionError(13, "Permission denied")


def check_access(path: Path, *, write: bool) -> None:
    """Raise LiminaError, with the owner, if this user may not read (or write to) a file or folder."""
    needed = os.R_OK | (os.W_OK if write else 0) | (os.X_OK if path.is_dir() else 0)
    if os.access(path, needed):
        return
    try:
        owner = path.owner()
    except (KeyError, OSError, NotImplementedError):  # the user has no name, or the system has no users
        owner = "another user"
    name = str(path) if str(path).isprintable() else ascii(str(path))
    action = "write to" if write else "read"
    raise LiminaError(f"{name} belongs to {owner} and this user may not {action} it: chown it, or choose another place")


def remove_stale_temp_files(folder: Path, pattern: str) -> None:
    """Remove temporary files of processes that died while they wrote a file whose name matches the pattern."""
    for temp in folder.glob(f".{pattern}.*"):
        match = _TEMP_FILE_NAME.fullmatch(temp.name)
        if match is not None and not _process_exists(int(match[1])):
            with contextlib.suppress(OSError):
                temp.unlink()


def system_error_text(error: OSError | ValueError, default: str) -> str:
    """Return the operating system's description of an error in lower case, or the default if there is none."""
    description = error.strerror if isinstance(error, OSError) else None
    return description.lower() if description else default


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except LiminaError:
        raise
    except (OSError, ValueError) as error:
        name = str(path) if str(path).isprintable() else ascii(str(path))
        raise LiminaError(f"{name} cannot be written: {system_error_text(error, 'this is not a file name')}") from None


def is_special(path: Path) -> bool:
    """Return True for a pipe, a socket or a device, which may never end."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _process_exists(process_id: int) -> bool:
    """Return False only if there is certainly no such process."""
    if os.name != "posix":
        return True
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass
    return True
