"""For all tests."""

import pytest

# A program that swaps the kernel before anything imports it (`make sanitize`), not a module to be collected.
collect_ignore = ["kernel/sanitized.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright keeps an event loop running, and no other can be started after it."""
    items.sort(key=lambda item: "/e2e/" in item.nodeid)
