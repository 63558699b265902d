"""The content of PDF files as pypdf reads it: text, line segments in millimeters, fonts and images."""

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
    """A page with its size in millimeters. Text and lines are read lazily, because that is slow."""

    def __init__(self, page: PageObject) -> None:
        self._page = page
        self.width, self.height = (
            float(side) / POINTS_PER_MILLIMETER for side in (page.mediabox.width, page.mediabox.height)
        )

    @cached_property
    def text(self) -> str:
        """The text of the page."""
        return self._page.extract_text()

    @cached_property
    def lines(self) -> list[LineSegment]:
        """All straight line segments, in millimeters from the upper left corner."""
        return _line_segments(self._page)


def read_pages(content: bytes) -> list[PdfPage]:
    """Return the pages of a PDF."""
    return [PdfPage(page) for page in PdfReader(io.BytesIO(content)).pages]


def pdf_objects(content: bytes) -> Iterator[Any]:
    """Yield all objects of the file."""
    reader = PdfReader(io.BytesIO(content))
    for number in range(1, len(reader.xref_objStm) + sum(len(entries) for entries in reader.xref.values()) + 1):
        pdf_object = reader.get_object(number)
        if pdf_object is not None:
            yield pdf_object


def embedded_images(content: bytes) -> list[Any]:
    """Return all raster images."""
    return [entry for entry in pdf_objects(content) if isinstance(entry, dict) and entry.get("/Subtype") == "/Image"]


def fonts_embedded(content: bytes) -> dict[str, bool]:
    """Return all fonts by name: True if the font is embedded in the file."""
    descriptors = [
        entry for entry in pdf_objects(content) if isinstance(entry, dict) and entry.get("/Type") == "/FontDescriptor"
    ]
    return {str(entry["/FontName"]): any(f"/FontFile{n}" in entry for n in ("", "2", "3")) for entry in descriptors}


def _line_segments(page: PageObject) -> list[LineSegment]:
    height = float(page.mediabox.height)

    def to_millimeters(x: float, y: float) -> tuple[float, float]:
        a, b, c, d, e, f = matrix
        return (a * x + c * y + e) / POINTS_PER_MILLIMETER, (height - (b * x + d * y + f)) / POINTS_PER_MILLIMETER

    segments: list[LineSegment] = []
    matrix, matrix_stack, start = IDENTITY, [], (0.0, 0.0)
    content = page.get_contents()
    assert content is not None
    for operands, operator in ContentStream(content, page.pdf).operations:
        if operator == b"q":
            matrix_stack.append(matrix)
        elif operator == b"Q":
            matrix = matrix_stack.pop()
        elif operator == b"cm":
            matrix = _multiply([float(value) for value in operands], matrix)
        elif operator == b"m":
            start = to_millimeters(*map(float, operands))
        elif operator == b"l":
            end = to_millimeters(*map(float, operands))
            segments.append((*start, *end))
            start = end
    return segments


def _multiply(first: Sequence[float], second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
