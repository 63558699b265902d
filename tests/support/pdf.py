"""PDFs as an independent reader finds them: pages and lines in millimetres, fonts, images."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream

POINTS_PER_MILLIMETER = 72 / 25.4
LineSegment = tuple[float, float, float, float]
Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


class PdfPage:
    """One page, in millimetres from its upper left corner. What takes long to read is read when it is asked for."""

    def __init__(self, page: PageObject) -> None:
        self._page = page
        self.width, self.height = (
            float(side) / POINTS_PER_MILLIMETER for side in (page.mediabox.width, page.mediabox.height)
        )

    @cached_property
    def text(self) -> str:
        """What is written on it."""
        return self._page.extract_text()

    @cached_property
    def lines(self) -> list[LineSegment]:
        """Every straight line."""
        return _line_segments(self._page)


def read_pages(content: bytes) -> list[PdfPage]:
    """The pages of a PDF."""
    return [PdfPage(page) for page in PdfReader(io.BytesIO(content)).pages]


def pdf_objects(content: bytes) -> Iterator[Any]:
    """Every object of the file."""
    reader = PdfReader(io.BytesIO(content))
    for number in range(1, len(reader.xref_objStm) + sum(len(each) for each in reader.xref.values()) + 1):
        found = reader.get_object(number)
        if found is not None:
            yield found


def embedded_images(content: bytes) -> list[Any]:
    """All pictures made of pixels."""
    return [each for each in pdf_objects(content) if isinstance(each, dict) and each.get("/Subtype") == "/Image"]


def fonts_embedded(content: bytes) -> dict[str, bool]:
    """The fonts by name, and whether they are in the file."""
    described = [
        each for each in pdf_objects(content) if isinstance(each, dict) and each.get("/Type") == "/FontDescriptor"
    ]
    return {str(each["/FontName"]): any(f"/FontFile{n}" in each for n in ("", "2", "3")) for each in described}


def _line_segments(page: PageObject) -> list[LineSegment]:
    height = float(page.mediabox.height)

    def place(x: float, y: float) -> tuple[float, float]:
        a, b, c, d, e, f = matrix
        return (a * x + c * y + e) / POINTS_PER_MILLIMETER, (height - (b * x + d * y + f)) / POINTS_PER_MILLIMETER

    found: list[LineSegment] = []
    matrix, kept, start = IDENTITY, [], (0.0, 0.0)
    content = page.get_contents()
    assert content is not None
    for operands, operator in ContentStream(content, page.pdf).operations:
        if operator == b"q":
            kept.append(matrix)
        elif operator == b"Q":
            matrix = kept.pop()
        elif operator == b"cm":
            matrix = _multiply([float(value) for value in operands], matrix)
        elif operator == b"m":
            start = place(*map(float, operands))
        elif operator == b"l":
            end = place(*map(float, operands))
            found.append((*start, *end))
            start = end
    return found


def _multiply(first: Sequence[float], second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
