"""For all tests."""

# A program that swaps the kernel before anything imports it (`make sanitize`), not a module to be collected.
collect_ignore = ["sanitized.py"]
