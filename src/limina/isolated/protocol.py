"""Protocol between the server and a program in a subprocess, over the program's standard input and output.

A request is a question with a body in JSON. An answer is a status with a body: the result or an error message. Both
have the same frame: a header line with the question or status and the size of the body in bytes, then the body. The
server sends the next request after it has read the answer. A program ends when its input ends.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Literal

from limina.core.record import RecordTooLongError, parse_json
from limina.errors import IllegalTurnError, InvalidInputError, LiminaError
from limina.isolated.process import exit_out_of_memory, prepare_process

RecordQuestion = Literal["replay", "position", "review_request", "evaluate", "companion", "companion_hint"]
"""Questions that `limina.isolated.record` answers with JSON."""
RenderQuestion = Literal["print", "picture"]
"""Questions that `limina.isolated.render` answers with the bytes of a file."""
Question = Literal[RecordQuestion, RenderQuestion]
ErrorStatus = Literal[
    "invalid",  # the request or its turn is malformed
    "illegal",  # the rules do not allow the turn
    "too_large",
    "unavailable",  # an internal failure: try again
]
Status = Literal["ok", ErrorStatus]

MAX_ANSWER_BYTES = 16 * 1024 * 1024
"""Upper bound of the body of an answer. A larger one is refused as `too_large`."""


def format_header(name: str, size: int) -> bytes:
    r"""Return the header line of a request or answer.

    >>> format_header("replay", 2)
    b'replay 2\n'
    """
    return f"{name} {size}\n".encode()


def parse_header(line: bytes) -> tuple[str, int]:
    r"""Return the question or status and the size from a header line; raise ValueError if it is malformed.

    >>> parse_header(b"replay 2\n")
    ('replay', 2)
    """
    name, size = line.decode().split()
    return name, int(size)


def serve(handle: Callable[[str, object], bytes]) -> None:
    """Answer the requests on standard input until it ends, with limited memory."""
    prepare_process()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while header := requests.readline():
        question, size = parse_header(header)
        status, body = answer(handle, question, requests.read(size))
        answers.write(format_header(status, len(body)))
        answers.write(body)
        answers.flush()


def answer(handle: Callable[[str, object], bytes], question: str, body: bytes) -> tuple[Status, bytes]:
    """Return the answer to a request: the result of the handler, or a status and message for its exception."""
    try:
        result = handle(question, _parse_body(body))
    except RecordTooLongError as error:
        return "too_large", str(error).encode()
    except IllegalTurnError as error:
        return "illegal", str(error).encode()
    except LiminaError as error:
        return "invalid", str(error).encode(errors="replace")
    except MemoryError:
        exit_out_of_memory()
    except Exception as error:  # a bug: this request still gets an answer, and so does the next one
        return "unavailable", f"something went wrong here ({type(error).__name__}): please try again".encode()
    if len(result) > MAX_ANSWER_BYTES:
        return "too_large", f"the result would be larger than {MAX_ANSWER_BYTES // 1024 // 1024} MB".encode()
    return "ok", result


def _parse_body(body: bytes) -> object:
    try:
        return parse_json(body)
    except InvalidInputError as error:
        raise InvalidInputError(str(error).replace("it is not JSON", "this is not JSON", 1)) from None
