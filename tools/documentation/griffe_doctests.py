"""An extension of Griffe for the API reference (see mkdocs.yml) that shows doctests as code."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

# From a prompt to the next empty line or the end.
_EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class FencedDoctests(Extension):
    """Puts code fences around doctests."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Rewrite the docstring of an object in a package."""
        _fence_examples(obj)

    def on_package(self, *, pkg: Object, **kwargs: Any) -> None:
        """Rewrite the docstring of a package."""
        _fence_examples(pkg)


def _fence_examples(obj: Object) -> None:
    if obj.docstring is not None:
        obj.docstring.value = _EXAMPLE.sub(lambda match: f"```pycon\n{match[0]}\n```", obj.docstring.value)
