"""Files that are there whole or not at all, wherever they are written from."""

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
"""No file that we read is larger; what is, never ends perhaps."""
_TEMP_FILE = re.compile(r"\..+\.(\d+)")


def read_limited(path: str | Path) -> bytes:
    """All of a file, and one byte more than there may be of one that is too large."""
    try:
        with open(path, "rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InvalidInputError(system_error_text(error, "it cannot be opened")) from None


def read_text(path: str | Path) -> str:
    """All of a text file."""
    return decode_text(read_limited(path))


def decode_text(content: bytes) -> str:
    """The text in a file, with or without a mark at its beginning."""
    if len(content) > MAX_FILE_BYTES:
        raise InvalidInputError(f"it is larger than {MAX_FILE_BYTES // 1024 // 1024} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError("it is not a text in UTF-8") from None


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all; its folder is made if there is none."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with _writing(path):
        if is_special(path):
            path.write_bytes(data)  # a device or a pipe: what is put in its place would be another thing
            return
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as beside:
            beside.write_bytes(data)


@contextmanager
def atomic_file(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """Another file to write to, with these rights at most, which takes the place of this one once all went well."""
    with _writing(path):
        path = path.resolve()  # where a link points to; the link itself stays
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode))
        try:
            yield beside
            with open(beside, "rb") as file:
                os.fsync(file.fileno())
            os.replace(beside, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                beside.unlink()


def check_writable(path: Path) -> None:
    """Say now what would go wrong when this file is written later; makes its folder."""
    with _writing(path):
        if path.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        path.with_name("x")  # complains about what is no file's name
        if not is_special(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(13, "Permission denied")


def check_access(path: Path, *, write: bool) -> None:
    """Say whose file or folder this is, and what to do, where this user may not read it or write to it."""
    needed = os.R_OK | (os.W_OK if write else 0) | (os.X_OK if path.is_dir() else 0)
    if os.access(path, needed):
        return
    try:
        owner = path.owner()
    except (KeyError, OSError, NotImplementedError):  # a user without a name, or a system without users
        owner = "another user"
    name = str(path) if str(path).isprintable() else ascii(str(path))
    what = "write to" if write else "read"
    raise LiminaError(f"{name} belongs to {owner} and this user may not {what} it: chown it, or choose another place")


def remove_stale_temp_files(folder: Path, names: str) -> None:
    """Remove what somebody who was killed while writing such files has left behind."""
    for beside in folder.glob(f".{names}.*"):
        found = _TEMP_FILE.fullmatch(beside.name)
        if found is not None and not _process_exists(int(found[1])):
            with contextlib.suppress(OSError):
                beside.unlink()


def system_error_text(error: OSError | ValueError, otherwise: str) -> str:
    """What the system says, in lower case."""
    said = error.strerror if isinstance(error, OSError) else None
    return said.lower() if said else otherwise


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except LiminaError:
        raise
    except (OSError, ValueError) as error:
        name = str(path) if str(path).isprintable() else ascii(str(path))
        raise LiminaError(
            f"{name} cannot be written: {system_error_text(error, 'this is not the name of a file')}"
        ) from None


def is_special(path: Path) -> bool:
    """Tell whether this is neither a file nor a folder: a pipe, a socket or a device, which may never end."""
    try:
        kind = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(kind) and not stat.S_ISDIR(kind)


def _process_exists(process: int) -> bool:
    """Whether there is such a process; where that cannot be asked, there may be."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass
    return True
