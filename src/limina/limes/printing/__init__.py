"""Limes as sheets to print."""
